"""Questions by metadata alone: no embedding is made, and what names and filters find comes from indexes."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World, source

from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import QueryRequest
from interlace.search.questions import QuestionSearch
from interlace.search.searches import Searches

GUIDE = "---\ntags: [guide/install]\nyear: 1911\n---\n# Crane Manual\n\nAbout.\n\n## Install\n\nBolt it.\n"
WINCH = "---\ntags: [guide]\nyear: 1950\n---\n# Winches\n\nA winch pulls.\n"


class Untouchable:
    """An embedder that no one may ask."""

    model = "bge-small-en-v1.5"
    dimensions = 384

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(f"chunks were embedded: {texts}")

    def embed_query(self, text: str) -> NDArray[np.float32]:
        raise AssertionError(f"a question was embedded: {text}")


@pytest.fixture
def questions(world: World) -> Iterator[QuestionSearch]:
    platform = world.platform
    made = Searches(
        platform.graph,
        platform.vectors,
        {Untouchable.model: Untouchable()},
        platform.entity_linkers,
        waiting_for_legs(platform.settings).query,
    )
    yield made.questions
    made.close()


@pytest.mark.parametrize("where", [None, Filter(must=(Condition("metadata.year", "lt", 2000),))])
def test_metadata_alone_never_asks_the_embedder(
    world: World, tenant: str, questions: QuestionSearch, where: Filter | None
) -> None:
    world.ingest(tenant, {"crane.md": GUIDE, "winch.md": WINCH})
    asked = QueryRequest("Crane Manual > Install #guide winches", mode="metadata_only", where=where)
    answer = questions.search(tenant, asked)
    assert {hit.title for hit in answer.hits} == {"Crane Manual", "Winches"}
    assert not answer.degraded
    assert answer.retrieval_mode == "metadata_only"
    assert answer.strategies == {"tags": ("prefix",), "paths": ("exact", "section")} | (
        {"filter": ("metadata.year",)} if where else {}
    )


@pytest.mark.vectors
def test_other_questions_do_ask_it(world: World, tenant: str, questions: QuestionSearch) -> None:
    world.ingest(tenant, {"winch.md": WINCH})
    with pytest.raises(AssertionError, match="was embedded"):
        questions.search(tenant, QueryRequest("winches", mode="vector_only"))


def test_what_only_the_filter_finds_follows_what_is_named(world: World, tenant: str, questions: QuestionSearch) -> None:
    world.ingest(tenant, {"a.md": WINCH, "b.md": GUIDE, "c.md": "# Bread\n\nWait.\n"})
    where = Filter(must=(Condition("tags", "prefix", "guide"),))
    answer = questions.search(tenant, QueryRequest("the crane manual", mode="metadata_only", where=where))
    assert [hit.title for hit in answer.hits] == ["Crane Manual", "Winches"]
    assert [bool(hit.legs) for hit in answer.hits] == [True, False]


def test_a_new_version_changes_what_filters_find_in_graph_and_index(
    world: World, tenant: str, questions: QuestionSearch
) -> None:
    world.ingest(tenant, {"crane.md": GUIDE})
    before = Filter(
        must=(Condition("metadata.year", "eq", 1911), Condition("checksum", "eq", source("", GUIDE).checksum))
    )
    after = Filter(must=(Condition("metadata.year", "eq", 1912), Condition("title", "prefix", "Crane")))

    def found(where: Filter) -> set[str]:
        chunks = {point.id for point in world.platform.vectors.scroll(tenant, "chunks", where=where)}
        answer = questions.search(tenant, QueryRequest("anything", mode="metadata_only", where=where))
        assert {hit.chunk_id for hit in answer.hits} <= chunks
        assert bool(answer.hits) == bool(chunks)
        return chunks

    whole = found(before)
    assert (bool(whole), found(after)) == (True, set())
    world.ingest(tenant, {"crane.md": GUIDE.replace("1911", "1912")})
    assert (found(before), found(after)) == (set(), whole)
