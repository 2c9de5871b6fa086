"""Boundary correction for name spans in prose that the recogniser split or truncated: *Ong* + *Teng Cheong*, *Nine Inch* before *Nails*.

In prose a capital in the middle of a sentence says that a word belongs to a name; in technical text it says little. A capitalised word that touches
a span and that no other span has is therefore part of the same name.
"""

import calendar
from dataclasses import replace

from interlace.domain.extraction import HONORIFICS
from interlace.extraction.candidate_spans import CandidateSpan
from interlace.extraction.notation import is_currency, is_unit
from interlace.ports.syntax import SyntaxDoc, SyntaxToken

_PERSON, _PLACE, _ORGANIZATION, _GROUP, _OTHER = "Person", "Place", "Organization", "Group", "Other"
_PLACES_AND_PEOPLE = frozenset({"FAC", "GPE", "LOC", "PER", "PERSON"})
_ADJECTIVES = frozenset({_GROUP, "Language"})
_GENERATIONS = frozenset({"Jr", "Sr", "jr", "sr"})  # JR and SR are railways
_AFTER = frozenset({"NOUN", "NUM", "PROPN", "X"})
_BEFORE = _AFTER | {"ADJ", "ADP", "ADV"}
_DATES = frozenset(map(str, [*calendar.month_name, *calendar.month_abbr, *calendar.day_name, *calendar.day_abbr]))
_COUNTED = frozenset({"", "CARDINAL", "ORDINAL"})
_CASELESS_WORDS = 4  # of a name in a script without capitals; a longer run is a phrase
_LETTERS = 2  # of an initial with its full stop, and of the shortest word of a name


def correct_boundaries(doc: SyntaxDoc, spans: list[CandidateSpan]) -> list[CandidateSpan]:
    """Return spans in order with the words beside them that belong to the same name; those that are one name are joined."""
    taken = bytearray(len(doc))
    for span in spans:
        taken[span.first : span.last] = b"\1" * len(span)
    found: list[CandidateSpan] = []
    for span in filter(len, spans):
        first, last = _start(doc, span, taken), _end(doc, span, taken)
        here = replace(span, first=max(first, found[-1].last if found else 0), last=last)
        left = found[-1] if found and found[-1].last == here.first else None
        kind = left and _one_kind(doc, left, here)
        if left and kind:
            here = CandidateSpan(left.first, last, kind, min(left.confidence, span.confidence))
            found.pop()
        found.append(here)
    return found


def _one_kind(doc: SyntaxDoc, left: CandidateSpan, right: CandidateSpan) -> str | None:
    """Return the type of the one name that two spans side by side are; None if they are two.

    A single word that no dictionary has, or that begins the text, is the first part of the person's name after it; an office would be in the
    dictionary. A single dictionary word after a place or an organization belongs to it: *Norway House*, *MTV Asia*.
    """
    ends, begins, kinds = doc[left.last - 1], doc[right.first], (left.kind, right.kind)
    if _is_caseless(ends) and _is_caseless(begins):
        first, last = _caseless_run(doc, right.first)
        return max(kinds, key=lambda kind: kind != _OTHER) if first < last else None
    if ends.whitespace_ != " " or not _is_capitalised(ends):
        return None
    recognised = not (left.tagged or right.tagged)
    if right.kind == _PERSON and len(right) > 1:
        unknown = ends.text.istitle() and not doc.word_classes(ends.text)
        return _PERSON if len(left) == 1 and (unknown or (recognised and left.first == 0)) else None
    return _kind_of_both(doc, left, right) if recognised else None


def _kind_of_both(doc: SyntaxDoc, left: CandidateSpan, right: CandidateSpan) -> str | None:
    """Return the type of the one name that two recognised spans are: "Lincoln | Memorial Hall", "Norway | House", "Dallas | Texans"."""
    known = all(doc.word_classes(doc[index].text) for index in range(right.first, right.last))
    building = right.kind in {_PLACE, _ORGANIZATION}
    if left.kind == _PERSON:
        person = right.kind == _PERSON and len(right) == 1
        return right.kind if person or (known and building) else None
    word = doc[right.first].text
    part = building or (right.kind == _GROUP and word.endswith("s"))
    one = len(right) == 1 and known and word.istitle() and part
    return _ORGANIZATION if one and left.kind in {_PLACE, _ORGANIZATION} else None


def is_one_place(doc: SyntaxDoc, left: CandidateSpan, right: CandidateSpan) -> bool:
    """Return whether two words that the recogniser tagged separately, the first as a place, are one name: "Tennessee" + "Williams"."""
    single = len(left) == 1 == len(right)
    return single and left.kind == _PLACE and right.kind in {_PERSON, _PLACE} and doc[left.first].whitespace_ == " "


def is_office(doc: SyntaxDoc, left: CandidateSpan, right: CandidateSpan) -> bool:
    """Return whether "of" stands between a single common noun and a name: "3rd Duke" of "Buckingham"."""
    if left.kind in {_GROUP, _ORGANIZATION}:  # "the Democrats of Ohio" are named by two
        return False
    if right.first - left.last != 1 or doc[left.last].lower_ != "of" or not _is_capitalised(doc[right.first]):
        return False
    words = [doc[index].text for index in range(left.first, left.last) if doc[index].text[:1].isupper()]
    return len(words) == 1 and words[0].istitle() and "noun" in doc.word_classes(words[0])


def is_fragment(doc: SyntaxDoc, first: int, last: int) -> bool:
    """Return whether a word continues beyond the tokens ("Gon" of "Gonna", "Spider" of "Spider-Man"), or only ends a name ("Sr.")."""
    if doc[first:last].text.rstrip(".") in _GENERATIONS:
        return True
    if last < len(doc) and not doc[last - 1].whitespace_ and doc[last].text.isalpha():
        return True
    if last - first > 1 or last + 1 >= len(doc) or doc[last - 1].whitespace_ or doc[last].whitespace_:
        return False
    return doc[last].text == "-" and doc[last + 1].text[:1].isupper() and doc[last + 1].text.isalpha()


def headline_object(doc: SyntaxDoc, first: int, last: int, kind: str) -> int:
    """Return where a name begins after the subject and the participle of a headline in title case: *Paris* in "Angry Farmers Blocking Paris".

    What follows the participle must be a place or a person, here or elsewhere in the text; if it is another name, nothing remains.
    """
    for index in range(max(first, 1), last):
        subject, word = doc[index - 1], doc[index].text
        plural = subject.text.istitle() and subject.text.endswith("s") and "noun" in doc.word_classes(subject.text)
        participle = word.istitle() and word.endswith("ing") and "verb" in doc.word_classes(word)
        if plural and participle and subject.whitespace_ == " ":
            if index + 1 == last:
                return last if last < len(doc) and doc[last].text.istitle() else first
            name = doc[index + 1 : last].text
            recognised = (doc[each.start : each.end].text for each in doc.ents if each.label_ in _PLACES_AND_PEOPLE)
            return index + 1 if kind in {_PLACE, _PERSON} or name in recognised else first
    return first


def titled_after_verb(doc: SyntaxDoc, first: int, last: int) -> int:
    """Return where a person's name with a title begins, behind a verb or not: *Prof. Okafor* in "Meet Prof. Okafor"."""
    titled = last - first > 2 and doc[first + 1].lower_.rstrip(".") in HONORIFICS  # noqa: PLR2004 - the verb, the title and a name
    verb = titled and doc[first + 1].text.istitle() and "verb" in doc.word_classes(doc[first].text)
    return first + 1 if verb else first


def without_amounts(doc: SyntaxDoc, first: int, last: int) -> tuple[int, int]:
    """Trim an amount before or after a name, whose unit may follow it: ``1 M NaOH``, ``Tris 50 mM``; and the unit of one before it: ``4 L. Ilse``.

    Nothing remains of a sum of money, or of the part of one that a recogniser found: ``GBP 40``, ``CHF`` behind 300.
    """
    while first < last and _is_of_sum(doc, first):
        first += 1
    while first < last and _is_of_sum(doc, last - 1):
        last -= 1
    counted = first > 0 and doc[first - 1].is_digit and doc[first - 1].whitespace_
    if counted and last - first > 1 and is_unit(doc[first].text):
        first += 1
    if last - first > 2 and doc[first].text[:1].isdigit() and is_unit(doc[first + 1].text):  # noqa: PLR2004 - an amount and a name
        first += 2
    end = last - 1 if last - first > 1 and is_unit(doc[last - 1].text) else last
    if end - first > 1 and doc[end - 1].text[:1].isdigit() and end < len(doc) and is_unit(doc[end].text):
        last = end - 1
    return first, last


def _is_of_sum(doc: SyntaxDoc, index: int) -> bool:
    """Return whether a token is a number or the code of a currency, beside the other; a code that has its number behind it counts no other."""

    def is_number(place: int) -> bool:
        return 0 <= place < len(doc) and doc[place].text[0].isdigit()

    def is_code(place: int) -> bool:
        return 0 <= place < len(doc) and is_currency(doc[place].text)

    if is_code(index):
        return is_number(index - 1) or is_number(index + 1)
    return is_number(index) and (is_code(index - 1) or (is_code(index + 1) and not is_number(index + 2)))


def is_phrase(doc: SyntaxDoc, first: int, last: int) -> bool:
    """Return whether tokens are too many words, with spaces between them, for a name in a script without capitals."""
    words = doc[first:last].text.split()
    return len(words) > _CASELESS_WORDS and all(word.lower() == word.upper() for word in words)


def _end(doc: SyntaxDoc, span: CandidateSpan, taken: bytearray) -> int:
    """Return where a name ends; a common word that only the tagger takes for a name does not begin one."""
    last = span.last
    doubtful = span.tagged and len(span) == 1 and bool(doc.word_classes(doc[span.first].text))
    if span.kind in _ADJECTIVES or doubtful:
        return last
    caseless = _is_caseless(doc[span.first])
    limit = _caseless_run(doc, span.first)[1] if caseless else len(doc)
    while last < limit and not taken[last] and (caseless or _follows(doc, last, span.kind)):
        last += 1
    return last


def _caseless_run(doc: SyntaxDoc, index: int) -> tuple[int, int]:
    """Return the range of consecutive words in a script without capitals around one; an empty one if they are too many for a name."""
    first, last = index, index + 1
    while first and _is_caseless(doc[first - 1]) and last - first <= _CASELESS_WORDS:
        first -= 1
    while last < len(doc) and _is_caseless(doc[last]) and last - first <= _CASELESS_WORDS:
        last += 1
    return (first, last) if last - first <= _CASELESS_WORDS else (index, index)


def _follows(doc: SyntaxDoc, index: int, kind: str) -> bool:
    """Return whether a capitalised word goes on with the name before it: "Formula One", "Nine Inch Nails", "Iain M. Banks"."""
    token, before = doc[index], doc[index - 1].text
    if doc[index - 1].whitespace_ != " " or not _is_capitalised(token) or token.ent_type_ not in _COUNTED | {"DATE"}:
        return False
    initial = len(before) == _LETTERS and before[0].isupper()
    if not (before[-1].isalnum() or initial) or token.text in _DATES:
        return False
    if token.ent_type_ == "ORDINAL" or (token.text.isupper() and token.text.isalpha()):  # "TV"
        return False
    if index + 1 < len(doc) and not token.whitespace_ and doc[index + 1].text == "-":
        return False
    return (token.pos_ in _AFTER and len(token) > _LETTERS) or (token.pos_ == "INTJ" and kind == _PERSON)


def _start(doc: SyntaxDoc, span: CandidateSpan, taken: bytearray) -> int:
    """Return where a name begins, with the capitalised words before it in the middle of a sentence: "Mercyful Fate", "Under Armour"."""
    index = span.first
    if span.kind in _ADJECTIVES:
        return index
    if _is_caseless(doc[index]):
        limit = _caseless_run(doc, index)[0]
        while index > limit and not taken[index - 1]:
            index -= 1
        return index
    if index and not doc[index - 1].whitespace_ and doc[index - 1].text.endswith("$"):
        return index - 1  # "A$AP"
    allowed = {"ADP"} if span.kind == _PERSON else _BEFORE
    while index and not taken[index - 1] and doc[index - 1].whitespace_ == " " and _is_capitalised(doc[index - 1]):
        if doc[index - 1].pos_ not in allowed or doc[index - 1].ent_type_ not in _COUNTED:
            return span.first
        index -= 1
    before = doc[index - 1] if index else None
    return (
        index
        if before and before.text.isalpha() and before.text.islower() and before.whitespace_ == " "
        else span.first
    )


def _is_capitalised(token: SyntaxToken) -> bool:
    return len(token) >= _LETTERS and token.text[0].isupper() and token.text.replace("-", "").isalnum()


def _is_caseless(token: SyntaxToken) -> bool:
    """Return whether a token is a word in a script without capitals."""
    return token.text.isalpha() and token.text.lower() == token.text.upper()
