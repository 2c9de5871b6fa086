"""The syntactic parser: a spaCy pipeline over texts."""

import threading
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

import orjson

from interlace.domain.errors import SettingsError, UnavailableError
from interlace.ports.syntax import SyntaxDoc, SyntaxSpan, SyntaxToken

BATCH = 32
_WORD_CLASSES = ("noun", "verb", "adj", "adv")
# Components whose results are not used. Base forms of the few words that facts need are looked up one by one.
_UNUSED = ("lemmatizer", "textcat", "textcat_multilabel", "entity_linker", "spancat")
_LOCKS: dict[str, threading.Lock] = {}


class SpacyParser:
    """Parses texts; loads the pipeline on first use, once for the process; calls from several threads are serialised.

    A batch gives exactly the same parses as its texts one by one: the pipeline's layers are per token and its arithmetic is per row.

    Args:
        pipeline: name of an installed spaCy pipeline package, or a path to one.

    Raises:
        SettingsError: there is no such pipeline.
        UnavailableError: spaCy is not installed (on first use).
    """

    def __init__(self, pipeline: str) -> None:
        self._pipeline = pipeline
        self._lock = _LOCKS.setdefault(pipeline, threading.Lock())
        self._fingerprint = f"spacy:{pipeline}:{_pipeline_version(pipeline)}:{metadata.version('spacy')}"

    @property
    def _nlp(self) -> Any:
        return load_pipeline(self._pipeline)

    @cached_property
    def _lemmatizer(self) -> Any:
        return self._nlp.get_pipe("lemmatizer") if "lemmatizer" in self._nlp.component_names else None

    @property
    def fingerprint(self) -> str:
        """Name and version of the pipeline, and spaCy's version."""
        return self._fingerprint

    def parse(self, texts: Sequence[str]) -> Iterator[SyntaxDoc]:
        """Yield the parse of each text in order."""
        with self._lock, self._nlp.memory_zone():  # strings that the vocabulary learns from the texts are dropped again
            for doc in self._nlp.pipe(texts, batch_size=BATCH):
                yield SpacyDoc(doc, self._lemmatizer)

    def count_tokens(self, texts: Sequence[str]) -> int:
        """Parse the texts and return the number of tokens."""
        with self._lock, self._nlp.memory_zone():
            return sum(len(doc) for doc in self._nlp.pipe(texts, batch_size=BATCH))


class SpacyDoc:
    """A spaCy ``Doc`` with what the rules need in addition: heads as indexes, and base forms."""

    def __init__(self, doc: Any, lemmatizer: Any) -> None:
        self._doc = doc
        self._lemmatizer = lemmatizer
        self.text: str = doc.text  # spaCy rebuilds it on each access
        self.ents: Sequence[SyntaxSpan] = doc.ents

    @property
    def sents(self) -> Iterator[SyntaxSpan]:
        """The sentences, in order."""
        return iter(self._doc.sents)

    @property
    def has_dependencies(self) -> bool:
        """Whether the pipeline has a dependency parser."""
        return bool(self._doc.has_annotation("DEP"))

    @property
    def heads(self) -> list[int]:
        """The index of each token's head."""
        # spaCy returns them relative to the token, as signed numbers in an unsigned array.
        offsets = self._doc.to_array("HEAD").astype("int64").tolist()
        return [index + offset for index, offset in enumerate(offsets)]

    def lemma(self, index: int) -> str:
        """Return the base form of one token: looking up the few that facts need costs far less than lemmatising every word."""
        token = self._doc[index]
        if token.lemma_ or self._lemmatizer is None:  # the attribute ruler sets those of "was" and the like
            return str(token.lemma_ or token.lower_).lower()
        return str(self._lemmatizer.lemmatize(token)[0]).lower()

    def word_classes(self, word: str) -> frozenset[str]:
        """Return the word classes of a word, in any of its regular forms, from the tables of the lemmatizer."""
        return _word_classes(self._lemmatizer, word.lower()) if self._lemmatizer is not None else frozenset()

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self._doc)

    def __iter__(self) -> Iterator[SyntaxToken]:
        """Yield the tokens."""
        return iter(self._doc)

    def __getitem__(self, index: Any) -> Any:
        """Return a token, or a span for a slice."""
        return self._doc[index]


@lru_cache(maxsize=1 << 15)
def _word_classes(lemmatizer: Any, word: str) -> frozenset[str]:
    """Return the classes of a word by a rule lemmatizer: those whose index contains it, or its form with the ending replaced."""
    found = set()
    for kind, (index, rules) in _dictionary(lemmatizer).items():
        forms = [word, *(word.removesuffix(old) + new for old, new in rules if word.endswith(old))]
        if not index.isdisjoint(forms):
            found.add(kind)
    return frozenset(found)


@cache
def _dictionary(lemmatizer: Any) -> dict[str, tuple[frozenset[str], list[tuple[str, str]]]]:
    """Return known words and suffix rules by word class; empty if the pipeline's lemmatizer is not rule-based."""
    tables = lemmatizer.lookups
    if not tables.has_table("lemma_index"):
        return {}
    index, rules, exceptions = (tables.get_table(f"lemma_{name}") for name in ("index", "rules", "exc"))
    return {
        kind: (
            frozenset(index.get(kind, ())) | frozenset(exceptions.get(kind, ())),
            [tuple(r) for r in rules.get(kind, ())],
        )
        for kind in _WORD_CLASSES
    }


@cache
def load_pipeline(pipeline: str) -> Any:
    """Load a pipeline, once for this process and those that are forked from it later; raises what ``SpacyParser`` says."""
    try:
        import spacy
    except ImportError:
        raise UnavailableError("The package spacy is not installed; it finds entities and facts. Install it.") from None
    try:
        return spacy.load(pipeline, disable=list(_UNUSED))
    except OSError as error:
        raise _no_pipeline(pipeline) from error


def _pipeline_version(pipeline: str) -> str:
    """Return the version of a pipeline without loading it."""
    described = Path(pipeline) / "meta.json"
    try:
        return (
            str(orjson.loads(described.read_bytes())["version"]) if described.is_file() else metadata.version(pipeline)
        )
    except metadata.PackageNotFoundError as error:
        raise _no_pipeline(pipeline) from error


def _no_pipeline(pipeline: str) -> SettingsError:
    return SettingsError(
        f"INTERLACE_SPACY__PIPELINE: there is no spaCy pipeline {pipeline!r}. Install its package or name another."
    )
