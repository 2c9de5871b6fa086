"""The commands section of a skill's file: which of its items and headings are tools.

Under a heading such as ``## Commands`` or ``## Tools``, each item of a list is a tool if it begins with a name (``- `extract FILE`:
reads …``, ``- **merge** - joins …``, ``- split: cuts …``), and so is each heading one or more levels below.
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
_CODED = re.compile(r"(?:\*\*|__)?`([^`\n]+)`(?:\*\*|__)?(.*)", re.DOTALL)
_STRONG = re.compile(r"(?:\*\*|__)([^*`\n]+?)(?:\*\*|__)(.*)", re.DOTALL)
_PLAIN = re.compile(r"([^\W_][\w./ -]{0,60}?)(?::|\s[\u2013\u2014-])(\s.*)", re.DOTALL)
_GAP = " \t\n:\u2013\u2014-"
# What follows the name in a call: options, placeholders, texts, upper-case arguments.
_ARGUMENT = re.compile(r"[-<\[{(\"'$=|]|[A-Z][A-Z0-9_]*\.*\Z|.*[<{=]")
_WORDS = 5
_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Command:
    """A tool found in the body of a skill's file, in place of the tokens that introduced it.

    Args:
        name: what the tool is called.
        says: what the author says of it, as Markdown.
        level: of the heading that it gets, 1 to 6.
        told: whether ``says`` follows in the text anyway; otherwise it has to be written with the name.
    """

    name: str
    says: str
    level: int
    told: bool


def with_commands(tokens: Sequence[Token]) -> Iterator[Token | Command]:
    """Yield the block tokens, the beginning of each tool in a commands section replaced by a ``Command``."""
    section = at = 0
    while at < len(tokens):
        token = tokens[at]
        found: Command | None = None
        if token.type == "heading_open" and token.level == 0:
            level, text = int(token.tag[1]), tokens[at + 1].content
            if section and level > section:
                found = _headed(tokens, at, level)
            else:
                section = level if _SECTION.fullmatch(text.strip()) else 0
        elif section and token.type == "paragraph_open" and _opens_item(tokens[at - 1]):
            found = _listed(tokens[at + 1].content, min(section + 1, 6))
        yield found or token
        at += 3 if found else 1  # opening, inline and closing token


def _headed(tokens: Sequence[Token], at: int, level: int) -> Command | None:
    name = _name(tokens[at + 1].content)
    after = tokens[at + 3 : at + 5]
    says = after[1].content if len(after) > 1 and after[0].type == "paragraph_open" else ""
    return Command(name, says, level, told=True) if name else None


def _opens_item(token: Token) -> bool:
    return token.type == "list_item_open" and token.level == 1


def _listed(text: str, level: int) -> Command | None:
    coded = _CODED.fullmatch(text)
    match = coded or _STRONG.fullmatch(text) or _PLAIN.fullmatch(text)
    name = _name(f"`{match[1]}`" if coded else match[1]) if match else ""
    return Command(name, match[2].lstrip(_GAP), level, told=False) if match and name else None


def _name(text: str) -> str:
    """Return the tool's name: of code without slash, prompt and arguments (``/deploy <env> --dry`` is ``deploy``); empty if there is none."""
    bare = text.strip("*_ ")
    code = bare.startswith("`")
    words: list[str] = []
    for word in bare.strip("`").removeprefix("$").lstrip().removeprefix("/").split():
        if code and words and _ARGUMENT.match(word):
            break
        words.append(word.partition("(")[0] if code else word)
    name = " ".join(words).strip(":,. ")
    return name if normalize_name(name) and len(words) <= _WORDS and len(name) <= _CHARACTERS else ""
