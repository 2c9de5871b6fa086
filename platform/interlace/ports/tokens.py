"""The tokenizer of a model, as far as a budget needs it."""

from collections.abc import Sequence
from typing import Protocol


class TokenCounter(Protocol):
    """Counts what a model would read."""

    @property
    def name(self) -> str:
        """Name of the model whose tokens these are."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without those that a model adds around it."""
        ...
