"""The marks that retrieval must reach, through the real stack and the ordinary pipeline. Figures stand in docs/evaluation.md.

A baseline in ``baselines/`` is what ``interlace eval FOLDER --questions`` wrote, of which only the fused list is kept.
"""

from pathlib import Path

import pytest
from tests.conftest import waiting_for_legs
from tests.eval.shared_corpus import chunks_of, ingest

from interlace.bootstrap import Platform
from interlace.cli.commands.evaluate import evaluation_session
from interlace.evaluation.collection import load_collection
from interlace.evaluation.guard import read_baseline, shortfalls
from interlace.evaluation.session import RunOptions
from interlace.settings import Settings

pytestmark = [pytest.mark.evaluation, pytest.mark.slow, pytest.mark.timeout(1500)]

BASELINES = Path(__file__).parent / "baselines"
# Recall@5 in percent that the graph leg, the dense leg and the fused list must reach; the latter also answers to its baseline and to its legs, where one
# question's noise is forgiven.
MARKS = {"hotpotqa": (90.0, 88.0, 98.0), "musique": (70.0, 62.0, 83.0)}
# The collection that other tests use too.
SHARED = "hotpotqa"
MIN_AGREEMENT = 99.0


@pytest.mark.vectors
@pytest.mark.parametrize("name", sorted(MARKS))
def test_retrieval_reaches_its_marks(name: str, full_stack: Settings, eval_root: Path) -> None:
    """One test a collection, because each may begin with an ingestion of minutes."""
    collection = load_collection(eval_root / name)
    platform = Platform(waiting_for_legs(full_stack).model_copy(update={"tenant": collection.tenant}))
    try:
        if name == SHARED:
            ingest(platform, collection.tenant, chunks_of(collection), fresh=True)
        options = RunOptions(keep=True, reuse=name == SHARED, exact_agreement=True)
        result = evaluation_session(platform).run(collection, options)
    finally:
        platform.close()
    measures = result.measures
    found = tuple(measures[leg]["recall@5"] for leg in ("graph", "vector", "fused"))
    assert all(value >= mark for value, mark in zip(found, MARKS[name], strict=True)), found
    assert shortfalls(name, result.rows(), read_baseline(BASELINES / f"{name}.jsonl")) == []
    assert result.agreement is not None
    assert result.agreement >= MIN_AGREEMENT
