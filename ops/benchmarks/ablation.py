"""Measures what each leg and each boost is worth: the questions of a collection asked without it, compared with leaving out nothing.

``.venv/bin/python ops/benchmarks/ablation.py FOLDER --out ablation`` needs a running stack and the corpus that
``interlace eval FOLDER --keep`` left. It writes ``FOLDER.md``, a table for people, and ``FOLDER.json`` into ``--out``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from interlace.bootstrap import Platform
from interlace.cli.commands.evaluate import evaluation_session
from interlace.cli.main import run
from interlace.cli.options.choices import choices
from interlace.cli.output import say, settings_for
from interlace.domain.hits import SIGNALS, QueryRequest
from interlace.evaluation.collection import Collection, load_collection
from interlace.evaluation.comparison import Paired, Rows, compare_runs
from interlace.evaluation.session import RunOptions
from interlace.search.cross_encoder import CROSS_ENCODER

SHOWN = ("recall@2", "recall@5", "recall@10")
COMPARED = SHOWN[:2]
MIN_P_VALUE = 0.001


def main(
    folder: Annotated[Path, typer.Argument(help="Collection in the BEIR layout.")],
    without: Annotated[
        list[str] | None, typer.Option(help="Leave out this alone; may be repeated. [each leg and boost]")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("ablation"),
) -> None:
    """Ask without each signal, and write the table."""
    collection = load_collection(folder)
    platform = Platform.open(settings_for(collection.tenant))
    # Without a reranker there is nothing to leave out.
    present = [each for each in SIGNALS if each != CROSS_ENCODER or platform.settings.reranker.chosen]
    signals = choices("--without", without, SIGNALS) or present
    try:
        whole = _asked(platform, collection)
        measured: dict[str, list[Paired]] = {}
        for signal in signals:
            say(f"Without {signal}")
            measured[signal] = compare_runs(whole, _asked(platform, collection, signal))
    finally:
        platform.close()
    out.mkdir(parents=True, exist_ok=True)
    report = {signal: [asdict(each) for each in compared] for signal, compared in measured.items()}
    (out / f"{collection.name}.json").write_bytes(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    shown = table(collection.name, measured)
    (out / f"{collection.name}.md").write_text(shown, encoding="utf-8")
    typer.echo(shown)


def _asked(platform: Platform, collection: Collection, *left_out: Any) -> Rows:
    template = QueryRequest(text="", without=frozenset(left_out))
    rows: list[Any] = evaluation_session(platform).run(collection, RunOptions(template, reuse=True)).by_question()
    return {row["question"]: row["legs"] for row in rows}


def table(name: str, measured: Mapping[str, Sequence[Paired]]) -> str:
    """Return the ablation as a Markdown table: a row a signal, fused recall without it, questions won and lost, and p of the sign test."""
    whole = {each.measure: each.first for each in next(iter(measured.values()))}
    splits = (f"won / lost at {measure.removeprefix('recall@')} | p" for measure in COMPARED)
    lines = [
        f"| {name} without | {' | '.join(SHOWN)} | {' | '.join(splits)} |",
        "| --- |" + " --- |" * (len(SHOWN) + 2 * len(COMPARED)),
        f"| nothing | {' | '.join(str(whole[measure]) for measure in SHOWN)} |{' |' * 2 * len(COMPARED)}",
        *(_row(signal, compared) for signal, compared in measured.items()),
    ]
    return "\n".join(lines) + "\n"


def _row(signal: str, compared: Sequence[Paired]) -> str:
    paired = {each.measure: each for each in compared}
    recalls = (str(paired[measure].second) for measure in SHOWN)
    splits = (f"{paired[each].wins} / {paired[each].losses} | {_shown(paired[each].p)}" for each in COMPARED)
    return f"| `{signal}` | {' | '.join(recalls)} | {' | '.join(splits)} |"


def _shown(p: float) -> str:
    return f"< {MIN_P_VALUE}" if p < MIN_P_VALUE else f"{p:.3f}"


if __name__ == "__main__":
    run(lambda: typer.run(main))
