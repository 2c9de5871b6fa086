"""A background thread that works for one tenant after another: language model calls take seconds, and tasks must not wait for them."""

import logging
import threading
from collections.abc import Callable

from interlace.domain.errors import InterlaceError

_logger = logging.getLogger(__name__)


class TenantLoop:
    """Does work in the background, at most once at a time; safe for use by several threads.

    Args:
        name: of the thread.
        work: the work for one tenant; returns how much was done.
        done: log message for that, with the number and the tenant.
    """

    def __init__(self, name: str, work: Callable[[str], int], done: str) -> None:
        self._name = name
        self._work = work
        self._done = done
        self.closing = threading.Event()
        self._waiting: dict[str, None] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def begin(self, tenant: str) -> None:
        """Schedule work for a tenant; return at once."""
        with self._lock:
            self._waiting[tenant] = None
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def join(self) -> None:
        """Wait until nothing is left to do."""
        if (thread := self._thread) is not None:
            thread.join()

    def close(self) -> None:
        """Start nothing more, and wait for work in progress."""
        self.closing.set()
        self.join()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting or self.closing.is_set():
                    self._thread = None
                    return
                tenant = next(iter(self._waiting))
                del self._waiting[tenant]
            try:
                _logger.info(self._done, self._work(tenant), tenant)
            except InterlaceError as error:
                _logger.warning("The %s of tenant %s waits for the sweeper: %s", self._name, tenant, error.message)
            except Exception:
                _logger.exception("The %s of tenant %s failed; the sweeper tries again", self._name, tenant)
