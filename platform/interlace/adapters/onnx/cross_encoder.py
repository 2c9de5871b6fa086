"""A cross-encoder that runs in this process: sequence-pair classification with one logit, from a folder of ONNX files.

Pairs go through the model one at a time, for the same reason as in the embedder: a score does not depend on its neighbours.
"""

import math
import time
from collections.abc import Sequence
from pathlib import Path

from interlace.adapters.onnx.model import OnnxModel
from interlace.domain.errors import SettingsError, UnavailableError


class OnnxCrossEncoder:
    """Scores chunks with the logit of a model; may be called from several threads at once.

    Args:
        folder: holds ``model.onnx`` (one logit per pair) and ``tokenizer.json``.
        threads: threads that one inference may use.
        timeout: seconds after which a call gives up, checked between chunks.

    Raises:
        SettingsError: the folder lacks a file, a file is not what its name says, or the model does not give one logit per pair.
        UnavailableError: ``onnxruntime`` or ``tokenizers`` is not installed.
    """

    def __init__(self, folder: Path, *, threads: int = 1, timeout: float = 5.0) -> None:
        self._timeout = timeout
        self._model = OnnxModel(
            folder,
            threads,
            name="The cross-encoder",
            remedy="INTERLACE_RERANKER__FOLDER names the folder of a model; without it there is none.",
        )
        self._try(folder / "model.onnx")

    def score(self, question: str, chunks: Sequence[str]) -> list[float]:
        """Return the logit of each chunk; only the first 512 tokens of a pair count, truncated from the longer part.

        Raises:
            UnavailableError: the model failed or returned no finite number, or the time is up.
        """
        started = time.monotonic()
        scores: list[float] = []
        for chunk in chunks:
            if time.monotonic() - started > self._timeout:
                raise UnavailableError(
                    f"The cross-encoder read {len(scores)} of {len(chunks)} chunks in {self._timeout:g} s. Raise "
                    "INTERLACE_RERANKER__TIMEOUT or INTERLACE_EMBEDDING__THREADS, or choose a smaller model."
                )
            scores.append(self._logit(question, chunk))
        return scores

    def _logit(self, question: str, chunk: str) -> float:
        try:
            logit = float(self._model.run(question, chunk).item())
        except Exception as error:  # the binding has an exception class for each fault and no common base
            raise UnavailableError(
                f"The cross-encoder failed on a chunk: {error}. Is model.onnx the model of this tokenizer.json?"
            ) from error
        if not math.isfinite(logit):
            raise UnavailableError(
                f"The cross-encoder's score of a chunk is {logit}, not a finite number. Fetch model.onnx again, or as float32."
            )
        return logit

    def _try(self, path: Path) -> None:
        """Refuse a model that does not take pairs or returns anything but one logit, before a request waits for it."""
        try:
            shape = tuple(self._model.run("question", "chunk").shape)
        except Exception as error:
            raise SettingsError(
                f"{path} cannot read a pair of texts: {error}. It must take input_ids, attention_mask and token_type_ids, or "
                "some of them."
            ) from error
        if math.prod(shape) != 1:
            raise SettingsError(
                f"{path} returns an array of shape {shape} for a pair of texts; a cross-encoder gives one logit, (1, 1)."
            )
