"""Models that tell which texts they read, and that may remember what they made of them.

That a model's result depends on the text alone is a promise of its port with tests of its own. Where one is
remembered, hundreds of ingestions of the same chunks take the time of their graph and not that of spaCy.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from interlace.domain.documents import Chunk
from interlace.domain.extraction import Extraction
from interlace.ports.models import Embedder, Extractor

Item = TypeVar("Item")
Result = TypeVar("Result")


class WatchedExtractor:
    """An extractor whose ``read`` lists the texts that it was asked for and ``inner`` had to read."""

    def __init__(self, inner: Extractor, *, remember: bool = False) -> None:
        self.inner = inner
        self.read: list[str] = []
        self._known: dict[Hashable, Extraction] | None = {} if remember else None

    @property
    def fingerprint(self) -> str:
        """That of the extractor."""
        return self.inner.fingerprint

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        """Return one extraction a chunk."""

        def fresh(asked: Sequence[Chunk]) -> list[Extraction]:
            self.read += [chunk.text for chunk in asked]
            return self.inner.extract(asked)

        return _remembered(self._known, chunks, lambda chunk: (chunk.path, chunk.text), fresh)


class WatchedEmbedder:
    """An embedder whose ``read`` lists the chunks that ``inner`` had to read."""

    def __init__(self, inner: Embedder, *, remember: bool = False) -> None:
        self.inner = inner
        self.read: list[str] = []
        self._known: dict[Hashable, NDArray[np.float32]] | None = {} if remember else None

    @property
    def model(self) -> str:
        """The model's name."""
        return self.inner.model

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self.inner.dimensions

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return ``(len(texts), dimensions) float32``."""

        def fresh(asked: Sequence[str]) -> list[NDArray[np.float32]]:
            self.read += asked
            return list(self.inner.embed_texts(asked))

        vectors: list[NDArray[np.float32]] = _remembered(self._known, texts, str, fresh)
        return np.stack(vectors)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return ``(dimensions,) float32`` for a question."""
        return self.inner.embed_query(text)


def _remembered(
    known: dict[Hashable, Result] | None,
    items: Sequence[Item],
    key: Callable[[Item], Hashable],
    fresh: Callable[[Sequence[Item]], list[Result]],
) -> list[Result]:
    if known is None:
        return fresh(items)
    missing = {key(item): item for item in items if key(item) not in known}
    if missing:
        known.update(zip(missing, fresh(list(missing.values())), strict=True))
    return [known[key(item)] for item in items]
