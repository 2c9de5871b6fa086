"""When a collection is optimised."""

from dataclasses import dataclass, field
from typing import cast

import pytest

from interlace_edge.bodies.collections import CreateCollection
from interlace_edge.storage.collection import EdgeCollection
from interlace_edge.storage.maintenance import needs_optimisation


@dataclass
class Counted:
    """The figures of a collection that the decision reads; vectors of 256 dimensions are a kilobyte each."""

    points: int
    changed: int
    dead: int = 0
    config: CreateCollection = field(
        default_factory=lambda: CreateCollection.model_validate({"vectors": {"v": {"size": 256, "distance": "Cosine"}}})
    )

    def count(self) -> int:
        return self.points


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
