"""Where one entity that a recogniser found is several: at conjunctions, slashes, dashes and the like."""

import re

from interlace.domain.extraction import LEGAL_FORMS
from interlace.ports.syntax import SyntaxDoc

_SIDE_LETTERS = 4  # of "IPython/Jupyter", one fewer of "IRC/Slack"; shorter ones are one name: "Pub/Sub", "TCP/IP"
_PARTNERS = LEGAL_FORMS | {"associates", "brothers", "friends", "partners", "sons"}
_DASHES = frozenset({"-", "\u2013", "\u2014"})


def ends_name(doc: SyntaxDoc, first: int, index: int) -> bool:
    """Return whether a comma, "or", or a preposition after one word ends a name of a technical text: "Git, Mercurial", "CFFI on Windows"."""
    follows = doc[index + 1].lower_.rstrip(".") if index + 1 < len(doc) else ""
    if doc[index].text == ",":
        return follows not in LEGAL_FORMS
    alone = index == first + 1 and not doc.word_classes(doc[first].text)
    return doc[index].text == "or" or (alone and doc[index].lower_ in {"on", "with", "for"})


def is_by(doc: SyntaxDoc, index: int) -> bool:
    """Return whether who did something follows: "Patch by Grace Hopper", but not in "Newton-by-the-Sea"."""
    return doc[index].lower_ == "by" and index > 0 and bool(doc[index - 1].whitespace_)


def joins_names(doc: SyntaxDoc, place: tuple[int, int, int], *, technical: bool) -> bool:
    """Return whether a conjunction joins two names and is no part of one: "Hypothesis and Trio", but not "Barnes and Noble".

    What stands before it is then no common word and also stands elsewhere without what follows. Technical texts list products of one word, and
    people of two.
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
    """Return whether a technical text lists two products or versions ("Python 2 and Python 3") or, with a sign, two people."""
    if len({len(words), len(others)} | {1 if joint == "and" else 2}) == 1:
        return True
    if joint == "and":
        versioned = words[-1].replace(".", "").isdigit()
        return versioned or len(words) == 1
    return min(len(words), len(others)) > 1 and not any(map(doc.word_classes, [*words, *others]))


def is_dash(doc: SyntaxDoc, index: int) -> bool:
    """Return whether a dash stands between words, not within one."""
    return index > 0 and doc[index].text in _DASHES and bool(doc[index - 1].whitespace_)


def are_two(doc: SyntaxDoc, first: int, last: int) -> bool:
    """Return whether two proper nouns of a technical text are two names before a noun: "DNS IP addresses", "a Python HTTP implementation".

    The second is an acronym. The first is one, too, or both also stand alone.
    """
    if last - first != 2 or not doc[last - 1].text.isupper() or last == len(doc):  # noqa: PLR2004
        return False
    if doc[last].pos_ != "NOUN" or not doc[last].text.islower():
        return False
    left, right = (re.escape(doc[index].text) for index in (first, first + 1))
    alone = re.search(rf"\b{left}\b(?! {right}\b)", doc.text) and re.search(rf"(?<!{left} )\b{right}\b", doc.text)
    return doc[first].text.isupper() or alone is not None
