"""Sentence embeddings by ONNX Runtime: BGE-style models (CLS pooling, unit length, a prefix before questions), or mean pooling.

Chunks go through the model one at a time. Dynamic int8 quantisation scales activations by the largest value in the batch, so
in a batch a vector depends on its neighbours (cosine down to 0.995); alone it is bit-identical whatever the batch, thread or
process. It costs nothing: with one thread a batch of one is also the fastest, because no padding is computed.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from interlace.domain.errors import SettingsError, UnavailableError

QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
MAX_TOKENS = 512
_FILES = ("model.onnx", "tokenizer.json")


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
        missing = [name for name in _FILES if not (folder / name).is_file()]
        if missing:
            raise SettingsError(
                f"The embedding model {model} needs {' and '.join(missing)} in {folder}. `interlace up` fetches the default "
                "model; INTERLACE_EMBEDDING__FOLDER names a folder with another."
            )
        self._model = model
        self._prefix = query_prefix
        self._pooling = pooling
        self._tokenizer = load_tokenizer(folder / "tokenizer.json", most=MAX_TOKENS)
        self._session = load_session(folder / "model.onnx", threads)
        self._inputs = frozenset(entry.name for entry in self._session.get_inputs())
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
        encoded = self._tokenizer.encode(text)
        arrays = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        feed = {name: np.asarray([values], dtype=np.int64) for name, values in arrays.items() if name in self._inputs}
        hidden = self._session.run(None, feed)[0]
        # One text, no padding: every row is one of its tokens.
        pooled = hidden[0, 0] if self._pooling == "cls" else hidden[0].mean(axis=0)
        vector: NDArray[np.float32] = np.asarray(pooled, dtype=np.float32)
        # Not np.dot: BLAS adds in a different order on each kind of processor, and the vector's last bits would depend on it.
        length = math.sqrt(math.fsum(value * value for value in vector.tolist()))
        return vector / np.float32(length)


def load_tokenizer(path: Path, *, most: int | None) -> Any:
    """Return a tokenizer without padding that truncates texts after so many tokens, or not at all.

    Raises:
        SettingsError: the file is missing or not a tokenizer.
        UnavailableError: ``tokenizers`` is not installed.
    """
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise _not_installed("tokenizers") from None
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the binding raises bare Exception for any fault of the file
        raise SettingsError(f"{path} is not a tokenizer: {error}. Put the model's own tokenizer.json there.") from error
    tokenizer.no_padding()
    if most is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(most)
    return tokenizer


def load_session(path: Path, threads: int) -> Any:
    """Return a model that runs with so many threads and yields the cores while it waits.

    Raises:
        SettingsError: the file is not a model.
        UnavailableError: ``onnxruntime`` is not installed.
    """
    try:
        import onnxruntime
    except ImportError:
        raise _not_installed("onnxruntime") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.enable_mem_pattern = False  # plans memory for one input shape; every text has its own length
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads leave the core to others
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the binding has an exception class for each fault and no common base
        raise SettingsError(f"{path} is not a model that ONNX Runtime can load: {error}. Fetch it again.") from error


def _not_installed(package: str) -> UnavailableError:
    return UnavailableError(
        f"The package {package} is not installed. Install it, or turn off what needs it: INTERLACE_EMBEDDING__ENABLED=false, "
        "no INTERLACE_RERANKER__FOLDER."
    )
