"""Whether the platform can answer: each server asked for a round trip, all at once, at most once a second."""

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from interlace.bootstrap import Platform
from interlace.domain.errors import InterlaceError

_logger = logging.getLogger(__name__)
_CACHED_SECONDS = 1.0
_SERVERS = ("graph", "vectors", "queue")
_REQUIRED = frozenset({"graph"})


@dataclass(frozen=True, slots=True)
class ServerCheck:
    """One server: whether it answered, the milliseconds it took, and whether the platform needs it."""

    ok: bool
    latency_ms: float | None
    required: bool


@dataclass(frozen=True, slots=True)
class Report:
    """All servers, and what follows: ``ready``, ``degraded`` when an optional one is unavailable, ``unavailable`` when a required one is."""

    status: Literal["ready", "degraded", "unavailable"]
    checks: dict[str, ServerCheck]


class Readiness:
    """Asks graph, vector index and queue; callers within a second share an answer."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._threads = ThreadPoolExecutor(len(_SERVERS), thread_name_prefix="readiness")
        self._lock = threading.Lock()
        self._asked_at = float("-inf")
        self._report: Report | None = None

    def report(self) -> Report:
        """Return the state of all servers."""
        with self._lock:
            if self._report is None or time.monotonic() - self._asked_at > _CACHED_SECONDS:
                self._report = self._ask()
                self._asked_at = time.monotonic()
            return self._report

    def close(self) -> None:
        """End the threads that ask."""
        self._threads.shutdown()

    def _ask(self) -> Report:
        answers = {name: self._threads.submit(self._check, name) for name in _SERVERS}
        checks = {name: answer.result() for name, answer in answers.items()}
        unavailable = [check for check in checks.values() if not check.ok]
        if any(check.required for check in unavailable):
            return Report("unavailable", checks)
        return Report("degraded" if unavailable else "ready", checks)

    def _check(self, name: str) -> ServerCheck:
        try:
            seconds = getattr(self._platform, name).ping()
        except InterlaceError as error:
            # Addresses of other servers stand in the log only: this page needs no key.
            _logger.warning("Not ready: %s", error.message)
            return ServerCheck(ok=False, latency_ms=None, required=name in _REQUIRED)
        return ServerCheck(ok=True, latency_ms=round(seconds * 1000, 2), required=name in _REQUIRED)
