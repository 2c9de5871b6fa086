"""The registry: a process's copy of all names of a tenant, kept in step with the graph by a log of changes.

Whoever changes entities holds the tenant's registry lock (a write lock on one node), so versions are gapless: version n + 1 is
version n with the entities of change n + 1 read anew.
"""

import gc
import threading
from collections.abc import Callable, Mapping, Sequence

from interlace.cypher_files import query
from interlace.entities.gazetteer import Gazetteer, Match
from interlace.ports.graph import GraphDatabase, Row

_VERSION = query("entities/gazetteer_version")
_CHANGES = query("entities/gazetteer_changes")
_KEYS = query("entities/entity_keys")
_ALL_KEYS = query("entities/all_entity_keys")

Run = Callable[..., list[Row]]


class EntityLinker:
    """All names of one tenant in memory, and as of the last ``refresh`` what else the graph's registry says.

    That is the number of its chunks (``chunks``), the embedding models whose vectors all of them have (``models``) and the one that
    questions use unless they choose (``model``, if anybody ever said).

    Memory is in proportion to the names known: about 460 bytes a name. Safe for use by several threads.
    """

    def __init__(self, tenant: str) -> None:
        self.tenant = tenant
        self._names = Gazetteer()
        self._version = -1
        self._lock = threading.RLock()
        self.chunks = 0
        self.models: tuple[str, ...] = ()
        self.model: str | None = None

    @property
    def version(self) -> int:
        """The version of the graph's registry that this copy equals; -1 before the first load."""
        return self._version

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._names)

    def find(self, text: str) -> list[Match]:
        """Return the longest known names in the text."""
        with self._lock:
            return self._names.find(text)

    def knows(self, key: str, entity: str) -> bool:
        """Tell whether the entity answers to the key."""
        with self._lock:
            return entity in self._names.entities_of(key)

    def keys_of(self, entity: str) -> tuple[str, ...]:
        """Return the keys an entity answers to."""
        with self._lock:
            return self._names.keys_of(entity)

    def refresh(self, graph: GraphDatabase) -> None:
        """Catch up with the graph: one small read when nothing changed."""
        rows = graph.run(_VERSION, tenant=self.tenant)
        version = int(rows[0]["version"]) if rows else 0
        self.chunks = int(rows[0]["chunks"]) if rows else 0
        self.models = tuple(rows[0]["models"]) if rows else ()
        self.model = rows[0]["model"] if rows else None
        if version != self._version:
            self.catch_up(graph.run, version)

    def catch_up(self, run: Run, version: int) -> None:
        """Become ``version``, reading through ``run``: by the log where it reaches back far enough, else from scratch."""
        with self._lock:
            if 0 <= self._version < version:
                changes = run(_CHANGES, tenant=self.tenant, after=self._version, upTo=version)
                if len(changes) == version - self._version:
                    touched = sorted({entity for row in changes for entity in row["entityIds"]})
                    self._reload(run, touched)
                    self._version = version
                    return
            if self._version != version:
                self._names = Gazetteer()
                for row in run(_ALL_KEYS, tenant=self.tenant):
                    self._names.assign(row["id"], row["keys"])
                self._version = version
                keep_from_collector()

    def _reload(self, run: Run, entities: Sequence[str]) -> None:
        if not entities:
            return
        present = {row["id"]: row["keys"] for row in run(_KEYS, tenant=self.tenant, ids=entities)}
        for entity in entities:
            self._names.assign(entity, present.get(entity, ()))

    def apply(self, changes: Mapping[str, Sequence[str]], version: int) -> None:
        """Take over changes (entity id to its keys, none if it is gone) that the caller's transaction makes version ``version``."""
        with self._lock:
            for entity, keys in changes.items():
                self._names.assign(entity, keys)
            self._version = version

    def forget(self) -> None:
        """Drop everything: the next use loads it anew. For a transaction that did not commit."""
        with self._lock:
            self._names = Gazetteer()
            self._version = -1


class EntityLinkers:
    """The registries of a process, one a tenant, the least recently used dropped."""

    def __init__(self, graph: GraphDatabase, keep: int = 8) -> None:
        self._graph = graph
        self._keep = keep
        self._registries: dict[str, EntityLinker] = {}
        self._lock = threading.Lock()

    def of(self, tenant: str) -> EntityLinker:
        """Return the tenant's registry, as it was when last used."""
        with self._lock:
            registry = self._registries.pop(tenant, None) or EntityLinker(tenant)
            self._registries[tenant] = registry
            while len(self._registries) > self._keep:
                self._registries.pop(next(iter(self._registries)))
            return registry

    def current(self, tenant: str) -> EntityLinker:
        """Return the tenant's registry, in step with the graph."""
        registry = self.of(tenant)
        registry.refresh(self._graph)
        return registry


def keep_from_collector() -> None:
    """Take what is loaded out of the garbage collector's rounds.

    A full round visits all of it and stops the process meanwhile: 0.15 s with 38,000 names, in the middle of somebody's question.
    """
    gc.collect()
    gc.freeze()
