"""Named entity recognition, corrected: the parser's entities with repaired boundaries, and the proper nouns that it missed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from interlace.domain.extraction import HONORIFICS, PARTICLES, Mention
from interlace.extraction.candidate_spans import PROPER_NOUN, RECOGNISED, CandidateSpan
from interlace.extraction.dialogue import is_dialogue, turn_of
from interlace.extraction.divisions import divided_at, ends_name, is_by, is_dash, is_joint, joins_names, joins_one, owns
from interlace.extraction.notation import is_exclamation, is_unit
from interlace.extraction.span_boundaries import (
    correct_boundaries,
    headline_object,
    is_fragment,
    is_office,
    is_one_place,
    is_phrase,
    titled_after_verb,
    without_amounts,
)
from interlace.extraction.whole_titles import is_foreign, title_ranges
from interlace.ports.syntax import SyntaxDoc, SyntaxToken
from interlace.text.stop_words import ARTICLES

MIN_CHARACTERS = 2
MAX_CHARACTERS = 256
NUMBER_DIGITS = 3
_KIND_LETTERS = 3  # a shorter word tagged as a name may be part of a foreign name

# OntoNotes labels of the English pipelines, and those of the pipelines trained on Wikipedia (PER, MISC).
TYPES = {
    "PERSON": "Person", "PER": "Person", "NORP": "Group", "FAC": "Place", "GPE": "Place", "LOC": "Place",
    "ORG": "Organization", "PRODUCT": "Product", "EVENT": "Event", "WORK_OF_ART": "Work", "LAW": "Law",
    "LANGUAGE": "Language",
}  # fmt: skip
VALUES = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})

_LEADING = frozenset(
    {"a", "an", "the", "this", "that", "these", "those", "its", "his", "her", "their", "our", "my", "your"}
)
_NO_ENTITIES = frozenset(
    {
        "who", "it", "he", "she", "they", "we", "us", "i", "you", "one", "both", "all", "other", "others", "mr.",
        "mrs.", "ms.", "dr.",
    }
)  # fmt: skip
_TITLED = frozenset({"Work", "Event", "Law"})
_CONNECTIVES = frozenset({"and", "at", "for", "in", "of"})
_SIGNS = frozenset({"&", "'s", "\u2019s", "|", "=", "+", "<", ">", "`", "~", "^"})
_LINE_CUTS = frozenset({";", "|", ":"})
_CUTS = {
    "Place": frozenset({",", ";", "|", "in"}),
    "Organization": frozenset({"at", "in", ";", "|", ":"}),
    "Person": frozenset({",", ";", "|", "and", ":", "!", "?"}),
    "Work": frozenset({";", "|"}),
}
_LISTED = frozenset({"Organization", "Product", "Work", "Other"})
QUOTES = frozenset("\"'\u201c\u2018\u00ab\u201e") | {"``"}
"""Opening quotation marks."""


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


def find_entity_spans(
    doc: SyntaxDoc, title: str, *, technical: bool, loose_pairs: Sequence[tuple[str, str, bool]]
) -> list[EntitySpan]:
    """Return the entities of a parsed text in order, without overlaps; dates, numbers and amounts are not entities.

    Args:
        doc: the parse.
        title: of its document; empty if it has none.
        technical: whether the text has code.
        loose_pairs: as in ``Chunk.loose_pairs``.
    """
    taken = bytearray(len(doc))
    spans: list[CandidateSpan] = []
    for entity in doc.ents:
        taken[entity.start : entity.end] = b"\1" * (entity.end - entity.start)
        if entity.label_ not in VALUES:
            kind = TYPES.get(entity.label_, "Other")
            spans.extend(_split(doc, CandidateSpan(entity.start, entity.end, kind, RECOGNISED), technical=technical))
    spans.extend(CandidateSpan(first, last, "Other", PROPER_NOUN) for first, last in _proper_nouns(doc, taken))
    if technical:
        spans = [part for span in spans for part in _divided(doc, span, loose_pairs)]
    spans.sort(key=lambda span: span.first)
    spans = spans if technical else correct_boundaries(doc, spans)
    joined = _completed(
        doc, list(_join(doc, spans, technical=technical)), title_ranges(doc, title, dialogue=is_dialogue(doc.text))
    )
    found = (_entity_span(doc, span) for span in joined)
    return [each for each in found if each]


def _divided(
    doc: SyntaxDoc, span: CandidateSpan, loose_pairs: Sequence[tuple[str, str, bool]]
) -> Iterator[CandidateSpan]:
    """Yield a span, or the names that it consists of."""
    first, last = _trim(doc, span)
    cuts = [] if span.kind == "Person" else list(divided_at(doc, first, last, loose_pairs))
    if not cuts:
        yield span
        return
    for start, end in zip([first, *cuts], [*cuts, last], strict=True):
        owner = end < last and owns(doc, end)
        yield replace(span, first=start, last=end - owner, kind="Other", whole=True)


def _split(doc: SyntaxDoc, span: CandidateSpan, *, technical: bool) -> Iterator[CandidateSpan]:
    """Yield the parts of an entity that spans several: "Natal in the Mars Glacier", "Dorset, England"."""
    first, last, kind = span.first, span.last, span.kind
    cuts = _CUTS.get(kind, _LINE_CUTS)
    label = turn_of(doc.text, doc[first].idx)
    for index in range(first, last):
        ends_label = label is not None and doc[index].text == ":" and doc[index].idx < label.end()
        apart = ends_label if kind == "Work" else is_dash(doc, index) or is_by(doc, index)
        apart = apart or (kind in _LISTED and joins_names(doc, (first, index, last), technical=technical))
        apart = apart or (technical and kind in _LISTED and ends_name(doc, first, index))
        apart = apart or ((technical or kind not in _TITLED) and is_joint(doc, index, technical=technical))
        if doc[index].lower_ in cuts or doc[index].is_space or apart:
            yield replace(span, first=first, last=index)
            first = index + 1
    yield replace(span, first=first)


def _join(doc: SyntaxDoc, spans: list[CandidateSpan], *, technical: bool) -> Iterator[CandidateSpan]:
    """Yield the spans, rejoining those that the recogniser split: "Ionian" + "Islands", "Reign" + of + "Terror"."""
    waiting: CandidateSpan | None = None
    for span in spans:
        if waiting is None:
            waiting = span
        elif not (technical and owns(doc, span.first)) and (
            _belong_together(doc, waiting, span) or (_is_one_product if technical else _is_joined)(doc, waiting, span)
        ):
            best = max(waiting, span, key=lambda part: (part.kind not in {"Other", "Group"}, part.confidence))
            waiting = CandidateSpan(waiting.first, span.last, best.kind, min(waiting.confidence, span.confidence))
        else:
            yield waiting
            waiting = span
    if waiting is not None:
        yield waiting


def _belong_together(doc: SyntaxDoc, left: CandidateSpan, right: CandidateSpan) -> bool:
    """Return whether two spans are one entity: the recogniser missed a proper noun, or the first ends in "of"; else only "of" or a hyphen is between."""
    gap = right.first - left.last
    if left.whole and right.whole:
        return False
    if gap == 0 and doc[left.last - 1].lower_ == "of":
        return True
    if PROPER_NOUN not in {left.confidence, right.confidence}:
        return is_one_place(doc, left, right) if gap == 0 else is_office(doc, left, right)
    if gap == 0:  # before a full name comes a rank or an office: "Prime Minister | Patrice Lumumba"
        return not (right.kind == "Person" and right.last - right.first > 1)
    between = [token.lower_ for token in doc[left.last : right.first]]
    if between == ["-"]:
        return not doc[left.last - 1].whitespace_ and not doc[left.last].whitespace_
    acronym = left.last - left.first == 1 and doc[left.first].text.isupper()  # "the API of Qt", "the CEO of Acme"
    return between in (["of"], ["of", "the"]) and not acronym


def _is_joined(doc: SyntaxDoc, left: CandidateSpan, right: CandidateSpan) -> bool:
    return joins_one(doc, (left.first, left.last), (right.first, right.last), kinds=(left.kind, right.kind))


def _completed(doc: SyntaxDoc, spans: list[CandidateSpan], titles: Sequence[tuple[int, int]]) -> list[CandidateSpan]:
    """Return the spans with fragments of a title extended to the whole title: "Shop Chronicles", "Stone" in "The Philosopher's Stone"."""
    for first, last in titles:
        within = [span for span in spans if span.first < last and first < span.last]
        person = within and within[-1].kind == "Person" and within[-1].last == last and last - within[-1].first > 1
        person = person and not (_is_quote(doc, first) and _begins_title(doc, first, within[-1].first))
        if person or not any(_is_truncated(doc, span, first, last) for span in within):
            continue  # before a full name comes a rank or an office
        if min(span.first for span in within) < first or max(span.last for span in within) > last:
            continue
        known = max(within, key=lambda span: (span.kind != "Other", span.last - span.first, -span.first))
        kind = "Work" if _is_quote(doc, first) else known.kind
        whole = CandidateSpan(first, last, kind, max(span.confidence for span in within), whole=True)
        spans = sorted([whole, *(span for span in spans if span not in within)], key=lambda span: span.first)
    return spans


def _begins_title(doc: SyntaxDoc, first: int, last: int) -> bool:
    """Return whether the words before a person in quotes make a title ("Late Night with") rather than a form of address ("Captain")."""
    words = [token.text for token in doc[first:last]]
    if not words or is_exclamation(words[0]):
        return False
    return any(word.islower() or is_foreign(doc, word) for word in words)


def _is_truncated(doc: SyntaxDoc, span: CandidateSpan, first: int, last: int) -> bool:
    """Return whether a title has capitalised words, other than articles, next to a span of it."""
    before = [token.text for token in doc[first : span.first]]
    after = [token.text for token in doc[span.last : last]]
    quoted = _is_quote(doc, first)
    if quoted and not (before or after):  # "Our Very Own", whose first word would be dropped
        return doc[first].lower_ in _LEADING - ARTICLES
    near = [*before, *after] if quoted else [*before[-1:], *after[:1]]
    if any((word[:1].isupper() or word.isdigit()) and word.lower() not in ARTICLES for word in near):
        return True
    if quoted and any(is_foreign(doc, word) for word in near):
        return True
    # A tagger takes every word of a title for a name: "Flag" in "Flag to Flag".
    missing = [word for word in (*before, *after) if word.lower() not in ARTICLES]
    if not {"&", "+", "/"}.isdisjoint(
        near
    ):  # "Saturday Nights" in "Saturday Nights & Sunday Mornings", "Dan" in "Dan + Shay"
        return True
    return not quoted and span.confidence == PROPER_NOUN and bool(missing)


def _is_quote(doc: SyntaxDoc, first: int) -> bool:
    return first > 0 and doc[first - 1].text in QUOTES


def _is_one_product(doc: SyntaxDoc, left: CandidateSpan, right: CandidateSpan) -> bool:
    """Return whether a product's name follows its maker's: "Google" + "Cloud Storage"."""
    makers = {"Organization", "Product"}
    words = [doc[index].text for index in range(right.first, right.last)]
    if right.kind == "Person" and len(words) > 1 and not doc.word_classes(doc[left.last - 1].text):
        person = all(word.replace(".", "").isalpha() for word in words) and not all(map(doc.word_classes, words))
        return (
            not person and left.last == right.first and doc[left.last - 1].whitespace_ == " "
        )  # "Google | Cloud Storage"
    return {left.kind, right.kind} <= makers and left.last == right.first and doc[left.last - 1].whitespace_ == " "


def _proper_nouns(doc: SyntaxDoc, taken: bytearray) -> Iterator[tuple[int, int]]:
    """Yield the token ranges of consecutive proper nouns that no entity covers."""
    first = None
    for index, token in enumerate(doc):
        if not taken[index] and token.pos_ == "PROPN" and not token.is_punct:
            first = index if first is None else first
        elif first is not None:
            yield first, index
            first = None
    if first is not None:
        yield first, len(doc)


def _entity_span(doc: SyntaxDoc, span: CandidateSpan) -> EntitySpan | None:
    if (name := titled_after_verb(doc, span.first, span.last)) > span.first:
        span = replace(span, first=name, kind="Person")
    known = (doc.word_classes(token.text) for token in doc[span.first + 1 : span.last])
    if span.kind not in _TITLED and _is_titled(doc, span.first, span.last) and not any(known):
        span = replace(span, kind="Person")  # "Dr Amara Quist"
    first, last = (span.first, span.last) if span.whole else _trim(doc, span)
    first = first if span.kind in _TITLED else headline_object(doc, first, last, span.kind)
    if first >= last:
        return None
    last = last if span.whole else _with_number(doc, last)
    while last + 1 < len(doc) and not doc[last - 1].whitespace_ and doc[last].text == "-" and doc[last + 1].is_digit:
        last += 2  # "CVE-2017-11610"
    if is_fragment(doc, first, last) or is_phrase(doc, first, last):
        return None
    start = doc[first].idx
    surface = doc[first:last].text
    if not is_plausible(surface):
        return None
    return EntitySpan(Mention(surface, span.kind, start, start + len(surface), span.confidence), first, last)


def _trim(doc: SyntaxDoc, span: CandidateSpan) -> tuple[int, int]:
    """Trim a span to the entity itself: strip articles, possessives, quotes, brackets and generic nouns around it, and keep one line only."""
    first, last, kind = span.first, span.last, span.kind
    while first < last and (_outside(doc[first]) or _no_beginning(doc[first].text)):
        first += 1
    if last - first > 2 and doc[first].is_digit and doc[first + 1].lower_ == "of":  # noqa: PLR2004 - "section 5 of RFC 2616"
        first += 2
    for index in range(first, last):
        if doc[index].is_space or doc[index].text in {"(", "[", ";"}:
            last = index
            break
    while first < last and (_outside(doc[last - 1]) or doc[last - 1].tag_ == "POS" or doc[last - 1].lower_ in _LEADING):
        last -= 1
    if last - first > 1 and last < len(doc) and len(doc[last - 1]) == 1 and doc[last].text.startswith("/"):
        last -= 1  # "Python I/O"
    while kind == "Person" and _is_titled(doc, first, last):
        first += 1
    first, last = without_amounts(doc, first, last)
    while last - first > 1 and (_is_left_over(doc, last - 1) or (kind not in _TITLED and _is_appended(doc, last - 1))):
        last -= 1
    return first, last


def _is_titled(doc: SyntaxDoc, first: int, last: int) -> bool:
    """Return whether a title precedes two words and more, of which the last may be a surname."""
    titled = last - first > 2 and doc[first].lower_.rstrip(".") in HONORIFICS  # noqa: PLR2004 - the title and two
    return titled and not doc[last - 1].text.isupper()  # "Mr. Asia UK"


def _is_left_over(doc: SyntaxDoc, index: int) -> bool:
    """Return whether a lower-case word at the end of a name belongs to what follows: "League of", "CBS sci" before "-fi"."""
    token = doc[index]
    hyphen = index + 1 < len(doc) and not token.whitespace_ and doc[index + 1].text == "-"
    return token.text in _CONNECTIVES or (token.text.islower() and hyphen)


def _is_appended(doc: SyntaxDoc, index: int) -> bool:
    """Return whether a lower-case noun after a capitalised word says what kind of thing is named: "Nintendo games"."""
    token = doc[index]
    if not (token.text.islower() and token.text.rstrip(".").isalpha() and doc[index - 1].text[:1].isupper()):
        return False
    known = len(token) >= _KIND_LETTERS and "noun" in doc.word_classes(token.text)
    return token.pos_ == "NOUN" or (token.pos_ == "PROPN" and known)


def _with_number(doc: SyntaxDoc, last: int) -> int:
    """Include a short number that ends an entity ("Route 39"); longer ones are years, and some begin a date."""
    if last == len(doc) or not doc[last - 1].whitespace_ or (last + 1 < len(doc) and is_unit(doc[last + 1].text)):
        return last
    token = doc[last]
    return last + 1 if token.is_digit and len(token) <= NUMBER_DIGITS and token.ent_type_ in {"", "CARDINAL"} else last


def _no_beginning(word: str) -> bool:
    """Return whether a word is an article, a possessive, a unit or an adjective before the entity rather than its first word."""
    return word.lower() in _LEADING or (word.islower() and word not in PARTICLES) or is_unit(word, counted=False)


def _outside(token: SyntaxToken) -> bool:
    return bool(token.is_punct or token.is_space) or token.text in _SIGNS or not any(map(str.isalnum, token.text))


def is_plausible(surface: str) -> bool:
    """Return whether a string can be an entity: it has letters, a capital where the script has them, is not a pronoun and not too long."""
    if not MIN_CHARACTERS <= len(surface.rstrip(".")) <= MAX_CHARACTERS or surface.lower() in _NO_ENTITIES:
        return False
    letters = [character for character in surface if character.isalpha()]
    return bool(letters) and not all(character.islower() for character in letters)
