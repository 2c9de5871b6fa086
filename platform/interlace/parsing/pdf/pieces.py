"""Text pieces of a PDF page: words on one line without a wide gap, with their position; and lines of pieces."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

HYPHEN = "\ufffe"
"""PDFium's mark for the hyphen of a word that is divided at the end of a line."""
MAX_SWITCHES = 2
"""Between columns, for each column, in a file that has one after the other."""
LINE_LEVEL = 0.4
"""Largest difference between the bottoms of a line's pieces, in line heights."""
_LEADERS = re.compile(r"(?:\s*[.\u2026]){4,}$")


@dataclass(frozen=True, slots=True)
class Piece:
    """A text, its number in the file, the file's line, and a bounding box in points; y grows downwards."""

    text: str
    number: int
    line: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        """The y coordinate of the middle of the box."""
        return (self.top + self.bottom) / 2


def in_lines(pieces: Iterable[Piece], height: float) -> list[list[Piece]]:
    """Return pieces in lines from top to bottom, each from left to right; ``height`` is the line height in points."""
    lines: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.bottom):
        if lines and piece.bottom - lines[-1][0].bottom < LINE_LEVEL * height:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [sorted(line, key=lambda piece: piece.left) for line in lines]


def between_strips(pieces: Iterable[Piece], min_height: float) -> list[list[Piece]]:
    """Return the pieces between blank strips at least ``min_height`` points high, from the top."""
    groups: list[list[Piece]] = []
    bottom = float("-inf")
    for piece in sorted(pieces, key=lambda piece: piece.top):
        if piece.top - bottom > min_height:
            groups.append([])
        groups[-1].append(piece)
        bottom = max(bottom, piece.bottom)
    return groups


def joined(texts: Iterable[str]) -> str:
    """Return texts as one line, without the dot leaders at its end."""
    return _LEADERS.sub("", " ".join(texts).replace(f"{HYPHEN} ", HYPHEN))


def as_written(pieces: Sequence[Piece]) -> str:
    """Return the text of pieces with the file's line breaks."""
    text = pieces[0].text
    for last, piece in pairwise(pieces):
        text += ("" if text.endswith(HYPHEN) else " " if last.line == piece.line else "\n") + piece.text
    return text


def owners(columns: Sequence[Sequence[Piece]]) -> dict[int, int]:
    """Return the column of each piece by piece number."""
    return {piece.number: at for at, column in enumerate(columns) for piece in column}


def switches(columns: Sequence[Sequence[Piece]]) -> int:
    """Return how often the file switches from one column to another."""
    owner = owners(columns)
    return sum(owner[one] != owner[other] for one, other in pairwise(sorted(owner)))
