"""reStructuredText's inline level: words, code, roles and links.

Emphasis, code markers and link targets are dropped, as in Markdown. A code role (``:func:``, ``:setting:``) shows its
words, or the last part of ``~package.name``. The words of ``:ref:`` and ``:doc:`` belong to a heading and name nothing, as in Markdown links to one.
"""

import re
from collections.abc import Collection

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
_NUMBERED = {"pep": "PEP", "rfc": "RFC"}


def read_rst(text: str, targets: Collection[str] = ()) -> InlineText:
    """Return the readable text of a paragraph, with its code marked.

    Args:
        text: as written.
        targets: names of the links that the document defines, in lower case: ``Python_`` is a link only if one of them is ``python``.
    """
    inline = InlineText()
    written = 0
    for found in _INLINE.finditer(text):
        if found["reference"] and found["reference"].lower() not in targets:
            continue
        inline.add(text[written : found.start()])
        _add(inline, found)
        written = found.end()
    inline.add(text[written:])
    return inline


def _add(inline: InlineText, found: re.Match[str]) -> None:
    if found["escaped"]:
        inline.add(found["escaped"].strip())
    elif found["code"]:
        inline.add_literal(found["code"])
    elif found["role"]:
        _add_role(inline, found["role"].lower(), found["words"])
    elif found["link"]:
        # Words in single backquotes that are not a link have the document's default role, mostly a code role.
        add = inline.add if found["named"] or " " in found["link"] else inline.add_literal
        add(_shown(found["link"]))
    else:
        inline.add(found["strong"] or found["emphasis"] or found["reference"])


def _add_role(inline: InlineText, role: str, words: str) -> None:
    if role in _NUMBERED and not _TITLED.fullmatch(words):
        inline.add(f"{_NUMBERED[role]} {_shown(words)}")
    elif role in _PROSE_ROLES or role in _NUMBERED:
        inline.add(_shown(words))
    else:
        inline.add_literal(_shown(words))


def _shown(words: str) -> str:
    """Return the words that a reader sees: ``Engine`` for ``Engine <component-engine>``, ``Spider`` for ``~scrapy.Spider``."""
    if titled := _TITLED.fullmatch(words):
        return titled[1]
    return words.rpartition(".")[2] if words.startswith("~") else words.lstrip("!")
