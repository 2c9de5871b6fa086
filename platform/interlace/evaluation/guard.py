"""The guard: a run fails if the fused list is below the best leg, or below a stored baseline."""

from collections.abc import Mapping
from pathlib import Path

import orjson

from interlace.domain.errors import InvalidInputError
from interlace.evaluation.measures import RECALLS
from interlace.evaluation.runner import FUSED, margin_over_best_leg

Measures = Mapping[str, Mapping[str, float]]


def shortfalls(collection: str, measures: Measures, baseline: Measures | None = None) -> list[str]:
    """Return a sentence for every measure in which the fused list falls short, without tolerance.

    Args:
        collection: its name, for the sentences.
        measures: leg (and ``fused``) to measures in percent.
        baseline: the same of an earlier run; every measure of its fused list counts.
    """
    fused = measures.get(FUSED)
    if fused is None:
        return [f"{collection}: no question had an answer, so there is no fused list."]
    behind = {name: points for name, points in margin_over_best_leg(measures).items() if name in RECALLS and points < 0}
    found = [
        f"{collection}: fused {name} is {fused[name]}, {-points:g} points below the best single leg."
        for name, points in behind.items()
    ]
    for name, mark in (baseline or {}).get(FUSED, {}).items():
        if fused[name] < mark:
            found.append(f"{collection}: fused {name} is {fused[name]}, below the stored baseline of {mark}.")
    return found


def read_baseline(path: Path, collection: str) -> Measures:
    """Return the measures of a report that ``interlace eval --json`` wrote.

    Raises:
        InvalidInputError: the file is missing, is not such a report, or is of another collection; the message names it.
    """
    try:
        report = orjson.loads(path.read_bytes())
        measures, name = report["measures"], report["collection"]
        known = set(measures[FUSED])
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise InvalidInputError(
            f"{path} is not a report of an evaluation; `interlace eval FOLDER --json` writes one."
        ) from error
    if name != collection:
        raise InvalidInputError(f"{path} is the report of {name}; the baseline of {collection} is wanted.")
    if not known.issuperset(RECALLS):
        raise InvalidInputError(f"{path} lacks one of {', '.join(RECALLS)} of the fused list; write the report again.")
    baseline: Measures = measures
    return baseline
