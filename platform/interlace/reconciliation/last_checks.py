"""What the last checks found, as the graph has it recorded."""

from collections.abc import Mapping
from dataclasses import dataclass

from interlace.ports.graph import GraphDatabase
from interlace.queries.invariants import recorded_violations


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
    """Return what was recorded last; one small read.

    Raises:
        UnavailableError: the graph database does not answer.
    """
    rows = recorded_violations(graph)
    oldest = min((row.checked_at for row in rows), default=None)
    return LastChecks({row.name: row.violations for row in rows}, None if oldest is None else oldest / 1000)
