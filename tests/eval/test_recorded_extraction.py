"""What a language model's graph does to retrieval, with what GPT-3.5 really extracted from the documents."""

from pathlib import Path

import pytest
from tests.conftest import waiting_for_legs
from tests.eval.recorded_extraction import MEASURES, measure_graphs
from tests.integration.ingestion_world import World

from interlace.evaluation.collection import load_collection
from interlace.evaluation.intervals import difference_interval
from interlace.settings import Settings

pytestmark = [pytest.mark.evaluation, pytest.mark.slow, pytest.mark.timeout(900)]

DOCUMENTS = 250


def test_both_graphs_together_are_no_worse_than_either(stack: Settings, eval_root: Path) -> None:
    """On a sample with every relevant document, because the whole collection takes too long here; `ops/benchmarks/recorded_extraction.py` measures that."""
    world = World(stack)
    try:
        found = measure_graphs(waiting_for_legs(stack), world, load_collection(eval_root / "musique"), DOCUMENTS)
    finally:
        world.close()
    for alone in ("spacy", "model"):
        for measure in MEASURES:
            assert difference_interval(found[alone][measure], found["both"][measure])[1] >= 0, (alone, measure)
    assert sum(found["both"]["recall@5"]) >= sum(found["spacy"]["recall@5"]) - 1
