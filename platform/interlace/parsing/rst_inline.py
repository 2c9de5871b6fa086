"""reStructuredText's inline level: words, code, roles, links and the targets that these name.

Emphasis and code markers are dropped and links recorded, as in Markdown.
"""

import re
from collections.abc import Iterable, Mapping

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
    | (?<![\w.:/@+-])(?P<reference>[A-Za-z0-9][\w.+-]*?)__?(?![\w`(/-])
    """,
    re.VERBOSE | re.DOTALL,
)
TARGET = re.compile(r"[ \t]*\.\. _(?:`([^`\n]+)`|((?:[^:\\\n]|\\.|:(?! |$))+)):(?: (.*))?")
_ESCAPED = re.compile(r"\\(.)")
_MAIL = re.compile(r"[^\s/:@]+@[^\s/:@]+")
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
    target = targets.get(_normalised(link), "") if titled is None else titled[2]
    if titled and _is_alias(target):
        target = targets.get(_normalised(target[:-1]), "")
    place, _, anchor = _ESCAPED.sub(r"\1", "".join(target.split())).partition("#")
    start = inline.length
    inline.add(words)
    if place and not _MAIL.fullmatch(place):
        inline.add_reference("rst", place, anchor, start)


def link_targets(blocks: Iterable[str]) -> dict[str, str]:
    """Return the addresses of link targets by name in lower case, empty for places in the document.

    Args:
        blocks: the lines of the document, those of a target as one.
    """
    targets: dict[str, str] = {}
    chained: list[str] = []
    for block in blocks:
        found = TARGET.fullmatch(block)
        if found:
            chained.append(_normalised(found[1] or found[2]))
        address = (found[3] or "").strip() if found else ""
        if address or not found:  # targets one directly below the other are one
            targets |= dict.fromkeys(chained, address)
            chained.clear()
    targets |= dict.fromkeys(chained, "")
    return _without_aliases(targets)


def _without_aliases(targets: dict[str, str]) -> dict[str, str]:
    """Return targets with the addresses of those that name another target; empty for one that names none, or itself by way of others."""
    resolved: dict[str, str] = {}
    for name, target in targets.items():
        seen, last = {name}, target
        while _is_alias(last) and (other := _normalised(last[:-1])) not in seen:
            last = resolved.get(other, targets.get(other, ""))
            seen.add(other)
        resolved |= dict.fromkeys(targets.keys() & seen, "" if _is_alias(last) else last)
    return resolved


def _is_alias(target: str) -> bool:
    """Return whether an address is the name of a target instead (``Name_``)."""
    return target.endswith("_") and not re.search(r"[:/\\]", target)


def _normalised(name: str) -> str:
    return _ESCAPED.sub(r"\1", " ".join(name.strip("`").lower().split()))
