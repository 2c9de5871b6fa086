"""What the last checks found, as the graph has it noted."""

from collections.abc import Mapping
from dataclasses import dataclass

from interlace.cypher_files import query
from interlace.ports.graph import GraphDatabase

_NOTED = query("invariants/recorded_violations")


@dataclass(frozen=True, slots=True)
class LastChecks:
    """What the last checks found, all tenants together.

    Args:
        counts: violations by invariant; none for an invariant that no check has looked at yet.
        oldest: when the tenant that has waited longest was checked, in seconds since 1970; None before the first check.
    """

    counts: Mapping[str, int]
    oldest: float | None


def read_last_checks(graph: GraphDatabase) -> LastChecks:
    """Return what was noted last; one small read.

    Raises:
        UnavailableError: the graph database does not answer.
    """
    rows = graph.run(_NOTED)
    oldest = min((row["checkedAt"] for row in rows), default=None)
    return LastChecks({row["name"]: row["count"] for row in rows}, None if oldest is None else oldest / 1000)
