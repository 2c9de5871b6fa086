"""The graph's schema as data: node labels with their keys, the queries that page through them, and the properties that exports leave out.

Backup, restore, canonical dump and Markdown export are all based on this description, so that a new label is added here and nowhere else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from interlace.ports.graph import QueryRunner
from interlace.queries.export import PageNodesRow, page_nodes
from interlace.queries.migrations import read_migration_chain

PAGE: Final = 500
"""Nodes per query; the text of a chunk takes some kilobytes."""


@dataclass(frozen=True, slots=True)
class NodeKind:
    """Nodes of one label.

    Args:
        label: the label that names the kind; nodes may have more, for example the type of an entity.
        canonical: whether the canonical dump always holds them.
        unsaved: properties that a backup leaves out.
    """

    label: str
    canonical: bool = True
    unsaved: frozenset[str] = frozenset()

    def pages(self, runner: QueryRunner, tenant: str, *, limit: int | None = None) -> Iterator[Sequence[PageNodesRow]]:
        """Yield the nodes of a tenant in order of key, a page at a time (``PAGE``, or ``limit``); each page is a query of its own."""
        after, limit = "", PAGE if limit is None else limit
        while rows := page_nodes(runner, tenant=tenant, label=self.label, after=after, limit=limit, labels=LABELS):
            yield rows
            after = rows[-1].key

    def nodes(self, runner: QueryRunner, tenant: str) -> Iterator[PageNodesRow]:
        """Yield the nodes of a tenant in order of key."""
        for page in self.pages(runner, tenant):
            yield from page


LEASES: Final = frozenset({"lock", "leaseOwner", "leaseUntil"})
"""Properties of a lease: after a restore a record has none."""

DOCUMENT: Final = NodeKind("Document")
SECTION: Final = NodeKind("Section")
CHUNK: Final = NodeKind("Chunk")
ENTITY: Final = NodeKind("Entity")
FACT: Final = NodeKind("Fact")
TAG: Final = NodeKind("Tag")
REFERENCE: Final = NodeKind("Reference")
COMMUNITY: Final = NodeKind("Community", canonical=False)
JOB: Final = NodeKind("Job", canonical=False)
INGESTION_RECORD: Final = NodeKind("IngestionRecord", canonical=False, unsaved=LEASES)
EXTRACTION_RECORD: Final = NodeKind("ExtractionRecord", unsaved=LEASES)
PENDING_EXTRACTION: Final = NodeKind("PendingExtraction", canonical=False, unsaved=LEASES | {"owner"})
TOKEN_USAGE: Final = NodeKind("TokenUsage", canonical=False, unsaved=LEASES)
DECISION: Final = NodeKind("Decision")
UNDONE_DECISION: Final = NodeKind("UndoneDecision", canonical=False)
GENERATED_TEXT: Final = NodeKind("GeneratedText", canonical=False)

KINDS: Final = (
    *(DOCUMENT, SECTION, CHUNK, ENTITY, FACT, TAG, REFERENCE, COMMUNITY),
    *(EXTRACTION_RECORD, TOKEN_USAGE, PENDING_EXTRACTION),
    *(DECISION, UNDONE_DECISION, GENERATED_TEXT),
    *(INGESTION_RECORD, JOB),
)
"""Every kind, in the order in which a backup holds them: a record of an upload before the job that it belongs to, which was there first."""

UPLOADS: Final = frozenset({INGESTION_RECORD.label, JOB.label})
"""Labels of what uploads write, which wait for no lock of their tenant."""

LABELS: Final = tuple(kind.label for kind in KINDS)

REMOVAL: Final = (
    GENERATED_TEXT,
    *(FACT, CHUNK, SECTION, DOCUMENT, COMMUNITY, ENTITY, TAG, REFERENCE, INGESTION_RECORD, JOB),
    *(EXTRACTION_RECORD, PENDING_EXTRACTION, TOKEN_USAGE),
    *(DECISION, UNDONE_DECISION),
)
"""The order in which a tenant is emptied: nodes go before the hubs that they point at."""

DERIVED: Final = frozenset({"Tenant", "GazetteerChange", "Outbox", "PendingEmbedding", "Lease", "ApiKey", "AuditEntry"})
"""Labels without nodes in a backup: the tenant has a line of its own, leases are not saved, keys and audit log belong to the installation and not to
a tenant, and the others are about vectors, which a restore rebuilds."""

TENANT_PROPERTIES: Final = frozenset(
    {
        "tenant", "version", "chunks", "vectorModel", "communitiesVersion", "communitiesSettings", "communitiesGraph",
        "communitiesModularity", "communitiesAt", "extractionPaused",
    }
)  # fmt: skip
"""Properties of a tenant that a restore brings back: no locks or leases, and no claim that vectors are there."""

HISTORY: Final = frozenset(
    {
        "createdAt",
        "indexedAt",
        "updatedAt",
        "modifiedAt",
        "dated",
        "version",
        "jobId",
        "attempt",
        "file",
        "requestKey",
        "requestDigest",
    }
)
"""Properties that depend on the history or on one machine: no canonical dump holds them. Metadata has a prefix, so its dates stay."""


def schema_version(runner: QueryRunner) -> int:
    """Return the number of the last migration that was applied to the database; 0 without any."""
    chain = read_migration_chain(runner, target="")
    return max((int(row.version) for row in chain if row.version.isdecimal()), default=0)
