"""The marks that retrieval must reach, through the real stack and the ordinary pipeline. Figures stand in docs/evaluation.md.

A baseline in ``baselines/`` is a report of ``interlace eval FOLDER --json``, of which only the fused measures are kept.
"""

from pathlib import Path

import pytest

from interlace.bootstrap import Platform
from interlace.cli.evaluate import run_collection
from interlace.evaluation.collection import load_collection
from interlace.evaluation.guard import read_baseline, shortfalls
from interlace.settings import Settings

pytestmark = [pytest.mark.evaluation, pytest.mark.slow, pytest.mark.timeout(1500)]

BASELINES = Path(__file__).parent / "baselines"
# Recall@5 in percent that the graph leg and the dense leg must reach; the fused list answers to its baseline and to its legs.
MARKS = {"hotpotqa": (90.0, 88.0), "musique": (70.0, 62.0)}
LEAST_AGREEMENT = 99.0


@pytest.mark.parametrize("name", sorted(MARKS))
def test_retrieval_reaches_its_marks(name: str, full_stack: Settings, eval_root: Path) -> None:
    """One test a collection, because each begins with an ingestion of minutes."""
    collection = load_collection(eval_root / name)
    platform = Platform(full_stack.model_copy(update={"tenant": collection.tenant}))
    try:
        result = run_collection(platform, collection, exact_agreement=True)
    finally:
        platform.close()
    measures = result.measures
    found = tuple(measures[leg]["recall@5"] for leg in ("graph", "vector"))
    assert all(value >= mark for value, mark in zip(found, MARKS[name], strict=True)), found
    assert shortfalls(name, measures, read_baseline(BASELINES / f"{name}.json", name)) == []
    assert result.agreement is not None
    assert result.agreement >= LEAST_AGREEMENT
