"""A cache of what readers restricted to groups have read about entities, valid while the tenant's documents stay as they are.

Every transaction that changes documents, their groups or what they say about entities starts a new revision of them. A cached value belongs to
one revision and one set of groups, and serves only callers that first read that revision. A Neo4j transaction becomes visible piecemeal while
it commits, so a revision may be seen before everything it counts: nothing is cached for a revision until the tenant's write lock has been held
at it. See docs/adr/0135.
"""

import logging
import threading
from collections.abc import Collection, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from cachetools import LRUCache

from interlace.domain.errors import InterlaceError
from interlace.domain.reader import reader_groups, reading
from interlace.entities.read_through import ReadThroughCache
from interlace.entities.visible import VisibleEntity, visible_entities
from interlace.ports.graph import GraphDatabase
from interlace.queries.expansion import bridge_visible
from interlace.queries.gazetteer import gazetteer_version
from interlace.queries.relations import VisibleRelationsRow, visible_relations
from interlace.queries.tenants import lock_writers
from interlace.queries.visibility import hidden_chunks, visible_degrees, visible_facts

READERS: Final = 16
"""Sets of groups, of all tenants together, for which values are cached; the least recently used is dropped."""
ENTITIES: Final = 5_000
"""Entities with their names, and with their number of facts, cached for one set of groups."""
DEGREES: Final = 20_000
"""Entities whose number of mentions is cached for one set of groups."""
RELATIONS: Final = 10_000
"""Relations cached for one set of groups."""
MENTIONS: Final = 20_000
"""Mentions cached for one set of groups."""
Mention = tuple[str, str, str | None, int, str | None]
"""Chunk, via, key, count and context words."""
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GroupCaches:
    """What was read for one set of groups at one revision; an entity that no visible document names is None."""

    entities: ReadThroughCache[VisibleEntity | None] = field(default_factory=lambda: ReadThroughCache(ENTITIES))
    degrees: ReadThroughCache[int] = field(default_factory=lambda: ReadThroughCache(DEGREES))
    relations: ReadThroughCache[list[VisibleRelationsRow]] = field(
        default_factory=lambda: ReadThroughCache(RELATIONS, lambda rows: len(rows) + 1)
    )
    mentions: ReadThroughCache[list[Mention]] = field(
        default_factory=lambda: ReadThroughCache(MENTIONS, lambda found: len(found) + 1)
    )
    facts: ReadThroughCache[int] = field(default_factory=lambda: ReadThroughCache(ENTITIES))
    hidden: ReadThroughCache[int] = field(default_factory=lambda: ReadThroughCache(1))


class VisibleEntityCache:
    """See the module. One per process; safe for use by several threads."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph
        self._lock = threading.Lock()
        self._settled: dict[str, str] = {}
        self._settling: dict[str, Future[None]] = {}
        self._caches: LRUCache[tuple[str, str, tuple[str, ...]], GroupCaches] = LRUCache(READERS)
        # Its threads inherit no reader, so they see everything, as a lock must.
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="visible")

    def view(self, tenant: str) -> "VisibleView":
        """Return the view of a tenant at its current revision."""
        row = gazetteer_version(self._graph, tenant=tenant)
        return self.view_at(tenant, row.revision if row else None)

    def view_at(self, tenant: str, revision: str | None) -> "VisibleView":
        """Return the view of a tenant at a revision that was read before; None if documents may change without one."""
        return VisibleView(self._graph, tenant, self, revision)

    def caches_of_groups(self, tenant: str, revision: str | None) -> GroupCaches:
        """Return the caches of the current reader; if the revision is not settled, empty ones that are not kept."""
        groups = reader_groups()
        if revision is None or groups is None:
            return GroupCaches()
        key = (tenant, revision, tuple(groups))
        with self._lock:
            if self._settled.get(tenant) != revision:
                self._settle(tenant)
                return GroupCaches()
            if key not in self._caches:
                self._caches[key] = GroupCaches()
            return self._caches[key]

    def _settle(self, tenant: str) -> None:
        under_way = self._settling.get(tenant)
        if under_way is None or under_way.done():
            self._settling[tenant] = self._executor.submit(self._wait_for_writers, tenant)

    def _wait_for_writers(self, tenant: str) -> None:
        """Hold the tenant's write lock once, and drop what was cached for earlier revisions."""
        try:
            with reading(lambda: None):
                row = lock_writers(self._graph, tenant=tenant)
        except InterlaceError as error:
            _logger.warning("Nothing is cached for group readers of tenant %s: %s", tenant, error.message)
            return
        with self._lock:
            revision = row.revision if row else None
            if revision is not None:
                self._settled[tenant] = revision
            for key in [key for key in self._caches if key[0] == tenant and key[1] != revision]:
                del self._caches[key]

    def wait(self) -> None:
        """Return when no revision is being settled."""
        for each in list(self._settling.values()):
            each.result()

    def close(self) -> None:
        """Start nothing more, and wait for what is in progress."""
        self._executor.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class VisibleView:
    """What the current reader may know about a tenant's entities.

    Args:
        graph: the graph.
        tenant: the tenant.
        cache: what was read before.
        revision: revision of the tenant's documents, read before anything else; None if documents may change without one.
    """

    graph: GraphDatabase
    tenant: str
    cache: VisibleEntityCache
    revision: str | None

    def entities(self, ids: Collection[str], *, timeout: float | None = None) -> dict[str, VisibleEntity]:
        """Return id to entity; those for which no visible document gives evidence are left out."""

        def load(missing: list[str]) -> dict[str, VisibleEntity | None]:
            found = visible_entities(self.graph, self.tenant, missing, timeout=timeout)
            return {each: found.get(each) for each in missing}

        known = self._read.entities.read(ids, load)
        return {each: entity for each, entity in known.items() if entity is not None}

    def degrees(self, ids: Collection[str], max_degree: int, *, timeout: float | None = None) -> dict[str, int]:
        """Return how many visible mentions entities have, counted up to ``max_degree``, which is the same in every call."""

        def load(missing: list[str]) -> dict[str, int]:
            rows = visible_degrees(self.graph, tenant=self.tenant, ids=missing, max_degree=max_degree, timeout=timeout)
            return dict.fromkeys(missing, 0) | {row.id: row.degree for row in rows}

        return self._read.degrees.read(ids, load)

    def mentions(
        self, ids: Collection[str], chunks: int, *, where: Mapping[str, Any] | None = None, timeout: float | None = None
    ) -> dict[str, list[Mention]]:
        """Return the visible mentions of entities, for each those in the ``chunks`` chunks that mention it most; ``chunks`` is the same in every call.

        Those that match a filter are not cached.
        """

        def load(missing: list[str]) -> dict[str, list[Mention]]:
            rows = bridge_visible(
                self.graph, tenant=self.tenant, ids=missing, chunks_per_entity=chunks, filter=where, timeout=timeout
            )
            found: dict[str, list[Mention]] = {each: [] for each in missing}
            return found | {row.entity: row.mentions for row in rows}

        return self._read.mentions.read(ids, load) if where is None else load(sorted(ids))

    def relations(self, ids: Collection[str]) -> dict[str, list[VisibleRelationsRow]]:
        """Return the relations of entities as the facts of visible documents define them."""

        def load(missing: list[str]) -> dict[str, list[VisibleRelationsRow]]:
            found: dict[str, list[VisibleRelationsRow]] = {each: [] for each in missing}
            for row in visible_relations(self.graph, tenant=self.tenant, ids=missing):
                found[row.via].append(row)
            return found

        return self._read.relations.read(ids, load)

    def facts(self, entity_id: str) -> int:
        """Return in how many statements of visible documents an entity is subject or object."""

        def load(missing: list[str]) -> dict[str, int]:
            return {each: visible_facts(self.graph, tenant=self.tenant, id=each) for each in missing}

        return self._read.facts.read([entity_id], load)[entity_id]

    def hidden_chunks(self) -> int:
        """Return how many chunks the reader may not see."""
        return self._read.hidden.read([""], lambda _: {"": hidden_chunks(self.graph, tenant=self.tenant)})[""]

    @property
    def _read(self) -> GroupCaches:
        return self.cache.caches_of_groups(self.tenant, self.revision)
