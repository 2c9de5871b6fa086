"""Entities as visible documents make them: names, types and relations follow from the rows that the graph lets a reader see."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import NotFoundError
from interlace.domain.reader import reading
from interlace.entities.linker import EntityLinkers
from interlace.entities.repository import EntityRepository
from interlace.entities.traversal import EntityTraversal, RelationFilter
from interlace.entities.visible import visible_entities, visible_links

HIDDEN = "Whisper"
STATE: dict[str, Any] = {"version": 1, "revision": None, "chunks": 9, "models": [], "model": None}
EVIDENCE = {
    "mira": ["ner\tPerson\tMira Quill\t3", "alias\tPerson\tMQ\t1"],
    "port": ["ner\tPlace\tPort Ellery\t1"],
    "works": ["ner\tOrganization\tQuill Works\t2"],
}
RELATIONS = [
    ("mira", "port", "LIVE_IN", "out", 1, 0.914),
    ("mira", "works", "FOUND", "out", 2, 0.5),
    ("mira", "works", "LEAVE", "in", 1, 0.8),
    ("mira", "gone", "KNOW", "out", 9, 0.9),
]


def graph(**answers: Any) -> CollectingGraph:
    """Return a graph that answers for what is visible, and gives no names, as to a reader who is restricted to groups."""

    def evidence(*, ids: Sequence[str], **_: Any) -> list[Mapping[str, Any]]:
        return [
            {"id": each, "evidence": EVIDENCE[each], "mentions": 2, "chunks": 2, "documents": 1, "titled": False}
            for each in ids
            if each in EVIDENCE
        ]

    def relations(*, ids: Sequence[str], **_: Any) -> list[Mapping[str, Any]]:
        names = ("via", "id", "predicate", "direction", "weight", "confidence")
        rows = [dict(zip(names, row, strict=True)) for row in RELATIONS if row[0] in ids]
        return [{**row, "documents": 1} for row in rows]

    def searched(**_: Any) -> list[Mapping[str, Any]]:
        nothing = {"name": "", "type": "", "aliases": [], "keys": [], "confidence": 0.0, "mentions": 0}
        return [{"id": each, **nothing} for each in (*EVIDENCE, "gone")]

    return CollectingGraph(
        {
            "visibility/visible_evidence": evidence,
            "relations/visible_relations": relations,
            "entities/entity_search": searched,
            **answers,
        }
    )


def test_names_and_types_are_those_that_visible_documents_give() -> None:
    known = visible_entities(graph(), "acme", ["mira", "gone"])
    assert known.keys() == {"mira"}
    state = known["mira"].state
    assert (state.name, state.type, state.aliases) == ("Mira Quill", "Person", ("MQ",))


def test_a_hidden_alias_shadows_no_visible_one() -> None:
    # A hidden document calls the works "Port Ellery Crane"; to all together the question names them, and not the port.
    keys = [{"id": "port", "keys": ["port ellery"]}, {"id": "works", "keys": ["quill works", "port ellery crane"]}]
    answering = graph(**{"gazetteer/all_entity_keys": keys, "gazetteer/gazetteer_version": [STATE]})
    linker = EntityLinkers(answering).current("acme")
    question = "Who built the Port Ellery Crane?"
    assert [match.entities for match in linker.find(question)] == [("works",)]
    known = visible_entities(answering, "acme", linker.mentionable(question))
    matches = visible_links(question, known)
    assert [(question[match.start : match.end], match.entities) for match in matches] == [("Port Ellery", ("port",))]
    assert known["port"].state.name == "Port Ellery"


def test_a_search_finds_by_visible_names_alone() -> None:
    with reading(lambda: ("press",)):
        repository = EntityRepository(graph())
        assert [each.entity.id for each in repository.search("acme", "Mira Quil").matches] == ["mira", "works"]
        assert [each.entity.id for each in repository.search("acme", "elery").matches] == ["port"]
        assert repository.search("acme", HIDDEN).matches == ()
        assert [each.entity.id for each in repository.search("acme", "quill", types=["Person"]).matches] == ["mira"]


def test_neighbours_are_counted_from_visible_facts() -> None:
    with reading(lambda: ("press",)):
        found = EntityTraversal(graph()).neighbors("acme", "mira")
        assert [(each.id, each.name, each.type, each.weight) for each in found] == [
            ("works", "Quill Works", "Organization", 3),
            ("port", "Port Ellery", "Place", 1),
        ]
        assert [(each.predicate, each.direction) for each in found[0].relations] == [("FOUND", "out"), ("LEAVE", "in")]
        assert found[1].relations[0].confidence == 0.91


@pytest.mark.parametrize(
    ("where", "types", "expected"),
    [
        (RelationFilter("in"), (), ["works"]),
        (RelationFilter(predicates=("LIVE_IN",)), (), ["port"]),
        (RelationFilter(min_confidence=0.85), (), ["port"]),
        (RelationFilter(), ("Place",), ["port"]),
    ],
)
def test_filters_look_at_what_is_visible(where: RelationFilter, types: Sequence[str], expected: list[str]) -> None:
    with reading(lambda: ()):
        found = EntityTraversal(graph()).neighbors("acme", "mira", where=where, types=types)
    assert [each.id for each in found] == expected


def test_an_entity_without_visible_evidence_does_not_exist() -> None:
    nothing = {"name": "", "type": "", "aliases": [], "confidence": 0.0, "about": [], "communities": []}
    counts = {"mentions": 0, "chunks": 0, "documents": 0, "facts": 0}
    detail = graph(**{"entities/entity_detail": [{"id": "gone", **nothing, **counts}]})
    with reading(lambda: ()), pytest.raises(NotFoundError):
        EntityRepository(detail).get("acme", "gone")
