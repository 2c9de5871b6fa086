"""Paired comparison of two runs over the same questions: differences, wins and losses, and the two-sided sign test.

With some forty questions a difference of five points is noise; a comparison question by question says more than two averages do. The interval of
the difference is that of ``interlace.evaluation.intervals``.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from interlace.domain.errors import InvalidInputError
from interlace.evaluation.intervals import difference_interval
from interlace.evaluation.measures import ALL_GOLD_AT, MEASURES, RANK_MEASURES
from interlace.evaluation.runner import FUSED

_WRITTEN_LATER = ("recall@1", *RANK_MEASURES)
Rows = Mapping[str, Mapping[str, Any]]
"""Question id to leg to ``ranks``, recalls and ``latency_ms``."""


@dataclass(frozen=True, slots=True)
class Paired:
    """One measure of two runs.

    Args:
        measure: its name.
        first: mean of the first run, percent.
        second: mean of the second run, percent.
        wins: questions on which the second run is better.
        losses: questions on which it is worse.
        ties: questions on which they are equal.
        low: lower bound of the 95 % interval of the difference, points.
        high: upper bound.
        p: probability of a split at least as uneven if neither were better (``sign_test``).
    """

    measure: str
    first: float
    second: float
    wins: int
    losses: int
    ties: int
    low: float
    high: float
    p: float

    @property
    def difference(self) -> float:
        """Points by which the second run is above the first."""
        return round(self.second - self.first, 1)


def compare_runs(first: Rows, second: Rows, leg: str = FUSED) -> list[Paired]:
    """Compare two runs on each measure.

    Args:
        first: rows of one run.
        second: rows of the other.
        leg: whose rankings are compared; a question on which the leg found nothing counts as zero.

    Raises:
        InvalidInputError: the runs are of different questions, or neither has the leg.
    """
    if first.keys() != second.keys():
        differing = len(first.keys() ^ second.keys())
        raise InvalidInputError(
            f"The runs have different questions: {differing} are in one only; compare runs of one collection."
        )
    if not any(leg in legs for rows in (first, second) for legs in rows.values()):
        raise InvalidInputError(f"Neither run has a leg {leg!r}.")
    measures = compared_measures(first, second, leg)
    return [_paired(name, values_of(first, leg, name), values_of(second, leg, name)) for name in measures]


def compared_measures(first: Rows, second: Rows, leg: str = FUSED) -> list[str]:
    """Return the measures that both runs have for a leg: files of earlier versions lack some."""
    found = [legs[leg] for rows in (first, second) for legs in rows.values() if leg in legs]
    return [name for name in MEASURES if name not in _WRITTEN_LATER or all(name in row for row in found)]


def sign_test(wins: int, losses: int) -> float:
    """Return the two-sided p value of the exact sign test (Dixon and Mood 1946); ties are left out; 1 if there are only ties."""
    decided = wins + losses
    tail = sum(math.comb(decided, count) for count in range(min(wins, losses) + 1))
    return min(1.0, float(2 * tail / 2**decided))


def read_questions(path: Path) -> dict[str, Mapping[str, Any]]:
    """Return the rows of a file that ``interlace eval --questions`` wrote, by question.

    Raises:
        InvalidInputError: the file is missing or a line is not such a row; the message names it.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be read; `interlace eval FOLDER --questions FILE` writes one."
        ) from error
    rows: dict[str, Mapping[str, Any]] = {}
    for number, line in enumerate(lines, start=1):
        try:
            entry = orjson.loads(line)
            rows[entry["question"]] = entry["legs"]
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise InvalidInputError(
                f"{path}, line {number}: not a row of a question; `interlace eval FOLDER --questions FILE` writes them."
            ) from error
    if not rows:
        raise InvalidInputError(f"{path} holds no question.")
    return rows


def values_of(rows: Rows, leg: str, measure: str) -> list[float]:
    """Return a measure of a leg, 0 to 1, one per question in the order of their ids; 0 where the leg found nothing."""
    return [_value(legs[leg], measure) if leg in legs else 0.0 for _, legs in sorted(rows.items())]


def _value(leg: Mapping[str, Any], measure: str) -> float:
    if not measure.startswith("all-gold@"):
        return float(leg[measure])
    cutoff = next(cutoff for cutoff in ALL_GOLD_AT if measure == f"all-gold@{cutoff}")
    return float(all(rank is not None and rank <= cutoff for rank in leg["ranks"].values()))


def _paired(name: str, first: Sequence[float], second: Sequence[float]) -> Paired:
    wins = sum(after > before for before, after in zip(first, second, strict=True))
    losses = sum(after < before for before, after in zip(first, second, strict=True))
    means = [round(100 * sum(values) / len(values), 1) for values in (first, second)]
    low, high = difference_interval(first, second)
    return Paired(
        name, means[0], means[1], wins, losses, len(first) - wins - losses, low, high, sign_test(wins, losses)
    )
