"""``SKILL.md``: a skill with its tools and the keywords that lead to it.

The front matter says ``name``, ``description``, ``routing_keywords`` and ``tools`` (names; ``name: description`` pairs; or mappings
with ``name``, ``description`` and ``keywords``); a commands section in the body may declare tools as well. Everything declared is
written into the readable text, each tool as a section of its own of type ``Tool``, and marked there by links of kind ``declared``. So
tools are chunks like any other: searched by the same legs, and their names and relations are evidence of the chunk that holds
them, which goes with it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from markdown_it.token import Token

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.entities.normalization import normalize_name
from interlace.parsing.commands import Command, with_commands
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.front_matter import split_front_matter
from interlace.parsing.markdown import MarkdownWriter, block_tokens, finish_markdown
from interlace.parsing.metadata import words_of
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.text.lexical import terms

SKILL = "Skill"
TOOL = "Tool"
_NAME_CHARACTERS = 120
_KEYS = frozenset({"name", "description", "keywords"})


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool as the front matter declares it."""

    name: str
    description: str = ""
    keywords: tuple[str, ...] = ()


def parse_skill(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the skill as a document: its description and keywords, its text, its tools.

    Raises:
        ParseError: the front matter is wrong (a tool without a name, say), a limit is exceeded, or there is nothing to read.
    """
    values, body = split_front_matter(text, limits, name)
    given = one_line(str(values.get("name") or values.get("title") or ""))
    tokens, environment = block_tokens(body, name)
    composer = Composer(name, limits, title=given if normalize_name(given) else fallback_title)
    writer = _SkillWriter(composer, environment, _keywords(values.get("routing_keywords")), _tools(values, name))
    writer.introduce(one_line(str(values.get("description") or "")))
    for step in with_commands(tokens):
        writer.step(step)
    writer.rest()
    parsed = finish_markdown(composer, values, writer.tags, fallback_title=fallback_title)
    return _with_types(parsed)


class _SkillWriter(MarkdownWriter):
    """Writes a skill's text and marks what it declares."""

    def __init__(
        self,
        composer: Composer,
        environment: dict[str, Any],
        keywords: tuple[str, ...],
        tools: dict[str, DeclaredTool],
    ) -> None:
        super().__init__(composer, environment)
        self._keywords = keywords
        self._tools = tools
        self._written: set[str] = set()

    def introduce(self, description: str) -> None:
        """Write what the skill is for, and the keywords that lead to it."""
        self.take(Token("inline", "", 0, content=description))
        self._say_keywords(self._keywords)

    def step(self, step: Token | Command) -> None:
        """Write a token of the body, or a tool that it declares; one declared again is plain text the second time."""
        if isinstance(step, Token):
            self.take(step)
            return
        key = normalize_name(step.name)
        tool = self._tools.get(key, DeclaredTool(step.name))
        self._composer.heading(step.level, step.name)
        says = "" if step.told else step.says
        if key in self._written:
            self._composer.write(step.name)
            self._say(says)
        else:
            self._write_tool(tool, says or tool.description, f"{tool.description} {step.says}")

    def rest(self) -> None:
        """Write the tools that the body did not declare."""
        left = [tool for key, tool in self._tools.items() if key not in self._written]
        if left:
            self._composer.heading(1, "Tools")
        for tool in left:
            self._composer.heading(2, tool.name)
            self._write_tool(tool, tool.description, tool.description)

    def _write_tool(self, tool: DeclaredTool, says: str, known: str) -> None:
        """Write a tool's name, what it does and its keywords: its own, and those of the skill that its words hold."""
        self._written.add(normalize_name(tool.name))
        self._name(tool.name, "tool")
        self._say(says)
        stems = set(terms(f"{tool.name} {known}"))
        shared = (word for word in self._keywords if stems.issuperset(terms(word)))
        self._say_keywords(_unique([*tool.keywords, *shared]))

    def _say(self, says: str) -> None:
        if says.strip():
            self._composer.write(": ")
            self.take(Token("inline", "", 0, content=says))

    def _say_keywords(self, keywords: Iterable[str]) -> None:
        words = list(keywords)
        self._composer.line()
        for number, word in enumerate(words):
            self._composer.write(", " if number else "Keywords: ")
            self._name(word, "concept")
        if words:
            self._composer.write(".")
        self._composer.paragraph()

    def _name(self, name: str, kind: str) -> None:
        start = self._composer.position
        self._composer.write(name)
        self._composer.reference("declared", name, kind, start)


def _with_types(parsed: ParsedDocument) -> ParsedDocument:
    """Return the document as that of a skill, with the types of the sections that declare something."""
    tools = [link.start for link in parsed.links if link.kind == "declared" and link.anchor == "tool"]
    return replace(
        parsed,
        declares=SKILL,
        sections=tuple(
            replace(item, section_type=TOOL if any(item.start <= at < item.end for at in tools) else item.section_type)
            for item in parsed.sections
        ),
    )


def _keywords(value: Any) -> tuple[str, ...]:
    return _unique(words_of(value))


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that name something, each name once, as first written."""
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(normalize_name(word), word[:_NAME_CHARACTERS])
    return tuple(word for key, word in first.items() if key)


def _tools(values: Mapping[Any, Any], name: str) -> dict[str, DeclaredTool]:
    """Return the tools of a front matter by key, in order; of two with one name the first."""
    value = values.get("tools")
    if isinstance(value, Mapping):
        items: list[Any] = [
            {"name": key, **(item if isinstance(item, Mapping) else {"description": item})}
            for key, item in value.items()
        ]
    else:
        items = list(value) if isinstance(value, list | tuple) else words_of(value)
    tools: dict[str, DeclaredTool] = {}
    for item in items:
        tool = _tool(item, name)
        tools.setdefault(normalize_name(tool.name), tool)
    return tools


def _tool(item: Any, name: str) -> DeclaredTool:
    if not isinstance(item, Mapping):
        called, _, says = str(item).partition(": ")
        item = {"name": called, "description": says}
    elif len(item) == 1 and item.keys().isdisjoint(_KEYS):
        called, says = next(iter(item.items()))
        item = {"name": called, "description": says}
    called = one_line(str(item.get("name") or ""))[:_NAME_CHARACTERS]
    if not normalize_name(called):
        raise ParseError(f"{name} declares a tool without a name. Give each entry of `tools` a `name`.")
    says = item.get("description")
    return DeclaredTool(called, "" if says is None else one_line(str(says)), _keywords(item.get("keywords")))
