"""reStructuredText's inline level: words, code, roles and links.

Emphasis and code markers are dropped and links recorded, as in Markdown.
"""

import re
from collections.abc import Mapping

from interlace.parsing.inline import InlineText
from interlace.parsing.roles import TITLED, add_role, visible_words

_INLINE = re.compile(
    r"""\\(?P<escaped>.)
    | ``(?P<code>(?:[^`]|`(?!`))+)``
    | :(?P<role>[A-Za-z][\w.+:-]{0,63}):`(?P<words>[^`]+)`
    | `(?P<link>[^`]+)`(?P<named>_{0,2})
    | (?<![\w*])\*\*(?=\S)(?P<strong>[^*]+)(?<=\S)\*\*(?![\w*])
    | (?<![\w*])\*(?=\S)(?P<emphasis>[^*]+)(?<=\S)\*(?![\w*])
    | (?P<mark>\[(?:\d+|[#*]|\#?[A-Za-z][\w.-]*)\])_(?!\w)
    | (?<![\w.:/@-])(?P<reference>[A-Za-z0-9][\w.+-]*?)__?(?![\w`(/-])
    """,
    re.VERBOSE | re.DOTALL,
)
_NONE: Mapping[str, str] = {}


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
    elif found["mark"]:  # of a footnote
        inline.add(found["mark"])
    elif found["role"]:
        add_role(inline, found["role"].lower(), found["words"])
    elif found["link"] and (found["named"] or " " in found["link"]):
        _add_link(inline, found["link"] if found["named"] else "", visible_words(found["link"]), targets)
    elif found["link"]:  # words that are not a link have the document's default role, mostly a code role
        inline.add_literal(visible_words(found["link"]))
    elif found["reference"]:
        _add_link(inline, found["reference"], found["reference"], targets)
    else:
        inline.add(found["strong"] or found["emphasis"])


def _add_link(inline: InlineText, link: str, words: str, targets: Mapping[str, str]) -> None:
    """Add the words of a link with the address that it has or names; without one they are text."""
    titled = TITLED.fullmatch(link)
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
