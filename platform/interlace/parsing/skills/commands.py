"""The commands section of a skill's file: which of its list items and headings declare tools.

Under a heading such as ``## Commands`` or ``## Tools``, a list item declares a tool if it begins with a name (``- `extract FILE`:
reads …``, ``- **merge** - joins …``, ``- split: cuts …``), and so does each heading at a deeper level.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from interlace.entities.normalization import normalize_name

_SECTION = re.compile(
    r"(?:available |supported |main |the )?(?:commands?|tools?)(?: (?:and|&) (?:commands?|tools?))?"
    r"(?: reference| list| overview)?:?",
    re.IGNORECASE,
)
# The three ways in which an item can begin with a name: code, bold, or plain words before a colon or a dash.
_CODE = re.compile(r"(?:\*\*|__)?`([^`\n]+)`(?:\*\*|__)?(.*)", re.DOTALL)
_BOLD = re.compile(r"(?:\*\*|__)([^*`\n]+?)(?:\*\*|__)(.*)", re.DOTALL)
_PLAIN = re.compile(r"([^\W_][\w./ -]{0,60}?)(?::|\s[\u2013\u2014-])(\s.*)", re.DOTALL)
_SEPARATOR = " \t\n:\u2013\u2014-"
# What follows the name in a call: options, placeholders, quoted text, upper-case arguments.
_ARGUMENT = re.compile(r"[-<\[{(\"'$=|]|[A-Z][A-Z0-9_]*\.*\Z|.*[<{=]")
_NAME_WORDS = 5
_NAME_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class DeclaredCommand:
    """A tool declared in the body of a skill's file; it replaces the tokens that introduce the tool.

    Args:
        name: what the tool is called.
        description: what follows the name, as Markdown.
        level: level of the tool's heading, 1 to 6.
        is_description_in_body: whether the description is also one of the tokens that follow; otherwise it is only here.
    """

    name: str
    description: str
    level: int
    is_description_in_body: bool


def with_commands(tokens: Sequence[Token]) -> Iterator[Token | DeclaredCommand]:
    """Yield the block tokens, with a ``DeclaredCommand`` in place of the three that introduce a tool in a commands section."""
    section = position = 0  # ``section`` is the level of the open commands section; 0 outside of one
    while position < len(tokens):
        token = tokens[position]
        command: DeclaredCommand | None = None
        if token.type == "heading_open" and token.level == 0:
            level = int(token.tag[1])
            if section and level > section:
                command = _from_heading(tokens, position, level)
            else:
                section = level if _SECTION.fullmatch(tokens[position + 1].content.strip()) else 0
        elif section and token.type == "paragraph_open" and _opens_item(tokens[position - 1]):
            command = _from_item(tokens[position + 1].content, min(section + 1, 6))
        yield command or token
        position += 3 if command else 1  # opening, inline and closing token


def _from_heading(tokens: Sequence[Token], position: int, level: int) -> DeclaredCommand | None:
    name = _tool_name(tokens[position + 1].content)
    following = tokens[position + 3 : position + 5]
    has_paragraph = len(following) > 1 and following[0].type == "paragraph_open"
    description = following[1].content if has_paragraph else ""
    return DeclaredCommand(name, description, level, is_description_in_body=True) if name else None


def _opens_item(token: Token) -> bool:
    return token.type == "list_item_open" and token.level == 1


def _from_item(text: str, level: int) -> DeclaredCommand | None:
    code = _CODE.fullmatch(text)
    match = code or _BOLD.fullmatch(text) or _PLAIN.fullmatch(text)
    name = _tool_name(f"`{match[1]}`" if code else match[1]) if match else ""
    if match is None or not name:
        return None
    return DeclaredCommand(name, match[2].lstrip(_SEPARATOR), level, is_description_in_body=False)


def _tool_name(text: str) -> str:
    """Return the tool's name in a heading or at the beginning of an item; empty if there is none.

    In code, the prompt, a slash and the arguments are stripped: ``/deploy <env> --dry`` is ``deploy``.
    """
    content = text.strip("*_ ")
    is_code = content.startswith("`")
    words: list[str] = []
    for word in content.strip("`").removeprefix("$").lstrip().removeprefix("/").split():
        if is_code and words and _ARGUMENT.match(word):
            break
        words.append(word.partition("(")[0] if is_code else word)
    name = " ".join(words).strip(":,. ")
    is_name = normalize_name(name) and len(words) <= _NAME_WORDS and len(name) <= _NAME_CHARACTERS
    return name if is_name else ""
