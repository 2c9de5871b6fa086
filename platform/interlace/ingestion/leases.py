"""Leases on claimed ledger entries: kept alive while work on them goes on, by one thread for all."""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from interlace.domain.errors import InterlaceError
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.versions import Claim

_log = logging.getLogger(__name__)


class Leases:
    """The leases that a worker process holds.

    Args:
        ledger: where leases are renewed, three times within their term.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._held: list[tuple[str, Sequence[Claim]]] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def hold(self, tenant: str, claims: Sequence[Claim]) -> tuple[str, Sequence[Claim]]:
        """Renew these leases from now on; the answer is what ``drop`` takes."""
        held = (tenant, claims)
        with self._lock:
            self._held.append(held)
            if self._thread is None:
                self._thread = threading.Thread(target=self._renew, name="leases", daemon=True)
                self._thread.start()
        return held

    def drop(self, held: tuple[str, Sequence[Claim]]) -> None:
        """Renew these leases no longer: they are done with, or given back."""
        with self._lock:
            self._held = [each for each in self._held if each is not held]

    @contextmanager
    def dropped_on_error(self, held: tuple[str, Sequence[Claim]]) -> Iterator[None]:
        """Drop leases if what is done under them fails; whoever goes on with the work drops them otherwise."""
        try:
            yield
        except BaseException:
            self.drop(held)
            raise

    def close(self) -> None:
        """Stop renewing."""
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _renew(self) -> None:
        while not self._stop.wait(self._ledger.lease_seconds / 3):
            with self._lock:
                held = list(self._held)
            for tenant, claims in held:
                try:
                    self._ledger.renew(tenant, claims)
                except InterlaceError as error:
                    _log.warning("Could not renew leases: %s", error)
