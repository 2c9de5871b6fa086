"""The guard: a run fails if the fused list is surely below the best leg, or surely below a stored baseline.

Surely means that the whole bootstrap interval of the paired difference lies below zero: one question more or less neither passes nor
fails a run.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from interlace.domain.errors import InvalidInputError
from interlace.evaluation.comparison import Rows, compared_measures, read_questions, values_of
from interlace.evaluation.intervals import difference_interval
from interlace.evaluation.measures import RECALLS
from interlace.evaluation.runner import FUSED


def shortfalls(collection: str, rows: Rows, baseline: Rows | None = None) -> list[str]:
    """Return a sentence for every measure in which the fused list surely falls short.

    Args:
        collection: its name, for the sentences.
        rows: question id to leg (and ``fused``) to measures, as ``interlace eval --questions`` writes them.
        baseline: the same of an earlier run; every measure of its fused list counts.

    Raises:
        InvalidInputError: the baseline is of other questions.
    """
    legs = {leg for found in rows.values() for leg in found}
    if FUSED not in legs:
        return [f"{collection}: no question had an answer, so there is no fused list."]
    found = [_behind_best_leg(collection, rows, sorted(legs - {FUSED}), name) for name in RECALLS]
    if baseline is not None:
        if baseline.keys() != rows.keys():
            raise InvalidInputError(
                f"The baseline has other questions than {collection}; write it with `interlace eval {collection} --questions FILE`."
            )
        found += [
            _short(
                f"{collection}: fused {name}",
                values_of(baseline, FUSED, name),
                values_of(rows, FUSED, name),
                "the baseline",
            )
            for name in compared_measures(baseline, rows)
        ]
    return [sentence for sentence in found if sentence]


def read_baseline(path: Path) -> Mapping[str, Mapping[str, Mapping[str, object]]]:
    """Return the rows of a file that ``interlace eval --questions`` wrote.

    Raises:
        InvalidInputError: the file is missing, is not such a file, or lacks the fused list; the message names it.
    """
    rows = read_questions(path)
    if not any(FUSED in legs for legs in rows.values()):
        raise InvalidInputError(f"{path} holds no fused list; `interlace eval FOLDER --questions FILE` writes one.")
    return rows


def _behind_best_leg(collection: str, rows: Rows, legs: Sequence[str], name: str) -> str:
    means = {leg: sum(values_of(rows, leg, name)) for leg in legs}
    best = max(means, key=lambda leg: (means[leg], leg), default="")
    if not best:
        return ""
    return _short(
        f"{collection}: fused {name}",
        values_of(rows, best, name),
        values_of(rows, FUSED, name),
        f"its best leg, {best}",
    )


def _short(what: str, wanted: Sequence[float], got: Sequence[float], than: str) -> str:
    """Return a sentence if a run's values are surely lower than those wanted; else nothing."""
    low, high = difference_interval(wanted, got)
    if high >= 0:
        return ""
    means = [100 * sum(values) / len(values) for values in (got, wanted)]
    return f"{what} is {means[0]:.1f}, below {than} with {means[1]:.1f} (95 % interval of the difference: {low} to {high})."
