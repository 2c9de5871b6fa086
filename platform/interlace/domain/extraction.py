"""What extractors find in a chunk: mentions and facts, each with its offsets."""

from dataclasses import dataclass

DECLARED_TYPES = frozenset({"Skill", "Tool", "Concept"})
"""Types of entities that only a person declares: by a skill's file, or by a typed reference (``[[name#tool]]``)."""
BY_AUTHORS = frozenset({"link", "declared"})
"""``via`` of mentions that the author marked: not guesses."""
SHORT = "short"
"""``via`` of a short form that stands for a name in this place, and is not a name of the entity elsewhere."""
ACRONYM = "acronym"
"""``via`` of an acronym that the chunk defines: an alias of what it stands for."""
RESOLVED = frozenset({SHORT, ACRONYM})
"""``via`` of mentions whose meaning the chunk itself states."""
PARTICLES = frozenset(
    {"al", "bin", "bint", "da", "de", "del", "della", "der", "di", "du", "el", "ibn", "la", "le", "van", "von"}
)
"""Small words that belong to a surname."""
HONORIFICS = frozenset({"dipl", "dr", "mr", "mrs", "ms", "prof", "professor"})
"""Titles that stand before a surname or a full name."""
DEGREES = frozenset({"ing", "mag", "med"})
"""Titles that do so too, and are names elsewhere (``ING Bank``, ``Club Med``)."""
LEGAL_FORMS = frozenset(
    {"ag", "co", "company", "corp", "corporation", "gmbh", "inc", "incorporated", "llc", "ltd", "limited", "plc", "sa"}
)
"""Words that end the names of companies."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of an entity in a chunk.

    Args:
        surface: the characters as they stand in the text.
        type: a type of the ontology (``Person``, ``Organization``, ``Place``, …, ``Other``).
        start: offset in the chunk's text.
        end: offset after the last character.
        confidence: 0 to 1.
        via: ``ner`` (a statistical or rule extractor), ``short`` or ``acronym`` (the same, where it stands for a longer name), ``link`` (a
            reference that the author wrote), ``declared`` (what a file registers, as a skill its tools) or ``llm``.
        meant: the name, where the words in the text are not the name but stand for it; else empty.
    """

    surface: str
    type: str
    start: int
    end: int
    confidence: float = 1.0
    via: str = "ner"
    meant: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement found in one sentence of a chunk.

    Args:
        subject: a name as written (or the document's title, where a pronoun stands for it).
        predicate: ``UPPER_SNAKE`` verb phrase, for example ``BORN_IN``.
        object: a name or noun phrase as written.
        start: offset of the sentence in the chunk's text.
        end: offset after the sentence.
        confidence: 0 to 1.
        extractor: ``spacy``, ``structure`` or the language model's name.
        subject_type: declared type of the subject (``Skill``); empty where the name alone identifies it.
        object_type: likewise for the object.
    """

    subject: str
    predicate: str
    object: str
    start: int
    end: int
    confidence: float
    extractor: str
    subject_type: str = ""
    object_type: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that extractors found in one chunk, in order of appearance."""

    mentions: tuple[Mention, ...] = ()
    facts: tuple[Fact, ...] = ()
