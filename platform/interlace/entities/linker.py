"""Entity linking: a process's copy of a tenant's gazetteer, kept in sync with the graph by a log of changes.

A transaction that changes entities holds the tenant's write lock (one node), so versions have no gaps: version n + 1 is version n with the
entities of change n + 1 read again.
"""

import gc
import threading
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from cachetools import LRUCache

from interlace.domain.reader import reading
from interlace.entities.decision_records import CHANGED, read_transition
from interlace.entities.gazetteer import Gazetteer, Match
from interlace.entities.identities import Identities, Transition
from interlace.ports.graph import GraphDatabase, QueryRunner
from interlace.queries import gazetteer as queries


class EntityLinker:
    """Links the entities of one tenant in text; safe for use by several threads.

    ``refresh`` also reads what else the tenant's node holds: the number of its chunks (``chunks``), the embedding models whose vectors
    all of them have (``models``), and the one that questions use by default (``model``, if one was ever set).

    Memory grows with the number of normalised forms: about 460 bytes for each.
    """

    def __init__(self, tenant: str) -> None:
        self.tenant = tenant
        self._gazetteer = Gazetteer()
        self._transition = Transition(Identities(tenant))
        self._version = -1
        self._lock = threading.RLock()
        self.chunks = 0
        self.models: tuple[str, ...] = ()
        self.model: str | None = None

    @property
    def version(self) -> int:
        """The version of the graph's gazetteer that this copy equals; -1 before the first load."""
        return self._version

    def __len__(self) -> int:
        """Return the number of normalised forms."""
        return len(self._gazetteer)

    def find(self, text: str, without: AbstractSet[str] = frozenset()) -> list[Match]:
        """Return the longest known aliases in the text; those of some entities (ids) may be left out."""
        with self._lock:
            return self._gazetteer.find(text, without)

    def mentionable(self, text: str) -> set[str]:
        """Return the entities with any form in the text, even inside a longer one."""
        with self._lock:
            return {entity for form in self._gazetteer.forms_in(text) for entity in self._gazetteer.entities_of(form)}

    @property
    def transition(self) -> Transition:
        """Which entity a form means in which document, under the decisions of the same version."""
        return self._transition

    def forms_of(self, entity_id: str) -> tuple[str, ...]:
        """Return the normalised forms of an entity."""
        with self._lock:
            return self._gazetteer.forms_of(entity_id)

    def refresh(self, graph: GraphDatabase) -> str | None:
        """Catch up with the graph, in one small read if nothing has changed, and return the revision of the tenant's documents.

        It is None if documents may change without one. It is not stored here, where another thread might restore an earlier one.

        A new version may be visible before the entities that its transaction changed. What later transactions change meanwhile is read
        again with their versions.
        """
        version, revision = self.refresh_state(graph)
        if version != self._version:
            graph.wait_for_commits()
            self.catch_up(graph, version)
        return revision

    def refresh_state(self, graph: GraphDatabase) -> tuple[int, str | None]:
        """Read the number of chunks and the complete models; return the graph's gazetteer version, which is not loaded, and its document revision."""
        row = queries.gazetteer_version(graph, tenant=self.tenant)
        self.chunks = row.chunks if row else 0
        self.models = tuple(row.models) if row else ()
        self.model = row.model if row else None
        return (row.version, row.revision) if row else (0, None)

    def catch_up(self, runner: QueryRunner, version: int) -> None:
        """Move to ``version``: by the log if it reaches back far enough, else from scratch."""
        with self._lock:
            if 0 <= self._version < version:
                changes = queries.gazetteer_changes(runner, tenant=self.tenant, after=self._version, up_to=version)
                # The log keeps only the last changes; with a gap the copy cannot be updated from it.
                if len(changes) == version - self._version:
                    if any(CHANGED in row.entity_ids for row in changes):
                        self._transition = read_transition(runner, self.tenant)
                    self._reload(runner, sorted({entity for row in changes for entity in row.entity_ids}))
                    self._version = version
                    return
            if self._version != version:
                self._version = -1  # of a copy that is read only in part
                self._gazetteer = Gazetteer()
                for row in queries.all_entity_keys(runner, tenant=self.tenant):
                    self._gazetteer.assign(row.id, row.keys)
                self._transition = read_transition(runner, self.tenant)
                self._version = version
                keep_from_collector()

    def _reload(self, runner: QueryRunner, entities: Sequence[str]) -> None:
        if not entities:
            return
        present = {row.id: row.keys for row in queries.entity_keys(runner, tenant=self.tenant, ids=entities)}
        for entity in entities:
            self._gazetteer.assign(entity, present.get(entity, ()))

    def apply(self, changes: Mapping[str, Sequence[str]], version: int, transition: Transition | None = None) -> None:
        """Apply changes (entity id to its normalised forms, none if it is gone) that become ``version`` in the caller's transaction.

        Args:
            changes: changes of the gazetteer.
            version: the new one.
            transition: identities, where decisions change as well.
        """
        with self._lock:
            self._transition = transition or self._transition
            for entity, forms in changes.items():
                self._gazetteer.assign(entity, forms)
            self._version = version

    def rewind(self, version: int) -> None:
        """Read again, at the next use, what changed after a version, because it was read while only part of it was visible."""
        with self._lock:
            self._version = min(self._version, version)

    def reset(self) -> None:
        """Drop everything, so that the next use reloads it. For a transaction that did not commit."""
        with self._lock:
            self._gazetteer = Gazetteer()
            self._version = -1


class EntityLinkers:
    """The entity linkers of a process, one per tenant; the least recently used is dropped.

    A transaction that changes a linker holds ``changing`` until its commit: if that fails, the linker is reset, and no other thread's
    transaction may link by it in the meantime.
    """

    def __init__(self, graph: GraphDatabase, max_size: int = 8) -> None:
        self._graph = graph
        self._linkers: LRUCache[str, EntityLinker] = LRUCache(max_size)
        self._lock = threading.Lock()
        self.changing = threading.Lock()

    def of(self, tenant: str) -> EntityLinker:
        """Return the tenant's linker, as it was when last used."""
        with self._lock:
            if tenant not in self._linkers:
                self._linkers[tenant] = EntityLinker(tenant)
            return self._linkers[tenant]

    def known(self, tenant: str) -> EntityLinker:
        """Return the tenant's linker, as it was when last used; if the tenant is not known to have chunks, its models are read."""
        linker = self.of(tenant)
        if not linker.chunks:
            linker.refresh_state(self._graph)
        return linker

    def current(self, tenant: str) -> EntityLinker:
        """Return the tenant's linker, in sync with the graph."""
        return self.current_at(tenant)[0]

    def current_at(self, tenant: str) -> tuple[EntityLinker, str | None]:
        """Return the tenant's linker, in sync with the graph, and the revision of its documents (``EntityLinker.refresh``).

        The copy is unrestricted, whoever the reader is; a reader restricted to groups gets only what ``entities.visible`` lets through.
        """
        linker = self.of(tenant)
        with reading(lambda: None):
            return linker, linker.refresh(self._graph)

    def state_of(self, tenant: str) -> EntityLinker:
        """Return a linker that knows the tenant's models and no entity: for a reader who may not see what all documents name."""
        linker = EntityLinker(tenant)
        linker.refresh_state(self._graph)
        return linker


def keep_from_collector() -> None:
    """Exempt what is loaded from garbage collection.

    A full collection visits all of it and stops the process meanwhile: 0.15 s with 38,000 normalised forms, in the middle of a question.
    """
    gc.collect()
    gc.freeze()
