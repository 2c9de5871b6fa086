"""Measures questions as the corpus grows: latency of each leg and step, beside the embedder's own time, at several sizes.

``.venv/bin/python -m ops.benchmarks.growth FOLDER --size 1 --size 4 --out curve`` needs a running stack. Each size is ingested into a
tenant of its own, asked and removed again. It writes ``FOLDER.md``, a table for people, and ``FOLDER.json`` into ``--out``, again after each size.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from ops.benchmarks.larger_corpus import grow_collection

from interlace.bootstrap import Platform
from interlace.cli.commands.evaluate import evaluation_session
from interlace.cli.main import run
from interlace.cli.output import say, settings_for
from interlace.evaluation.collection import load_collection
from interlace.evaluation.runner import FUSED, Evaluation, percentiles
from interlace.evaluation.session import RunOptions

EMBEDDER = ("embedding", "residual")
WHOLE = f"{FUSED} (what a caller waits)"
OWN = "embedder's own time"


def main(
    folder: Annotated[Path, typer.Argument(help="Collection in the BEIR layout.")],
    size: Annotated[list[int] | None, typer.Option(min=1, help="Times the corpus; may be repeated. [1, 4, 16]")] = None,
    seed: Annotated[int, typer.Option(help="Of the shuffling of names.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="Take only the first documents of each size.")] = None,
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("curve"),
) -> None:
    """Ingest and ask at each size, and write the curve."""
    sizes = sorted(set(size or (1, 4, 16)))
    say(f"seed {seed}, sizes {', '.join(map(str, sizes))}")
    out.mkdir(parents=True, exist_ok=True)
    measured: dict[int, Evaluation] = {}
    for each in sizes:
        # Written at once: a large size takes hours, and what was measured should not go with what comes after it.
        with _measured(folder, each, seed, limit) as measured[each]:
            _write(measured, seed, out / folder.resolve().name)
    typer.echo(curve(measured))


def _write(measured: Mapping[int, Evaluation], seed: int, base: Path) -> None:
    reports = {str(size): {**result.report(), "seed": seed} for size, result in measured.items()}
    base.with_suffix(".json").write_bytes(orjson.dumps(reports, option=orjson.OPT_INDENT_2))
    base.with_suffix(".md").write_text(curve(measured), encoding="utf-8")


@contextmanager
def _measured(folder: Path, size: int, seed: int, limit: int | None) -> Iterator[Evaluation]:
    """Give what was measured at a size, and remove that corpus afterwards."""
    with tempfile.TemporaryDirectory(prefix="interlace-growth-") as made:
        target = Path(made) / f"{folder.resolve().name}-x{size}"
        say(f"{grow_collection(folder, target, size, seed)} documents at size {size}")
        collection = load_collection(target)
        platform = Platform.open(settings_for(collection.tenant))
        try:
            session = evaluation_session(platform)
            cold = session.run(collection, RunOptions(limit=limit, keep=True))
            # Again: while a corpus is written Neo4j replans its queries, and the first questions wait for that.
            warm = session.run(collection, RunOptions(reuse=True, limit=limit))
            warm.ingestion = cold.ingestion
            yield warm
            session.clear(collection)
        finally:
            platform.close()


def curve(measured: Mapping[int, Evaluation]) -> str:
    """Return the curve as a Markdown table: a row a leg or step, p50 and p95 in milliseconds at each size, then sizes and recall."""
    latencies = [with_embedder(result) for result in measured.values()]
    names = list(dict.fromkeys(name for latency in latencies for name in latency))
    lines = [
        "| leg or step, p50 / p95 ms | " + " | ".join(f"x{size}" for size in measured) + " |",
        "| --- |" + " --- |" * len(measured),
        *(_row(name, [_shown(latency.get(name)) for latency in latencies]) for name in names),
        _row("documents in the corpus", [_figure(result.ingestion.get("documents")) for result in measured.values()]),
        _row("ingestion, s", [_figure(result.ingestion.get("seconds")) for result in measured.values()]),
        _row(
            "fused recall@5, %",
            [_figure(result.measures.get(FUSED, {}).get("recall@5")) for result in measured.values()],
        ),
    ]
    return "\n".join(lines) + "\n"


def with_embedder(result: Evaluation) -> dict[str, dict[str, float]]:
    """Return the latencies of a run with the embedder's own time, all of it a question, after the whole."""
    own = [sum(spent.get(name, 0.0) for name in EMBEDDER) for spent in result.timings.values()]
    rest: dict[str, Any] = {
        name: spent for name, spent in result.latency().items() if name not in {FUSED, *EMBEDDER, "total"}
    }
    return {WHOLE: result.latency()[FUSED], OWN: percentiles(own), **rest}


def _row(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def _shown(spent: Mapping[str, float] | None) -> str:
    return f"{spent['p50']:.1f} / {spent['p95']:.1f}" if spent else ""


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:,g}"


if __name__ == "__main__":
    run(lambda: typer.run(main))
