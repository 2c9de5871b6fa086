"""Ingestion in one process on real servers: what was enqueued waits in a list until a test lets it be worked on."""

import json
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from interlace.bootstrap import Platform
from interlace.domain.documents import Source
from interlace.domain.ids import document_id
from interlace.export.canonical import dump
from interlace.ingestion.receiver import Receipt
from interlace.ingestion.versions import Outcome
from interlace.ports.graph import Query
from interlace.ports.queue import TaskTotal, TenantTask
from interlace.settings import Settings

Documents = Mapping[str, str | bytes]
"""Source URI (its suffix tells the media type) to content."""

_LEFT = """
MATCH (n)
WHERE n.tenant = $tenant AND NOT n:Tenant AND NOT n:GazetteerChange AND NOT n:Lease AND NOT n:Job
RETURN labels(n) AS labels, n.id AS id
"""
# In batches, because one transaction that removes a hub of 100,000 mentions does not fit into a small heap.
# Ties first: a node with a hundred thousand of them is more than a transaction may hold.
_CLEAR = (
    "MATCH (n)-[r]->() WHERE n.tenant = $tenant WITH r LIMIT 20000 DELETE r RETURN count(*) AS removed",
    "MATCH (n) WHERE n.tenant = $tenant WITH n LIMIT 10000 DETACH DELETE n RETURN count(*) AS removed",
)
_HELD = """
MATCH (i:IngestionRecord {tenant: $tenant, jobId: $job})
WHERE i.stage <> 'quarantined' AND i.leaseUntil > timestamp()
RETURN i.id AS id
"""
_POLL_SECONDS = 0.2
_KINDS = ("chunks", "entities", "communities")
_TYPES = {"md": "text/markdown", "json": "application/json", "txt": "text/plain", "pdf": "application/pdf"}


def ad_hoc(text: str, mode: str = "read", **params: str) -> Query:
    """Return a query that only tests need; ``params`` are names and Cypher types."""
    return Query("test/ingestion", "Test", text, params, mode, "rows")


def source(uri: str, content: str | bytes, **metadata: Any) -> Source:
    """Return a document; the suffix of its URI tells its media type."""
    data = content.encode() if isinstance(content, str) else content
    return Source(uri, _TYPES.get(uri.rpartition(".")[2], ""), data, metadata)


class HeldTasks:
    """A task queue that keeps batches until somebody takes them."""

    def __init__(self) -> None:
        self.batches: list[tuple[str, list[str]]] = []
        self.retried: list[tuple[str, list[str]]] = []
        self.rebuilds: list[str] = []
        self.enrichments: list[str] = []
        self.embeddings: list[str] = []
        self.removals: list[str] = []

    def ingest(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        self.batches += [(tenant, list(batch)) for batch in batches]

    def retry(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        again = [(tenant, list(batch)) for batch in batches]
        self.batches += again
        self.retried += again

    def enqueue(self, task: TenantTask, tenant: str) -> None:
        asked = {
            "enrich": self.enrichments,
            "rebuild_vectors": self.rebuilds,
            "embed_entities": self.embeddings,
            "remove_tenant": self.removals,
        }
        assert task in asked, f"no one asked for communities of {tenant}"
        asked[task].append(tenant)

    def depth(self) -> int:
        return len(self.batches)

    def retries(self) -> int:
        return sum(batch in self.batches for batch in self.retried)

    def record_worker(self, name: str, seconds: float) -> None:
        raise AssertionError(f"{name} is no worker, not for {seconds} s")

    def workers(self) -> int:
        return 0

    def record_run(self, task: str, outcome: str, seconds: float) -> None:
        raise AssertionError(f"{task} ran outside a worker: {outcome} after {seconds} s")

    def since_sweep(self) -> float | None:
        return None

    def totals(self) -> list[TaskTotal]:
        return []

    def close(self) -> None:
        self.batches.clear()

    def ping(self) -> float:
        return 0.0


class World:
    """A platform whose tasks run when a test says so."""

    def __init__(self, settings: Settings) -> None:
        self.platform = Platform(settings)
        self.tasks = HeldTasks()
        # In place of the service that the platform would make when first asked.
        vars(self.platform)["queue"] = self.tasks

    def receive(self, tenant: str, documents: Iterable[Source]) -> Receipt:
        """Enter documents in the ledger; they wait."""
        return self.platform.receiver.receive(tenant, documents)

    def work(self) -> list[Outcome]:
        """Process every batch that waits, in order."""
        outcomes = []
        while self.tasks.batches:
            outcomes.append(self.platform.processor.process(*self.tasks.batches.pop(0)))
        return outcomes

    def ingest(self, tenant: str, documents: Documents, size: int = 32) -> list[Outcome]:
        """Bring documents to ready in batches of ``size``, in the order given."""
        uris = list(documents)
        outcomes = []
        for at in range(0, len(uris), size):
            receipt = self.receive(tenant, [source(uri, documents[uri]) for uri in uris[at : at + size]])
            outcomes += self.work()
            outcomes += self._work_after_others(tenant, receipt.job_id)
        return outcomes

    def _work_after_others(self, tenant: str, job: str) -> list[Outcome]:
        """Wait for documents that a worker of a running stack (``INTERLACE_TEST_STACK``) took first, and process what it leaves."""
        held: set[str] = set()
        while found := {row["id"] for row in self.rows(_HELD, tenant, job=job)}:
            held |= found
            time.sleep(_POLL_SECONDS)
        self.tasks.batches += [(tenant, sorted(held))] if held else []
        return self.work()

    def delete(self, tenant: str, *uris: str) -> None:
        """Delete the named documents, or all."""
        ids = [document_id(tenant, uri) for uri in uris]
        self.platform.receiver.delete(tenant, ids=ids, everything=not uris)
        self.work()

    def swept(self, tenant: str) -> list[list[str]]:
        """Let the sweeper run; return the tenant's batches that wait."""
        self.platform.sweeper.sweep()
        self.tasks.batches = [batch for batch in self.tasks.batches if batch[0] == tenant]
        return [ids for _, ids in self.tasks.batches]

    def dump(self, tenant: str, *, communities: bool = False) -> list[str]:
        """Return the lines of the canonical dump."""
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "dump.jsonl"
            dump(self.platform.graph, tenant, target, communities=communities)
            return target.read_text(encoding="utf-8").splitlines()

    def points(self, tenant: str, kind: str = "chunks") -> dict[str, Any]:
        """Return every point of the chunks, or of another kind of node: vectors as lists, and payload but for its history."""
        return {
            point.id: (
                {name: vector.tolist() for name, vector in point.dense.items()},
                {name: (vector.indices, vector.values) for name, vector in point.sparse.items()},
                json.loads(json.dumps({key: value for key, value in point.payload.items() if key != "indexed_at"})),
            )
            for point in self.platform.vectors.scroll(tenant, kind, vectors=True)
        }

    def state(self, tenant: str) -> tuple[list[str], dict[str, Any]]:
        """Return all that a tenant's documents gave: graph and vectors."""
        return self.dump(tenant), self.points(tenant)

    def left(self, tenant: str) -> list[Any]:
        """Return nodes that should not outlive a tenant's last document, after what waits in the background is done."""
        self.platform.entity_vectors.embed_waiting(tenant)
        return self.platform.graph.run(ad_hoc(_LEFT, tenant="STRING"), tenant=tenant)

    def rows(self, text: str, tenant: str, **params: Any) -> list[Any]:
        """Run a reading query of a test's own, whose parameters are ``$tenant`` and ``params``."""
        kinds = dict.fromkeys(params, "ANY") | {"tenant": "STRING"}
        return self.platform.graph.run(ad_hoc(text, **kinds), tenant=tenant, **params)

    def run(self, text: str, tenant: str, **params: Any) -> None:
        """Run a writing query of a test's own, whose parameters are ``$tenant`` and ``params``."""
        kinds = dict.fromkeys(params, "ANY") | {"tenant": "STRING"}
        self.platform.graph.run(ad_hoc(text, "write", **kinds), tenant=tenant, **params)

    def links(self, tenant: str) -> set[tuple[str, str]]:
        """Return (beginning of a chunk's text, entity's name) for each mention that the linker made."""
        text = """
        MATCH (c:Chunk {tenant: $tenant})-[m:MENTIONS {via: 'linker'}]->(e:Entity)
        RETURN DISTINCT split(c.text, ' ')[0] AS chunk, e.name AS name
        """
        return {(row["chunk"], row["name"]) for row in self.rows(text, tenant)}

    @contextmanager
    def tenant(self) -> Iterator[str]:
        """Give the name of a new tenant, of which nothing stays."""
        name = f"t{uuid.uuid4().hex[:12]}"
        try:
            yield name
        finally:
            self.clear(name)

    def clear(self, tenant: str) -> None:
        """Make a tenant as if it had never been, whatever state it is in: not by deleting documents, which is under test."""
        for text in _CLEAR:
            clear = ad_hoc(text, "write", tenant="STRING")
            while self.platform.graph.run(clear, tenant=tenant)[0]["removed"]:
                pass
        for kind in _KINDS:
            self.platform.vectors.drop(tenant, kind)
        # What a process remembers of a tenant that nothing removed properly would be wrong of the one that comes after it.
        self.platform.entity_linkers.of(tenant).reset()
        self.tasks.batches.clear()

    def close(self) -> None:
        """Close connections and the parser process."""
        vars(self.platform).pop("queue")
        self.platform.close()
