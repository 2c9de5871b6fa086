"""Notes that link to each other: as ingestion reads them into the graph, and as plain data for the link graph in memory."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.integration.ingestion_world import World
from tests.support.memory_links import DocumentReference, MemoryLinkGraph

from interlace.domain.ids import document_id
from interlace.domain.relations import Direction
from interlace.entities.normalization import normalize_name
from interlace.ingestion.references import known_keys
from interlace.links.cache import CachedLinkGraph
from interlace.links.repository import LinkRepository
from interlace.ports.links import Link, LinkedDocument, LinkedPair, LinkGraph
from interlace.settings import LinkSettings


@dataclass(frozen=True)
class Note:
    """A document whose links are ``[[wikilinks]]`` to titles, aliases or file names."""

    uri: str
    title: str
    targets: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def markdown(self) -> str:
        links = " and ".join(f"[[{target}]]" for target in self.targets)
        return f"---\naliases: [{', '.join(self.aliases)}]\ntags: [{', '.join(self.tags)}]\n---\n# {self.title}\n\nsee {links or 'nothing'}.\n"

    def document(self, tenant: str) -> LinkedDocument:
        known_as = known_keys(self.uri, [self.title, *self.aliases])
        return LinkedDocument(document_id(tenant, self.uri), self.title, self.uri, known_as, self.tags)

    def refers(self) -> list[DocumentReference]:
        keys = {f"name:{normalize_name(target)}" for target in self.targets}
        own = known_keys(self.uri, [self.title, *self.aliases])
        return [DocumentReference(key, Link("wikilink", "")) for key in sorted(keys - own)]


class Backend(Protocol):
    """A link graph that can be changed."""

    @property
    def links(self) -> LinkGraph: ...

    def put(self, tenant: str, *notes: Note) -> None: ...

    def delete(self, tenant: str, *uris: str) -> None: ...


class InMemory:
    """The link graph in memory."""

    def __init__(self) -> None:
        self.links = MemoryLinkGraph()

    def put(self, tenant: str, *notes: Note) -> None:
        for note in notes:
            self.links.put(tenant, note.document(tenant), note.refers())

    def delete(self, tenant: str, *uris: str) -> None:
        for uri in uris:
            self.links.remove(tenant, document_id(tenant, uri))


class InGraph:
    """The link graph of Neo4j, changed by ordinary ingestion."""

    links: LinkGraph

    def __init__(self, world: World) -> None:
        self.links = LinkRepository(world.platform.graph, timeout=30)
        self._world = world

    def put(self, tenant: str, *notes: Note) -> None:
        self._world.ingest(tenant, {note.uri: note.markdown() for note in notes})

    def delete(self, tenant: str, *uris: str) -> None:
        self._world.delete(tenant, *uris)


class UnwalkedLinkGraph(LinkRepository):
    """The link graph of Neo4j, that refuses to be read where there are documents."""

    def adjacent(self, tenant: str, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        assert not documents or self.revision(tenant) is None, "a copy of these links was to answer"
        return super().adjacent(tenant, documents, direction, limit)


class InCache(InGraph):
    """The link graph of Neo4j with a cache of links before it, made again after every change: it answers every step."""

    def __init__(self, world: World, folder: Path) -> None:
        super().__init__(world)
        self.cache = CachedLinkGraph(
            UnwalkedLinkGraph(world.platform.graph, timeout=30), LinkSettings(cache_folder=folder)
        )
        self.links = self.cache

    def put(self, tenant: str, *notes: Note) -> None:
        super().put(tenant, *notes)
        assert self.cache.prepare(tenant)

    def delete(self, tenant: str, *uris: str) -> None:
        super().delete(tenant, *uris)
        assert self.cache.prepare(tenant)


def built(tenant: str, notes: Mapping[str, Note]) -> InMemory:
    """Return a link graph in memory, made afresh of notes by URI."""
    fresh = InMemory()
    fresh.put(tenant, *notes.values())
    return fresh


def edits(seed: int, count: int, size: int) -> Iterator[tuple[str, Note | None]]:
    """Yield ``count`` edits of at most ``size`` notes: URI and the note's new version, None if it goes.

    Titles are few, so that namesakes come and go, and links point at names that no one has yet or any more.
    """
    dice = random.Random(seed)
    for _ in range(count):
        number = dice.randrange(size)
        uri = f"notes/n{number}.md"
        if dice.random() < 0.25:
            yield uri, None
            continue
        names = [
            f"Topic {dice.randrange(size)}" if dice.random() < 0.7 else f"n{dice.randrange(size)}" for _ in range(4)
        ]
        aliases = (f"Alias {dice.randrange(size)}",) if dice.random() < 0.2 else ()
        targets = tuple(names[: dice.randrange(5)]) + (
            (f"Alias {dice.randrange(size)}",) if dice.random() < 0.2 else ()
        )
        yield uri, Note(uri, f"Topic {dice.randrange(size)}", targets, aliases)
