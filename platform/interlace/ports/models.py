"""Models that read text: embedder, extractor, reranker, language model."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from interlace.domain.documents import Chunk
from interlace.domain.extraction import Extraction


class Embedder(Protocol):
    """Turns text into unit vectors."""

    @property
    def model(self) -> str:
        """Name of the model, which is also the name of its vector in the index."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return ``(len(texts), dimensions) float32`` of length 1; the result of a text does not depend on its neighbours."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return ``(dimensions,) float32`` of length 1 for a question."""
        ...


class Extractor(Protocol):
    """Finds names and facts in chunks."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same text could give another result."""
        ...

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        """Return one extraction a chunk, in the same order; the result of a chunk does not depend on its neighbours."""
        ...
