"""Vectors of entities, made in the background: the entities that a transaction touches wait in the outbox until their texts are embedded.

A point that contradicts the graph is deleted as soon as the entry is dispatched; only its new vector waits. So documents are ready before
their new entities are found by meaning, and what was deleted is no longer found.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from more_itertools import batched

from interlace.leases.lease import acquired
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import Point, VectorIndex
from interlace.queries.invariants import check_entities
from interlace.queries.outbox import clear_embedded, entities_to_embed, tenants_to_embed
from interlace.vectors.entity_points import KIND, drop_stale, read_texts

BATCH: Final = 64
"""Entities whose texts are embedded at once."""
_ENTRIES = 50
_PAGE = 500
_LEASE = "entity vectors"
_LEASE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class EntityVectors:
    """Embeds entities.

    Args:
        graph: source of the texts.
        vectors: receives the points.
        embedders: by model; none when embeddings are off, and then no entity has a point.
    """

    graph: GraphDatabase
    vectors: VectorIndex
    embedders: Mapping[str, Embedder]

    def tenants(self) -> list[str]:
        """Return the tenants with entities that wait to be embedded."""
        return tenants_to_embed(self.graph)

    def embed_waiting(self, tenant: str, should_continue: Callable[[], bool] = lambda: True) -> int:
        """Embed the waiting entities of a tenant and return how many were synchronised.

        Before each batch ``should_continue`` is asked; if it says no, the rest waits for the next run.

        Raises:
            ConflictError: another process does so already.
            UnavailableError: a server does not answer; what was embedded stays, the rest waits.
        """
        busy = f"The entities of tenant {tenant!r} are being embedded"
        done = 0
        with acquired(self.graph, tenant, _LEASE, seconds=_LEASE_SECONDS, busy=busy) as lease:
            while entries := entities_to_embed(self.graph, tenant=tenant, limit=_ENTRIES):
                for ids in batched(sorted({node for entry in entries for node in entry.ids}), BATCH):
                    if not should_continue():
                        return done
                    lease.renew()
                    self._synchronize(tenant, ids)
                    done += len(ids)
                clear_embedded(self.graph, tenant=tenant, ids=[entry.id for entry in entries])
        return done

    def project(self, tenant: str, *, everything: bool, renew: Callable[[], None]) -> None:
        """Write the points that are missing or stale, or all of them, and delete those that contradict the graph."""
        for ids in self._pages(tenant):
            renew()
            self._synchronize(tenant, ids, everything=everything)
        for points in batched(self.vectors.scroll(tenant, KIND), _PAGE):
            renew()
            drop_stale(self.graph, self.vectors, tenant, [point.id for point in points])

    def _pages(self, tenant: str) -> Iterator[list[str]]:
        after = ""
        while self.embedders and (ids := check_entities(self.graph, tenant=tenant, after=after, limit=BATCH)):
            yield ids
            after = ids[-1]

    def _synchronize(self, tenant: str, ids: Sequence[str], *, everything: bool = False) -> None:
        """Synchronise the points of some entities with the graph, which is read again after they are written."""
        models = list(self.embedders)
        if not models:
            return
        texts = {each.id: each for each in read_texts(self.graph, tenant, ids)}
        payloads = {node: each.payload(tenant, models) for node, each in texts.items()}
        stored = {point.id: point.payload for point in self.vectors.retrieve(tenant, KIND, ids, ())}
        due = [node for node in sorted(texts) if everything or stored.get(node) != payloads[node]]
        if due:
            self.vectors.ensure(tenant, KIND, {each.model: each.dimensions for each in self.embedders.values()})
            read = [texts[node].text for node in due]
            dense = {each.model: each.embed_texts(read) for each in self.embedders.values()}
            self.vectors.upsert(
                tenant,
                KIND,
                [
                    Point(node, {model: rows[place] for model, rows in dense.items()}, payload=payloads[node])
                    for place, node in enumerate(due)
                ],
            )
        drop_stale(self.graph, self.vectors, tenant, ids)
