"""Counts tokens with the tokenizer next to an embedding model; the model itself is not loaded."""

from collections.abc import Sequence
from pathlib import Path

from interlace.adapters.onnx.model import load_tokenizer


class OnnxTokenCounter:
    """Counts the tokens of whole texts, however long; may be called from several threads at once.

    Raises:
        SettingsError: the file is missing or not a tokenizer.
        UnavailableError: ``tokenizers`` is not installed.
    """

    def __init__(self, folder: Path, model: str) -> None:
        self._name = model
        self._tokenizer = load_tokenizer(folder / "tokenizer.json", max_tokens=None)

    @property
    def name(self) -> str:
        """Name of the model whose tokens these are."""
        return self._name

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without the special tokens at its ends."""
        return [len(found.ids) for found in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]
