"""Heartbeats: one thread that renews every lease that a process holds."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interlace.domain.errors import InterlaceError

_logger = logging.getLogger(__name__)
Renew = Callable[[], None]


class Heartbeat:
    """Renews leases at regular intervals until they are released.

    Args:
        seconds: interval between renewals; a third of a lease's term leaves time for two failures.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._renewals: list[Renew] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, renew: Renew) -> None:
        """Call ``renew`` from now on; ``stop`` takes the same object."""
        with self._lock:
            self._renewals.append(renew)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()

    def stop(self, renew: Renew) -> None:
        """Call ``renew`` no longer."""
        with self._lock:
            self._renewals = [each for each in self._renewals if each is not renew]

    @contextmanager
    def renewing(self, renew: Renew) -> Iterator[None]:
        """Call ``renew`` while the context is open, and nothing afterwards."""
        self.start(renew)
        try:
            yield
        finally:
            self.close()

    @contextmanager
    def stopped_on_error(self, renew: Renew) -> Iterator[None]:
        """Stop renewing if the context fails; otherwise the code that continues the work stops it."""
        try:
            yield
        except BaseException:
            self.stop(renew)
            raise

    def close(self) -> None:
        """Stop renewing anything."""
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            with self._lock:
                renewals = list(self._renewals)
            for renew in renewals:
                try:
                    renew()
                except InterlaceError as error:
                    _logger.warning("Could not renew a lease: %s", error)
                except Exception:
                    _logger.exception("Could not renew a lease")
