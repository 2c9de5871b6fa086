"""What a process keeps of the questions that it has answered: nothing that grows with their number."""

import gc
import tracemalloc

import pytest
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World

from interlace.domain.hits import Mode, QueryRequest
from interlace.search.questions import QuestionSearch
from interlace.search.searches import Searches

NOTES = {
    "bridge.md": "# The Bridge\n\nAda Moran drew the bridge over the Lee. [The mill](mill.md) stands below it.\n",
    "mill.md": "# The Mill\n\nAda Moran sold the mill to Otto Pommer, who ground rye in it.\n",
}
ASKED: tuple[tuple[str, Mode], ...] = (
    ("Who sold the mill?", "keyword_only"),
    ("The Mill", "metadata_only"),
    ("What did Ada Moran draw?", "graph_only"),
    ("Who sold the mill of Ada Moran?", "hybrid"),
)
ROUNDS = 100
"""As many recalls are warm-up, then as many are measured twice."""
A_RECALL = 2_000
"""Bytes that a recall may leave; one answer has several times as many."""


def traced(questions: QuestionSearch, tenant: str) -> int:
    """Ask ``ROUNDS`` times; return the bytes that are then held."""
    for number in range(ROUNDS):
        text, mode = ASKED[number % len(ASKED)]
        assert questions.search(tenant, QueryRequest(text, mode=mode)).hits
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.slow
def test_repeated_recalls_leave_nothing_behind(world: World, tenant: str) -> None:
    platform = world.platform
    assert platform.embedder
    world.ingest(tenant, NOTES)
    made = Searches(
        platform.graph,
        platform.vectors,
        {platform.embedder.model: platform.embedder},
        platform.entity_linkers,
        waiting_for_legs(platform.settings).query,
    )
    tracemalloc.start()
    try:
        traced(made.questions, tenant)
        before = traced(made.questions, tenant)
        assert traced(made.questions, tenant) - before < A_RECALL * ROUNDS
    finally:
        tracemalloc.stop()
        made.close()
