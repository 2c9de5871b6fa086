"""The table of what each leg and boost is worth."""

import runpy
from pathlib import Path

from interlace.evaluation.comparison import compare_runs

SCRIPT = Path(__file__).parents[3] / "ops" / "benchmarks" / "ablation.py"


def rows(*ranks: int) -> dict[str, dict[str, dict[str, object]]]:
    found = {}
    for number, rank in enumerate(ranks):
        recalls = {f"recall@{cutoff}": float(rank <= cutoff) for cutoff in (2, 5, 10)}
        found[f"q{number}"] = {"fused": {"ranks": {"gold": rank}, **recalls}}
    return found


def test_the_table_compares_each_run_with_leaving_out_nothing() -> None:
    table = runpy.run_path(str(SCRIPT))["table"]
    measured = {"graph": compare_runs(rows(1, 3), rows(4, 2)), "tags": compare_runs(rows(1, 3), rows(1, 3))}
    assert table("set", measured).splitlines() == [
        "| set without | recall@2 | recall@5 | recall@10 | won / lost at 2 | p | won / lost at 5 | p |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        "| nothing | 50.0 | 100.0 | 100.0 | | | | |",
        "| `graph` | 50.0 | 100.0 | 100.0 | 1 / 1 | 1.000 | 0 / 0 | 1.000 |",
        "| `tags` | 50.0 | 100.0 | 100.0 | 0 / 0 | 1.000 | 0 / 0 | 1.000 |",
    ]
