"""What extractors find in a chunk: names and facts, each with the characters that show it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a chunk.

    Args:
        surface: the characters as they stand in the text.
        type: a type of the ontology (``Person``, ``Organization``, ``Place``, …, ``Other``).
        start: offset in the chunk's text.
        end: offset after the last character.
        confidence: 0 to 1.
        via: ``ner`` (a statistical or rule extractor), ``link`` (a typed reference) or ``llm``.
    """

    surface: str
    type: str
    start: int
    end: int
    confidence: float = 1.0
    via: str = "ner"


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
    """

    subject: str
    predicate: str
    object: str
    start: int
    end: int
    confidence: float
    extractor: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that extractors found in one chunk, in order of appearance."""

    mentions: tuple[Mention, ...] = ()
    facts: tuple[Fact, ...] = ()
