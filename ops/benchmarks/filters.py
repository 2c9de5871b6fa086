"""Measures questions with metadata filters that match all, half and few of many documents, in every mode and in every order of ``metadata_only``.

``.venv/bin/python ops/benchmarks/filters.py --documents 100000`` needs a running stack; without embeddings (``INTERLACE_EMBEDDING__ENABLED=false``) it
takes a fraction of the time, and the mode ``vector_only`` is left out. A thousand documents go through ingestion; their canonical dump, repeated under
other ids and numbers, is loaded as the rest. All go into a tenant of their own, which is removed at the end; ``--keep`` leaves it for a later ``--reuse``.
"""

import random
import re
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, get_args

import orjson
import typer

from interlace.bootstrap import Platform
from interlace.cli.choices import choices
from interlace.cli.main import run
from interlace.cli.output import say, settings_for
from interlace.cli.tenants import remove
from interlace.cli.vectors import rebuild_patiently, rebuild_progress
from interlace.cli.waiting import wait_for
from interlace.domain.documents import Source
from interlace.domain.errors import NotFoundError
from interlace.domain.filter_text import parse_filter
from interlace.domain.hits import Mode, QueryRequest, Sort
from interlace.evaluation.runner import percentiles
from interlace.export.canonical import dump
from interlace.export.canonical_load import load
from interlace.search.plan import MODE_LEGS

TENANT: Final = "many-documents"
TEMPLATE: Final = "repeated-documents"
"""The tenant whose documents are repeated; what else it has, such as communities, stays there."""
FILTERS: Final = {
    "none": "",
    "all": "metadata.kind in (log, letter)",
    "half": "metadata.kind = log",
    "one of a thousand": "metadata.box = 7",
    "a tag that half have": "tags = even",
    "a range that few satisfy": "metadata.box < 2",
}
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
ONCE: Final = 1000
"""Documents that go through ingestion."""
OF_ONE: Final = frozenset({"Document", "Section", "Chunk", "Fact"})
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NUMBER: Final = re.compile(r"(?<=items/)\d{6}")
_SPACE: Final = uuid.NAMESPACE_URL
PLACES: Final = ("Bergen", "Lisbon", "Rostock", "Naples", "Leith", "Odesa", "Malmö", "Split")
THINGS: Final = ("gauge", "pump", "valve", "chart", "lamp", "rope", "anchor", "barrel")


def main(
    mode: Annotated[
        list[str] | None,
        typer.Option(help=f"Ask in this mode alone ({', '.join(MODE_LEGS)}); may be given again.", show_default=False),
    ] = None,
    documents: Annotated[int, typer.Option(min=ONCE, max=1_000_000, help="Documents to make, in thousands.")] = 100_000,
    questions: Annotated[int, typer.Option(min=5, max=1000, help="Questions for each mode and filter.")] = 40,
    seed: Annotated[int, typer.Option(help="Of the texts and the questions.")] = 1,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the documents for --reuse.")] = False,
    reuse: Annotated[bool, typer.Option("--reuse", help="Use the documents that --keep left; implies --keep.")] = False,
) -> None:
    """Ingest, ask in every mode with every filter, print a table, and remove the documents."""
    modes: tuple[Mode, ...] = choices("--mode", mode, tuple(MODE_LEGS)) or tuple(MODE_LEGS)
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    platform = Platform.open(settings_for(TENANT))
    try:
        if not reuse:
            began = time.perf_counter()
            _fill(platform, chance, documents)
            if modes != ("metadata_only",):
                with rebuild_progress(quiet=True) as progress:
                    rebuild_patiently(platform, TENANT, progress)
            say(f"Making {documents:,} documents took {time.perf_counter() - began:.0f} s")
        texts = [f"the {chance.choice(THINGS)} from {chance.choice(PLACES)}" for _ in range(questions)]
        typer.echo(f"| mode, p50 / p95 ms | {' | '.join(FILTERS)} |\n| --- |{' --- |' * len(FILTERS)}")
        for each in modes:
            if each == "vector_only" and not platform.settings.embedding.enabled:
                continue
            for sort in SORTS if each == "metadata_only" else SORTS[:1]:
                asked = [
                    _asked(platform, QueryRequest("", mode=each, sort=sort), texts, text) for text in FILTERS.values()
                ]
                typer.echo(f"| {each}, {sort} | {' | '.join(asked)} |")
    finally:
        if not (keep or reuse):
            _clear(TENANT)
        platform.close()


def _fill(platform: Platform, chance: random.Random, documents: int) -> None:
    """Ingest a thousand documents, and load their repetitions."""
    receipt = platform.receiver.receive(TEMPLATE, _sources(chance, ONCE))
    wait_for(platform.jobs, TEMPLATE, receipt.job_id, workers=platform.queue.workers)
    with tempfile.TemporaryDirectory() as folder:
        once, all_of_them = Path(folder, "once.jsonl"), Path(folder, "all.jsonl")
        dump(platform.graph, TEMPLATE, once)
        _clear(TEMPLATE)
        lines = once.read_text(encoding="utf-8").replace(TEMPLATE, TENANT).splitlines()
        with all_of_them.open("w", encoding="utf-8") as out:
            for turn in range(documents // ONCE):
                out.writelines(f"{line}\n" for line in _repeated(lines, turn))
        load(platform.graph, platform.vectors, all_of_them)


def _repeated(lines: list[str], turn: int) -> Iterator[str]:
    """Yield the lines of a dump with other documents: ids and numbers of what belongs to one document change, what all share stays."""
    found = [(line, orjson.loads(line)) for line in lines]
    own = {each["id"] for _, each in found if each["kind"] == "node" and OF_ONE.intersection(each["labels"])}
    for line, each in found:
        # What links may name a document by has its number.
        if turn and each["kind"] == "node" and each["id"] not in own and not _NUMBER.search(each["id"]):
            continue
        changed = _UUID.sub(lambda id_: str(uuid.uuid5(_SPACE, f"{id_[0]}{turn}")) if id_[0] in own else id_[0], line)
        yield _NUMBER.sub(lambda number: f"{int(number[0]) + ONCE * turn:06}", changed) if turn else line


def _clear(tenant: str) -> None:
    with suppress(NotFoundError):
        remove(tenant, yes=True)


def _sources(chance: random.Random, documents: int) -> Iterator[Source]:
    for number in range(documents):
        text = f"The {chance.choice(THINGS)} came from {chance.choice(PLACES)} in box {number % 1000}.\n"
        metadata = {"kind": ("log", "letter")[number % 2], "box": number % 1000, "tags": [("even", "odd")[number % 2]]}
        yield Source(f"items/{number:06}.md", "text/markdown", text.encode(), metadata)


def _asked(platform: Platform, template: QueryRequest, texts: list[str], text: str) -> str:
    where = parse_filter(text) if text else None
    spent = []
    for number, question in enumerate([*texts[:3], *texts]):
        began = time.perf_counter()
        answer = platform.questions.search(TENANT, replace(template, text=question, where=where))
        if number >= 3:  # the first ones warm plans and pages  # noqa: PLR2004
            spent.append(1000 * (time.perf_counter() - began))
        if answer.degraded:
            say(f"{template.mode} with {text!r} was degraded: {', '.join(answer.degraded)}")
    shares = percentiles(spent)
    return f"{shares['p50']:.0f} / {shares['p95']:.0f}"


if __name__ == "__main__":
    run(lambda: typer.run(main))
