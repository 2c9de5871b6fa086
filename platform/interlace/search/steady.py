"""Questions that no large change divides: the reader's half of the sequence lock of ``leases.showing``."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from interlace.entities.linker import EntityLinkers
from interlace.leases.showing import changes_shown
from interlace.ports.graph import GraphDatabase

_READINGS: Final = 3
T = TypeVar("T")


class _Seen(NamedTuple):
    """How many changes had been shown at some time, and a version of the gazetteer that was read before another was."""

    changes: int
    version: int


class SteadyReading:
    """Reads again what a change that was shown meanwhile may have divided. One a process; safe for use by several threads.

    Args:
        graph: the graph.
        linkers: what they read meanwhile, they read again.
    """

    def __init__(self, graph: GraphDatabase, linkers: EntityLinkers) -> None:
        self._graph = graph
        self._linkers = linkers
        self._seen: dict[str, _Seen] = {}

    def read(self, tenant: str, reading: Callable[[], T]) -> T:
        """Return what ``reading`` returns. Where changes follow each other too fast, that of the third time.

        Raises:
            UnavailableError: the graph does not answer.
        """
        # What another process has shown since this one looked last costs one reading more.
        seen = self._seen.get(tenant, _Seen(0, -1))
        for _ in range(_READINGS - 1):
            before = seen
            try:
                done = reading()
            except Exception:
                # Also what no step expects: that something is gone which the step before has found.
                seen = self._compare(tenant, before)
                if seen.changes == before.changes:
                    raise
                continue
            seen = self._compare(tenant, before)
            if seen.changes == before.changes:
                return done
        return reading()

    def _compare(self, tenant: str, seen: _Seen) -> _Seen:
        """Return what is seen now; where that is another change, let the names that were read meanwhile be read again."""
        linker = self._linkers.of(tenant)
        version = linker.version
        changes = changes_shown(self._graph, tenant)
        if changes != seen.changes:
            linker.rewind(seen.version)
            return _Seen(changes, seen.version)
        self._seen[tenant] = _Seen(changes, version)
        return self._seen[tenant]
