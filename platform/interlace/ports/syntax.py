"""A syntactic parser: tokens with part-of-speech tags and dependencies, sentences and named entities of a text.

The protocols name what the extraction rules read of a parse, by the attributes of spaCy's ``Token``, ``Span`` and ``Doc``
(https://spacy.io/api), so that its objects are passed on without a copy.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, overload


class SyntaxToken(Protocol):
    """A token of a parse; ``idx`` is its offset in the text."""

    text: str
    lower_: str
    dep_: str
    tag_: str
    pos_: str
    ent_type_: str
    whitespace_: str
    idx: int
    is_punct: bool
    is_space: bool
    is_digit: bool

    def __len__(self) -> int:
        """Return the number of characters."""
        ...


class SyntaxSpan(Protocol):
    """A stretch of tokens: ``start`` and ``end`` count tokens, ``start_char`` characters."""

    text: str
    label_: str
    start: int
    end: int
    start_char: int

    def __iter__(self) -> Iterator[SyntaxToken]:
        """Yield its tokens."""
        ...


class SyntaxDoc(Protocol):
    """The parse of one text; valid until the next one is taken from the parser."""

    text: str

    @property
    def ents(self) -> Sequence[SyntaxSpan]:
        """The named entities, in order."""
        ...

    @property
    def sents(self) -> Iterable[SyntaxSpan]:
        """The sentences, in order."""
        ...

    @property
    def has_dependencies(self) -> bool:
        """Whether the parser found dependencies."""
        ...

    @property
    def heads(self) -> list[int]:
        """The index of each token's head; of a root its own."""
        ...

    def lemma(self, index: int) -> str:
        """Return the base form of a token in lower case."""
        ...

    def word_classes(self, word: str) -> frozenset[str]:
        """Return the classes (``noun``, ``verb``, ``adj``, ``adv``) that the pipeline's dictionary gives for a word; there may be none."""
        ...

    def __len__(self) -> int:
        """Return the number of tokens."""
        ...

    def __iter__(self) -> Iterator[SyntaxToken]:
        """Yield the tokens."""
        ...

    @overload
    def __getitem__(self, index: int) -> SyntaxToken: ...

    @overload
    def __getitem__(self, index: slice) -> SyntaxSpan: ...


class SyntaxParser(Protocol):
    """Parses texts; may be called from several threads, which wait for each other."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same text could give another parse."""
        ...

    def parse(self, texts: Sequence[str]) -> Iterator[SyntaxDoc]:
        """Yield the parse of each text in order; the parse of a text does not depend on its neighbours."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> int:
        """Parse the texts and return the number of tokens: the model's time alone, against which ingestion is measured."""
        ...
