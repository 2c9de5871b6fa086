"""The marks that retrieval must reach, through the real stack and the ordinary pipeline. Figures stand in docs/evaluation.md."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from interlace.bootstrap import Platform
from interlace.cli.evaluate import run_collection
from interlace.evaluation.collection import load_collection
from interlace.evaluation.runner import Evaluation
from interlace.settings import Settings

pytestmark = [pytest.mark.evaluation, pytest.mark.slow, pytest.mark.timeout(1500)]

# Recall@5 in percent that the graph leg, the dense leg and the fused list must reach.
MARKS = {"hotpotqa": (90.0, 88.0, 94.0), "musique": (70.0, 62.0, 76.0)}
TOLERANCE = 2.0


@pytest.fixture(scope="module", params=sorted(MARKS))
def evaluation(request: pytest.FixtureRequest, full_stack: Settings, eval_root: Path) -> Iterator[Evaluation]:
    collection = load_collection(eval_root / request.param)
    platform = Platform(full_stack.model_copy(update={"tenant": collection.tenant}))
    try:
        yield run_collection(platform, collection)
    finally:
        platform.close()


def test_legs_reach_their_marks(evaluation: Evaluation) -> None:
    graph, dense, fused = MARKS[evaluation.collection]
    assert evaluation.measures["graph"]["recall@5"] >= graph
    assert evaluation.measures["vector"]["recall@5"] >= dense
    assert evaluation.measures["fused"]["recall@5"] >= fused


@pytest.mark.parametrize("measure", ["recall@2", "recall@5", "recall@10"])
def test_fused_is_not_below_its_best_leg(evaluation: Evaluation, measure: str) -> None:
    best = max(values[measure] for leg, values in evaluation.measures.items() if leg != "fused")
    assert evaluation.measures["fused"][measure] >= best - TOLERANCE
