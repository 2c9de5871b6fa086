"""Names in a parsed text: what the pipeline's recogniser found, mended, and the proper nouns that it passed over."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interlace.domain.extraction import PARTICLES, Mention

RECOGNISED = 0.85
PROPER_NOUN = 0.5
MIN_CHARACTERS = 2
MAX_CHARACTERS = 256
NUMBER_DIGITS = 3

# OntoNotes labels of the English pipelines, and those of the pipelines trained on Wikipedia (PER, MISC).
TYPES = {
    "PERSON": "Person",
    "PER": "Person",
    "NORP": "Group",
    "FAC": "Place",
    "GPE": "Place",
    "LOC": "Place",
    "ORG": "Organization",
    "PRODUCT": "Product",
    "EVENT": "Event",
    "WORK_OF_ART": "Work",
    "LAW": "Law",
    "LANGUAGE": "Language",
}
VALUES = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})

_LEADING = frozenset(
    {"a", "an", "the", "this", "that", "these", "those", "its", "his", "her", "their", "our", "my", "your"}
)
_HOLLOW = frozenset(
    {
        "who",
        "it",
        "he",
        "she",
        "they",
        "we",
        "us",
        "i",
        "you",
        "one",
        "both",
        "all",
        "other",
        "others",
        "mr.",
        "mrs.",
        "ms.",
        "dr.",
    }
)
_SIGNS = frozenset({"'s", "\u2019s", "|", "=", "+", "<", ">", "`", "~", "^"})
_LINE_CUTS = frozenset({";", "|"})
_CUTS = {
    "Place": frozenset({",", ";", "|", "in"}),
    "Organization": frozenset({"at", "in", ";", "|"}),
    "Person": frozenset({",", ";", "|", "and"}),
}


@dataclass(frozen=True, slots=True)
class Name:
    """A mention and the tokens it covers.

    Args:
        mention: as handed on.
        first: index of its first token in the text.
        last: index after the last token.
    """

    mention: Mention
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A token range that may be a name, or part of one."""

    first: int
    last: int
    kind: str
    confidence: float


def find_names(doc: Any) -> list[Name]:
    """Return the names of a parsed text in order, none overlapping another; dates, numbers and amounts are no names."""
    taken = bytearray(len(doc))
    pieces: list[_Piece] = []
    for entity in doc.ents:
        taken[entity.start : entity.end] = b"\1" * (entity.end - entity.start)
        if entity.label_ not in VALUES:
            pieces.extend(_split(doc, entity.start, entity.end, TYPES.get(entity.label_, "Other")))
    pieces.extend(_Piece(first, last, "Other", PROPER_NOUN) for first, last in _proper_nouns(doc, taken))
    pieces.sort(key=lambda piece: piece.first)
    names = (_name(doc, piece) for piece in _join(doc, pieces))
    return [name for name in names if name]


def _split(doc: Any, first: int, last: int, kind: str) -> Iterator[_Piece]:
    """Yield the parts of an entity that runs over several names: "Natal in the Mars Glacier", "Dorset, England"."""
    cuts = _CUTS.get(kind, _LINE_CUTS)
    for index in range(first, last):
        if doc[index].lower_ in cuts or doc[index].is_space:
            yield _Piece(first, index, kind, RECOGNISED)
            first = index + 1
    yield _Piece(first, last, kind, RECOGNISED)


def _join(doc: Any, pieces: list[_Piece]) -> Iterator[_Piece]:
    """Yield the pieces, with those put together that the recogniser tore apart: "Ionian" + "Islands", "Reign" + of + "Terror"."""
    waiting: _Piece | None = None
    for piece in pieces:
        if waiting is None:
            waiting = piece
        elif _belong_together(doc, waiting, piece):
            best = max(waiting, piece, key=lambda part: (part.kind not in {"Other", "Group"}, part.confidence))
            waiting = _Piece(waiting.first, piece.last, best.kind, min(waiting.confidence, piece.confidence))
        else:
            yield waiting
            waiting = piece
    if waiting is not None:
        yield waiting


def _belong_together(doc: Any, left: _Piece, right: _Piece) -> bool:
    """Tell whether two pieces are one name: at least one is a bare proper noun, and nothing but "of" or a hyphen is between."""
    if PROPER_NOUN not in {left.confidence, right.confidence}:
        return False
    gap = right.first - left.last
    if gap == 0:  # what stands before a full name is a rank or an office: "Prime Minister | Patrice Lumumba"
        return not (right.kind == "Person" and right.last - right.first > 1)
    between = [token.lower_ for token in doc[left.last : right.first]]
    if between == ["-"]:
        return not doc[left.last - 1].whitespace_ and not doc[left.last].whitespace_
    return between in (["of"], ["of", "the"])


def _proper_nouns(doc: Any, taken: bytearray) -> Iterator[tuple[int, int]]:
    """Yield the token ranges of proper nouns in a row which no entity covers."""
    first = None
    for index, token in enumerate(doc):
        if not taken[index] and token.pos_ == "PROPN":
            first = index if first is None else first
        elif first is not None:
            yield first, index
            first = None
    if first is not None:
        yield first, len(doc)


def _name(doc: Any, piece: _Piece) -> Name | None:
    first, last = _trim(doc, piece.first, piece.last)
    if first >= last:
        return None
    last = _with_number(doc, last)
    start = doc[first].idx
    surface = doc[first:last].text
    if not _plausible(surface):
        return None
    return Name(Mention(surface, piece.kind, start, start + len(surface), piece.confidence), first, last)


def _trim(doc: Any, first: int, last: int) -> tuple[int, int]:
    """Narrow a token range to the name itself: no articles, possessives, quotes or brackets around it, and one line only."""
    while first < last and (_outside(doc[first]) or _no_beginning(doc[first].text)):
        first += 1
    for index in range(first, last):
        if doc[index].is_space or doc[index].text in {"(", "[", ";"}:
            last = index
            break
    while first < last and (_outside(doc[last - 1]) or doc[last - 1].tag_ == "POS" or doc[last - 1].lower_ in _LEADING):
        last -= 1
    return first, last


def _with_number(doc: Any, last: int) -> int:
    """Take in a short number that ends a name ("Route 39"); longer ones are years, and some begin a date."""
    if last == len(doc) or not doc[last - 1].whitespace_:
        return last
    token = doc[last]
    return last + 1 if token.is_digit and len(token) <= NUMBER_DIGITS and token.ent_type_ in {"", "CARDINAL"} else last


def _no_beginning(word: str) -> bool:
    """Tell whether a word is an article, a possessive or an adjective before the name, not its first word."""
    return word.lower() in _LEADING or (word.islower() and word not in PARTICLES)


def _outside(token: Any) -> bool:
    return bool(token.is_punct or token.is_space) or token.text in _SIGNS


def _plausible(surface: str) -> bool:
    """Tell whether a string can be a name: letters, a capital where the script has them, no pronoun, no essay."""
    if not MIN_CHARACTERS <= len(surface) <= MAX_CHARACTERS or surface.lower() in _HOLLOW:
        return False
    letters = [character for character in surface if character.isalpha()]
    return bool(letters) and not all(character.islower() for character in letters)
