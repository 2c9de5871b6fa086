"""Questions while the vector index is away: words are found by the graph's full-text index, in one tenant, by filters and for groups of readers."""

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World, source

from interlace.bootstrap import Platform
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import LegName, QueryRequest, QueryResponse
from interlace.domain.reader import reading
from interlace.search.searches import Searches
from interlace.settings import QdrantSettings

PAINTER = (
    "---\ntags: [people]\n---\n# Knud Strand\n\nKnud Strand was a painter. He died in Viborg after a long illness.\n"
)
DOCUMENTS = {
    "notes/strand.md": PAINTER,
    "notes/bread.md": "---\ntags: [food]\n---\n# Rye bread\n\nMix flour, water and salt. Wait a night, then bake for an hour.\n",
    "notes/harbour.md": "---\ntags: [places]\n---\n# Harbour\n\nThe painter of the ferry needs a long brush. Ferries leave at noon.\n",
    "notes/minutes.md": "# Minutes\n\nThe winter was long. It was agreed to wait.\n",
}
QUESTION = "which painter died after a long illness"


@pytest.fixture
def lonely(world: World, tenant: str) -> Iterator[Searches]:
    """Questions over some documents, one of them for the board alone, without a vector index."""
    world.receive(tenant, [source(uri, text) for uri, text in DOCUMENTS.items()])
    secret = PAINTER.replace("Knud Strand", "Elin Moe")
    world.receive(tenant, [source("board/moe.md", secret, access=["board"])])
    world.work()
    settings = waiting_for_legs(world.platform.settings)
    away = QdrantSettings(url="http://127.0.0.1:9", prefix=settings.qdrant.prefix)
    with closing(Platform(settings.model_copy(update={"qdrant": away}))) as platform:
        yield platform.searches


def asked(
    lonely: Searches, tenant: str, text: str, *legs: LegName, where: Filter | None = None, groups: Sequence[str] = ()
) -> QueryResponse:
    """Ask as a reader in some groups."""
    with reading(lambda: groups):
        return lonely.questions.search(tenant, QueryRequest(text, legs=legs or None, where=where))


def test_a_question_without_a_name_is_answered_by_its_words_and_says_what_is_missing(
    lonely: Searches, tenant: str, dense: frozenset[LegName]
) -> None:
    answer = asked(lonely, tenant, QUESTION)
    assert answer.entities == {}
    assert [hit.title for hit in answer.hits] == ["Knud Strand", "Harbour", "Minutes"]
    assert "keyword" in answer.retrieval_path
    assert set(answer.degraded) >= {"keyword"} | dense
    # Stems count among the candidates, and so do titles.
    assert asked(lonely, tenant, "ferries at the harbour", "keyword").hits[0].title == "Harbour"
    assert asked(lonely, tenant, "what AND or", "keyword").hits == ()


def test_only_what_the_reader_and_the_filter_allow_is_found(lonely: Searches, tenant: str) -> None:
    everybody = lonely.questions.search(tenant, QueryRequest(QUESTION, legs=("keyword",)))
    for answer in (everybody, asked(lonely, tenant, QUESTION, "keyword", groups=("board",))):
        assert {hit.title for hit in answer.hits} == {"Knud Strand", "Elin Moe", "Harbour", "Minutes"}
    places = Filter(must=(Condition("tags", "eq", "places"),))
    assert [hit.title for hit in asked(lonely, tenant, QUESTION, "keyword", where=places).hits] == ["Harbour"]
    assert asked(lonely, f"{tenant}-other", QUESTION, "keyword").hits == ()


def test_scores_are_as_if_what_is_hidden_were_not_there(world: World, lonely: Searches, tenant: str) -> None:
    before = asked(lonely, tenant, QUESTION, "keyword").hits
    world.delete(tenant, "board/moe.md")
    assert asked(lonely, tenant, QUESTION, "keyword").hits == before


def test_an_index_that_lost_the_chunks_is_named_until_they_are_written_again(
    world: World, tenant: str, dense: frozenset[LegName]
) -> None:
    platform, request = world.platform, QueryRequest(QUESTION, legs=("vector", "keyword", "community"))
    assert platform.questions.search(tenant, request).degraded == ()
    world.receive(tenant, [source(uri, text) for uri, text in DOCUMENTS.items()])
    world.work()
    assert platform.questions.search(tenant, request).degraded == ()
    platform.vectors.drop(tenant, "chunks")
    answer = platform.questions.search(tenant, request)
    assert set(answer.degraded) >= {"keyword"} | dense
    assert answer.hits[0].title == "Knud Strand"
    platform.vector_rebuild.rebuild(tenant)
    assert platform.questions.search(tenant, request).degraded == ()
