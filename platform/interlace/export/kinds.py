"""What a backup knows of the graph: kinds of nodes in the order in which they are saved, and what is left out."""

from typing import Final

from interlace.cypher_files import query
from interlace.ports.graph import Query

PAGES: Final[dict[str, Query]] = {
    "Document": query("export/page_documents"),
    "Section": query("export/page_sections"),
    "Chunk": query("export/page_chunks"),
    "Entity": query("export/page_entities"),
    "Fact": query("export/page_facts"),
    "Tag": query("export/page_tags"),
    "Reference": query("export/page_references"),
    "Community": query("export/page_communities"),
    "Job": query("export/page_jobs"),
    "IngestionRecord": query("export/page_ingestion_records"),
}
LABELS: Final = list(PAGES)

REMADE: Final = frozenset({"Tenant", "GazetteerChange", "Outbox", "Lease"})
"""Kinds that are no nodes of the file: the registry has a line of its own, and the vectors, of which the others tell, are made anew."""

LEASES: Final = frozenset({"lock", "leaseOwner", "leaseUntil"})
"""Properties of an upload that is being worked on: who restores it holds no lease."""

KEPT_OF_REGISTRY: Final = frozenset(
    {
        "tenant",
        "version",
        "chunks",
        "vectorModel",
        "communitiesVersion",
        "communitiesSettings",
        "communitiesGraph",
        "communitiesModularity",
        "communitiesAt",
    }
)
"""Properties of the registry that outlive a restore: no locks, no turns, and no claim that vectors are there."""

REMOVAL: Final = (
    "Fact",
    "Chunk",
    "Section",
    "Document",
    "Community",
    "Entity",
    "Tag",
    "Reference",
    "IngestionRecord",
    "Job",
)
"""Order in which a tenant is emptied: what points at hubs goes before the hubs."""
PAGE: Final = 500
