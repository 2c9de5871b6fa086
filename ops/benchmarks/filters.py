"""Measures questions with metadata filters that match all, half and few of many documents, in every mode and in every order of ``metadata_only``.

``.venv/bin/python ops/benchmarks/filters.py --documents 100000`` needs a running stack; without embeddings (``INTERLACE_EMBEDDING__ENABLED=false``) it
takes a fraction of the time, and the mode ``vector_only`` is left out. Two hundred documents go through ingestion; the others are copies of them with their
chunks, mentions and tags under other ids, sources and times. All go into a tenant of their own, which is removed at the end; ``--keep`` leaves it for a
later ``--reuse``.
"""

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Final, get_args

import typer
from more_itertools import batched

from interlace.bootstrap import Platform
from interlace.cli.commands.tenants import remove
from interlace.cli.commands.vectors import rebuild_progress, rebuild_with_retry
from interlace.cli.main import run
from interlace.cli.options.choices import choices
from interlace.cli.output import say, settings_for
from interlace.cli.waiting import wait_for
from interlace.domain.documents import Source
from interlace.domain.errors import NotFoundError
from interlace.domain.filter_text import parse_filter
from interlace.domain.hits import Mode, QueryRequest, Sort
from interlace.evaluation.runner import percentiles
from interlace.ports.graph import Query
from interlace.search.plan import MODE_LEGS

TENANT: Final = "many-documents"
FILTERS: Final = {
    "none": "",
    "all": "metadata.kind in (log, letter)",
    "half": "metadata.kind = log",
    "one of a thousand": "metadata.box = 7",
    "a tag that half have": "tags = even",
    "a range that few satisfy": "metadata.box < 2",
}
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
ONCE: Final = 200
"""Documents that go through ingestion."""
AT_ONCE: Final = 1000
"""Documents of one transaction that copies."""
BOXES: Final = 1000
_COPY: Final = Query(
    "benchmarks/copy_documents",
    "Copy the documents that were ingested, once for each number that the first copy is to have",
    """
    UNWIND $firsts AS first
    MATCH (d:Document {tenant: $tenant})-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk)
    WHERE d.sourceUri < $end
    WITH d, s, c, right('00000' + toString(first + toInteger(substring(d.sourceUri, 6, 6))), 6) AS number
    WITH d, s, c, number, '2026-01-01T00:00:00.' + number + 'Z' AS time
    CREATE (copy:Document)-[:HAS_SECTION]->(section:Section)-[:HAS_CHUNK]->(chunk:Chunk)
    SET copy = d {.*, id: randomUUID(), sourceUri: 'items/' + number + '.md', indexedAt: time, dated: time}
    SET copy.`metadata.box` = toInteger(number) % $boxes
    SET section = s {.*, id: randomUUID()}
    SET chunk = c {.*, id: randomUUID(), documentId: copy.id}
    FOREACH (m IN [(c)-[m:MENTIONS]->(e) | {entity: e, properties: properties(m)}] |
      FOREACH (e IN [m.entity] | CREATE (chunk)-[n:MENTIONS]->(e) SET n = m.properties))
    FOREACH (tag IN [(d)-[:TAGGED]->(tag) | tag] | CREATE (copy)-[:TAGGED]->(tag))
    """,
    {"tenant": "STRING", "firsts": "LIST<INTEGER>", "end": "STRING", "boxes": "INTEGER"},
    "write",
    "nothing",
)
PLACES: Final = ("Bergen", "Lisbon", "Rostock", "Naples", "Leith", "Odesa", "Malmö", "Split")
THINGS: Final = ("gauge", "pump", "valve", "chart", "lamp", "rope", "anchor", "barrel")


def main(
    mode: Annotated[
        list[str] | None,
        typer.Option(help=f"Ask in this mode alone ({', '.join(MODE_LEGS)}); may be repeated.", show_default=False),
    ] = None,
    documents: Annotated[
        int, typer.Option(min=AT_ONCE, max=1_000_000, help="Documents to make, by thousands.")
    ] = 100_000,
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
                    rebuild_with_retry(platform, TENANT, progress)
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
    """Ingest some documents, and copy them inside the database."""
    receipt = platform.receiver.receive(TENANT, _sources(chance, ONCE))
    wait_for(platform.jobs, TENANT, receipt.job_id, workers=platform.queue.workers)
    for firsts in batched(range(ONCE, documents, ONCE), AT_ONCE // ONCE):
        platform.graph.run(_COPY, tenant=TENANT, firsts=list(firsts), end=_uri(ONCE), boxes=BOXES)


def _clear(tenant: str) -> None:
    with suppress(NotFoundError):
        remove(tenant, yes=True)


def _sources(chance: random.Random, documents: int) -> Iterator[Source]:
    for number in range(documents):
        text = f"The {chance.choice(THINGS)} came from {chance.choice(PLACES)} in box {number % BOXES}.\n"
        metadata = {"kind": ("log", "letter")[number % 2], "box": number % BOXES, "tags": [("even", "odd")[number % 2]]}
        yield Source(_uri(number), "text/markdown", text.encode(), metadata)


def _uri(number: int) -> str:
    return f"items/{number:06}.md"


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
