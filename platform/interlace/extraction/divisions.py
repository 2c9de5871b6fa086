"""Where one recognised entity is really several: at conjunctions, slashes, dashes and the like."""

import itertools
import re
from collections.abc import Iterator, Sequence

from interlace.domain.extraction import LEGAL_FORMS
from interlace.ports.syntax import SyntaxDoc

_SIDE_LETTERS = 4  # on each side of "IPython/Jupyter", one fewer on one side of "IRC/Slack"; anything shorter is one name: "Pub/Sub", "TCP/IP"
_PARTNERS = LEGAL_FORMS | {"associates", "brothers", "friends", "partners", "sons"}
_DASHES = frozenset({"-", "\u2013", "\u2014"})
_JOINTS = frozenset({"+", "/", "\u2192"})
_VERSUS = frozenset({"vs", "vs."})  # also within the titles of works and of cases: "Kramer vs. Kramer"
# Plural owners that are part of a name: "Young Men's Christian Association".
_OWNERS = frozenset({"boys", "children", "girls", "ladies", "men", "people", "women"})
_NAMED = frozenset({"Group", "Person", "Place"})
_VERSION = re.compile(r"[vV]?\d")
_PARTS = frozenset({"ABI", "API", "CLI", "DSL", "GUI", "IDE", "ORM", "SDK", "UI"})
"""Acronyms that name a part of the product before them: "OpenTelemetry API"."""
_POSSESSIVE = frozenset({"'s", "\u2019s"})


def ends_name(doc: SyntaxDoc, first: int, index: int) -> bool:
    """Return whether a comma, "or", or a preposition after one word ends a name in a technical text: "Git, Mercurial", "CFFI on Windows"."""
    follows = doc[index + 1].lower_.rstrip(".") if index + 1 < len(doc) else ""
    if doc[index].text == ",":
        return follows not in LEGAL_FORMS
    alone = index == first + 1 and not doc.word_classes(doc[first].text)
    return doc[index].text == "or" or (alone and doc[index].lower_ in {"on", "with", "for"})


def is_by(doc: SyntaxDoc, index: int) -> bool:
    """Return whether "by" introduces an agent: "Patch by Grace Hopper", but not in "Newton-by-the-Sea"."""
    return doc[index].lower_ == "by" and index > 0 and bool(doc[index - 1].whitespace_)


def joins_names(doc: SyntaxDoc, place: tuple[int, int, int], *, technical: bool) -> bool:
    """Return whether a conjunction joins two names rather than being part of one: "Hypothesis and Trio", but not "Barnes and Noble".

    The words before it must not be common words, and must also occur without the words after it. Technical texts list one-word products and
    two-word people.
    """
    first, index, last = place
    if technical and doc[index].text == "/" and first < index < last - 1:
        shorter, longer = sorted((len(doc[index - 1]), len(doc[index + 1])))
        return longer >= _SIDE_LETTERS and shorter >= _SIDE_LETTERS - 1
    if doc[index].text not in {"and", "&"} or first == index:
        return False
    words, others = doc[first:index].text.split(), doc[index + 1 : last].text.split()
    if technical and _lists_two(doc, doc[index].text, words, others):
        return True
    if all(map(doc.word_classes, words)) or " ".join(others).lower().rstrip(".") in _PARTNERS:
        return False
    both = doc.text.count(doc[first:last].text)
    return len(re.findall(rf"\b{re.escape(' '.join(words))}\b", doc.text)) > both


def _lists_two(doc: SyntaxDoc, joint: str, words: list[str], others: list[str]) -> bool:
    """Return whether a technical text lists two products or versions ("Python 2 and Python 3") or, with "&", two people."""
    if len({len(words), len(others)} | {1 if joint == "and" else 2}) == 1:
        return True
    if joint == "and":
        versioned = words[-1].replace(".", "").isdigit()
        return versioned or len(words) == 1
    return min(len(words), len(others)) > 1 and not any(map(doc.word_classes, [*words, *others]))


def is_joint(doc: SyntaxDoc, index: int, *, technical: bool) -> bool:
    """Return whether a separator with spaces around it stands between two names: "Yusuf + Hanne", "Start / Next"; in technical text "Windows vs Posix"."""
    separates = doc[index].text in _JOINTS or (technical and doc[index].text in _VERSUS)
    return separates and index > 0 and bool(doc[index - 1].whitespace_ and doc[index].whitespace_)


def joins_one(doc: SyntaxDoc, left: tuple[int, int], right: tuple[int, int], *, kinds: tuple[str, str]) -> bool:
    """Return whether the token between two spans makes them one name: "Japp\u2013Maitland", "McGee's Pub", "Women's World Cup".

    Args:
        doc: the parse.
        left: token range of the first span.
        right: token range of the second span.
        kinds: the types of both; a dash puts two places or groups side by side ("Dallas\u2013Fort Worth"), and a possessive may precede any name
            ("Hitler's Germany").
    """
    if right[0] - left[1] != 1 or doc[left[1] - 1].whitespace_:
        return False
    between = doc[left[1]]
    if between.text == "\u2013":
        return (
            not between.whitespace_
            and kinds not in {("Place", "Place"), ("Group", "Group")}
            and not doc[left[1] - 1].is_digit
            and not doc[right[0]].is_digit
        )
    if between.text not in _POSSESSIVE or not between.whitespace_:
        return False
    if doc[left[1] - 1].lower_ in _OWNERS:
        return True
    if doc[left[1] - 1].text.isupper():
        return False
    thing = right[1] - right[0] == 1 and doc[right[0]].text.istitle() and "noun" in doc.word_classes(doc[right[0]].text)
    follows = doc[right[1]] if right[1] < len(doc) else None
    free = follows is None or (follows.pos_ not in {"NOUN", "PROPN"} and follows.lower_ != "of")
    return thing and free and kinds[1] not in _NAMED


def is_dash(doc: SyntaxDoc, index: int) -> bool:
    """Return whether a dash stands between words, not inside one."""
    return index > 0 and doc[index].text in _DASHES and bool(doc[index - 1].whitespace_)


def owns(doc: SyntaxDoc, index: int) -> bool:
    """Return whether a possessive ends a name before a token: "PyPI's JSON API", but not two dictionary words, "Developer's Guide"."""
    if index < 2 or doc[index - 1].text not in _POSSESSIVE or not doc[index - 1].whitespace_:  # noqa: PLR2004 - a word and its possessive
        return False
    return not (doc.word_classes(doc[index - 2].text) and doc.word_classes(doc[index].text))


def divided_at(doc: SyntaxDoc, first: int, last: int, pairs: Sequence[tuple[str, str, bool]]) -> Iterator[int]:
    """Yield where names in a technical text meet: before a noun, after a possessive, and between words that the document has alone as often as together.

    Of two such words, the first is not in the dictionary, or the second is an acronym ("Fastify Request", "Node HTTP", but "Visual Studio").

    Args:
        doc: the parse.
        first: index of the first token.
        last: index after the last one.
        pairs: as in ``Chunk.loose_pairs``.
    """
    if are_two(doc, first, last):
        yield first + 1
        return
    loose = {(left, right) for left, right, both in pairs if both}
    starts = [first, *(index for index in range(first + 1, last) if doc[index - 1].whitespace_), last]
    words = [doc[start:end].text for start, end in itertools.pairwise(starts)]
    for start, left, right in zip(starts[1:], words, words[1:], strict=False):
        apart = (left, right) in loose and not _VERSION.match(right) and right not in _PARTS
        if owns(doc, start) or (apart and _divides(doc, left, right)):
            yield start


def _divides(doc: SyntaxDoc, left: str, right: str) -> bool:
    """Return whether a name may end after a word: an unknown word, or any word before an acronym; an acronym only before an unknown word."""
    if left.isupper():
        return not doc.word_classes(right)
    return not doc.word_classes(left) or (right.isupper() and right.isalpha())


def are_two(doc: SyntaxDoc, first: int, last: int) -> bool:
    """Return whether two proper nouns in a technical text are two names before a noun: "DNS IP addresses", "a Python HTTP implementation".

    The second is an acronym. Either the first is one too, or no dictionary has it ("AnyIO EOF behaviour"), or both also occur alone.
    """
    if last - first != 2 or not doc[last - 1].text.isupper() or last == len(doc):  # noqa: PLR2004
        return False
    if doc[last].pos_ != "NOUN" or not doc[last].text.islower():
        return False
    if not doc.word_classes(doc[first].text) and doc[first + 1].text.isalpha() and doc[first + 1].text not in _PARTS:
        return True
    left, right = (re.escape(doc[index].text) for index in (first, first + 1))
    alone = re.search(rf"\b{left}\b(?! {right}\b)", doc.text) and re.search(rf"(?<!{left} )\b{right}\b", doc.text)
    return doc[first].text.isupper() or alone is not None
