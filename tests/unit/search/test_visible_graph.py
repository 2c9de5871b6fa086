"""A question of a reader who is restricted to groups: entities, ranks and paths by what visible documents say."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.contract.fakes_vectors import FakeVectorIndex
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import ForbiddenError
from interlace.domain.hits import QueryRequest
from interlace.domain.reader import reading
from interlace.entities.linker import EntityLinkers
from interlace.search.searches import Searches
from interlace.settings import QuerySettings

TENANT = "acme"
CHUNK = {
    "id": "c1",
    "text": "Mira Quill keeps the ledger.",
    "context": "Harbour",
    "start": 0,
    "end": 28,
    "position": 0,
    "sectionType": "body",
    "section": "",
    "document": {"id": "d1", "title": "Harbour", "sourceUri": "a.md"},
}
EVIDENCE = {
    "mira": ["ner\tPerson\tMira Quill\t3"],
    "works": ["ner\tOrganization\tQuill Works\t2"],
}


@pytest.fixture
def graph() -> CollectingGraph:
    def evidence(*, ids: list[str], **_: object) -> list[dict[str, object]]:
        return [
            {"id": each, "evidence": EVIDENCE[each], "mentions": 2, "chunks": 2, "documents": 1, "titled": False}
            for each in ids
        ]

    def mentions(*, pairs: list[dict[str, str]], **_: object) -> list[dict[str, object]]:
        return [{**pair, "text": CHUNK["text"], "title": "Harbour", "offset": 0} for pair in pairs]

    def aliases(*, searches: list[str], **_: object) -> list[dict[str, object]]:
        nothing = {"name": "", "type": "", "keys": [], "degree": 0, "titled": False}
        return [{"search": each, "id": "works", **nothing} for each in searches]

    return CollectingGraph(
        {
            "gazetteer/gazetteer_version": [
                {"version": 1, "revision": "e:1", "chunks": 12, "models": [], "model": None}
            ],
            "gazetteer/all_entity_keys": [{"id": "mira", "keys": ["mira quill", "the whisperer"]}],
            "visibility/visible_evidence": evidence,
            "gazetteer/partial_aliases": aliases,
            "visibility/hidden_chunks": [{"chunks": 4}],
            "expansion/reach_visible": [
                {"entity": "mira", "degree": None, "mentions": [["c1", "ner", None, 1, "ledger"]]},
                {"entity": "works", "degree": None, "mentions": [["c1", "ner", None, 1, "ledger"]]},
            ],
            "visibility/visible_degrees": [{"id": "works", "degree": 2}],
            "expansion/bridge_visible": [
                {"entity": "works", "mentions": [["c1", "ner", None, 1, None], ["c2", "ner", None, 1, None]]}
            ],
            "mentions/path_mentions": mentions,
            "chunks/hydrate_chunks": [CHUNK, {**CHUNK, "id": "c2"}],
        }
    )


@contextmanager
def searches(graph: CollectingGraph) -> Iterator[Searches]:
    """Searches on behalf of a reader of one group."""
    opened = Searches(graph, FakeVectorIndex(), {}, EntityLinkers(graph), QuerySettings(leg_timeout=60))
    try:
        with reading(lambda: ("press",)):
            yield opened
    finally:
        opened.close()


def test_the_graph_answers_by_visible_mentions_and_names(graph: CollectingGraph) -> None:
    with searches(graph) as asking:
        answer = asking.questions.search(TENANT, QueryRequest("What does Mira Quill keep?", "graph_only"))
    # The second name is no entity of the question.
    assert {hit.chunk_id: [(step.entity_name, step.chunk_id) for step in hit.path] for hit in answer.hits} == {
        "c1": [("Mira Quill", "c1")],
        "c2": [("Mira Quill", "c1"), ("Quill Works", "c1"), ("Quill Works", "c2")],
    }
    assert answer.entities == {"Mira Quill": round(math.log(1 + (12 - 4) / 2), 4)}
    (first,) = graph.params_of("expansion/reach_visible")
    assert first["seeds"] == [{"id": "mira", "degree": 2}]
    ran = {name for name, _ in graph.ran}
    assert not ran & {"expansion/expand_entities", "entities/describe_entities"}


def test_what_only_a_hidden_document_says_names_nothing(graph: CollectingGraph) -> None:
    with searches(graph) as asking:
        answer = asking.questions.search(TENANT, QueryRequest("What does The Whisperer keep?", "graph_only"))
    assert answer.entities == {}


def test_a_name_in_part_is_one_of_visible_names(graph: CollectingGraph) -> None:
    with searches(graph) as asking:
        answer = asking.questions.search(TENANT, QueryRequest("Who founded Quil Works?", "graph_only"))
        nothing = asking.questions.search(TENANT, QueryRequest("Who founded Hidden Works?", "graph_only"))
    assert list(answer.entities) == ["Quill Works"]
    assert nothing.entities == {}


def test_communities_are_left_out_and_refused_alone(graph: CollectingGraph) -> None:
    with searches(graph) as asking:
        answer = asking.questions.search(TENANT, QueryRequest("What does Mira Quill keep?"))
        assert "Left out: community." in answer.retrieval_reason
        with pytest.raises(ForbiddenError):
            asking.questions.search(TENANT, QueryRequest("What does Mira Quill keep?", legs=("community",)))
