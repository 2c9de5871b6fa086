"""Measures what an extractive answer takes beyond its question: both are asked one after the other, in one process.

``.venv/bin/python ops/benchmarks/answer_latency.py FOLDER…`` needs a running stack and the corpora that ``interlace eval FOLDER --keep`` left.
"""

import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from interlace.bootstrap import Platform
from interlace.cli.main import run
from interlace.cli.output import settings_for
from interlace.domain.answers import AnswerRequest
from interlace.domain.hits import QueryRequest
from interlace.evaluation.collection import load_collection


def main(
    folders: Annotated[list[Path], typer.Argument(help="Collections in the BEIR layout.")],
    rounds: Annotated[int, typer.Option(help="Times that each question is asked.")] = 3,
) -> None:
    """Print p50 and p95 of questions, of their answers, and of what an answer takes once its hits are there."""
    typer.echo(
        "| collection | query p50 / p95, ms | answer p50 / p95, ms | of it beyond the query p50 / p95, ms |\n| --- | --- | --- | --- |"
    )
    for folder in folders:
        collection = load_collection(folder)
        platform = Platform.open(settings_for(collection.tenant))
        try:
            taken = [
                times
                for _ in range(rounds)
                for at, text in enumerate(collection.queries.values())
                if (times := _both(platform, collection.tenant, text, answer_first=bool(at % 2)))
            ]
        finally:
            platform.close()
        typer.echo(f"| {folder.name} | " + " | ".join(_quantiles(column) for column in zip(*taken, strict=True)) + " |")


def _both(platform: Platform, tenant: str, text: str, *, answer_first: bool) -> tuple[float, float, float]:
    """Return the milliseconds of a question, of its answer, and of the answer without its search."""
    query, answer, beyond = 0.0, 0.0, 0.0
    for answers in (answer_first, not answer_first):
        started = time.perf_counter()
        if answers:
            request = AnswerRequest(QueryRequest(text), insist=True, extractive=True)
            beyond = platform.answers.answer(tenant, request).timings["answer"]
            answer = 1000 * (time.perf_counter() - started)
        else:
            platform.questions.search(tenant, QueryRequest(text))
            query = 1000 * (time.perf_counter() - started)
    return query, answer, beyond


def _quantiles(values: tuple[float, ...]) -> str:
    return " / ".join(f"{np.quantile(values, share):.0f}" for share in (0.5, 0.95))


if __name__ == "__main__":
    run(lambda: typer.run(main))
