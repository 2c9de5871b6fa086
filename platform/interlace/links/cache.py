"""A cache of links before the link graph: a copy that answers while it equals the graph, and never otherwise.

Every transaction that writes documents changes the revision of the tenant's links, and every step asks for it first. A snapshot of just
that revision answers; without one the database does, and after some steps a snapshot is read from its file, or made, in the background.
So every answer is of the moment it was asked for, as without the cache. Names, titles and degrees are not cached.
"""

import logging
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import orjson

from interlace.domain.errors import InterlaceError
from interlace.links.snapshot import SUFFIX, Labelled, Snapshot, SnapshotError, described, load, path_of, save
from interlace.ports.links import Direction, LinkedDocument, LinkedPair, LinkGraph
from interlace.settings import LinkSettings

PATIENCE: Final = 20
"""Steps that the database takes at one revision before a snapshot is wanted: a command that asks once needs none."""
_TENANTS: Final = 32
# Making snapshots may take so much of the time, however often documents are written. After a failure it is tried again so late, and
# links that were too many are counted again so late (seconds).
_SHARE: Final = 0.1
_TRIED_AGAIN: Final = 10.0
_COUNTED_AGAIN: Final = 3600.0
_log = logging.getLogger(__name__)


class LinkSource(LinkGraph, Protocol):
    """A link graph that can be copied."""

    def revision(self, tenant: str) -> str | None:
        """Return what tells this state of a tenant's links from every other; None if nothing does."""
        ...

    def settled(self, tenant: str) -> str | None:
        """Return the revision once readers see all that it counts."""
        ...

    def every_link(self, tenant: str) -> Iterator[Labelled]:
        """Yield all links of a tenant."""
        ...


@dataclass(slots=True)
class _Held:
    """What is known of one tenant: its last snapshot, how often a revision was asked about in a row, and when to try again."""

    snapshot: Snapshot | None = None
    revision: str = ""
    asked: int = 0
    preparing: bool = False
    not_before: float = 0.0


class CachedLinkGraph:
    """See the module. One instance a process; safe for use by several threads.

    Args:
        source: the links.
        settings: folder of the files (none: in memory alone), and how many links a snapshot may have.
        patience: see ``PATIENCE``.
    """

    def __init__(self, source: LinkSource, settings: LinkSettings, patience: int = PATIENCE) -> None:
        self._source = source
        self._settings = settings
        self._patience = patience
        self._tenants: dict[str, _Held] = {}
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._closing = False

    def named(self, tenant: str, keys: Collection[str], limit: int) -> dict[str, list[str]]:
        """See ``LinkGraph``."""
        return self._source.named(tenant, keys, limit)

    def alike(self, tenant: str, words: Sequence[str], limit: int, *, fuzzy: bool = False) -> list[str]:
        """See ``LinkGraph``."""
        return self._source.alike(tenant, words, limit, fuzzy=fuzzy)

    def describe(self, tenant: str, documents: Sequence[str]) -> dict[str, LinkedDocument]:
        """See ``LinkGraph``."""
        return self._source.describe(tenant, documents)

    def steps(self, tenant: str, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        """See ``LinkGraph``."""
        snapshot = self._valid(tenant) if documents else None
        if snapshot is None:
            return self._source.steps(tenant, documents, direction, limit)
        return snapshot.steps(documents, direction, limit)

    def prepare(self, tenant: str) -> Snapshot | None:
        """Read the tenant's file, or make the snapshot and the file anew; steps are answered from it while it is valid.

        Returns:
            The snapshot of this moment; None if documents were written meanwhile, if their links are too many to copy, or if the
            tenant has none.

        Raises:
            UnavailableError: the database does not answer; file and snapshot stay as they were.
        """
        began = time.perf_counter()
        revision = self._source.settled(tenant)
        if revision is None:
            return None
        snapshot, reason = self._read(tenant, revision)
        if snapshot is None:
            snapshot = self._copy(tenant, revision)
            if snapshot is None:
                return None
            self._write(snapshot)
            seconds = round(time.perf_counter() - began, 3)
            size = {"documents": len(snapshot.ids), "links": snapshot.links}
            _event("made", tenant, reason=reason, revision=revision, seconds=seconds, **size)
        with self._lock:
            self._of(tenant).snapshot = snapshot
        return snapshot

    def drop_void(self) -> None:
        """Remove files that show what is no more: of a deleted document nothing stays in them. Files that may not be used go too.

        Raises:
            UnavailableError: the database does not answer.
        """
        folder = self._settings.cache_folder
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder else ():
            self._drop_if_void(path)

    def _drop_if_void(self, path: Path) -> None:
        try:
            tenant, revision = described(path)
            void = self._source.revision(tenant) != revision
        except FileNotFoundError:
            return
        except SnapshotError as error:
            _event("refused", path.stem, reason=error.reason, detail=str(error))
            void = True
        if void:
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let nothing more be prepared, and wait for what is being prepared."""
        self._closing = True
        for thread in self._threads:
            thread.join()

    def _valid(self, tenant: str) -> Snapshot | None:
        """Return the snapshot of this moment's revision if there is one; if not, see to it that there will be."""
        revision = self._source.revision(tenant) if self._settings.cached_links else None
        if revision is None:
            return None
        with self._lock:
            held = self._of(tenant)
            if held.snapshot is not None and held.snapshot.revision == revision:
                return held.snapshot
            held.snapshot = None
            held.asked = held.asked + 1 if held.revision == revision else 1
            held.revision = revision
            if held.asked > self._patience and not held.preparing and time.monotonic() >= held.not_before:
                self._begin(tenant, held)
        return None

    def _of(self, tenant: str) -> _Held:
        held = self._tenants.pop(tenant, None) or _Held()
        self._tenants[tenant] = held
        if len(self._tenants) > _TENANTS:
            del self._tenants[next(iter(self._tenants))]
        return held

    def _begin(self, tenant: str, held: _Held) -> None:
        if self._closing:
            return
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=self._prepare_aside, args=(tenant, held), name="link-cache", daemon=True)
        held.preparing = True
        self._threads.append(thread)
        thread.start()

    def _prepare_aside(self, tenant: str, held: _Held) -> None:
        began = time.monotonic()
        try:
            self.prepare(tenant)
        except InterlaceError as error:
            held.not_before = time.monotonic() + _TRIED_AGAIN
            _event("failed", tenant, reason=error.message)
        finally:
            now = time.monotonic()
            held.not_before = max(held.not_before, now + (now - began) / _SHARE)
            held.preparing = False

    def _read(self, tenant: str, revision: str) -> tuple[Snapshot | None, str]:
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
        if snapshot.links > most:
            _event("left", tenant, reason="too many links", most=most)
            with self._lock:
                self._of(tenant).not_before = time.monotonic() + _COUNTED_AGAIN
            return None
        return snapshot if not self._closing and self._source.revision(tenant) == revision else None

    def _at_most(self, tenant: str, most: int) -> Iterator[Labelled]:
        for number, link in enumerate(self._source.every_link(tenant), 1):
            yield link
            if number == most or self._closing:
                return

    def _write(self, snapshot: Snapshot) -> None:
        if self._settings.cache_folder is not None:
            try:
                save(snapshot, path_of(self._settings.cache_folder, snapshot.tenant))
            except OSError as error:
                _event("unwritten", snapshot.tenant, reason=str(error))


def _event(name: str, tenant: str, **fields: str | float) -> None:
    """Log what happened to a cache: a name, and fields as JSON."""
    level = logging.INFO if name == "made" else logging.WARNING
    _log.log(level, "link_cache.%s %s", name, orjson.dumps({"tenant": tenant, **fields}).decode())
