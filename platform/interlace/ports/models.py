"""Models that read text: embedder, extractor, reranker, language model."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from interlace.domain.documents import Chunk
from interlace.domain.extraction import Extraction


class Embedder(Protocol):
    """Turns text into unit vectors; may be called from several threads at once."""

    @property
    def model(self) -> str:
        """Name of the model, which is also the name of its vector in the index."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return ``(len(texts), dimensions) float32`` of length 1; the result of a text does not depend on its neighbours."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return ``(dimensions,) float32`` of length 1 for a question."""
        ...


class Extractor(Protocol):
    """Finds entities and facts in chunks."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same text could give another result."""
        ...

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        """Return one extraction a chunk, in the same order; the result of a chunk does not depend on its neighbours."""
        ...


class Reranker(Protocol):
    """Says how well chunks answer a question; may be called from several threads at once."""

    def score(self, question: str, chunks: Sequence[str]) -> list[float]:
        """Return one finite number a chunk, in the order given; a higher one answers better. Nothing for no chunks.

        The scale is the model's own (logits of any sign, or 0 to 1): only scores of the same call compare. What is longer than the
        model reads is cut, not refused. A call that cannot end in time gives up by itself, so that late ones do not pile up.

        Raises:
            UnavailableError: the model did not answer, not in time, or not with one finite number a chunk.
        """
        ...
