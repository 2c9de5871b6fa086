"""How many documents wait, are worked on or are quarantined: what operators watch, all tenants together."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from interlace.ports.graph import GraphDatabase
from interlace.queries.ingestion_records import record_counts

QUARANTINED: Final = "quarantined"
STAGES: Final = ("received", "parsed", "extracted", "projected", QUARANTINED)
"""The stages of ingestion records, in order."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """What the ledger holds.

    Args:
        records: ingestion records by stage, for each of ``STAGES``.
        oldest_seconds: seconds since the oldest document that is not quarantined was received; 0 if there is none.
    """

    records: Mapping[str, int]
    oldest_seconds: float


def read_backlog(graph: GraphDatabase) -> Backlog:
    """Return what the ledger holds now; the cost grows with the number of its records.

    Raises:
        UnavailableError: the graph database does not answer.
    """
    rows = record_counts(graph)
    ages = [row.oldest_ms / 1000 for row in rows if row.stage != QUARANTINED]
    return Backlog(dict.fromkeys(STAGES, 0) | {row.stage: row.records for row in rows}, max(ages, default=0.0))
