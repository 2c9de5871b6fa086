"""What becomes of claimed documents when work on them fails: retried, quarantined, or given back after an outage."""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from interlace.domain.errors import InterlaceError, NoSpaceError, SettingsError, UnavailableError
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.versions import Claim
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex

_logger = logging.getLogger(__name__)
_NEARLY = 0.9


TimeLimit = tuple[type[Exception], float]
"""The error that interrupts a task which runs too long, and after how many seconds."""


class Failures:
    """Decides whether a document or an outage caused a failure, and releases claims."""

    def __init__(self, graph: GraphDatabase, vectors: VectorIndex, ledger: Ledger, limit: TimeLimit) -> None:
        self._graph = graph
        self._vectors = vectors
        self._ledger = ledger
        self._interruption, self._seconds = limit
        # Claims of outages in which the graph itself did not answer.
        self._waiting: list[tuple[str, Sequence[Claim], str]] = []
        self._lock = threading.Lock()

    @contextmanager
    def handled(self, tenant: str, claims: Sequence[Claim]) -> Iterator[None]:
        """Release documents, or quarantine them, when work on them fails.

        Raises:
            UnavailableError: a server does not answer.
            SettingsError: a server does not accept our credentials, or a model cannot be loaded.
        """
        started = time.monotonic()
        try:
            yield
        except (UnavailableError, SettingsError) as error:
            # Neither a full disk nor a wrong setting is a document's fault, even if all servers answer again by now.
            if isinstance(error, NoSpaceError | SettingsError) or self._is_outage():
                self._waiting.append((tenant, claims, error.message))
                self.release()
            else:
                self._retry_later(tenant, claims, error.message)
            raise
        except Exception as error:
            _logger.exception("A batch of %d documents failed", len(claims))
            if isinstance(error, self._interruption) and self._is_too_long(claims, time.monotonic() - started):
                message = (
                    f"It takes longer than the {self._seconds:g} s that a task may. Split it into several documents."
                )
                self._ledger.quarantine(tenant, claims[0], "limit", message)
                return
            message = error.message if isinstance(error, InterlaceError) else f"{type(error).__name__}: {error}"
            # Which of several documents is at fault shows on the next attempt, when each is tried alone.
            self._retry_later(tenant, claims, message)

    def release(self) -> None:
        """Release the claims that outages interrupted, oldest first, until the graph stops answering."""
        with self._lock:
            while self._waiting:
                try:
                    self._ledger.release(*self._waiting[0])
                except InterlaceError as error:
                    _logger.warning("Could not release %d documents yet: %s", len(self._waiting[0][1]), error.message)
                    return
                self._waiting.pop(0)

    def _is_too_long(self, claims: Sequence[Claim], seconds: float) -> bool:
        """Return whether a document took the time of its task: alone, and not after others that took part of it."""
        return len(claims) == 1 and seconds > _NEARLY * self._seconds

    def _is_outage(self) -> bool:
        """Return whether a server does not answer. If all answer, the documents themselves may be at fault."""
        try:
            self._graph.ping()
            self._vectors.ping()
        except InterlaceError:
            return True
        return False

    def _retry_later(self, tenant: str, claims: Sequence[Claim], message: str) -> None:
        for claim in claims:
            self._ledger.retry_later(tenant, claim, message)
