"""Named entity recognition, corrected: the parser's entities with their limits repaired, and the proper nouns that it missed."""

from collections.abc import Iterator
from dataclasses import dataclass

from interlace.domain.extraction import PARTICLES, Mention
from interlace.ports.syntax import SyntaxDoc, SyntaxToken

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
_NO_ENTITIES = frozenset(
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
_LINE_CUTS = frozenset({";", "|", ":"})
_CUTS = {
    "Place": frozenset({",", ";", "|", "in"}),
    "Organization": frozenset({"at", "in", ";", "|", ":"}),
    "Person": frozenset({",", ";", "|", "and", ":", "!", "?"}),
    "Work": frozenset({";", "|"}),
}
_DASHES = frozenset({"-", "\u2013", "\u2014"})


@dataclass(frozen=True, slots=True)
class EntitySpan:
    """A mention and the tokens it covers.

    Args:
        mention: the entity as found.
        first: index of its first token in the text.
        last: index after the last token.
    """

    mention: Mention
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A token range that may be an entity, or part of one."""

    first: int
    last: int
    kind: str
    confidence: float


def find_entity_spans(doc: SyntaxDoc) -> list[EntitySpan]:
    """Return the entities of a parsed text in order, none overlapping another; dates, numbers and amounts are none."""
    taken = bytearray(len(doc))
    pieces: list[_Piece] = []
    for entity in doc.ents:
        taken[entity.start : entity.end] = b"\1" * (entity.end - entity.start)
        if entity.label_ not in VALUES:
            pieces.extend(_split(doc, entity.start, entity.end, TYPES.get(entity.label_, "Other")))
    pieces.extend(_Piece(first, last, "Other", PROPER_NOUN) for first, last in _proper_nouns(doc, taken))
    pieces.sort(key=lambda piece: piece.first)
    spans = (_entity_span(doc, piece) for piece in _join(doc, pieces))
    return [span for span in spans if span]


def _split(doc: SyntaxDoc, first: int, last: int, kind: str) -> Iterator[_Piece]:
    """Yield the parts of an entity that runs over several: "Natal in the Mars Glacier", "Dorset, England"."""
    cuts = _CUTS.get(kind, _LINE_CUTS)
    for index in range(first, last):
        if doc[index].lower_ in cuts or doc[index].is_space or (kind != "Work" and _is_dash(doc, index)):
            yield _Piece(first, index, kind, RECOGNISED)
            first = index + 1
    yield _Piece(first, last, kind, RECOGNISED)


def _is_dash(doc: SyntaxDoc, index: int) -> bool:
    """Return whether a dash stands between words, not within one."""
    return index > 0 and doc[index].text in _DASHES and bool(doc[index - 1].whitespace_)


def _join(doc: SyntaxDoc, pieces: list[_Piece]) -> Iterator[_Piece]:
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


def _belong_together(doc: SyntaxDoc, left: _Piece, right: _Piece) -> bool:
    """Return whether two pieces are one entity: at least one is a proper noun that the recogniser missed, and nothing but "of" or a hyphen is between."""
    if PROPER_NOUN not in {left.confidence, right.confidence}:
        return False
    gap = right.first - left.last
    if gap == 0:  # what stands before a full name is a rank or an office: "Prime Minister | Patrice Lumumba"
        return not (right.kind == "Person" and right.last - right.first > 1)
    between = [token.lower_ for token in doc[left.last : right.first]]
    if between == ["-"]:
        return not doc[left.last - 1].whitespace_ and not doc[left.last].whitespace_
    return between in (["of"], ["of", "the"])


def _proper_nouns(doc: SyntaxDoc, taken: bytearray) -> Iterator[tuple[int, int]]:
    """Yield the token ranges of proper nouns in a row which no entity covers."""
    first = None
    for index, token in enumerate(doc):
        if not taken[index] and token.pos_ == "PROPN" and not token.is_punct:
            first = index if first is None else first
        elif first is not None:
            yield first, index
            first = None
    if first is not None:
        yield first, len(doc)


def _entity_span(doc: SyntaxDoc, piece: _Piece) -> EntitySpan | None:
    first, last = _trim(doc, piece.first, piece.last)
    if first >= last:
        return None
    last = _with_number(doc, last)
    start = doc[first].idx
    surface = doc[first:last].text
    if not is_plausible(surface):
        return None
    return EntitySpan(Mention(surface, piece.kind, start, start + len(surface), piece.confidence), first, last)


def _trim(doc: SyntaxDoc, first: int, last: int) -> tuple[int, int]:
    """Narrow a token range to the entity itself: no articles, possessives, quotes or brackets around it, and one line only."""
    while first < last and (_outside(doc[first]) or _no_beginning(doc[first].text)):
        first += 1
    for index in range(first, last):
        if doc[index].is_space or doc[index].text in {"(", "[", ";"}:
            last = index
            break
    while first < last and (_outside(doc[last - 1]) or doc[last - 1].tag_ == "POS" or doc[last - 1].lower_ in _LEADING):
        last -= 1
    return first, last


def _with_number(doc: SyntaxDoc, last: int) -> int:
    """Take in a short number that ends an entity ("Route 39"); longer ones are years, and some begin a date."""
    if last == len(doc) or not doc[last - 1].whitespace_:
        return last
    token = doc[last]
    return last + 1 if token.is_digit and len(token) <= NUMBER_DIGITS and token.ent_type_ in {"", "CARDINAL"} else last


def _no_beginning(word: str) -> bool:
    """Return whether a word is an article, a possessive or an adjective before the entity, not its first word."""
    return word.lower() in _LEADING or (word.islower() and word not in PARTICLES)


def _outside(token: SyntaxToken) -> bool:
    return bool(token.is_punct or token.is_space) or token.text in _SIGNS or not any(map(str.isalnum, token.text))


def is_plausible(surface: str) -> bool:
    """Return whether a string can be an entity: letters, a capital where the script has them, no pronoun, no essay."""
    if not MIN_CHARACTERS <= len(surface.rstrip(".")) <= MAX_CHARACTERS or surface.lower() in _NO_ENTITIES:
        return False
    letters = [character for character in surface if character.isalpha()]
    return bool(letters) and not all(character.islower() for character in letters)
