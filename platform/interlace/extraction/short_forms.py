"""Short forms of names: surnames, initials and acronyms of a name that the same chunk, or its document's title, gives in full.

A short form is resolved from the chunk, its marks and the title alone, so that equal chunks give equal results.

- *Acronym*: defined in brackets, ``Bureau of Public Roads (BPR)``. Its letters must be the initials of the words, function words aside (stricter
  than Schwartz & Hearst 2003, who look for letters in order). It is an alias of the full name everywhere. Without a definition, three
  letters or more that are the initials of exactly one full name are resolved to it in this chunk.
- *Initials*: ``J. Doe`` for ``Jane Doe``.
- *Surname*: ``Doe``, ``van Doe``, ``Ms Doe``. The title comes first; a surname that two other full names share is not resolved.
- *First name*: ``Jane``, only where a field of the document names ``Jane Doe``, as mails and minutes do. In other texts a first name is as
  often somebody else's.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from interlace.domain.extraction import ACRONYM, HONORIFICS, PARTICLES, SHORT, Extraction, Mention
from interlace.entities.normalization import normalize_name, title_forms, without_disambiguator
from interlace.text.stop_words import ARTICLES

VERSION = 3
"""Bump whenever the same names could be resolved differently."""

_PERSON, _OTHER = "Person", "Other"
_NO_PERSON = frozenset({"and", "at", "for", "in", "of", "on", "the", "to"})
_AFTER_SURNAMES = frozenset({"jr", "sr", "ii", "iii", "iv"})
_SMALL = frozenset({"a", "an", "and", "at", "de", "des", "du", "for", "in", "la", "of", "on", "the", "to"})
_MAX_WORDS = 5
_MIN_SURNAME_CHARACTERS = 3
_MIN_UNDEFINED_LETTERS = 3
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]{1,9}")
_QUOTE = "[\"'\u2018\u2019\u201c\u201d]?"
_DEFINED = re.compile(rf"{_QUOTE}\s{{0,2}}\(\s?{_QUOTE}([A-Z][A-Z0-9.]{{1,14}}?){_QUOTE}\s?[),;]")
_OPENED = re.compile(rf"\s?\(\s?{_QUOTE}(?:the )?")


@dataclass(frozen=True, slots=True)
class _FullName:
    """A name of several words.

    Args:
        words: its normalised form, in words.
        spelling: as it is written.
        surnames: normalised forms of its surname, if it is a person's name.
        title: whether it is the document's title.
    """

    words: tuple[str, ...]
    spelling: str
    surnames: frozenset[str] = frozenset()
    title: bool = False


def with_full_names(extraction: Extraction, text: str, title: str, participants: Sequence[str] = ()) -> Extraction:
    """Return the extraction with short forms resolved (``meant``); what an author marked stays as it is.

    Args:
        extraction: of one chunk.
        text: the chunk.
        title: of its document; empty if it has none.
        participants: names of people whom fields of its document name.
    """
    names = _full_names(extraction.mentions, title)
    defined = dict(_definitions(extraction.mentions, text))
    own = set(title_forms(title))
    mentions = tuple(
        each if normalize_name(each.surface) in own else _resolved(each, names, defined) for each in extraction.mentions
    )
    if participants:
        first_names = _first_names(participants, names)
        mentions = tuple(_of_participant(each, participants, first_names) for each in mentions)
    return replace(extraction, mentions=mentions)


def _first_names(participants: Sequence[str], names: Sequence[_FullName]) -> dict[str, str]:
    """Return the first names of participants that no one else in the chunk has, each with its full name."""
    known = {tuple(normalize_name(name).split()): name for name in participants}
    full = {words for words in (*known, *(name.words for name in names if name.surnames)) if len(words) > 1}
    shared = Counter(words[0] for words in full)
    return {words[0]: known[words] for words in full & known.keys() if shared[words[0]] == 1}


def _of_participant(mention: Mention, participants: Sequence[str], first_names: dict[str, str]) -> Mention:
    """Return a mention of a participant as a person's, and with the full name; another mention as it is."""
    if mention.via not in {"ner", SHORT}:
        return mention
    full = first_names.get(normalize_name(mention.surface))
    if full and not mention.meant:
        return replace(mention, type=_PERSON, meant=full, via=SHORT)
    return replace(mention, type=_PERSON) if (mention.meant or mention.surface) in participants else mention


def _full_names(mentions: Sequence[Mention], title: str) -> list[_FullName]:
    """Return the names that may be shortened, each once, the title first; those that are short forms of others are left out."""
    found: dict[tuple[str, ...], _FullName] = {}
    for mention in sorted(mentions, key=lambda each: each.type != _PERSON):
        words = tuple(normalize_name(mention.surface).split())
        if len(words) > 1 and words not in found:
            person = mention.type == _PERSON
            found[words] = _FullName(words, mention.surface, _surnames(mention.surface) if person else frozenset())
    # "Jane Doe (writer)", "Jane Doe, 1st Baroness Doe". A title has no type: it is a person's name if a person has its surname.
    plain = without_disambiguator(title).split(",")[0]
    words = tuple(normalize_name(plain).split())
    named = found.pop(words, None)
    surnames = _surnames(plain)
    if not any(surnames & name.surnames for name in [*found.values(), *([named] if named else [])]):
        surnames = frozenset()
    names = [name for name in found.values() if not any(_shortens(name.words, other) for other in found.values())]
    return [_FullName(words, title, surnames, title=True), *names] if len(words) > 1 else names


def _surnames(name: str) -> frozenset[str]:
    """Return the surname of a person's full name, with and without particles; empty for ``Louis of France`` and ``Stuart king``."""
    words = [word for word in name.split() if normalize_name(word) and normalize_name(word) not in _AFTER_SURNAMES]
    if not 1 < len(words) <= _MAX_WORDS or words[-1].islower() or _NO_PERSON.intersection(map(str.lower, words)):
        return frozenset()
    first = len(words) - 1
    while first > 1 and words[first - 1].lower() in PARTICLES:
        first -= 1
    found = {normalize_name(words[-1]), normalize_name(" ".join(words[first:]))}
    return frozenset(each for each in found if len(each) >= _MIN_SURNAME_CHARACTERS)


def _shortens(words: tuple[str, ...], name: _FullName) -> bool:
    """Return whether the words are a surname, with a title or without, or initials and a surname, of a person whose first name is known."""
    if len(words) > 1 and words[0] in HONORIFICS:
        named = len(name.words) > 1 + (name.words[0] in HONORIFICS)
        return named and (words[1:] == name.words or _shortens(words[1:], name))
    return bool(name.surnames) and (" ".join(words) in name.surnames or _initialled(words, name.words))


def _initialled(words: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Return whether the words are initials and a surname of a full name, any of whose middle names may be missing."""
    first, last = words[:-1], words[-1]
    if not first or last != full[-1] or any(len(word) > 1 for word in first) or len(full[0]) == 1:
        return False
    rest = iter([word[0] for word in full[1:-1]])
    return first[0] == full[0][0] and all(initial in rest for initial in first[1:])


def _resolved(mention: Mention, names: Sequence[_FullName], defined: dict[str, str]) -> Mention:
    if mention.via != "ner" or mention.meant:
        return mention
    letters = mention.surface.replace(".", "")
    if letters in defined:
        return replace(mention, meant=defined[letters], via=ACRONYM)
    fitting = [name for name in names if _fits(mention, letters, name)]
    if len(fitting) == 1 or (fitting and fitting[0].title):
        return replace(mention, meant=fitting[0].spelling, via=SHORT)
    return mention


def _fits(mention: Mention, letters: str, name: _FullName) -> bool:
    """Return whether a mention may be a short form of a name."""
    if len(letters) >= _MIN_UNDEFINED_LETTERS and _ACRONYM.fullmatch(letters) and letters in _initials(name.spelling):
        return True
    return mention.type in {_PERSON, _OTHER} and _shortens(tuple(normalize_name(mention.surface).split()), name)


def _definitions(mentions: Sequence[Mention], text: str) -> Iterator[tuple[str, str]]:
    """Yield acronyms in brackets after or before the name that they stand for, each with the name."""
    starting = {mention.start: mention for mention in mentions}
    for mention in mentions:
        after = _DEFINED.match(text, mention.end)
        if after and after[1].replace(".", "") in _initials(mention.surface):
            yield after[1].replace(".", ""), mention.surface
        opened = _OPENED.match(text, mention.end)
        name = starting.get(opened.end()) if opened else None
        letters = mention.surface.replace(".", "")
        if name and _ACRONYM.fullmatch(letters) and letters in _initials(name.surface):
            yield letters, name.surface


def _initials(name: str) -> set[str]:
    """Return the initials of a name's words, with and without function words; empty for a one-word name."""
    words = [word for word in re.split(r"[\s\-\u2013/]+", name) if word[:1].isalnum()]
    if len(words) > 1 and words[0].lower() in ARTICLES:
        words = words[1:]
    large = [word for word in words if word.lower() not in _SMALL]
    return {"".join(word[0] for word in each).upper() for each in (words, large) if len(words) > 1 < len(each)}
