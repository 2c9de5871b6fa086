"""Fits the sufficiency of answers, leaving out one collection at a time: are the relevant documents of a question there, or were they deleted?

``.venv/bin/python ops/benchmarks/sufficiency.py FOLDER…`` needs a running stack and the corpora that ``interlace eval FOLDER --keep`` left. It
asks every question, **deletes the relevant documents of all of them from the kept corpora**, and asks again.
"""

import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from interlace.answers.service import weigh_evidence
from interlace.bootstrap import Platform
from interlace.cli.main import run
from interlace.cli.output import settings_for
from interlace.domain.hits import QueryRequest
from interlace.domain.ids import document_id
from interlace.evaluation.collection import Collection, load_collection

Matrix = NDArray[np.float64]
_SENTENCES = 3
_RIDGE = 1.0
_STEPS = 50


def main(folders: Annotated[list[Path], typer.Argument(help="Collections in the BEIR layout.")]) -> None:
    """Print the weights of each fit, and the AUROC on what it has not seen."""
    rows: dict[str, tuple[Matrix, Matrix]] = {}
    names: list[str] = []
    for folder in folders:
        collection = load_collection(folder)
        platform = Platform.open(settings_for(collection.tenant))
        try:
            names, there = _features(platform, collection)
            _delete_relevant(platform, collection)
            _, gone = _features(platform, collection)
        finally:
            platform.close()
        rows[folder.name] = (np.vstack([there, gone]), np.repeat([1.0, 0.0], [len(there), len(gone)]))
    for left_out in [*rows, None]:
        kept = [each for name, each in rows.items() if name != left_out] or list(rows.values())
        weights = fit(np.vstack([x for x, _ in kept]), np.concatenate([y for _, y in kept]))
        typer.echo(
            f"without {left_out}: " + ", ".join(f"{n} {w:.2f}" for n, w in zip(["bias", *names], weights, strict=True))
        )
        if left_out:
            x, y = rows[left_out]
            typer.echo(f"  AUROC on {left_out}: {auroc(x @ weights[1:], y):.3f}")


def _features(platform: Platform, collection: Collection) -> tuple[list[str], Matrix]:
    found = [
        weigh_evidence(
            platform.questions.search(collection.tenant, QueryRequest(text, limit=10)), _SENTENCES
        ).sufficiency.features
        for _, text in sorted(collection.queries.items())
    ]
    return list(found[0]), np.array([list(each.values()) for each in found], dtype=float)


def _delete_relevant(platform: Platform, collection: Collection) -> None:
    ids = [document_id(collection.tenant, f"{collection.corpus.name}#{each}") for each in sorted(collection.relevant)]
    job = platform.receiver.delete(collection.tenant, ids=ids).job_id
    while not platform.jobs.status(collection.tenant, job).finished:
        time.sleep(1)


def fit(x: Matrix, y: Matrix) -> Matrix:
    """Return bias and weights of a logistic regression with a ridge penalty, by Newton's method.

    Args:
        x: ``(n, features)``.
        y: ``(n,)``, 1 or 0.
    """
    design = np.column_stack([np.ones(len(x)), x])
    penalty = np.diag([0.0, *([_RIDGE] * x.shape[1])])
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        probability = 1 / (1 + np.exp(-design @ weights))
        curvature = (design * (probability * (1 - probability))[:, None]).T @ design + penalty
        weights -= np.linalg.solve(curvature, design.T @ (probability - y) + penalty @ weights)
    return weights


def auroc(scores: Matrix, y: Matrix) -> float:
    """Return the share (0 to 1) of pairs of a 1 and a 0 in which the 1 has the higher score; ties count half."""
    ones, zeros = scores[y == 1], scores[y == 0]
    wins = (ones[:, None] > zeros[None, :]).mean() + 0.5 * (ones[:, None] == zeros[None, :]).mean()
    return float(wins)


if __name__ == "__main__":
    run(lambda: typer.run(main))
