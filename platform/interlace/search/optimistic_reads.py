"""Optimistic reads: a question reads without a lock, and is run again if a large change was committed meanwhile (``leases.sequence_lock``)."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from interlace.domain.errors import InterlaceError
from interlace.entities.linker import EntityLinkers
from interlace.leases.sequence_lock import sequence_number
from interlace.ports.graph import GraphDatabase

_ATTEMPTS: Final = 3
T = TypeVar("T")


class _Observed(NamedTuple):
    """A sequence number, and a version of the gazetteer that was read before the number changed."""

    sequence: int
    version: int


class OptimisticReader:
    """Repeats reads during which a large change was committed. One instance per process; safe for use by several threads.

    Args:
        graph: the graph.
        linkers: the gazetteers; names read meanwhile are read again, too.
    """

    def __init__(self, graph: GraphDatabase, linkers: EntityLinkers) -> None:
        self._graph = graph
        self._linkers = linkers
        self._observed: dict[str, _Observed] = {}

    def read(self, tenant: str, reading: Callable[[], T]) -> T:
        """Return the result of ``reading``; that of the third attempt where changes keep overtaking it.

        A query may also see half of an ordinary commit, such as a node without its properties. What fails unexpectedly is therefore
        read once more, when no commit is visible only in part.

        Raises:
            UnavailableError: the graph does not answer.
        """
        whole = False
        # A change that another process committed since the last look costs one extra attempt.
        observed = self._observed.get(tenant, _Observed(0, -1))
        for _ in range(_ATTEMPTS - 1):
            before = observed
            try:
                done = reading()
            except Exception as error:
                # Any error: a step may fail unexpectedly because what the step before found is gone.
                observed = self._observe(tenant, before)
                if observed.sequence == before.sequence:
                    if whole or isinstance(error, InterlaceError):
                        raise
                    try:
                        self._graph.wait_for_commits()
                    except InterlaceError:
                        raise error from None
                    whole = True
                continue
            observed = self._observe(tenant, before)
            if observed.sequence == before.sequence:
                return done
        return reading()

    def _observe(self, tenant: str, before: _Observed) -> _Observed:
        """Return what is observed now; if the sequence number changed, have the names that were read meanwhile read again."""
        linker = self._linkers.of(tenant)
        version = linker.version
        sequence = sequence_number(self._graph, tenant)
        if sequence != before.sequence:
            linker.rewind(before.version)
            return _Observed(sequence, before.version)
        self._observed[tenant] = _Observed(sequence, version)
        return self._observed[tenant]
