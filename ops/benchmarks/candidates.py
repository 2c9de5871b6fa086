"""Measures the queue of candidates for a merge on a labelled set made of a collection's own texts (``tests/eval/name_variants.py``).

``PYTHONPATH=. .venv/bin/python ops/benchmarks/candidates.py FOLDER`` starts servers of its own, without embeddings. How the set is made, and what was
found: ``docs/decisions-about-entities.md``.
"""

import json
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from tests.conftest import fresh_stack
from tests.eval.candidate_recall import Found, labelled, measure
from tests.integration.ingestion_world import World

from interlace.adapters.neo4j.migrations import migrate
from interlace.cli.main import run
from interlace.settings import EmbeddingSettings, Settings
from interlace_stack.programs import SERVERS
from interlace_stack.up import up

_TENANT = "variants"


def main(
    folder: Annotated[Path, typer.Argument(help="Collection in the BEIR layout, with corpus.jsonl.")],
    documents: Annotated[int, typer.Option(help="Documents to take, in the order of the corpus.")] = 1000,
    max_variants: Annotated[int, typer.Option(help="Variants wanted.")] = 300,
    seed: Annotated[int, typer.Option(help="Of every choice.")] = 1,
) -> None:
    """Write variants into the texts, ingest them, and print tables."""
    with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(lines, documents)]
    texts = {row["_id"]: (row["title"], row["text"]) for row in rows}
    with fresh_stack(embedding=EmbeddingSettings(enabled=False)) as settings:
        world = World(up(settings, only=set(SERVERS), migrate=_migrate).settings)
        try:
            sources, made = labelled(world, texts, seed, max_variants)
            world.receive(_TENANT, sources)
            world.work()
            _print_tables(measure(world, _TENANT, made))
        finally:
            world.close()


def _print_tables(found: Found) -> None:
    typer.echo(
        "| rule | variants | entities of their own | found by the variant | found by the name |\n| --- |"
        + " ---: |" * 4
    )
    for rule in sorted(found.made):
        counts = (found.made[rule], found.apart[rule], found.by_variant[rule], found.by_name[rule])
        typer.echo(f"| {rule} | {' | '.join(map(str, counts))} |")
    totals = (found.made, found.apart, found.by_variant, found.by_name)
    typer.echo(f"| all | {' | '.join(str(each.total()) for each in totals)} |\n")
    for band, (same, offered) in found.bands.items():
        typer.echo(f"{band:.2f} and more: {same} of {offered} pairs are the variant and its name")
    for each in found.missed:
        typer.echo(f"missed: {each.kind} {each.surface!r} for {each.name!r}", err=True)


def _migrate(settings: Settings) -> None:
    migrate(settings.neo4j)


if __name__ == "__main__":
    run(lambda: typer.run(main))
