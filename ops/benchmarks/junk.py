"""Fits which names in technical text are junk, and shows what that costs, leaving out one collection at a time.

``.venv/bin/python ops/benchmarks/junk.py`` reads ``junk.jsonl`` beside it: names that the extraction found in pages of documentation, each with
its collection, whether a reader found in context that it names nothing, and its features (``NameScores.features``). Collections marked as held
out are scored with the weights from all others. It prints weights to be copied to ``interlace/extraction/name_scores.py``.
"""

import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from ops.benchmarks.sufficiency import auroc, fit

Matrix = NDArray[np.float64]
_THRESHOLDS = (0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3)


class Labelled(NamedTuple):
    """Names that were read in context.

    Args:
        names: of the features.
        features: ``(n, features)``.
        junk: ``(n,)``, 1 for what names nothing.
        collections: where each was found.
        held_out: whether its collection takes no part in the fit.
    """

    names: list[str]
    features: Matrix
    junk: Matrix
    collections: NDArray[np.str_]
    held_out: NDArray[np.bool_]


def main() -> None:
    """Print trade-offs and weights."""
    labelled = load()
    scores = np.zeros(len(labelled.junk))
    for group in sorted(set(labelled.collections)):
        here = labelled.collections == group
        others = ~labelled.held_out & ~here
        weights = _weights(labelled.features[others], labelled.junk[others])
        scores[here] = 1 / (1 + np.exp(-(weights[0] + labelled.features[here] @ weights[1:])))
        suffix = " (held out)" if labelled.held_out[here].all() else ""
        _print(f"{group}{suffix}", scores[here], labelled.junk[here])
    learnt = ~labelled.held_out
    _print("all but those held out", scores[learnt], labelled.junk[learnt])
    sys.stdout.write("".join(f'    "{name}": {weight:.2f},\n' for name, weight in fitted(labelled).items()))


def load() -> Labelled:
    """Return the labelled names."""
    rows = [json.loads(line) for line in Path(__file__).with_name("junk.jsonl").read_text().splitlines()]
    names = list(rows[0]["features"])
    return Labelled(
        names,
        np.array([[row["features"][name] for name in names] for row in rows]),
        np.array([float(row["junk"]) for row in rows]),
        np.array([row["collection"] for row in rows]),
        np.array([row["held_out"] for row in rows]),
    )


def fitted(labelled: Labelled) -> dict[str, float]:
    """Return the bias and the weights of all features, from the collections that are not held out."""
    learnt = ~labelled.held_out
    weights = _weights(labelled.features[learnt], labelled.junk[learnt])
    return dict(zip(["bias", *labelled.names], map(float, weights), strict=True))


def _weights(x: Matrix, y: Matrix) -> Matrix:
    """Return bias and weights; features are scaled to the same spread for the penalty."""
    spread = np.maximum(x.std(axis=0), 1e-9)
    weights = fit(x / spread, y, np.ones(len(y)))
    return np.concatenate([weights[:1], weights[1:] / spread])


def _print(title: str, scores: Matrix, y: Matrix) -> None:
    sys.stdout.write(f"{title}: {len(y)} names, {y.mean():.1%} junk, AUROC {auroc(scores, y):.3f}\n")
    for threshold in _THRESHOLDS:
        gone = scores >= threshold
        lost = (gone & (y == 0)).sum() / (y == 0).sum()
        left = y[~gone].mean()
        sys.stdout.write(
            f"  {threshold}: {gone.sum()} go, {y[gone].sum():.0f} junk; {left:.1%} junk left, {lost:.1%} of names lost\n"
        )


if __name__ == "__main__":
    main()
