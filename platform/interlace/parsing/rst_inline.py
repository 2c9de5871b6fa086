"""reStructuredText's inline level: words, code, roles and links.

Emphasis and code markers are dropped and links recorded, as in Markdown. A code role (``:func:``, ``:setting:``) shows its
words, or the last part of ``~package.name``. The words of ``:ref:`` and ``:doc:`` belong to a heading and name nothing, as in Markdown links to one.
"""

import re
from collections.abc import Mapping

from interlace.parsing.inline import InlineText

_INLINE = re.compile(
    r"""\\(?P<escaped>.)
    | ``(?P<code>(?:[^`]|`(?!`))+)``
    | :(?P<role>[A-Za-z][\w.+:-]{0,63}):`(?P<words>[^`]+)`
    | `(?P<link>[^`]+)`(?P<named>_{0,2})
    | (?<![\w*])\*\*(?=\S)(?P<strong>[^*]+)(?<=\S)\*\*(?![\w*])
    | (?<![\w*])\*(?=\S)(?P<emphasis>[^*]+)(?<=\S)\*(?![\w*])
    | (?<![\w.:/@-])(?P<reference>[A-Za-z0-9][\w.+-]*?)__?(?![\w`(/-])
    """,
    re.VERBOSE | re.DOTALL,
)
_TITLED = re.compile(r"\s*(.*\S)\s*<([^<>]+)>\s*", re.DOTALL)
_PROSE_ROLES = frozenset(
    [
        "abbr",
        "dfn",
        "emphasis",
        "guilabel",
        "menuselection",
        "program",
        "pypi",
        "std:term",
        "strong",
        "sub",
        "sup",
        "term",
        "title",
        "title-reference",
    ]
)
_NONE: Mapping[str, str] = {}
_NUMBERED = {"pep": "PEP", "rfc": "RFC"}


def read_rst(text: str, targets: Mapping[str, str] = _NONE) -> InlineText:
    """Return the readable text of a paragraph, with its code marked.

    Args:
        text: as written.
        targets: addresses of the links that the document defines, empty for places in it, by name in lower case: ``Python_`` is a link
            only if one of them is ``python``.
    """
    inline = InlineText()
    written = 0
    for found in _INLINE.finditer(text):
        if found["reference"] and found["reference"].lower() not in targets:
            continue
        inline.add(text[written : found.start()])
        _add(inline, found, targets)
        written = found.end()
    inline.add(text[written:])
    return inline


def _add(inline: InlineText, found: re.Match[str], targets: Mapping[str, str]) -> None:
    if found["escaped"]:
        inline.add(found["escaped"].strip())
    elif found["code"]:
        inline.add_literal(found["code"])
    elif found["role"]:
        _add_role(inline, found["role"].lower(), found["words"])
    elif found["link"] and (found["named"] or " " in found["link"]):
        _add_link(inline, found["link"] if found["named"] else "", _shown(found["link"]), targets)
    elif found["link"]:  # words that are not a link have the document's default role, mostly a code role
        inline.add_literal(_shown(found["link"]))
    elif found["reference"]:
        _add_link(inline, found["reference"], found["reference"], targets)
    else:
        inline.add(found["strong"] or found["emphasis"])


def _add_link(inline: InlineText, link: str, words: str, targets: Mapping[str, str]) -> None:
    """Add the words of a link with the address that it has or names; without one they are text."""
    titled = _TITLED.fullmatch(link)
    target = titled[2] if titled else _named(link, targets)
    if target.endswith("_"):
        target = _named(target[:-1].strip("`"), targets)
    place, _, anchor = "".join(target.split()).partition("#")
    start = inline.length
    inline.add(words)
    if place:
        inline.add_reference("rst", place, anchor, start)


def _named(name: str, targets: Mapping[str, str]) -> str:
    return targets.get(" ".join(name.lower().split()), "")


def _add_role(inline: InlineText, role: str, words: str) -> None:
    if role in _NUMBERED and not _TITLED.fullmatch(words):
        inline.add(f"{_NUMBERED[role]} {_shown(words)}")
    elif role in _PROSE_ROLES or role in _NUMBERED:
        inline.add(_shown(words))
    elif role == "doc":
        start = inline.length
        inline.add_literal(_shown(words))
        inline.add_reference("rst", titled[2] if (titled := _TITLED.fullmatch(words)) else words.strip(), "", start)
    else:
        inline.add_literal(_shown(words))


def _shown(words: str) -> str:
    """Return the words that a reader sees: ``Engine`` for ``Engine <component-engine>``, ``Spider`` for ``~scrapy.Spider``."""
    if titled := _TITLED.fullmatch(words):
        return titled[1]
    return words.rpartition(".")[2] if words.startswith("~") else words.lstrip("!")
