"""Tools and skills of a reader who is restricted to groups: by the facts and the evidence that the graph lets it see."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.collecting_graph import CollectingGraph

from interlace.domain.reader import reading
from interlace.search.tools.candidates import keywords_of, read_candidates
from interlace.search.tools.keywords import linked_keywords
from interlace.search.tools.skills import registered_skills
from interlace.search.tools.visible import expand_to_visible_tools

TENANT = "acme"
EVIDENCE = {
    "pdf": "title\tSkill\tpdf\t1",
    "fill": "declared\tTool\tfill_form\t1",
    "read": "declared\tTool\tread_scan\t1",
    "form": "declared\tConcept\tform\t2",
    "note": "title\t\tHabits\t1",
    "works": "ner\tOrganization\tScan Works\t1",
}
STATED = [
    ("pdf", "CONTAINS", "fill"),
    ("pdf", "CONTAINS", "read"),
    ("pdf", "CONTAINS", "gone"),
    ("pdf", "RELATED_TO", "form"),
    ("fill", "RELATED_TO", "form"),
    ("read", "DOCUMENTED_IN", "note"),
    ("fill", "DOCUMENTED_IN", "note"),
    ("read", "USES", "works"),
    ("fill", "USES", "works"),
    ("read", "MENTION", "form"),
]
NAMELESS = {"name": "", "type": "", "aliases": [], "keys": [], "confidence": 0.0, "mentions": 0}


def graph(**answers: Any) -> CollectingGraph:
    """Return a graph that answers for what is visible: the entity ``gone`` has no evidence left."""

    def evidence(*, ids: Sequence[str], **_: Any) -> list[Mapping[str, Any]]:
        return [
            {"id": each, "evidence": [EVIDENCE[each]], "mentions": 1, "chunks": 1, "documents": 1, "titled": False}
            for each in ids
            if each in EVIDENCE
        ]

    def relations(*, ids: Sequence[str], **_: Any) -> list[Mapping[str, Any]]:
        both = [(s, o, p, "out") for s, p, o in STATED] + [(o, s, p, "in") for s, p, o in STATED]
        names = ("via", "id", "predicate", "direction")
        rest = {"weight": 1, "documents": 1, "confidence": 1.0}
        return [{**dict(zip(names, row, strict=True)), **rest} for row in both if row[0] in ids]

    found = {"visibility/visible_evidence": evidence, "relations/visible_relations": relations}
    return CollectingGraph({**found, **answers})


def reached(seed: str, hub_cap: int = 9, limit: int = 9) -> set[tuple[str, int, str | None]]:
    rows = expand_to_visible_tools(graph(), tenant=TENANT, seeds=[seed], hub_cap=hub_cap, limit=limit)
    return {(row.tool, row.hops, row.via_name) for row in rows}


def test_names_lead_to_tools_over_what_visible_documents_state() -> None:
    assert reached("form") == {("fill", 1, None), ("fill", 2, "pdf"), ("read", 2, "pdf")}
    assert reached("pdf") == {("fill", 1, None), ("read", 1, None), ("fill", 2, "form")}
    # What both are documented in leads on, and what both use does not.
    assert reached("fill") == {("fill", 0, None), ("read", 2, "pdf"), ("read", 2, "Habits")}


def test_hubs_lead_nowhere_and_limits_hold() -> None:
    assert reached("form", hub_cap=3) == {("fill", 1, None)}
    assert reached("pdf", hub_cap=3) == set()
    assert reached("form", limit=1) == {("fill", 1, None), ("fill", 2, "pdf")}


def test_tools_are_described_by_what_is_visible() -> None:
    row = {"hit": "c1", "chunk": "c1", "text": "fill_form", "tool": "fill", "skill": "pdf", "document": "d1"}
    rest = {"sourceUri": "a/SKILL.md", "documents": ["d1"], "linked": []}
    rows = [{**row, **rest}, {**row, **rest, "chunk": "c2", "tool": "gone"}]
    with reading(lambda: ("press",)):
        found = read_candidates(graph(**{"tools/visible_tools": rows}), TENANT, chunks=["c1"], tools=())
    assert list(found.tools) == ["c1"]
    tool = found.tools["c1"]
    assert (tool.name, tool.skill_name, keywords_of(tool)) == ("fill_form", "pdf", {"form": "form"})


def test_keywords_are_what_visible_documents_declare() -> None:
    rows = [{"id": each, **NAMELESS} for each in ("form", "works", "gone")]
    with reading(lambda: ("press",)):
        found = linked_keywords(graph(**{"entities/entity_search": rows}), TENANT, "forms of Scan Works", ["form"])
    assert [(keyword.id, keyword.name, keyword.type) for keyword in found] == [("form", "form", "Concept")]


def test_skills_are_listed_until_there_are_enough_or_no_more() -> None:
    documents = [("note", "d0"), ("pdf", "d1"), ("pdf", "d2")]

    def skills(*, limit: int, after: str | None, **_: Any) -> Sequence[Mapping[str, Any]]:
        rows = [{"skill": skill, "document": document, "sourceUri": document} for skill, document in documents]
        return [row for row in rows if after is None or row["document"] > after][:limit]

    with reading(lambda: ("press",)):
        answering = graph(**{"tools/visible_skills": skills})
        (first,) = registered_skills(answering, TENANT, limit=1)
        rest = registered_skills(answering, TENANT, limit=9, after=first.document_id)
    assert (first.document_id, first.name, first.keywords, first.tools) == (
        "d1",
        "pdf",
        ("form",),
        ("fill_form", "read_scan"),
    )
    assert [each.document_id for each in rest] == ["d2"]
