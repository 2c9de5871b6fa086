"""The whole way with embeddings of a service: documents are ingested, questions answered, and a lost index made again."""

from collections.abc import Iterator

import pytest
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World
from tests.support.recorded_provider import DOWN, RecordedProvider

from interlace.domain.hits import QueryRequest, QueryResponse
from interlace.ports.vectors import windows_of
from interlace.settings import EmbeddingSettings, LlmSettings, Settings

pytestmark = pytest.mark.vectors

DOCUMENTS = {
    "ferry.md": "# The Grey Ferry\n\nThe Grey Ferry is a silent film. It was directed by Orla Venning.\n",
    "bread.md": "# Rye bread\n\nMix flour, water and salt. Wait a night, then bake for an hour.\n",
}
QUESTION = "rye flour and salt"


@pytest.fixture
def provider() -> Iterator[RecordedProvider]:
    with RecordedProvider(lambda _: "{}") as started:
        yield started


@pytest.fixture
def served(stack: Settings, world: World, provider: RecordedProvider) -> Iterator[World]:
    changes = {
        "llm": LlmSettings(url=provider.url, api_key="k"),
        "embedding": EmbeddingSettings(model="served", service="openai/recorded"),
    }
    made = World(waiting_for_legs(stack).model_copy(update=changes))
    vars(made.platform)["extractor"] = world.platform.extractor
    yield made
    made.close()


def found(world: World, tenant: str) -> list[str]:
    return [hit.source_uri for hit in ask(world, tenant).hits]


def ask(world: World, tenant: str) -> QueryResponse:
    return world.platform.questions.search(tenant, QueryRequest(QUESTION, legs=("vector",)))


def test_a_service_embeds_documents_and_questions_and_a_lost_index(
    served: World, provider: RecordedProvider, tenant: str
) -> None:
    served.ingest(tenant, DOCUMENTS)
    assert provider.embedding_batches
    assert {name for dense, _, _ in served.points(tenant).values() for name in dense} == {
        "served",
        windows_of("served"),
    }
    expected = found(served, tenant)
    assert expected[0] == "bread.md"
    served.platform.vectors.drop(tenant, "chunks")
    report = served.platform.vector_rebuild.rebuild(tenant)
    assert report.complete
    assert found(served, tenant) == expected
    provider.always = DOWN
    assert "vector" in ask(served, tenant).degraded
    provider.always = None
    assert found(served, tenant) == expected
