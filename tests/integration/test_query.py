"""Questions to the real stack: the second chunk of a chain is found, explained, filtered, and legs may fail alone."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.conftest import waiting_for_legs
from tests.support.memory_queue import MemoryQueue

from interlace.bootstrap import Platform
from interlace.domain.documents import Source
from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import LegName, Mode, QueryRequest
from interlace.ingestion.receiver import DocumentReceiver
from interlace.settings import QdrantSettings, Settings
from interlace.settings_objects import DefaultPolicy

TENANT = "query-test"
DOCUMENTS = {
    "ferry.md": "---\ntags: [boats]\nyear: 1911\n---\n# The Grey Ferry\n\nThe Grey Ferry is a silent film of 1911. It was directed by Orla Venning.\n",
    "venning.md": "---\ntags: [people]\nyear: 1880\n---\n# Orla Venning\n\nOrla Venning was a Danish director. She was born in Aalborg and married Knud Strand.\n",
    "strand.md": "---\ntags: [people]\nyear: 1875\n---\n# Knud Strand\n\nKnud Strand was a painter. He died in Viborg after a long illness.\n",
    "harbour.md": "---\ntags: [boats, places]\nyear: 1950\n---\n# Harbour notes\n\nFerries, tugs and cutters need paint. The grey one leaves at noon.\n",
    "museum.md": "---\ntags: [places]\nyear: 1921\n---\n# Halvorsen Museum of Art\n\nThe Halvorsen Museum of Art stands in Lund and was founded by Sigrid Moe.\n",
    "bread.md": "---\ntags: [food]\nyear: 1999\n---\n# Rye bread\n\nMix flour, water and salt. Wait a night, then bake for an hour.\n",
}


@pytest.fixture(scope="module")
def platform(stack: Settings) -> Iterator[Platform]:
    platform = Platform(waiting_for_legs(stack))
    queue = MemoryQueue()
    receiver = DocumentReceiver(platform.graph, queue, fingerprint=platform.fingerprint, batch_documents=10)
    receiver.receive(
        TENANT, [Source(f"notes/{name}", "text/markdown", text.encode()) for name, text in DOCUMENTS.items()]
    )
    for batch in queue.batches:
        assert len(platform.processor.process(TENANT, batch).written) == len(DOCUMENTS)
    platform.communities.refresh(TENANT)
    yield platform
    platform.close()


def test_a_chain_of_chunks_is_found_and_explained(platform: Platform, dense: frozenset[LegName]) -> None:
    answer = platform.questions.search(TENANT, QueryRequest("Whom did the director of The Grey Ferry marry?", limit=3))
    assert [hit.title for hit in answer.hits][:2] in (
        ["The Grey Ferry", "Orla Venning"],
        ["Orla Venning", "The Grey Ferry"],
    )
    venning = next(hit for hit in answer.hits if hit.title == "Orla Venning")
    assert venning.path[0].entity_name == "The Grey Ferry"
    assert any("directed by Orla Venning" in step.sentence for step in venning.path)
    assert {leg.leg for leg in venning.legs} >= {"graph", "keyword"} | dense
    assert not answer.degraded
    assert "The Grey Ferry" in answer.entities


@pytest.mark.parametrize(
    ("question", "meant", "title"),
    [
        ("Who founded the Halvorsen Museum?", "Halvorsen Museum of Art", "Halvorsen Museum of Art"),
        ("Who founded the Halvorson Museum?", "Halvorsen Museum of Art", "Halvorsen Museum of Art"),
        ("Whom did Orla Vening marry?", "Orla Venning", "Orla Venning"),
    ],
)
def test_names_in_part_or_misspelt_start_the_graph_leg(
    platform: Platform, question: str, meant: str, title: str
) -> None:
    answer = platform.questions.search(TENANT, QueryRequest(question))
    assert meant in answer.entities
    assert answer.hits[0].title == title
    assert platform.questions.search(TENANT, QueryRequest("Who founded the Nowhere Museum?")).entities == {}


@pytest.mark.parametrize(
    ("question", "linked", "mode", "answers"),
    [
        ("Whom did Orla Venning marry?", True, "auto", True),
        ("which painter died after a long illness", False, "auto", False),
        ("which painter died after a long illness", False, "hybrid", True),
    ],
)
def test_communities_answer_where_an_entity_is_linked_or_all_legs_are_asked_for(
    platform: Platform, question: str, mode: Mode, *, linked: bool, answers: bool
) -> None:
    answer = platform.questions.search(TENANT, QueryRequest(question, mode, explain=True))
    assert bool(answer.entities) == linked
    assert ("community" in answer.rankings) == answers
    assert answer.hits
    assert not answer.degraded


def test_long_runs_of_capitals_are_no_error(platform: Platform) -> None:
    letters = "Alpha Bravo Charlie Delta Foxtrot Hotel India Juliet Lima Mike Oscar Quebec Romeo Sierra Tango Victor"
    asked = QueryRequest(f'Who met {letters}, {letters.upper()} OR NOT AND {letters[::-1]} ~ "x"?')
    assert not platform.questions.search(TENANT, asked).degraded


def test_offsets_point_into_the_document(platform: Platform) -> None:
    (hit, *_) = platform.questions.search(TENANT, QueryRequest("Where did Knud Strand die?")).hits
    assert hit.title == "Knud Strand"
    assert hit.end - hit.start == len(hit.text)
    assert "Viborg" in hit.text


def test_the_shown_cypher_runs_and_shows_the_path(platform: Platform) -> None:
    from interlace.cypher_files import parse_query

    answer = platform.questions.search(TENANT, QueryRequest("Whom did the director of The Grey Ferry marry?"))
    header = "// Shown\n// mode: read\n// returns: length\n"
    for hit in answer.hits[:3]:
        counted = hit.cypher.replace("RETURN path", "RETURN length(path) AS length")
        assert platform.graph.run(parse_query("shown", header + counted))[0]["length"] >= 3


def test_the_same_question_gives_the_same_answer(platform: Platform) -> None:
    asked = QueryRequest("Who painted in Viborg?", explain=True)
    one, other = (platform.questions.search(TENANT, asked) for _ in range(2))
    assert (one.hits, one.rankings) == (other.hits, other.rankings)


@pytest.mark.parametrize(
    "mode", ["auto", "hybrid", "graph_only", pytest.param("vector_only", marks=pytest.mark.vectors), "keyword_only"]
)
@pytest.mark.parametrize(
    ("where", "titles"),
    [
        (Filter(must=(Condition("tags", "eq", "people"),)), {"Orla Venning", "Knud Strand"}),
        (Filter(must=(Condition("metadata.year", "lt", 1900),)), {"Orla Venning", "Knud Strand"}),
        (
            Filter(must_not=(Condition("source", "prefix", "notes/s"),)),
            {"The Grey Ferry", "Orla Venning", "Halvorsen Museum of Art", "Harbour notes", "Rye bread"},
        ),
    ],
)
def test_filters_hold_in_every_leg(platform: Platform, mode: str, where: Filter, titles: set[str]) -> None:
    asked = QueryRequest("Whom did Orla Venning of The Grey Ferry marry?", mode=mode, where=where)  # type: ignore[arg-type]
    found = {hit.title for hit in platform.questions.search(TENANT, asked).hits}
    assert found
    assert found <= titles


def test_other_tenants_see_nothing(platform: Platform) -> None:
    assert platform.questions.search("query-test-other", QueryRequest("Orla Venning")).hits == ()


def test_senseless_questions_are_refused(platform: Platform) -> None:
    for request in (
        QueryRequest("  "),
        QueryRequest("x" * 2001),
        QueryRequest("ok", limit=0),
        QueryRequest("ok", limit=1000),
    ):
        with pytest.raises(InvalidInputError):
            platform.questions.search(TENANT, request)


@pytest.mark.usefixtures("platform")
def test_without_the_vector_index_the_graph_answers(stack: Settings, dense: frozenset[LegName]) -> None:
    away = QdrantSettings(url="http://127.0.0.1:9", prefix=stack.qdrant.prefix)
    lonely = Platform(waiting_for_legs(stack).model_copy(update={"qdrant": away}))
    try:
        answer = lonely.questions.search(TENANT, QueryRequest("Whom did the director of The Grey Ferry marry?"))
    finally:
        lonely.close()
    assert set(answer.degraded) >= {"keyword"} | dense
    assert "Orla Venning" in [hit.title for hit in answer.hits]


def test_what_the_caller_leaves_out_has_no_part(platform: Platform, dense: frozenset[LegName]) -> None:
    question = "Whom did the director of The Grey Ferry marry?"
    whole = platform.questions.search(TENANT, QueryRequest(question, explain=True))
    less = platform.questions.search(
        TENANT, QueryRequest(question, explain=True, without=frozenset({"graph", "similarity"}))
    )
    assert {"graph", "keyword"} | dense <= set(whole.rankings)
    assert "graph" not in less.rankings
    assert less.weights["leg.graph"] == 0
    assert all(hit.path == () and hit.boosts["similarity"] == 0 for hit in less.hits)
    assert "Left out: graph, similarity." in less.retrieval_reason
    unstarted = platform.questions.search(
        TENANT, QueryRequest("Aalborg, rye flour and a winch?", without=frozenset({"first_stage"}))
    )
    started = platform.questions.search(TENANT, QueryRequest("Aalborg, rye flour and a winch?"))
    assert unstarted.effort["mentions"] < started.effort["mentions"]


def test_an_explained_hit_holds_what_moved_it(platform: Platform, dense: frozenset[LegName]) -> None:
    asked = QueryRequest("Whom did the director of The Grey Ferry marry?", limit=2, explain=True)
    answer = platform.questions.search(TENANT, asked)
    for hit in answer.hits:
        cosines = {"similarity", "question_similarity"} if dense else set()
        assert set(hit.figures) == {"rrf", "pagerank"} | cosines
        for leg in hit.legs:
            if leg.leg == "vector":  # compares the whole question as well
                assert hit.figures["question_similarity"] == pytest.approx(leg.score, abs=1e-4)
                assert hit.figures["question_similarity"] != pytest.approx(hit.figures["similarity"], abs=1e-4)
        assert hit.figures["rrf"] == pytest.approx(sum(leg.contribution for leg in hit.legs))
        assert hit.figures["pagerank"] == next(leg.score for leg in hit.legs if leg.leg == "graph")
        assert all(leg.contribution == pytest.approx(leg.weight / (60 + leg.rank)) for leg in hit.legs)
    plain = platform.questions.search(TENANT, replace(asked, explain=False))
    assert [hit.figures for hit in plain.hits] == [{}, {}]
    assert [hit.chunk_id for hit in plain.hits] == [hit.chunk_id for hit in answer.hits]


@pytest.mark.parametrize(
    ("triggers", "mode", "reason"),
    [
        ({"min_graph_hits": 1, "min_overlap": 0.2}, "graph_only", "no other leg ran"),
        ({"min_graph_hits": 1000, "min_overlap": 0.2}, "hybrid", "fewer than 1000, so all legs answered"),
        ({"min_graph_hits": 1, "min_graph_score": 1, "min_overlap": 0.2}, "hybrid", "less than 1, so all legs"),
        ({"min_graph_hits": 1, "min_source_coverage": 1, "min_overlap": 0.2}, "graph_only", "100% different"),
        ({"min_graph_hits": 1, "min_overlap": 0.9}, "hybrid", "of the question's words name known entities"),
    ],
)
def test_graph_first_escalates_when_a_trigger_fires(
    stack: Settings,
    platform: Platform,
    dense: frozenset[LegName],
    triggers: dict[str, float],
    mode: str,
    reason: str,
) -> None:
    first = Platform(waiting_for_legs(stack, policy=DefaultPolicy.model_validate({"first": "graph", **triggers})))
    asked = QueryRequest("Whom did the director of The Grey Ferry marry?", explain=True)
    try:
        answer = first.questions.search(TENANT, asked)
    finally:
        first.close()
    assert not answer.degraded
    assert answer.retrieval_mode == mode
    assert reason in answer.retrieval_reason
    others = {"keyword", "community"} | dense
    assert others & answer.rankings.keys() == (others if mode == "hybrid" else set())
    if mode == "hybrid":
        assert answer.hits == platform.questions.search(TENANT, asked).hits
