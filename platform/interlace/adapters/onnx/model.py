"""A transformer in ONNX format with its tokenizer, from a folder, in this process."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from interlace.domain.errors import SettingsError, UnavailableError

MAX_TOKENS = 512
_FILES = ("model.onnx", "tokenizer.json")


class OnnxModel:
    """Runs on one text or one pair of texts at a time; may be called from several threads at once.

    Args:
        folder: holds ``model.onnx`` and ``tokenizer.json``.
        threads: threads that one inference may use.
        name: what the model is, as the subject of an error message.
        remedy: what to do where the folder lacks a file.

    Raises:
        SettingsError: the folder lacks a file, or a file is not what its name says.
        UnavailableError: ``onnxruntime`` or ``tokenizers`` is not installed.
    """

    def __init__(self, folder: Path, threads: int, *, name: str, remedy: str) -> None:
        missing = [file for file in _FILES if not (folder / file).is_file()]
        if missing:
            raise SettingsError(f"{name} needs {' and '.join(missing)} in {folder}. {remedy}")
        self._tokenizer = load_tokenizer(folder / "tokenizer.json", max_tokens=MAX_TOKENS)
        self._session = _load_session(folder / "model.onnx", threads)
        self._inputs = frozenset(entry.name for entry in self._session.get_inputs())

    def run(self, *texts: str) -> Any:
        """Return the first output for a text or a pair; only the first 512 tokens count, truncated from the longer part of a pair."""
        encoded = self._tokenizer.encode(*texts)
        arrays = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        feed = {name: np.asarray([values], dtype=np.int64) for name, values in arrays.items() if name in self._inputs}
        return self._session.run(None, feed)[0]

    def has_token(self, word: str) -> bool:
        """Return whether the model reads a word as one token."""
        return len(self._tokenizer.encode(word, add_special_tokens=False).ids) == 1


def load_tokenizer(path: Path, *, max_tokens: int | None) -> Any:
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
    if max_tokens is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _load_session(path: Path, threads: int) -> Any:
    """Return a model that runs with so many threads, yields the cores while it waits and reports to no one.

    Raises:
        SettingsError: the file is not a model.
        UnavailableError: ``onnxruntime`` is not installed.
    """
    # Otherwise the package sends its maker what models are loaded, and keeps what it could not send in the user's cache.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
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
