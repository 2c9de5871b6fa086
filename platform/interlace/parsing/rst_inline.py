"""reStructuredText's inline level: words, code, roles, links and the targets that these name.

Emphasis and code markers are dropped and links recorded, as in Markdown.
"""

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from interlace.parsing.inline import InlineText
from interlace.parsing.roles import TITLED, add_role, visible_words

_INLINE = re.compile(
    r"""\\(?P<escaped>.)
    | ``(?P<code>(?:[^`]|`(?!`))+)``
    | :(?P<role>[A-Za-z][\w.+:-]{0,63}):`(?P<words>[^`]+)`
    | (?<![\w`])_`(?P<place>[^`]+)`(?!\w)
    | `(?P<link>[^`]+)`(?P<named>_{0,2})
    | (?<![\w*])\*\*(?=\S)(?P<strong>[^*]+)(?<=\S)\*\*(?![\w*])
    | (?<![\w*])\*(?=\S)(?P<emphasis>[^*]+)(?<=\S)\*(?![\w*])
    | (?<![\w|`])\|(?P<substitution>[^\s|](?:[^|\n]{0,80}[^\s|])?)\|(?P<points>__?)?(?![\w|`])
    | (?P<mark>\[(?:\d+|[#*]|\#?[A-Za-z][\w.-]*)\])_(?!\w)
    | (?<![\w.:/@+-])(?P<reference>[A-Za-z0-9][\w.+-]*?)(?P<marks>__?)(?![\w`(/-])
    """,
    re.VERBOSE | re.DOTALL,
)
TARGET = re.compile(r"[ \t]*(?:\.\. _(?:`([^`\n]+)`|((?:[^:\\\n]|\\.|:(?! |$))+)):(?: (.*))?|__ (\S.*))")
SUBSTITUTED = re.compile(r"^[ \t]*\.\. \|([^|\n]+)\| (replace|image)::[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_NESTED = re.compile(r"\|([^\s|](?:[^|\n]{0,80}[^\s|])?)\|")
_SUBSTITUTED_CHARACTERS = 10_000  # as in docutils (line_length_limit)
_ESCAPED = re.compile(r"\\(.)")
_MAIL = re.compile(r"[^\s/:@]+@[^\s/:@]+")
_ANONYMOUS = "_"
_PLACE = re.compile(r"``[^`]+``|(?<![\w`])_`([^`]+)`(?!\w)")  # in a line, outside code


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
    _read(inline, text, targets)
    return inline


def _read(inline: InlineText, text: str, targets: Targets) -> None:
    written = start = 0
    while found := _INLINE.search(text, start):
        start = found.end()
        if found["reference"] and not _is_reference(found, targets):
            continue
        if found["substitution"] and found["substitution"] not in targets.words:
            start = found.start() + 1
            continue
        inline.add(text[written : found.start()])
        _add(inline, found, targets)
        written = start
    inline.add(text[written:])


def _is_reference(found: re.Match[str], targets: Targets) -> bool:
    return bool(targets.anonymous) if found["marks"] == "__" else found["reference"].lower() in targets.named


def _add(inline: InlineText, found: re.Match[str], targets: Targets) -> None:
    if found["escaped"]:
        inline.add(found["escaped"].strip())
    elif found["code"]:
        inline.add_literal(found["code"])
    elif found["mark"] or found["place"]:  # of a footnote, or an inline target
        inline.add(found["mark"] or found["place"])
    elif found["substitution"]:
        start = inline.length
        _read(inline, targets.words[found["substitution"]], replace(targets, words={}))
        if found["points"] == "_":
            _refer(inline, targets.named.get(_normalised(found["substitution"]), ""), start)
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
    start = inline.length
    inline.add(words)
    _refer(inline, target, start)


def _refer(inline: InlineText, target: str, start: int) -> None:
    place, _, anchor = _ESCAPED.sub(r"\1", "".join(target.split())).partition("#")
    if place and not _MAIL.fullmatch(place):
        inline.add_reference("rst", place, anchor, start)


def substitutions(text: str) -> dict[str, str]:
    """Return what stands for each ``|name|`` that the prose of a document defines, also by another; nothing for a picture."""
    words = {
        each[1]: " ".join(each[3].split())[:_SUBSTITUTED_CHARACTERS] if each[2] == "replace" else ""
        for each in SUBSTITUTED.finditer(text)
    }
    return {
        name: _NESTED.sub(lambda each: words.get(each[1], each[0]), written)[:_SUBSTITUTED_CHARACTERS]
        for name, written in words.items()
    }


def link_targets(blocks: Iterable[str]) -> Targets:
    """Return the link targets of a document, given its lines, those of a target as one."""
    targets: dict[str, str] = {}
    anonymous: list[str] = []
    chained: list[str] = []
    places: set[str] = set()
    for block in blocks:
        places |= {_normalised(each) for each in _PLACE.findall(block) if each}
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
    named = dict.fromkeys(places, "") | _without_aliases(targets)
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
