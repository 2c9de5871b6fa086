"""The marks that retrieval must reach, through the real stack and the ordinary pipeline. Figures stand in docs/evaluation.md."""

from pathlib import Path

import pytest

from interlace.bootstrap import Platform
from interlace.cli.evaluate import run_collection
from interlace.evaluation.collection import load_collection
from interlace.settings import Settings

pytestmark = [pytest.mark.evaluation, pytest.mark.slow, pytest.mark.timeout(1500)]

# Recall@5 in percent that the graph leg, the dense leg and the fused list must reach.
MARKS = {"hotpotqa": (90.0, 88.0, 94.0), "musique": (70.0, 62.0, 76.0)}
TOLERANCE = 2.0


@pytest.mark.parametrize("name", sorted(MARKS))
def test_retrieval_reaches_its_marks(name: str, full_stack: Settings, eval_root: Path) -> None:
    """One test a collection, because each begins with an ingestion of minutes."""
    collection = load_collection(eval_root / name)
    platform = Platform(full_stack.model_copy(update={"tenant": collection.tenant}))
    try:
        measures = run_collection(platform, collection).measures
    finally:
        platform.close()
    found = tuple(measures[leg]["recall@5"] for leg in ("graph", "vector", "fused"))
    assert all(value >= mark for value, mark in zip(found, MARKS[name], strict=True)), found
    for measure in ("recall@2", "recall@5", "recall@10"):
        best = max(values[measure] for leg, values in measures.items() if leg != "fused")
        assert measures["fused"][measure] >= best - TOLERANCE, (measure, measures)
