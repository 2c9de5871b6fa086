"""Measures the link graph's calls on the database, with the cache of links, and on plain objects in memory, which no cache can beat.

``.venv/bin/python -m ops.benchmarks.links --documents 5000`` needs a running stack. It ingests documents that link to each other, few of
them to many, into a space of its own, asks, prints a table and removes them again.
"""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from tests.support.memory_links import DocumentReference, MemoryLinkGraph

from interlace.bootstrap import Platform
from interlace.cli.main import run
from interlace.cli.output import say, settings_for
from interlace.cli.waiting import wait_for
from interlace.domain.documents import Source
from interlace.domain.ids import document_id
from interlace.entities.normalization import normalize_name
from interlace.evaluation.runner import percentiles
from interlace.ingestion.references import known_keys
from interlace.links.cache import CachedLinkGraph
from interlace.links.planned import LinkContext
from interlace.links.repository import LinkRepository
from interlace.links.service import LinkGraphService
from interlace.links.snapshot import path_of
from interlace.ports.links import Link, LinkedDocument, LinkGraph
from interlace.search.profile import PROFILE
from interlace.settings import LinkSettings

TENANT: Final = "benchmark-links"
READ_SECONDS: Final = 60
LINKS: Final = 8
"""Links a document, on average."""
CALLS: Final[dict[str, Callable[[LinkGraphService, str], object]]] = {
    "metadata": lambda links, stem: links.metadata(TENANT, stem),
    "neighbors, 1 link": lambda links, stem: links.neighbors(TENANT, stem),
    "neighbors, 3 links": lambda links, stem: links.neighbors(TENANT, stem, hops=3),
    "related, 2 links": lambda links, stem: links.related(TENANT, stem),
    "related, 3 links": lambda links, stem: links.related(TENANT, stem, max_distance=3),
}


def main(
    documents: Annotated[int, typer.Option(min=10, help="Documents that link to each other.")] = 5000,
    questions: Annotated[int, typer.Option(min=1, help="Documents that each call is asked about.")] = 100,
    seed: Annotated[int, typer.Option(help="Of the links and of the documents asked about.")] = 1,
    churn: Annotated[int, typer.Option(min=0, help="Rounds in which one document of a hundred gets other links.")] = 0,
) -> None:
    """Ingest, ask all three, change links round by round, and print milliseconds."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    links = {number: sorted(_targets(chance, number, documents)) for number in range(documents)}
    platform = Platform.open(settings_for(TENANT))
    try:
        say(f"Ingesting {documents} documents with {sum(map(len, links.values()))} links, seed {seed}")
        sources = [
            Source(_uri(number), "text/markdown", _text(number, targets).encode(), {})
            for number, targets in links.items()
        ]
        receipt = platform.receiver.receive(TENANT, sources)
        wait_for(platform.jobs, TENANT, receipt.job_id, workers=platform.queue.workers)
        database = LinkRepository(platform.graph, READ_SECONDS)
        stored, memory = _service(platform, database), _service(platform, _in_memory(links))
        asked = [_name(chance.randrange(documents)) for _ in range(questions)]
        with tempfile.TemporaryDirectory() as folder:
            settings = platform.settings.links.model_copy(update={"cache_folder": Path(folder)})
            cached = _service(platform, _prepared(database, settings))
            _prepared(database, settings)
            size = path_of(Path(folder), TENANT).stat().st_size
        say(f"The file has {size / 1e6:.1f} MB")
        typer.echo("| call, p50 / p95 ms | database | cache | memory |\n| --- | --- | --- | --- |")
        for name, call in CALLS.items():
            _shown(call, stored, asked[:10])  # warms plans and pages
            shown = (_shown(call, service, asked) for service in (stored, cached, memory))
            typer.echo(f"| {name} | {' | '.join(shown)} |")
        if churn:
            typer.echo(
                "\n| round | documents changed | ms a document | neighbors, 1 link, p50 / p95 ms | as a fresh build |"
            )
            typer.echo("| --- | --- | --- | --- | --- |")
        for number in range(1, churn + 1):
            typer.echo(f"| {number} | {_churned(platform, links, chance, asked)} |")
        receipt = platform.receiver.delete(TENANT, everything=True)
        wait_for(platform.jobs, TENANT, receipt.job_id, workers=platform.queue.workers)
    finally:
        platform.close()


def _churned(platform: Platform, links: dict[int, list[int]], chance: random.Random, asked: list[str]) -> str:
    """Give some documents other links, ask, and compare what comes back with a link graph built afresh."""
    changed = chance.sample(sorted(links), max(1, len(links) // 100))
    links.update({number: sorted(_targets(chance, number, len(links))) for number in changed})
    began = time.perf_counter()
    sources = [Source(_uri(each), "text/markdown", _text(each, links[each]).encode(), {}) for each in changed]
    wait_for(platform.jobs, TENANT, platform.receiver.receive(TENANT, sources).job_id, workers=platform.queue.workers)
    each = 1000 * (time.perf_counter() - began) / len(changed)
    stored = _service(platform, LinkRepository(platform.graph, READ_SECONDS))
    fresh = _service(platform, _in_memory(links))
    same = sum(_targets_of(stored, stem) == _targets_of(fresh, stem) for stem in asked)
    shown = _shown(CALLS["neighbors, 1 link"], stored, asked)
    return f"{len(changed)} | {each:.1f} | {shown} | {same} of {len(asked)}"


def _targets_of(service: LinkGraphService, stem: str) -> list[str]:
    return [each.source_uri for each in service.neighbors(TENANT, stem).neighbors]


def _targets(chance: random.Random, number: int, documents: int) -> Iterator[int]:
    """Yield the documents that one links to: the lower a number, the more lead to it."""
    for _ in range(chance.randint(1, 2 * LINKS - 1)):
        target = int(documents * chance.random() ** 3)
        if target != number:
            yield target


def _name(number: int) -> str:
    return f"Page {number:06}"


def _uri(number: int) -> str:
    return f"pages/page-{number:06}.md"


def _text(number: int, targets: list[int]) -> str:
    return f"# {_name(number)}\n\nsee {', '.join(f'[[{_name(target)}]]' for target in targets) or 'nothing'}.\n"


def _prepared(database: LinkRepository, settings: LinkSettings) -> CachedLinkGraph:
    """Return a new cache, made or read; says how long that took."""
    cache, began = CachedLinkGraph(database, settings), time.perf_counter()
    found = path_of(settings.cache_folder or Path(), TENANT).exists()
    cache.prepare(TENANT)
    say(f"{'Reading' if found else 'Making'} the copy took {time.perf_counter() - began:.2f} s")
    return cache


def _in_memory(links: dict[int, list[int]]) -> MemoryLinkGraph:
    """Return a copy of the same links."""
    copy = MemoryLinkGraph()
    known = {number: known_keys(_uri(number), [_name(number)]) for number in links}
    for number, targets in links.items():
        document = LinkedDocument(document_id(TENANT, _uri(number)), _name(number), _uri(number), known[number])
        copy.put(
            TENANT,
            document,
            [DocumentReference(f"name:{normalize_name(_name(target))}", Link("wikilink", "")) for target in targets],
        )
    return copy


def _service(platform: Platform, links: LinkGraph) -> LinkGraphService:
    def unasked(*_: object) -> None:
        raise AssertionError("none of these calls searches")

    return LinkGraphService(LinkContext(links, unasked, unasked, PROFILE.links, platform.settings.query))  # type: ignore[arg-type]


def _shown(call: Callable[[LinkGraphService, str], object], service: LinkGraphService, stems: list[str]) -> str:
    spent = []
    for stem in stems:
        started = time.perf_counter()
        call(service, stem)
        spent.append(1000 * (time.perf_counter() - started))
    shares = percentiles(spent)
    return f"{shares['p50']:.1f} / {shares['p95']:.1f}"


if __name__ == "__main__":
    run(lambda: typer.run(main))
