"""Fits the sufficiency of answers, leaving out one collection at a time: are the relevant documents of a question among its hits, or are they missing?

``.venv/bin/python ops/benchmarks/sufficiency.py FOLDER…`` needs a running stack and the corpora that ``interlace eval FOLDER --keep`` left. It asks
every question once, for twice as many hits as an answer reads: the first ten, and the first ten without the relevant ones. Nothing is deleted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from interlace.answers.service import weigh_evidence
from interlace.bootstrap import Platform
from interlace.cli.main import run
from interlace.cli.output import settings_for
from interlace.domain.hits import Hit, QueryRequest, QueryResponse
from interlace.evaluation.collection import Collection, corpus_id, load_collection

Matrix = NDArray[np.float64]
_SENTENCES = 3
_HITS = 10
_RIDGE = 1.0
_STEPS = 50


def main(folders: Annotated[list[Path], typer.Argument(help="Collections in the BEIR layout.")]) -> None:
    """Print the weights of each fit, and the AUROC on what it has not seen."""
    data: dict[str, tuple[Matrix, Matrix]] = {}
    names: list[str] = []
    for folder in folders:
        found = list(_examples(load_collection(folder)))
        names = list(found[0][0])
        data[folder.name] = (
            np.array([list(features.values()) for features, _ in found]),
            np.array([label for _, label in found]),
        )
    for left_out in [*data, None]:
        kept = [each for name, each in data.items() if name != left_out] or list(data.values())
        # A large collection counts for more than a small one, but not for as many times more as it has questions.
        shares = np.concatenate([np.full(len(y), len(y) ** -0.5) for _, y in kept])
        weights = fit(
            np.vstack([x for x, _ in kept]), np.concatenate([y for _, y in kept]), shares * len(shares) / shares.sum()
        )
        typer.echo(
            f"without {left_out}: " + ", ".join(f"{n} {w:.2f}" for n, w in zip(["bias", *names], weights, strict=True))
        )
        if left_out:
            x, y = data[left_out]
            typer.echo(f"  AUROC on {left_out}: {auroc(x @ weights[1:], y):.3f}")


def _examples(collection: Collection) -> Iterator[tuple[Mapping[str, float], float]]:
    """Yield features, and 1.0 if the relevant documents are among the hits or 0.0 if they are missing."""
    platform = Platform.open(settings_for(collection.tenant))
    try:
        for query, text in sorted(collection.queries.items()):
            response = platform.questions.search(collection.tenant, QueryRequest(text, limit=2 * _HITS))
            relevant = [corpus_id(hit.source_uri) in collection.qrels[query] for hit in response.hits]
            if any(relevant[:_HITS]):
                yield _features(response, response.hits), 1.0
            yield (
                _features(response, [hit for hit, held in zip(response.hits, relevant, strict=True) if not held]),
                0.0,
            )
    finally:
        platform.close()


def _features(response: QueryResponse, hits: Sequence[Hit]) -> Mapping[str, float]:
    first = tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits[:_HITS], start=1))
    return weigh_evidence(replace(response, hits=first), _SENTENCES).sufficiency.features


def fit(x: Matrix, y: Matrix, shares: Matrix) -> Matrix:
    """Return bias and weights of a logistic regression with a ridge penalty, by Newton's method.

    Args:
        x: ``(n, features)``.
        y: ``(n,)``, 1 or 0.
        shares: ``(n,)``, how much each counts; 1 on average.
    """
    design = np.column_stack([np.ones(len(x)), x])
    penalty = np.diag([0.0, *([_RIDGE] * x.shape[1])])
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        probability = 1 / (1 + np.exp(-design @ weights))
        curvature = (design * (shares * probability * (1 - probability))[:, None]).T @ design + penalty
        weights -= np.linalg.solve(curvature, design.T @ (shares * (probability - y)) + penalty @ weights)
    return weights


def auroc(scores: Matrix, y: Matrix) -> float:
    """Return the share (0 to 1) of pairs of a 1 and a 0 in which the 1 has the higher score; ties count half."""
    ones, zeros = scores[y == 1], scores[y == 0]
    wins = (ones[:, None] > zeros[None, :]).mean() + 0.5 * (ones[:, None] == zeros[None, :]).mean()
    return float(wins)


if __name__ == "__main__":
    run(lambda: typer.run(main))
