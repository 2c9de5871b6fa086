"""Questions by metadata alone: no embedding is made, and what names and filters find comes from indexes."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World, source

from interlace.documents.repository import DocumentRepository, DocumentSummary
from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import Hit, QueryRequest
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
    assert [hit.title for hit in answer.hits] == ["Crane Manual", "Winches", "Crane Manual"]
    assert [bool(hit.legs) for hit in answer.hits] == [True, False, False]


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


def dated(title: str, date: str) -> str:
    """Return a note of three chunks, modified on a day."""
    return f"---\ntags: [machine-learning]\nmodified_at: {date}\n---\n# {title}\n\nTop.\n\n## One\n\nFirst.\n\n## Two\n\nSecond.\n"


WITH_TAG = Filter(must=(Condition("tags", "eq", "machine-learning"),))


def test_every_chunk_that_matches_is_an_answer_and_no_question_is_needed(
    world: World, tenant: str, questions: QuestionSearch
) -> None:
    world.ingest(tenant, {f"{name}.md": dated(name, f"2024-0{number}-01") for number, name in enumerate("abcd", 1)})
    answer = questions.search(tenant, QueryRequest("", mode="metadata_only", where=WITH_TAG, limit=50))
    places = [(hit.source_uri, hit.position, hit.section) for hit in answer.hits]
    wanted = [(0, ""), (1, "One"), (2, "Two")]
    assert places == [(f"{name}.md", *place) for name in "abcd" for place in wanted]
    assert not answer.degraded


def test_hits_have_dates_and_are_sorted_by_them(world: World, tenant: str, questions: QuestionSearch) -> None:
    world.ingest(
        tenant, {"a.md": dated("A", "2023-05-01"), "b.md": dated("B", "2024-05-01"), "c.md": dated("C", "2022-05-01")}
    )
    hits: Sequence[Hit] = ()
    for sort, order in (("newest", "BAC"), ("oldest", "CAB")):
        for text in ("", "the first note"):
            asked = QueryRequest(text, mode="metadata_only", where=WITH_TAG, sort=sort, limit=50)  # type: ignore[arg-type]
            hits = questions.search(tenant, asked).hits
            assert list(dict.fromkeys(hit.title for hit in hits)) == list(order)
            assert [hit.rank for hit in hits] == list(range(1, 10))
    assert {hit.modified_at for hit in hits} == {f"{year}-05-01T00:00:00.000000Z" for year in (2022, 2023, 2024)}
    assert all(hit.indexed_at and hit.section_type == "body" for hit in hits)
    assert (
        questions.search(tenant, QueryRequest("", mode="metadata_only", where=WITH_TAG, sort="newest", limit=3))
        .hits[0]
        .title
        == "B"
    )


def test_documents_are_listed_by_time_in_pages(world: World, tenant: str) -> None:
    dates = {"a": "2023-05-01", "b": "2024-05-01", "c": "2022-05-01", "d": "2023-05-01"}
    world.ingest(tenant, {f"{name}.md": dated(name, date) for name, date in dates.items()})
    world.ingest(tenant, {"e.md": "# e\n\nWithout a date: its time is that of indexing.\n"})
    repository = DocumentRepository(world.platform.graph)
    for sort, order in (("newest", "eb(ad)c"), ("oldest", "c(ad)be")):
        found: list[DocumentSummary] = []
        while page := repository.list(
            tenant,
            sort=sort,  # type: ignore[arg-type]
            limit=2,
            after=found[-1].id if found else "",
            after_date=found[-1].dated if found else None,
        ):
            found += page
        titles = "".join(str(each.title) for each in found)
        assert titles in {order.replace("(ad)", pair) for pair in ("ad", "da")}
        assert [each.dated for each in found] == sorted((each.dated for each in found), reverse=sort == "newest")
    assert repository.list(tenant, sort="newest", tag="nothing") == []
    with pytest.raises(InvalidInputError, match="pending have no time yet"):
        repository.list(tenant, sort="newest", status="pending")


def test_the_place_of_a_chunk_is_a_field_of_filters(world: World, tenant: str, questions: QuestionSearch) -> None:
    world.ingest(tenant, {"a.md": dated("A", "2023-05-01"), "b.md": dated("B", "2024-05-01")})
    where = Filter(must=(Condition("chunk.position", "gte", 1), Condition("title", "eq", "A")))
    answer = questions.search(tenant, QueryRequest("", mode="metadata_only", where=where))
    assert [(hit.title, hit.position) for hit in answer.hits] == [("A", 1), ("A", 2)]
    points = world.platform.vectors.scroll(tenant, "chunks", where=where)
    assert {point.id for point in points} == {hit.chunk_id for hit in answer.hits}
    found = questions.search(tenant, QueryRequest("first second top", mode="keyword_only", where=where)).hits
    assert {hit.chunk_id for hit in found} == {hit.chunk_id for hit in answer.hits}


def test_a_tag_of_several_words_is_found_by_plain_words(world: World, tenant: str, questions: QuestionSearch) -> None:
    world.ingest(tenant, {"a.md": dated("Nets", "2023-05-01"), "b.md": WINCH})
    hits = questions.search(tenant, QueryRequest("what is said of machine learning here", mode="metadata_only")).hits
    assert [hit.title for hit in hits] == ["Nets"]
    assert [leg.leg for leg in hits[0].legs] == ["tags"]


@pytest.mark.parametrize(
    ("tag", "question"),
    [
        ("Übersicht", "Wo ist die Übersicht?"),
        ("größe/straße", "Nach welcher Größe wird gefragt?"),
        ("機械学習", "機械学習とは何ですか"),
        ("node.js", "what is there about #Node.js"),
        ("C++", "which notes are on C++?"),
        ("v2.0", "what changed in v2.0, and why"),
        ("state-of-the-art", "what is the state of the art here"),
        ("lang/c#/async", "what is said of #lang/c#"),
    ],
)
def test_a_tag_with_signs_or_many_words_is_found_by_questions_and_filters(
    world: World, tenant: str, questions: QuestionSearch, tag: str, question: str
) -> None:
    world.ingest(tenant, {"a.md": f"---\ntags: ['{tag}']\n---\n# Nets\n\nText.\n", "b.md": WINCH})
    (hit,) = questions.search(tenant, QueryRequest(question, mode="metadata_only")).hits
    assert (hit.title, [leg.leg for leg in hit.legs]) == ("Nets", ["tags"])
    for value, found in ((tag.lower(), {hit.chunk_id}), (tag.upper() + "!", set[str]())):
        where = Filter(must=(Condition("tags", "eq", value),))
        answer = questions.search(tenant, QueryRequest("", mode="metadata_only", where=where))
        assert {each.chunk_id for each in answer.hits} == found
        assert {point.id for point in world.platform.vectors.scroll(tenant, "chunks", where=where)} == found


def test_without_question_and_filter_there_is_no_answer(tenant: str, questions: QuestionSearch) -> None:
    for request in (QueryRequest("", mode="metadata_only"), QueryRequest("", mode="keyword_only", where=WITH_TAG)):
        with pytest.raises(InvalidInputError, match="empty"):
            questions.search(tenant, request)
