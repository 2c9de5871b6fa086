"""What readers who are kept to groups have read of entities, kept in memory while the tenant's documents stay as they are.

Every transaction that changes documents, their groups or what they say of entities begins a revision of them. What is kept belongs to one
revision and one set of groups, and answers only whoever read that revision first. Neo4j shows what a transaction wrote bit by bit while it
commits, so that a revision may be seen before all that it counts: nothing is kept of a revision until the tenant's write lock was held at
it. See docs/adr/0135.
"""

import logging
import threading
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from interlace.domain.errors import InterlaceError
from interlace.domain.reader import reader_groups, reading
from interlace.entities.visible import VisibleEntity, visible_entities
from interlace.ports.graph import GraphDatabase
from interlace.queries.documents import hidden_chunks
from interlace.queries.entities import (
    VisibleRelationsRow,
    bridge_visible,
    gazetteer_version,
    visible_degrees,
    visible_facts,
    visible_relations,
)
from interlace.queries.tenants import lock_writers

READERS: Final = 16
"""Sets of groups, of all tenants together, of which something is kept; the least recently used is dropped."""
ENTITIES: Final = 5_000
"""Entities with their names, and with their number of facts, that are kept for one set of groups."""
DEGREES: Final = 20_000
"""Entities whose number of mentions is kept for one set of groups."""
RELATIONS: Final = 10_000
"""Relations that are kept for one set of groups."""
MENTIONS: Final = 20_000
"""Mentions that are kept for one set of groups."""
T = TypeVar("T")
Mention = tuple[str, str, str | None, int, str | None]
"""Chunk, via, key, count and context words."""
_log = logging.getLogger(__name__)


class Remembered(Generic[T]):
    """Values by id; safe for use by several threads.

    Args:
        most: of all sizes together; where that is exceeded, what came first is dropped.
        size: of a value.
    """

    def __init__(self, most: int, size: Callable[[T], int] = lambda _: 1) -> None:
        self._most = most
        self._size = size
        self._held = 0
        self._values: dict[str, T] = {}
        self._lock = threading.Lock()

    def read(self, ids: Collection[str], load: Callable[[list[str]], Mapping[str, T]]) -> dict[str, T]:
        """Return the values of some ids; ``load`` reads those that are missing, and gives each of them one."""
        with self._lock:
            known = {each: self._values[each] for each in ids if each in self._values}
        missing = sorted(set(ids) - known.keys())
        if not missing:
            return known
        loaded = load(missing)
        with self._lock:
            for each in loaded.keys() - self._values.keys():
                self._values[each] = loaded[each]
                self._held += self._size(loaded[each])
            while self._held > self._most:
                self._held -= self._size(self._values.pop(next(iter(self._values))))
        return {**known, **loaded}


@dataclass(frozen=True, slots=True)
class ReadByGroups:
    """What was read for one set of groups at one revision; an entity that no visible document names is none."""

    entities: Remembered[VisibleEntity | None] = field(default_factory=lambda: Remembered(ENTITIES))
    degrees: Remembered[int] = field(default_factory=lambda: Remembered(DEGREES))
    relations: Remembered[list[VisibleRelationsRow]] = field(
        default_factory=lambda: Remembered(RELATIONS, lambda rows: len(rows) + 1)
    )
    mentions: Remembered[list[Mention]] = field(
        default_factory=lambda: Remembered(MENTIONS, lambda found: len(found) + 1)
    )
    facts: Remembered[int] = field(default_factory=lambda: Remembered(ENTITIES))
    hidden: Remembered[int] = field(default_factory=lambda: Remembered(1))


class VisibleMemory:
    """See the module. One a process; safe for use by several threads.

    Args:
        graph: the graph.
    """

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph
        self._lock = threading.Lock()
        self._settled: dict[str, str] = {}
        self._settling: dict[str, Future[None]] = {}
        self._kept: dict[tuple[str, str, tuple[str, ...]], ReadByGroups] = {}
        # Its threads inherit no reader, so that they see all, as a lock must.
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="visible")

    def view(self, tenant: str) -> "VisibleView":
        """Return what there is to know of a tenant now."""
        row = gazetteer_version(self._graph, tenant=tenant)
        return self.view_at(tenant, row.revision if row else None)

    def view_at(self, tenant: str, revision: str | None) -> "VisibleView":
        """Return what there is to know of a tenant at a revision that was read before; None if documents may change without one."""
        return VisibleView(self._graph, tenant, self, revision)

    def read_by_groups(self, tenant: str, revision: str | None) -> ReadByGroups:
        """Return what is kept for the reader at hand, and nothing that stays if the revision is not settled."""
        groups = reader_groups()
        if revision is None or groups is None:
            return ReadByGroups()
        key = (tenant, revision, tuple(groups))
        with self._lock:
            if self._settled.get(tenant) != revision:
                self._settle(tenant)
                return ReadByGroups()
            # Removed and put back, so that the first of the dictionary is the least recently used.
            kept = self._kept.pop(key, None) or ReadByGroups()
            self._kept[key] = kept
            if len(self._kept) > READERS:
                del self._kept[next(iter(self._kept))]
            return kept

    def _settle(self, tenant: str) -> None:
        under_way = self._settling.get(tenant)
        if under_way is None or under_way.done():
            self._settling[tenant] = self._executor.submit(self._wait_for_writers, tenant)

    def _wait_for_writers(self, tenant: str) -> None:
        """Hold the tenant's write lock once, and forget what was kept of the revisions before."""
        try:
            with reading(lambda: None):
                row = lock_writers(self._graph, tenant=tenant)
        except InterlaceError as error:
            _log.warning("Nothing is kept for readers of groups of tenant %s: %s", tenant, error.message)
            return
        with self._lock:
            revision = row.revision if row else None
            if revision is not None:
                self._settled[tenant] = revision
            for key in [key for key in self._kept if key[0] == tenant and key[1] != revision]:
                del self._kept[key]

    def wait(self) -> None:
        """Return when no revision is being settled."""
        for each in list(self._settling.values()):
            each.result()

    def close(self) -> None:
        """Start nothing more, and wait for what is under way."""
        self._executor.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class VisibleView:
    """What the reader at hand may know of a tenant's entities.

    Args:
        graph: the graph.
        tenant: whose.
        memory: what was read before.
        revision: of the tenant's documents, read before anything else; None if it says nothing.
    """

    graph: GraphDatabase
    tenant: str
    memory: VisibleMemory
    revision: str | None

    def entities(self, ids: Collection[str], *, timeout: float | None = None) -> dict[str, VisibleEntity]:
        """Return id to entity; those that no visible document gives evidence of are left out."""

        def load(missing: list[str]) -> dict[str, VisibleEntity | None]:
            found = visible_entities(self.graph, self.tenant, missing, timeout=timeout)
            return {each: found.get(each) for each in missing}

        known = self._read.entities.read(ids, load)
        return {each: entity for each, entity in known.items() if entity is not None}

    def degrees(self, ids: Collection[str], most: int, *, timeout: float | None = None) -> dict[str, int]:
        """Return how many visible mentions entities have, counted up to ``most``, which is the same in every call."""

        def load(missing: list[str]) -> dict[str, int]:
            rows = visible_degrees(self.graph, tenant=self.tenant, ids=missing, most=most, timeout=timeout)
            return dict.fromkeys(missing, 0) | {row.id: row.degree for row in rows}

        return self._read.degrees.read(ids, load)

    def mentions(
        self,
        ids: Collection[str],
        most: int,
        *,
        where: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> dict[str, list[Mention]]:
        """Return the visible mentions of entities, of each those in the ``most`` chunks that mention it most, which is the same in every call.

        Those that match a filter are not kept.
        """

        def load(missing: list[str]) -> dict[str, list[Mention]]:
            rows = bridge_visible(
                self.graph, tenant=self.tenant, ids=missing, chunks_per_entity=most, filter=where, timeout=timeout
            )
            found: dict[str, list[Mention]] = {each: [] for each in missing}
            return found | {row.entity: row.mentions for row in rows}

        kept = self._read.mentions if where is None else Remembered[list[Mention]](0)
        return kept.read(ids, load)

    def relations(self, ids: Collection[str]) -> dict[str, list[VisibleRelationsRow]]:
        """Return the relations of entities as the facts of visible documents make them."""

        def load(missing: list[str]) -> dict[str, list[VisibleRelationsRow]]:
            found: dict[str, list[VisibleRelationsRow]] = {each: [] for each in missing}
            for row in visible_relations(self.graph, tenant=self.tenant, ids=missing):
                found[row.via].append(row)
            return found

        return self._read.relations.read(ids, load)

    def facts(self, entity: str) -> int:
        """Return in how many statements of visible documents an entity is subject or object."""

        def load(missing: list[str]) -> dict[str, int]:
            return {each: visible_facts(self.graph, tenant=self.tenant, id=each).facts for each in missing}

        return self._read.facts.read([entity], load)[entity]

    def hidden_chunks(self) -> int:
        """Return how many chunks the reader may not see."""
        return self._read.hidden.read([""], lambda _: {"": hidden_chunks(self.graph, tenant=self.tenant).chunks})[""]

    @property
    def _read(self) -> ReadByGroups:
        return self.memory.read_by_groups(self.tenant, self.revision)
