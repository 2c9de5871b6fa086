"""Sentence embeddings by ONNX Runtime: BGE-style models (CLS pooling, unit length, a prefix before questions), or mean pooling.

Chunks go through the model one at a time. Dynamic int8 quantisation scales activations by the largest value in the batch, so
in a batch a vector depends on its neighbours (cosine down to 0.995); alone it is bit-identical whatever the batch, thread or
process. It costs nothing: with one thread a batch of one is also the fastest, because no padding is computed.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from interlace.adapters.onnx.model import OnnxModel
from interlace.text.compounds import set_apart

QUERY_PREFIX = "Represent this sentence for searching relevant passages: "


class OnnxEmbedder:
    """Turns text into unit vectors; may be called from several threads at once.

    Args:
        folder: holds ``model.onnx`` (last hidden state first) and ``tokenizer.json``.
        model: name of the model and of its vector in the index.
        threads: threads that one inference may use; for int8 models of this size one is fastest, and processes scale.
        query_prefix: what the model expects before a question.
        pooling: how tokens are pooled: ``cls``, the first token, or ``mean``, the mean of all.

    Raises:
        SettingsError: the folder lacks a file, or a file is not what its name says.
        UnavailableError: ``onnxruntime`` or ``tokenizers`` is not installed.
    """

    def __init__(
        self,
        folder: Path,
        model: str,
        threads: int = 1,
        query_prefix: str = QUERY_PREFIX,
        pooling: Literal["cls", "mean"] = "cls",
    ) -> None:
        self._model = model
        self._prefix = query_prefix
        self._pooling = pooling
        self._network = OnnxModel(
            folder,
            threads,
            name=f"The embedding model {model}",
            remedy="`interlace up` fetches the default model; INTERLACE_EMBEDDING__FOLDER names a folder with another.",
        )
        self._dimensions = len(self._embed("dimensions"))

    @property
    def model(self) -> str:
        """Name of the model, which is also the name of its vector in the index."""
        return self._model

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._dimensions

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return ``(len(texts), dimensions) float32`` of length 1; only the first 512 tokens of a text count."""
        vectors = np.empty((len(texts), self._dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._embed(text)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return ``(dimensions,) float32`` of length 1 for a question."""
        return self._embed(self._prefix + text)

    def _embed(self, text: str) -> NDArray[np.float32]:
        # `maxrequestspersocket` would be pieces that mean nothing: models of this kind read no capitals. What the model knows (`YouTube`) stays.
        hidden = self._network.run(set_apart(text, self._network.has_token))
        # One text, no padding: every row is one of its tokens.
        pooled = hidden[0, 0] if self._pooling == "cls" else hidden[0].mean(axis=0)
        vector: NDArray[np.float32] = np.asarray(pooled, dtype=np.float32)
        # Not np.dot: BLAS adds in a different order on each kind of processor, and the vector's last bits would depend on it.
        length = math.sqrt(math.fsum(value * value for value in vector.tolist()))
        return vector / np.float32(length)
