"""When a collection is optimised, and how often that is checked."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from tests.support.waiting import until

from interlace_edge.bodies.collections import CreateCollection
from interlace_edge.storage import maintenance
from interlace_edge.storage.catalog import Catalog
from interlace_edge.storage.collection import EdgeCollection
from interlace_edge.storage.maintenance import Maintenance, needs_optimisation


@dataclass
class Counted:
    """The figures of a collection that the decision reads; vectors of 256 dimensions are a kilobyte each."""

    points: int
    changed: int
    dead: int = 0
    last_write: float = 0.0
    counts: int = 0
    stuck: bool = False
    unflushed: int = 0
    folder: Path = Path()
    metadata: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(name="counted"))
    config: CreateCollection = field(
        default_factory=lambda: CreateCollection.model_validate({"vectors": {"v": {"size": 256, "distance": "Cosine"}}})
    )

    def count(self) -> int:
        self.counts += 1
        return self.points

    def flush(self) -> None:
        self.unflushed = 0


@dataclass
class Collections:
    """A catalog of one collection."""

    one: Counted
    rounds: int = 0

    def open_collections(self) -> list[EdgeCollection]:
        self.rounds += 1
        return [cast("EdgeCollection", self.one)]


@pytest.mark.parametrize(
    ("points", "changed", "dead", "expected"),
    [
        (9_999, 9_999, 0, False),
        (10_000, 10_000, 0, True),
        (100_000, 19_999, 0, False),
        (100_000, 20_000, 0, True),
        (500, 0, 999, False),
        (500, 0, 1000, True),
        (100_000, 0, 19_999, False),
        (100_000, 0, 20_000, True),
    ],
)
def test_an_index_or_a_vacuum_waits_for_enough_changes(points: int, changed: int, dead: int, expected: bool) -> None:
    assert needs_optimisation(cast("EdgeCollection", Counted(points, changed, dead))) is expected


def test_points_are_counted_again_only_after_a_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintenance, "POLL_SECONDS", 0.005)
    monkeypatch.setattr(maintenance, "QUIET_SECONDS", 0.0)
    collection = Counted(points=10, changed=10, last_write=time.monotonic())
    collections = Collections(collection)
    running = Maintenance(cast("Catalog", collections))
    running.start()
    try:
        until(lambda: collection.counts > 0)
        seen, later = collection.counts, collections.rounds + 5
        until(lambda: collections.rounds >= later)
        assert collection.counts == seen
        collection.last_write = time.monotonic()
        until(lambda: collection.counts > seen)
    finally:
        running.stop()


def test_the_log_is_flushed_only_while_the_disk_has_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintenance, "POLL_SECONDS", 0.005)
    monkeypatch.setattr(maintenance, "QUIET_SECONDS", 0.0)
    space = [False]
    monkeypatch.setattr(maintenance, "has_space", lambda *_: space[0])
    collection = Counted(points=10, changed=0, unflushed=1)
    collections = Collections(collection)
    running = Maintenance(cast("Catalog", collections))
    running.start()
    try:
        until(lambda: collections.rounds >= 5)
        assert collection.unflushed == 1
        space[0] = True
        until(lambda: collection.unflushed == 0)
    finally:
        running.stop()
