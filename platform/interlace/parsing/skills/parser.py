"""``SKILL.md``: a skill with its tools and the keywords that lead to it.

The front matter declares ``name``, ``description``, ``routing_keywords`` and ``tools``; a commands section in the body may declare
tools as well. All declarations are written into the readable text, each tool as a section of type ``Tool``, and marked
there by links of kind ``declared``. So tools are chunks like any other: the same legs find them, and the chunk of a tool is
the evidence for its name and its relations, which disappear with it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from markdown_it.token import Token

from interlace.domain.documents import ParsedDocument
from interlace.entities.normalization import normalize_name
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.markdown.front_matter import split_front_matter
from interlace.parsing.markdown.parser import MarkdownWriter, block_tokens, finish_markdown
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.skills.commands import DeclaredCommand, with_commands
from interlace.parsing.skills.declarations import DeclaredTool, declared_keywords, declared_tools, distinct_names
from interlace.text.tokenizer import terms

SKILL = "Skill"
TOOL = "Tool"


def parse_skill(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the skill as a document: its description and keywords, its text, its tools.

    Raises:
        ParseError: the front matter is wrong (for example, a tool has no name), a limit is exceeded, or there is nothing to read.
    """
    values, body = split_front_matter(text, limits, name)
    title = one_line(str(values.get("name") or values.get("title") or ""))
    tokens, environment = block_tokens(body, name)
    composer = Composer(name, limits, title=title if normalize_name(title) else fallback_title)
    keywords, tools = declared_keywords(values.get("routing_keywords")), declared_tools(values.get("tools"), name)
    writer = _SkillWriter(composer, environment, keywords, tools)
    writer.write_introduction(one_line(str(values.get("description") or "")))
    for item in with_commands(tokens):
        if isinstance(item, Token):
            writer.write(item)
        else:
            writer.write_command(item)
    writer.write_notes("Footnotes")  # not those of the last tool
    writer.write_remaining_tools()
    return _with_types(finish_markdown(composer, values, writer.tags, fallback_title=fallback_title))


class _SkillWriter(MarkdownWriter):
    """Writes a skill's text and marks what it declares."""

    def __init__(
        self, composer: Composer, environment: dict[str, Any], keywords: tuple[str, ...], tools: dict[str, DeclaredTool]
    ) -> None:
        super().__init__(composer, environment)
        self._keywords = keywords
        self._tools = tools
        self._written: set[str] = set()

    def write_introduction(self, description: str) -> None:
        """Write what the skill is for, and the keywords that lead to it."""
        self.write(Token("inline", "", 0, content=description))
        self._write_keywords(self._keywords)

    def write_command(self, command: DeclaredCommand) -> None:
        """Write a tool that the body declares; a second declaration of the same tool is plain text."""
        key = normalize_name(command.name)
        tool = self._tools.get(key, DeclaredTool(command.name))
        self._composer.heading(command.level, command.name)
        description = "" if command.is_description_in_body else command.description
        if key in self._written:
            self._composer.write(command.name)
            self._write_description(description)
        else:
            known = f"{tool.description} {command.description}"
            self._write_tool(tool, description or tool.description, known)

    def write_remaining_tools(self) -> None:
        """Write the tools that the front matter declares and the body does not."""
        remaining = [tool for key, tool in self._tools.items() if key not in self._written]
        if remaining:
            self._composer.heading(1, "Tools")
        for tool in remaining:
            self._composer.heading(2, tool.name)
            self._write_tool(tool, tool.description, tool.description)

    def _write_tool(self, tool: DeclaredTool, description: str, known: str) -> None:
        """Write a tool's name, description and keywords: its own, and those of the skill whose terms all occur in its name or ``known``."""
        self._written.add(normalize_name(tool.name))
        self._write_name(tool.name, "tool")
        self._write_description(description)
        tool_terms = set(terms(f"{tool.name} {known}"))
        shared = (word for word in self._keywords if tool_terms.issuperset(terms(word)))
        self._write_keywords(distinct_names([*tool.keywords, *shared]))

    def _write_description(self, description: str) -> None:
        if description.strip():
            self._composer.write(": ")
            self.write(Token("inline", "", 0, content=description))

    def _write_keywords(self, keywords: Iterable[str]) -> None:
        words = list(keywords)
        self._composer.line()
        for number, word in enumerate(words):
            self._composer.write(", " if number else "Keywords: ")
            self._write_name(word, "concept")
        if words:
            self._composer.write(".")
        self._composer.paragraph()

    def _write_name(self, name: str, entity_type: str) -> None:
        start = self._composer.position
        self._composer.write(name)
        self._composer.reference("declared", name, entity_type, start)


def _with_types(parsed: ParsedDocument) -> ParsedDocument:
    """Return the document as one that declares a skill, with the type ``Tool`` for each section that declares a tool."""
    tools = [link.start for link in parsed.links if link.kind == "declared" and link.anchor == "tool"]
    sections = (
        replace(item, section_type=TOOL) if any(item.start <= start < item.end for start in tools) else item
        for item in parsed.sections
    )
    return replace(parsed, declares=SKILL, sections=tuple(sections))
