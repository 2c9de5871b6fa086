"""All links of a tenant at one moment: compact, immutable, and kept in a file that is read whole or not at all."""

import hashlib
import os
import tempfile
import zipfile
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from interlace.ports.links import Direction, Link, LinkedPair

SCHEMA_VERSION: Final = 1
"""Raised whenever a file that was valid would mean something else, or nothing."""
SUFFIX: Final = ".npz"
_ARRAYS: Final = ("out_start", "pair_target", "pair_source", "link_start", "link_label", "in_start", "in_pair")
# What the archive's reader raises; RuntimeError where a damaged entry claims to be encrypted or of a kind that it does not know.
_UNREADABLE: Final = (OSError, ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile, zlib.error)

Numbers = npt.NDArray[np.int64]
Labelled = tuple[str, str, Link]
"""A link: source, target and how."""


class SnapshotError(Exception):
    """A file does not hold a snapshot that this program may use; ``reason`` is ``damaged``, ``schema_version`` or ``tenant``."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The links of one tenant.

    Documents are numbered in order of id, pairs of documents in order of source and target; what belongs to number *i* stands from
    ``start[i]`` to ``start[i + 1]``. Documents that no link touches are left out.

    Args:
        tenant: whose.
        revision: the state of the graph that it shows.
        ids: of the documents, ascending.
        labels: every kind and anchor that a link has, ascending.
        arrays: ``out_start`` (documents + 1) bounds the pairs that lead on from a document, ``pair_source`` and ``pair_target`` (pairs)
            are their ends, ``link_start`` (pairs + 1) bounds the labels of a pair in ``link_label`` (links), and ``in_start``
            (documents + 1) bounds the pairs that lead to a document in ``in_pair`` (pairs), by source.
        numbers: id to number.
    """

    tenant: str
    revision: str
    ids: tuple[str, ...]
    labels: tuple[Link, ...]
    arrays: Mapping[str, Numbers]
    numbers: Mapping[str, int]

    @classmethod
    def of(cls, tenant: str, revision: str, links: Iterable[Labelled]) -> "Snapshot":
        """Return the snapshot of some links; what is named twice counts once."""
        known: dict[str, int] = {}
        kinds: dict[Link, int] = {}
        ends = array("q")
        for source, target, link in links:
            ends.extend(
                (
                    known.setdefault(source, len(known)),
                    known.setdefault(target, len(known)),
                    kinds.setdefault(link, len(kinds)),
                )
            )
        table = np.frombuffer(ends, dtype=np.int64).reshape(-1, 3)
        ids, labels = sorted(known), sorted(kinds)
        rows = np.unique(
            np.column_stack(
                [_renumbered(known, ids)[table[:, end]] for end in (0, 1)] + [_renumbered(kinds, labels)[table[:, 2]]]
            ),
            axis=0,
        )
        pairs, starts = np.unique(rows[:, :2], axis=0, return_index=True)
        arrays = {
            "out_start": _starts(pairs[:, 0], len(ids)),
            "pair_source": pairs[:, 0],
            "pair_target": pairs[:, 1],
            "link_start": np.append(starts, len(rows)),
            "link_label": rows[:, 2],
            "in_start": _starts(np.sort(pairs[:, 1]), len(ids)),
            "in_pair": np.lexsort((pairs[:, 0], pairs[:, 1])),
        }
        return cls(tenant, revision, tuple(ids), tuple(labels), arrays, {each: at for at, each in enumerate(ids)})

    def steps(self, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        """Return what ``LinkGraph.steps`` promises."""
        held = self.arrays
        found: set[int] = set()
        for document in documents:
            at = self.numbers.get(document)
            if at is None:
                continue
            if direction != "in":
                first, end = int(held["out_start"][at]), int(held["out_start"][at + 1])
                found.update(range(first, min(end, first + limit)))
            if direction != "out":
                first, end = int(held["in_start"][at]), int(held["in_start"][at + 1])
                found.update(held["in_pair"][first : min(end, first + limit)].tolist())
        return [self._pair(number) for number in sorted(found)]

    @property
    def links(self) -> int:
        """How many links it has."""
        return len(self.arrays["link_label"])

    def _pair(self, number: int) -> LinkedPair:
        held = self.arrays
        first, end = int(held["link_start"][number]), int(held["link_start"][number + 1])
        return LinkedPair(
            self.ids[int(held["pair_source"][number])],
            self.ids[int(held["pair_target"][number])],
            tuple(self.labels[label] for label in held["link_label"][first:end].tolist()),
        )


def path_of(folder: Path, tenant: str) -> Path:
    """Return where a tenant's file stands."""
    return folder / f"{hashlib.sha256(tenant.encode()).hexdigest()[:32]}{SUFFIX}"


def save(snapshot: Snapshot, path: Path) -> None:
    """Write a snapshot in the place of whatever stood there; readers see the old file or the new one, never a part.

    Raises:
        OSError: the folder cannot be written; what stood there still does.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {"schema_version": SCHEMA_VERSION, "tenant": snapshot.tenant, "revision": snapshot.revision}
    names = {"ids": snapshot.ids, "labels": [[label.kind, label.anchor] for label in snapshot.labels]}
    written = {
        name: np.frombuffer(orjson.dumps(part), dtype=np.uint8) for name, part in (("head", head), ("names", names))
    }
    contents = {**written, **snapshot.arrays}
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, allow_pickle=False, **contents)  # type: ignore[arg-type]
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load(path: Path, tenant: str) -> Snapshot:
    """Read a tenant's file.

    What it holds is covered by checksums (the archive's CRC-32 of each member), and must besides make sense: numbers in range, bounds in
    order.

    Raises:
        SnapshotError: it is damaged, of another schema version, or another tenant's.
        FileNotFoundError: there is none.
    """
    with _opened(path) as members:
        head = _head(members)
        if head["tenant"] != tenant:
            raise SnapshotError("tenant", "it is another tenant's")
        arrays = {name: members[name] for name in _ARRAYS}
        names = orjson.loads(members["names"].tobytes())
        labels = tuple(Link(kind, anchor) for kind, anchor in names["labels"])
        ids = tuple(names["ids"])
        _check(ids, labels, arrays)
        return Snapshot(tenant, head["revision"], ids, labels, arrays, {each: at for at, each in enumerate(ids)})


def described(path: Path) -> tuple[str, str]:
    """Return the tenant and the revision of a file; raises as ``load``."""
    with _opened(path) as members:
        head = _head(members)
        return head["tenant"], head["revision"]


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as members:
            yield members
    except FileNotFoundError:
        raise
    except _UNREADABLE as error:
        raise SnapshotError("damaged", f"{type(error).__name__}: {error}") from error


def _head(members: Any) -> dict[str, Any]:
    head: dict[str, Any] = orjson.loads(members["head"].tobytes())
    if head["schema_version"] != SCHEMA_VERSION:
        raise SnapshotError("schema_version", f"version {head['schema_version']}, expected {SCHEMA_VERSION}")
    return head


def _renumbered(known: Mapping[Any, int], ordered: Sequence[Any]) -> Numbers:
    """Return the place of each number in the order wanted."""
    places = np.empty(len(known), dtype=np.int64)
    for place, each in enumerate(ordered):
        places[known[each]] = place
    return places


def _starts(ascending: Numbers, count: int) -> Numbers:
    """Return where each of the numbers below ``count``, and the end, begins in an ascending list."""
    return np.searchsorted(ascending, np.arange(count + 1)).astype(np.int64)


def _check(ids: Sequence[str], labels: Sequence[Link], arrays: Mapping[str, Numbers]) -> None:
    """Raise ValueError unless the arrays are those of a snapshot."""
    pairs, links = len(arrays["pair_source"]), len(arrays["link_label"])
    for name in _ARRAYS:
        if arrays[name].dtype != np.int64 or arrays[name].ndim != 1:
            raise ValueError(f"{name} is no list of numbers")
    for name, count, end in (
        ("out_start", len(ids), pairs),
        ("in_start", len(ids), pairs),
        ("link_start", pairs, links),
    ):
        starts = arrays[name]
        if len(starts) != count + 1 or starts[0] != 0 or starts[-1] != end or np.any(np.diff(starts) < 0):
            raise ValueError(f"{name} does not bound {count} parts of {end}")
    for name, count, below in (
        ("pair_source", pairs, len(ids)),
        ("pair_target", pairs, len(ids)),
        ("in_pair", pairs, pairs),
        ("link_label", links, len(labels)),
    ):
        numbers = arrays[name]
        if len(numbers) != count or (count and (numbers.min() < 0 or numbers.max() >= below)):
            raise ValueError(f"{name} is not {count} numbers below {below}")
    if any(not isinstance(each, str) for each in ids) or any(one >= other for one, other in pairwise(ids)):
        raise ValueError("ids are not in order")
