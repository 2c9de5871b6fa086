"""A cache in front of the link graph: a snapshot of a tenant's links that answers only while it equals the graph.

Every transaction that writes documents changes the revision of the tenant's links, and every read checks it first. A snapshot of exactly
that revision answers; otherwise the database does, and after some reads a snapshot is loaded from its file, or made, in the background.
So every answer is as current as without the cache. Keys, titles and degrees are not cached. See docs/adr/0019 for the times.
"""

import logging
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import orjson
from cachetools import LRUCache

from interlace.domain.errors import InterlaceError
from interlace.domain.reader import reader_groups
from interlace.domain.relations import Direction
from interlace.links.snapshot import SUFFIX, LabelledLink, Snapshot, SnapshotError, load, path_of, read_owner, save
from interlace.ports.links import LinkedDocument, LinkedPair, LinkGraph
from interlace.settings import LinkSettings

READS_BEFORE_SNAPSHOT: Final = 20
"""Reads of one revision that the database answers before a snapshot is made: a command that reads once needs none."""
_TENANTS: Final = 32
_SHARE_OF_TIME: Final = 0.1
"""Share of the time that making snapshots may take, however often documents are written."""
_RETRY_SECONDS: Final = 10.0
_RECOUNT_SECONDS: Final = 3600.0
"""Seconds until the links of a tenant that has too many are counted again."""
_logger = logging.getLogger(__name__)


class LinkSource(LinkGraph, Protocol):
    """A link graph that can be copied."""

    def revision(self, tenant: str) -> str | None:
        """Return the revision of a tenant's links; None if links may change without it."""
        ...

    def settled_revision(self, tenant: str) -> str | None:
        """Return the revision once readers see everything that it counts."""
        ...

    def all_links(self, tenant: str) -> Iterator[LabelledLink]:
        """Yield all links of a tenant."""
        ...


@dataclass(slots=True)
class _TenantState:
    """One tenant: its last snapshot, the number of reads at the present revision, and when a snapshot may be made again."""

    snapshot: Snapshot | None = None
    revision: str = ""
    reads: int = 0
    preparing: bool = False
    not_before: float = 0.0


class CachedLinkGraph:
    """See the module. One instance per process; safe for use by several threads.

    Args:
        source: the links.
        settings: folder of the files (none: in memory alone), and how many links a snapshot may have.
        reads: see ``READS_BEFORE_SNAPSHOT``.
    """

    def __init__(self, source: LinkSource, settings: LinkSettings, reads: int = READS_BEFORE_SNAPSHOT) -> None:
        self._source = source
        self._settings = settings
        self._reads = reads
        self._tenants: LRUCache[str, _TenantState] = LRUCache(_TENANTS)
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._closing = False

    def resolve(self, tenant: str, keys: Collection[str], limit: int) -> dict[str, list[str]]:
        """See ``LinkGraph``."""
        return self._source.resolve(tenant, keys, limit)

    def search_names(self, tenant: str, words: Sequence[str], limit: int, *, fuzzy: bool = False) -> list[str]:
        """See ``LinkGraph``."""
        return self._source.search_names(tenant, words, limit, fuzzy=fuzzy)

    def match_names(self, tenant: str, pattern: str, limit: int) -> list[str]:
        """See ``LinkGraph``: patterns are matched by the full-text index."""
        return self._source.match_names(tenant, pattern, limit)

    def read_documents(self, tenant: str, ids: Sequence[str]) -> dict[str, LinkedDocument]:
        """See ``LinkGraph``."""
        return self._source.read_documents(tenant, ids)

    def adjacent(self, tenant: str, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        """See ``LinkGraph``."""
        # A snapshot holds the links of all documents; a reader who may see only some of them is served by the source.
        snapshot = self._current(tenant) if documents and reader_groups() is None else None
        if snapshot is None:
            return self._source.adjacent(tenant, documents, direction, limit)
        return snapshot.adjacent(documents, direction, limit)

    def prepare(self, tenant: str) -> Snapshot | None:
        """Load the tenant's file, or make the snapshot and write the file; the snapshot then answers while it is current.

        Returns:
            The snapshot; None if documents were written meanwhile, if the links are too many, or if the tenant has none.

        Raises:
            UnavailableError: the database does not answer; file and snapshot stay as they were.
        """
        began = time.perf_counter()
        revision = self._source.settled_revision(tenant)
        if revision is None:
            return None
        snapshot, reason = self._load(tenant, revision)
        if snapshot is None:
            snapshot = self._copy(tenant, revision)
            if snapshot is None:
                return None
            self._save(snapshot)
            seconds = round(time.perf_counter() - began, 3)
            size = {"documents": len(snapshot.ids), "links": len(snapshot.links)}
            _event("made", tenant, reason=reason, revision=revision, seconds=seconds, **size)
        with self._lock:
            self._state(tenant).snapshot = snapshot
        return snapshot

    def remove_stale_files(self) -> None:
        """Remove files of past revisions, so that no word of a deleted document stays in one, and files that cannot be used.

        Raises:
            UnavailableError: the database does not answer.
        """
        folder = self._settings.cache_folder
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder else ():
            if self._is_stale(path):
                path.unlink(missing_ok=True)

    def _is_stale(self, path: Path) -> bool:
        try:
            tenant, revision = read_owner(path)
        except FileNotFoundError:
            return False
        except SnapshotError as error:
            _event("refused", path.stem, reason=error.reason, detail=str(error))
            return True
        return self._source.revision(tenant) != revision

    def close(self) -> None:
        """Start no more snapshots, and wait for those that are being made."""
        self._closing = True
        for thread in self._threads:
            thread.join()

    def _current(self, tenant: str) -> Snapshot | None:
        """Return the snapshot of the present revision; without one, start making it after enough reads."""
        revision = self._source.revision(tenant) if self._settings.cached_links else None
        if revision is None:
            return None
        with self._lock:
            state = self._state(tenant)
            if state.snapshot is not None and state.snapshot.revision == revision:
                return state.snapshot
            state.snapshot = None
            state.reads = state.reads + 1 if state.revision == revision else 1
            state.revision = revision
            if state.reads > self._reads and not state.preparing and time.monotonic() >= state.not_before:
                self._start(tenant, state)
        return None

    def _state(self, tenant: str) -> _TenantState:
        if tenant not in self._tenants:
            self._tenants[tenant] = _TenantState()
        return self._tenants[tenant]

    def _start(self, tenant: str, state: _TenantState) -> None:
        if self._closing:
            return
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(
            target=self._prepare_in_background, args=(tenant, state), name="link-cache", daemon=True
        )
        state.preparing = True
        self._threads.append(thread)
        thread.start()

    def _prepare_in_background(self, tenant: str, state: _TenantState) -> None:
        began = time.monotonic()
        try:
            self.prepare(tenant)
        except InterlaceError as error:
            state.not_before = time.monotonic() + _RETRY_SECONDS
            _event("failed", tenant, reason=error.message)
        finally:
            now = time.monotonic()
            state.not_before = max(state.not_before, now + (now - began) / _SHARE_OF_TIME)
            state.preparing = False

    def _load(self, tenant: str, revision: str) -> tuple[Snapshot | None, str]:
        """Return the snapshot in the tenant's file, or why there is none of this revision."""
        if self._settings.cache_folder is None:
            return None, "no folder"
        try:
            snapshot = load(path_of(self._settings.cache_folder, tenant), tenant)
        except FileNotFoundError:
            return None, "no file"
        except SnapshotError as error:
            _event("refused", tenant, reason=error.reason, detail=str(error))
            return None, error.reason
        return (snapshot, "") if snapshot.revision == revision else (None, "revision")

    def _copy(self, tenant: str, revision: str) -> Snapshot | None:
        """Return a snapshot of the links if no document was written while they were read."""
        most = self._settings.cached_links
        snapshot = Snapshot.of(tenant, revision, self._at_most(tenant, most + 1))
        if len(snapshot.links) > most:
            _event("skipped", tenant, reason="too many links", maximum=most)
            with self._lock:
                self._state(tenant).not_before = time.monotonic() + _RECOUNT_SECONDS
            return None
        return snapshot if not self._closing and self._source.revision(tenant) == revision else None

    def _at_most(self, tenant: str, limit: int) -> Iterator[LabelledLink]:
        for number, link in enumerate(self._source.all_links(tenant), 1):
            yield link
            if number == limit or self._closing:
                return

    def _save(self, snapshot: Snapshot) -> None:
        if self._settings.cache_folder is not None:
            try:
                save(snapshot, path_of(self._settings.cache_folder, snapshot.tenant))
            except OSError as error:
                _event("not_written", snapshot.tenant, reason=str(error))


def _event(name: str, tenant: str, **fields: str | float) -> None:
    """Log what happened to a cache: a name, and fields as JSON."""
    level = logging.INFO if name == "made" else logging.WARNING
    _logger.log(level, "link_cache.%s %s", name, orjson.dumps({"tenant": tenant, **fields}).decode())
