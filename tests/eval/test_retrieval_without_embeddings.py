"""The mark that retrieval must reach where there are no embeddings, on the collection that has the marks with them, too."""

from pathlib import Path

import pytest
from tests.conftest import waiting_for_legs
from tests.eval.shared_corpus import chunks_of
from tests.integration.ingestion_world import World

from interlace.cli.commands.evaluate import evaluation_session
from interlace.evaluation.collection import load_collection
from interlace.evaluation.guard import shortfalls
from interlace.evaluation.session import RunOptions
from interlace.settings import EmbeddingSettings, Settings

pytestmark = [pytest.mark.evaluation, pytest.mark.slow, pytest.mark.timeout(1500)]

COLLECTION = "hotpotqa"
# Recall@5 in percent that the fused list must reach where there are no embeddings.
WITHOUT_EMBEDDINGS = 88.0


def test_without_embeddings_retrieval_reaches_its_mark(stack: Settings, eval_root: Path) -> None:
    """In this process, because the shared stack's workers embed."""
    collection = load_collection(eval_root / COLLECTION)
    world = World(waiting_for_legs(stack).model_copy(update={"embedding": EmbeddingSettings(enabled=False)}))
    try:
        chunks = chunks_of(collection)
        world.receive(collection.tenant, chunks)
        assert sum(len(outcome.written) for outcome in world.work()) == len(chunks)
        world.platform.communities.refresh(collection.tenant)
        result = evaluation_session(world.platform).run(collection, RunOptions(reuse=True))
    finally:
        world.clear(collection.tenant)
        world.close()
    measures = result.measures
    assert set(measures) == {"keyword", "graph", "community", "paths", "fused"}
    assert measures["fused"]["recall@5"] >= WITHOUT_EMBEDDINGS, measures
    assert shortfalls(collection.name, result.rows()) == []
