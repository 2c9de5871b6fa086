"""reStructuredText's inline level: words, code, roles, links and the targets that these name.

Emphasis and code markers are dropped and links recorded, as in Markdown.
"""

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

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
    | (?<![\w.:/@+-])(?P<reference>[A-Za-z0-9][\w.+-]*?)(?P<marks>__?)(?![\w`(/-])
    """,
    re.VERBOSE | re.DOTALL,
)
TARGET = re.compile(r"[ \t]*(?:\.\. _(?:`([^`\n]+)`|((?:[^:\\\n]|\\.|:(?! |$))+)):(?: (.*))?|__ (\S.*))")
_SUBSTITUTION = re.compile(r"(?<![\w|`])\|([^\s|](?:[^|\n]{0,80}[^\s|])?)\|(?:__?)?(?![\w|`])")
_SUBSTITUTED = re.compile(r"^[ \t]*\.\. \|([^|\n]+)\| (replace|image)::[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_MAIL = re.compile(r"[^\s/:@]+@[^\s/:@]+")
_ANONYMOUS = "_"


@dataclass(frozen=True, slots=True)
class Targets:
    """The link targets of a document.

    Attributes:
        named: addresses by name in lower case, empty for places in the document.
        anonymous: addresses of those without a name, each for the next link that ends in ``__``.
        words: what stands for ``|name|``, by name; nothing for a picture.
    """

    named: Mapping[str, str] = field(default_factory=dict)
    anonymous: deque[str] = field(default_factory=deque)
    words: Mapping[str, str] = field(default_factory=dict)

    def substituted(self, text: str) -> str:
        """Return a text with the words that its substitutions stand for."""
        return _SUBSTITUTION.sub(lambda found: self.words.get(found[1], found[0]), text) if self.words else text

    def places(self) -> tuple[str, ...]:
        """Return the names of places in the document, sorted."""
        return tuple(sorted(name for name, address in self.named.items() if not address))


def read_rst(text: str, targets: Targets) -> InlineText:
    """Return the readable text of a paragraph, with its code marked.

    Args:
        text: as written.
        targets: of the document; ``Python_`` is a link only if one of them is ``python``. Anonymous ones are used up.
    """
    inline = InlineText()
    text = targets.substituted(text)
    written = 0
    for found in _INLINE.finditer(text):
        if found["reference"] and not _is_reference(found, targets):
            continue
        inline.add(text[written : found.start()])
        _add(inline, found, targets)
        written = found.end()
    inline.add(text[written:])
    return inline


def _is_reference(found: re.Match[str], targets: Targets) -> bool:
    return bool(targets.anonymous) if found["marks"] == "__" else found["reference"].lower() in targets.named


def _add(inline: InlineText, found: re.Match[str], targets: Targets) -> None:
    if found["escaped"]:
        inline.add(found["escaped"].strip())
    elif found["code"]:
        inline.add_literal(found["code"])
    elif found["mark"]:  # of a footnote
        inline.add(found["mark"])
    elif found["role"]:
        add_role(inline, found["role"].lower(), found["words"])
    elif found["link"] and (found["named"] or " " in found["link"]):
        _add_link(inline, found["link"], visible_words(found["link"]), targets, found["named"])
    elif found["link"]:  # words that are not a link have the document's default role, mostly a code role
        inline.add_literal(visible_words(found["link"]))
    elif found["reference"]:
        _add_link(inline, found["reference"], found["reference"], targets, found["marks"])
    else:
        inline.add(found["strong"] or found["emphasis"])


def _add_link(inline: InlineText, link: str, words: str, targets: Targets, marks: str) -> None:
    """Add the words of a link with the address that it has or names; without one, or without marks, they are text."""
    titled = TITLED.fullmatch(link) if marks else None
    if titled:
        target = targets.named.get(_normalised(titled[2][:-1]), "") if _is_alias(titled[2]) else titled[2]
    elif marks == "__":
        target = targets.anonymous.popleft() if targets.anonymous else ""
    else:
        target = targets.named.get(_normalised(link), "") if marks else ""
    place, _, anchor = _ESCAPED.sub(r"\1", "".join(target.split())).partition("#")
    start = inline.length
    inline.add(words)
    if place and not _MAIL.fullmatch(place):
        inline.add_reference("rst", place, anchor, start)


def substitutions(text: str) -> dict[str, str]:
    """Return what stands for each ``|name|`` that a document defines; nothing for a picture."""
    found = _SUBSTITUTED.finditer(text)
    return {each[1]: " ".join(each[3].split()) if each[2] == "replace" else "" for each in found}


def link_targets(blocks: Iterable[str]) -> Targets:
    """Return the link targets of a document, given its lines, those of a target as one."""
    targets: dict[str, str] = {}
    anonymous: list[str] = []
    chained: list[str] = []
    for block in blocks:
        found = TARGET.fullmatch(block)
        if found and (found[4] or found[2] == _ANONYMOUS):
            anonymous.append((found[4] or found[3] or "").strip())
            continue
        if found:
            chained.append(_normalised(found[1] or found[2]))
        address = (found[3] or "").strip() if found else ""
        if address or not found:  # targets one directly below the other are one
            targets |= dict.fromkeys(chained, address)
            chained.clear()
    targets |= dict.fromkeys(chained, "")
    named = _without_aliases(targets)
    return Targets(
        named, deque(named.get(_normalised(each[:-1]), "") if _is_alias(each) else each for each in anonymous)
    )


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
