"""Windows of a chunk: some sentences each, with a vector of their own, because what answers a question is often one sentence of many."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from interlace.text.chats import without_turn_starts
from interlace.text.sentences import sentence_spans

WORDS: Final = 30
"""Words of a window; a longer sentence is a window by itself (ADR 174)."""
CHUNK_SHARE: Final = np.float32(0.7)
"""Share of the chunk's vector in that of a window: alone, a sentence has lost what the text around it is about (ADR 174)."""


def windows_read(text: str) -> list[str]:
    """Return what has a vector of its own of a chunk's text: its windows, of a chat without what begins each turn, or the text where it has none."""
    read = without_turn_starts(text)
    return windows(read) or [read]


def windows(text: str) -> list[str]:
    """Return the windows of a text, in order; none where it is no longer than one."""
    spans: list[tuple[int, int]] = []
    words = 0
    for start, end in sentence_spans(text):
        length = len(text[start:end].split())
        if spans and words + length <= WORDS:
            spans[-1] = (spans[-1][0], end)
            words += length
        else:
            spans.append((start, end))
            words = length
    return [text[start:end] for start, end in spans] if len(spans) > 1 else []


def window_vectors(chunk: NDArray[np.float32], found: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return the vectors of a chunk's windows, ``(windows, dimensions) float32`` of any length; the chunk's own where it has none.

    Args:
        chunk: the chunk's vector, ``(dimensions,) float32`` of length 1.
        found: those of the windows alone, each of length 1.
    """
    return CHUNK_SHARE * chunk + (1 - CHUNK_SHARE) * np.stack(found) if len(found) else chunk[np.newaxis]
