"""The extractor: a spaCy pipeline over chunks, then the rules for names and facts."""

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

import orjson

from interlace.adapters.spacy.facts import find_facts
from interlace.adapters.spacy.names import find_names
from interlace.adapters.spacy.tree import Tree
from interlace.domain.documents import Chunk
from interlace.domain.errors import SettingsError, UnavailableError
from interlace.domain.extraction import Extraction

RULES = 1  # raise whenever the same parse could give other names or facts
BATCH = 32
MAX_CHARACTERS = 100_000  # of a chunk; chunkers make them a hundred times smaller, the parser's memory grows with them
_IDLE = ("lemmatizer", "textcat", "textcat_multilabel", "entity_linker", "spancat")


class SpacyExtractor:
    """Finds names and facts in chunks; loads the pipeline when first used; calls from several threads wait for each other.

    A batch gives exactly what its texts give one by one: the pipeline's layers are per token and its arithmetic is per row.

    Args:
        pipeline: name of an installed spaCy pipeline package, or a path to one.

    Raises:
        SettingsError: there is no such pipeline.
        UnavailableError: spaCy is not installed (when first used).
    """

    def __init__(self, pipeline: str) -> None:
        self._pipeline = pipeline
        self._lock = threading.Lock()
        self._fingerprint = f"spacy:{pipeline}:{_pipeline_version(pipeline)}:{metadata.version('spacy')}:rules-{RULES}"

    @cached_property
    def _nlp(self) -> Any:
        return _load(self._pipeline)

    @cached_property
    def _lemmatizer(self) -> Any:
        return self._nlp.get_pipe("lemmatizer") if "lemmatizer" in self._nlp.component_names else None

    @property
    def fingerprint(self) -> str:
        """Name and version of the pipeline, spaCy's version and that of the rules."""
        return self._fingerprint

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        """Return one extraction a chunk, in the same order; the result of a chunk does not depend on its neighbours."""
        texts = [chunk.text[:MAX_CHARACTERS] for chunk in chunks]
        with self._lock, self._nlp.memory_zone():  # what the vocabulary learns from the texts is forgotten again
            docs = self._nlp.pipe(texts, batch_size=BATCH)
            return [
                self._read(doc, chunk.path[0] if chunk.path else "") for doc, chunk in zip(docs, chunks, strict=True)
            ]

    def run_pipeline(self, texts: Sequence[str]) -> int:
        """Run the bare pipeline, without our rules, and return the number of words: the floor that ingestion is measured against."""
        with self._lock, self._nlp.memory_zone():
            return sum(len(doc) for doc in self._nlp.pipe(texts, batch_size=BATCH))

    def _read(self, doc: Any, title: str) -> Extraction:
        names = find_names(doc)
        facts = find_facts(Tree(doc, names), title, self._lemma) if doc.has_annotation("DEP") else []
        return Extraction(tuple(name.mention for name in names), tuple(facts))

    def _lemma(self, token: Any) -> str:
        """Return the base form of one word: looking up the few that facts need costs far less than lemmatising every word."""
        if token.lemma_ or self._lemmatizer is None:  # the attribute ruler knows those of "was" and the like
            return str(token.lemma_ or token.lower_).lower()
        return str(self._lemmatizer.lemmatize(token)[0]).lower()


def _load(pipeline: str) -> Any:
    try:
        import spacy
    except ImportError:
        raise UnavailableError("The package spacy is not installed; it finds names and facts. Install it.") from None
    try:
        return spacy.load(pipeline, disable=list(_IDLE))
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
