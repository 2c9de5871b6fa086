"""Measures retrieval with spaCy's graph, a recorded language model's, and both together, with intervals.

``PYTHONPATH=. .venv/bin/python ops/benchmarks/recorded_extraction.py FOLDER`` starts servers of its own and needs the tests' folder for the
provider that replays ``silver_openie.jsonl`` of the collection. The values of each graph are written when its questions are answered.
"""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from tests.conftest import fresh_stack, waiting_for_legs
from tests.eval.recorded_extraction import MEASURES, Values, measure_graphs
from tests.integration.ingestion_world import World

from interlace.adapters.neo4j.migrations import migrate
from interlace.cli.main import run
from interlace.evaluation.collection import load_collection
from interlace.evaluation.intervals import difference_interval, mean_interval
from interlace.settings import Settings
from interlace_stack.programs import SERVERS
from interlace_stack.up import up


def main(
    folder: Annotated[Path, typer.Argument(help="Collection in the BEIR layout, with silver_openie.jsonl.")],
    documents: Annotated[int, typer.Option(help="Documents to take, the relevant ones first; 0 for all.")] = 0,
    out: Annotated[Path, typer.Option(help="File for the values of each question.")] = Path("graphs.json"),
) -> None:
    """Ingest the collection with each graph, ask its questions, and print a table."""
    started = time.perf_counter()
    done: dict[str, Values] = {}

    def tell(name: str, values: Values) -> None:
        done[name] = values
        out.write_text(json.dumps(done), encoding="utf-8")
        typer.echo(f"{name}: {_row(values)}, after {time.perf_counter() - started:.0f} s", err=True)

    with fresh_stack() as settings:
        running = waiting_for_legs(up(settings, only=set(SERVERS), migrate=_migrate).settings)
        world = World(running)
        try:
            found = measure_graphs(running, world, load_collection(folder), documents, tell)
        finally:
            world.close()
    _print_table(found)


def _print_table(found: Mapping[str, Values]) -> None:
    typer.echo(f"| graph | {' | '.join(MEASURES)} |\n| --- |{' --- |' * len(MEASURES)}")
    for name in ("spacy", "model", "both"):
        typer.echo(f"| {name} | {_row(found[name])} |")
    for alone in ("spacy", "model"):
        cells = (_bounds(difference_interval(found[alone][each], found["both"][each])) for each in MEASURES)
        typer.echo(f"| both less {alone} | {' | '.join(cells)} |")


def _row(values: Values) -> str:
    return " | ".join(f"{_percent(values[each])} ({_bounds(mean_interval(values[each]))})" for each in MEASURES)


def _migrate(settings: Settings) -> None:
    migrate(settings.neo4j)


def _percent(values: Sequence[float]) -> str:
    return f"{100 * sum(values) / len(values):.1f}"


def _bounds(interval: tuple[float, float]) -> str:
    return f"{interval[0]} to {interval[1]}"


if __name__ == "__main__":
    run(lambda: typer.run(main))
