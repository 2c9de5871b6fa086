"""The audit log: who changed keys, decided and removed tenants, what was refused, and which statements were written by hand.

A change is recorded in its own transaction, so that there is none without its entry; the rest asynchronously, in batches of bounded size.
A caller who is refused a thousand times a second must not make the database write as often: equal events of one interval become one entry
with a count, and what is too varied for that is counted under one entry.
"""

import logging
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from interlace.domain.errors import InterlaceError
from interlace.ports.graph import GraphDatabase
from interlace.queries import access as queries

_logger = logging.getLogger(__name__)
Event = Literal["refused", "created", "revoked", "rotated", "cypher", "decided", "undone", "removed"]
FLUSH_SECONDS: Final = 1.0
MAX_ENTRIES_KEPT: Final = 100_000
"""Entries that the log may have; the oldest are removed first."""
_DISTINCT: Final = 50
_MAX_PATH_CHARACTERS: Final = 200
_MAX_DETAIL_CHARACTERS: Final = 4000
_USE_SECONDS: Final = 60.0
_REMOVAL_BATCH: Final = 5000
_MS_A_DAY: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Record:
    """Something that the audit log keeps.

    Args:
        event: what happened.
        detail: why, or what was run.
        key: the key's id; empty if none was known.
        tenants: the tenants of the key; empty if none was known.
        method: of the request; empty from the command line.
        path: of the request.
    """

    event: Event
    detail: str
    key: str = ""
    tenants: tuple[str, ...] = ()
    method: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An entry of the log: a record, when it happened (milliseconds since 1970) and how often within a second."""

    id: str
    at: int
    event: str
    key: str
    tenants: tuple[str, ...]
    detail: str
    method: str
    path: str
    count: int


class AuditLog:
    """Collects records and writes them from its own thread, which starts with the first one."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        # Record to when it first happened, in milliseconds, and how often.
        self._records: dict[Record, tuple[int, int]] = {}
        self._uses: dict[str, int] = {}
        self._noted: dict[str, float] = {}
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, record: Record) -> None:
        """Keep a record; it is written within about a second."""
        kept = _bounded(record)
        with self._lock:
            if kept not in self._records and len(self._records) >= _DISTINCT:
                kept = Record(kept.event, "more of the kind in the same second")
            at, count = self._records.get(kept, (int(time.time() * 1000), 0))
            self._records[kept] = at, count + 1
        self._start()

    def used(self, key: str) -> None:
        """Note the use of a key, once a minute."""
        now = time.monotonic()
        with self._lock:
            if now - self._noted.get(key, float("-inf")) < _USE_SECONDS:
                return
            self._noted[key] = now
            self._uses[key] = int(time.time() * 1000)
        self._start()

    def newest(self, limit: int, tenants: Sequence[str] | None = None) -> list[AuditEntry]:
        """Return the newest entries, those not yet written included; with ``tenants``, only entries of keys that open no other tenants."""
        self.flush()
        rows = queries.list_audit(self._graph, tenants=None if tenants is None else list(tenants), limit=limit)
        return [
            AuditEntry(
                row.id, row.at, row.event, row.key, tuple(row.tenants), row.detail, row.method, row.path, row.calls
            )
            for row in rows
        ]

    def flush(self) -> None:
        """Write what was collected; what cannot be written now is retried with the next."""
        with self._writing:
            with self._lock:
                records, self._records = self._records, {}
                uses, self._uses = self._uses, {}
            try:
                if records:
                    queries.write_audit(self._graph, entries=[_row(record, *when) for record, when in records.items()])
                    records = {}
                if uses:
                    queries.note_uses(self._graph, uses=[{"id": key, "at": at} for key, at in uses.items()])
            except InterlaceError as error:
                _logger.warning("The audit log could not be written and will be later: %s", error.message)
                with self._lock:
                    self._records = dict([*records.items(), *self._records.items()][:_DISTINCT])
                    self._uses = uses | self._uses

    def close(self) -> None:
        """Write what is left and end the thread."""
        self._stopped.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        if self._records or self._uses:
            self.flush()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
                self._thread.start()
        self._wake.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.wait()
            self._stopped.wait(FLUSH_SECONDS)
            self._wake.clear()
            self.flush()


def entry_of(record: Record) -> dict[str, object]:
    """Return the entry of a change, for ``write_audit`` in the change's transaction; made before it, it is written once however often that runs."""
    return _row(_bounded(record), int(time.time() * 1000), 1)


def remove_old_audit(graph: GraphDatabase, days: float) -> int:
    """Delete a batch of entries older than this, or beyond the newest ``MAX_ENTRIES_KEPT``; return how many were deleted.

    Raises:
        UnavailableError: the graph database does not answer.
    """
    before = int(time.time() * 1000 - days * _MS_A_DAY)
    return queries.remove_old_audit(graph, before=before, keep=MAX_ENTRIES_KEPT, limit=_REMOVAL_BATCH)


def _bounded(record: Record) -> Record:
    return Record(
        record.event,
        record.detail[:_MAX_DETAIL_CHARACTERS],
        record.key,
        record.tenants,
        record.method[:16],
        record.path[:_MAX_PATH_CHARACTERS].encode("utf-8", "replace").decode(),
    )


def _row(record: Record, at: int, count: int) -> dict[str, object]:
    return {
        "id": str(uuid.uuid4()),
        "at": at,
        "event": record.event,
        "key": record.key,
        "tenants": list(record.tenants),
        "detail": record.detail,
        "method": record.method,
        "path": record.path,
        "count": count,
    }
