"""How many mentions a transaction may move."""

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import UnavailableError
from interlace.ingestion.transaction_size import movable_mentions


@pytest.mark.parametrize(
    ("granted", "expected"),
    [
        (["1.00GiB", "1.50GiB"], 53_687),
        (["512.00MiB", "768.00MiB"], 26_843),
        # No transaction has a limit of its own: the one of all together holds.
        (["0B", "716.80MiB"], 37_580),
        (["0B", "0B"], 25_000),
        (["much"], 25_000),
        ([], 25_000),
    ],
)
def test_half_of_the_memory_granted_is_used(granted: list[str], expected: int) -> None:
    graph = CollectingGraph({"database/transaction_memory": [{"granted": each} for each in granted]})
    assert movable_mentions(graph) == expected


def test_a_server_that_does_not_tell_is_taken_for_a_small_one() -> None:
    graph = CollectingGraph({"database/transaction_memory": UnavailableError("no privilege")})
    assert movable_mentions(graph) == 25_000
