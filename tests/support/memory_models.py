"""An embedder and a token counter without a model, which keep the contracts of their ports."""

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from interlace.text.tokenizer import terms


class HashingEmbedder:
    """Embeds a text as the counts of its hashed terms (feature hashing: Weinberger et al. 2009)."""

    def __init__(self, model: str = "hashing", dimensions: int = 64) -> None:
        self._model = model
        self._dimensions = dimensions

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self._embed(text) for text in texts], dtype=np.float32).reshape(-1, self._dimensions)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._embed(text)

    def _embed(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(self._dimensions, dtype=np.float32)
        vector[0] = 1e-3  # a text without terms has a direction too
        for term in terms(text):
            vector[crc32(term.encode()) % self._dimensions] += 1
        return vector / np.float32(np.linalg.norm(vector))


class WordCounter:
    """Counts words parted by white space as tokens."""

    @property
    def name(self) -> str:
        return "words"

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]
