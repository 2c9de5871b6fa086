"""Measures the API over many recalls, the same questions again and again, several callers at once: its pace, and whether its memory grows.

``.venv/bin/python ops/benchmarks/recalls.py FOLDER --tenant TENANT --recalls 20000`` needs a running stack whose tenant holds the collection of the
folder (``interlace eval FOLDER --keep``). Each question is asked of ``POST /v1/query`` in each of some modes; the resident memory of the API's
process is printed on the way.
"""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Final

import httpx
import psutil
import typer

from interlace.cli.main import run
from interlace.cli.output import settings_for
from interlace.evaluation.collection import load_collection
from interlace.evaluation.runner import percentiles

MODES: Final = ("keyword_only", "metadata_only", "graph_only")
_MIB: Final = 1 << 20


def main(
    folder: Annotated[Path, typer.Argument(help="A collection in the BEIR layout.")],
    tenant: Annotated[str, typer.Option(help="The tenant that holds it.")],
    recalls: Annotated[int, typer.Option(min=100, max=100_000, help="Questions asked in all.")] = 20_000,
    callers: Annotated[int, typer.Option(min=1, max=32, help="Callers at once.")] = 4,
    mode: Annotated[list[str] | None, typer.Option(help="Only this mode; may be repeated.")] = None,
) -> None:
    """Ask, and print a row of the table at each step."""
    settings = settings_for(tenant)
    address = f"http://{settings.api.host}:{settings.api.port}"
    process = _listening(settings.api.port)
    modes = mode or MODES
    texts = list(load_collection(folder).queries.values())
    bodies = itertools.cycle([{"query": text, "mode": each, "limit": 10} for text in texts for each in modes])
    typer.echo("| recalls | MiB | p50 / p95 ms | recalls a second |\n| --- | --- | --- | --- |")
    typer.echo(f"| 0 | {process.memory_info().rss / _MIB:.0f} | | |")
    steps = sorted({round(recalls * share) for share in (0.05, 0.1, 0.25, 0.5, 0.75, 1)})
    with (
        httpx.Client(base_url=address, headers={"X-Interlace-Tenant": tenant}, timeout=60) as http,
        ThreadPoolExecutor(callers) as threads,
    ):
        for before, step in itertools.pairwise([0, *steps]):
            began = time.perf_counter()
            spent = list(threads.map(lambda body: _asked(http, body), itertools.islice(bodies, step - before)))
            rate = (step - before) / (time.perf_counter() - began)
            shares = percentiles(spent)
            memory = process.memory_info().rss / _MIB
            typer.echo(f"| {step:,} | {memory:.0f} | {shares['p50']:.1f} / {shares['p95']:.1f} | {rate:.0f} |")


def _asked(http: httpx.Client, body: dict[str, object]) -> float:
    """Ask a question and return its milliseconds."""
    began = time.perf_counter()
    http.post("/v1/query", json=body).raise_for_status()
    return 1000 * (time.perf_counter() - began)


def _listening(port: int) -> psutil.Process:
    """Return the process that listens on a port of this machine."""
    found = (
        each.pid for each in psutil.net_connections("inet") if each.status == "LISTEN" and each.laddr[1:] == (port,)
    )
    return psutil.Process(next(pid for pid in found if pid))


if __name__ == "__main__":
    run(lambda: typer.run(main))
