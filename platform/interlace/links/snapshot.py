"""All links of a tenant at one revision: compact, immutable, and kept in a file that is read whole or not at all."""

import hashlib
import os
import tempfile
from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
import orjson

from interlace.domain.relations import Direction
from interlace.ports.links import Link, LinkedPair

SCHEMA_VERSION: Final = 1
"""Raised whenever a file that was valid would mean something else, or nothing."""
SUFFIX: Final = ".links"

_T = TypeVar("_T")
Numbers = npt.NDArray[np.int64]
LabelledLink = tuple[str, str, Link]
"""A link: source, target, and its kind and anchor."""


class SnapshotError(Exception):
    """A file does not hold a snapshot that this program may use; ``reason`` is ``damaged``, ``schema_version`` or ``tenant``."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class Snapshot:
    """The links of one tenant. Documents that no link touches are left out.

    Args:
        tenant: the tenant.
        revision: the revision of the graph that it equals.
        ids: of the documents, ascending.
        labels: every kind and anchor that a link has, ascending.
        links: ``(n, 3) int64``, unique and ascending: the places of source and target in ``ids``, and of the label in ``labels``.
    """

    def __init__(self, tenant: str, revision: str, ids: Sequence[str], labels: Sequence[Link], links: Numbers) -> None:
        self.tenant = tenant
        self.revision = revision
        self.ids = ids
        self.labels = labels
        self.links = links
        self._number = {each: at for at, each in enumerate(ids)}
        # Links are in order, so the links of a pair follow each other; pairs are in order of source, then of target.
        pairs, first = np.unique(links[:, :2], axis=0, return_index=True)
        self._first_link = np.append(first, len(links))
        self._source, self._target = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
        self._by_target = np.lexsort((self._source, self._target))
        self._sorted_target = self._target[self._by_target]

    @classmethod
    def of(cls, tenant: str, revision: str, links: Iterable[LabelledLink]) -> "Snapshot":
        """Return the snapshot of some links; duplicates count once."""
        documents: dict[str, int] = {}
        kinds: dict[Link, int] = {}
        table = array("q")
        for source, target, link in links:
            table.append(documents.setdefault(source, len(documents)))
            table.append(documents.setdefault(target, len(documents)))
            table.append(kinds.setdefault(link, len(kinds)))
        found = np.frombuffer(table, dtype=np.int64).reshape(-1, 3)
        ids, labels = sorted(documents), sorted(kinds)
        document_place, label_place = _places(documents, ids), _places(kinds, labels)
        columns = (document_place[found[:, 0]], document_place[found[:, 1]], label_place[found[:, 2]])
        return cls(tenant, revision, ids, labels, np.unique(np.column_stack(columns), axis=0))

    def adjacent(self, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        """Return what ``LinkGraph.adjacent`` promises."""
        known = [self._number[document] for document in documents if document in self._number]
        numbers = np.array(known, dtype=np.int64)
        found: set[int] = set()
        if direction != "in":
            for first, end in _ranges(self._source, numbers, limit):
                found.update(range(first, end))
        if direction != "out":
            for first, end in _ranges(self._sorted_target, numbers, limit):
                found.update(self._by_target[first:end].tolist())
        return [self._pair(number) for number in sorted(found)]

    def _pair(self, number: int) -> LinkedPair:
        first, end = self._first_link[number], self._first_link[number + 1]
        labels = tuple(self.labels[label] for label in self.links[first:end, 2].tolist())
        return LinkedPair(self.ids[self._source[number]], self.ids[self._target[number]], labels)


def path_of(folder: Path, tenant: str) -> Path:
    """Return the path of a tenant's file."""
    return folder / f"{hashlib.sha256(tenant.encode()).hexdigest()[:32]}{SUFFIX}"


def save(snapshot: Snapshot, path: Path) -> None:
    """Write a snapshot: a line with schema version, tenant, revision and SHA-256, a line with ids and labels, then the links.

    The file is replaced by a rename: readers see the old file or the new one, never a part.

    Raises:
        OSError: the folder cannot be written; the old file stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    labels = [[label.kind, label.anchor] for label in snapshot.labels]
    names = orjson.dumps({"ids": list(snapshot.ids), "labels": labels})
    body = names + b"\n" + snapshot.links.astype("<i8").tobytes()
    head = {"schema_version": SCHEMA_VERSION, "tenant": snapshot.tenant, "revision": snapshot.revision}
    signed = orjson.dumps({**head, "sha256": _digest(head, body)})
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(signed + b"\n" + body)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def load(path: Path, tenant: str) -> Snapshot:
    """Read a tenant's file.

    Raises:
        SnapshotError: it is damaged, of another schema version, or another tenant's.
        FileNotFoundError: there is none.
    """
    try:
        signed, _, body = path.read_bytes().partition(b"\n")
        head = _read_head(signed)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SnapshotError("damaged", str(error)) from error
    expected = head.pop("sha256")
    if _digest(head, body) != expected:
        raise SnapshotError("damaged", "its checksum is not that of its contents")
    if head["tenant"] != tenant:
        raise SnapshotError("tenant", "it belongs to another tenant")
    names, _, links = body.partition(b"\n")
    contents = orjson.loads(names)
    labels = [Link(kind, anchor) for kind, anchor in contents["labels"]]
    return Snapshot(tenant, head["revision"], contents["ids"], labels, np.frombuffer(links, "<i8").reshape(-1, 3))


def read_owner(path: Path) -> tuple[str, str]:
    """Return the tenant and the revision of a file, without its contents; raises as ``load``."""
    try:
        with path.open("rb") as file:
            head = _read_head(file.readline())
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SnapshotError("damaged", str(error)) from error
    return head["tenant"], head["revision"]


def _read_head(line: bytes) -> dict[str, Any]:
    try:
        head = orjson.loads(line)
    except ValueError as error:
        raise SnapshotError("damaged", f"its first line cannot be read: {error}") from error
    if not isinstance(head, dict) or not head.keys() >= {"schema_version", "tenant", "revision", "sha256"}:
        raise SnapshotError("damaged", "its header is incomplete")
    if head["schema_version"] != SCHEMA_VERSION:
        raise SnapshotError("schema_version", f"version {head['schema_version']}, expected {SCHEMA_VERSION}")
    return head


def _digest(head: Mapping[str, object], body: bytes) -> str:
    return hashlib.sha256(orjson.dumps(head, option=orjson.OPT_SORT_KEYS) + body).hexdigest()


def _places(known: Mapping[_T, int], ordered: Sequence[_T]) -> Numbers:
    """Return, for each number that was assigned on first sight, its place in the sorted order."""
    places = np.empty(len(known), dtype=np.int64)
    for place, each in enumerate(ordered):
        places[known[each]] = place
    return places


def _ranges(ascending: Numbers, numbers: Numbers, limit: int) -> list[tuple[int, int]]:
    """Return for each number where it begins in an ascending array, and where it ends or the limit is reached."""
    first = np.searchsorted(ascending, numbers, side="left")
    end = np.minimum(np.searchsorted(ascending, numbers, side="right"), first + limit)
    return list(zip(first.tolist(), end.tolist(), strict=True))
