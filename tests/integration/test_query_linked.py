"""Links between documents move their chunks: on real servers, from notes that link to each other to the explained answer."""

from collections.abc import Sequence

import pytest
from tests.integration.ingestion_world import World

from interlace.domain.hits import Hit, LegName, Mode, QueryRequest
from interlace.domain.ids import document_id
from interlace.search.profile import LinkProfile
from interlace.search.proximity import read_links
from interlace.search.questions import QuestionSearch

QUESTION = "Which valve of the pump is drained in winter?"
HUB = "# Pump\n\nThe valve of the pump is drained in winter: [see]({}).\n"
STORAGE = "# Storage\n\nOver winter the barrels stand in the shed.\n"
FIRST, SECOND = "notes/a.md", "notes/b.md"


@pytest.fixture
def questions(world: World) -> QuestionSearch:
    return world.platform.questions


def storage(hits: Sequence[Hit]) -> list[str]:
    return [hit.source_uri for hit in hits if hit.title == "Storage"]


def ask(questions: QuestionSearch, tenant: str, *without: str, mode: Mode = "auto") -> tuple[Hit, ...]:
    asked = QueryRequest(QUESTION, mode, explain=True, without=frozenset(without))  # type: ignore[arg-type]
    answer = questions.search(tenant, asked)
    assert not answer.degraded
    assert ("proximity" in answer.timings) == (not without and mode == "auto")
    return answer.hits


def test_a_linked_chunk_rises_over_an_equal_one(
    world: World, tenant: str, questions: QuestionSearch, dense: frozenset[LegName]
) -> None:
    world.ingest(tenant, {"notes/pump.md": HUB.format("nowhere.md"), FIRST: STORAGE, SECOND: STORAGE})
    unlinked = ask(questions, tenant)
    higher, lower = storage(unlinked)
    assert {hit.boosts["proximity"] for hit in unlinked} == {0}
    assert [hit.linked_with for hit in unlinked] == [None] * 3
    assert all("nearness" not in hit.figures for hit in unlinked)

    world.ingest(tenant, {"notes/pump.md": HUB.format(lower.removeprefix("notes/"))})
    hits = ask(questions, tenant)
    assert storage(hits) == [lower, higher]
    pump = next(hit for hit in hits if hit.title == "Pump")
    risen = next(hit for hit in hits if hit.source_uri == lower)
    assert risen.linked_with is not None
    assert (risen.linked_with.chunk_id, risen.linked_with.title) == (pump.chunk_id, "Pump")
    assert risen.linked_with.document_id == document_id(tenant, "notes/pump.md")
    assert risen.figures["nearness"] == 1
    assert risen.boosts["proximity"] == pytest.approx(0.405, abs=0.001), "ln(1 + 0.5 · 1 · 1)"
    assert pump.linked_with is not None
    assert pump.linked_with.chunk_id == risen.chunk_id
    assert pump.figures["nearness"] == pytest.approx(1 / 3)
    assert storage(ask(questions, tenant, "proximity")) == [higher, lower]
    if dense:
        assert storage(ask(questions, tenant, mode="vector_only")) == [higher, lower]


def test_the_links_that_were_read_are_counted_as_work(world: World, tenant: str, questions: QuestionSearch) -> None:
    world.ingest(tenant, {"notes/pump.md": HUB.format("a.md"), FIRST: STORAGE, SECOND: STORAGE})
    whole = questions.search(tenant, QueryRequest(QUESTION)).effort
    less = questions.search(tenant, QueryRequest(QUESTION, without=frozenset({"proximity"}))).effort
    assert (whole["links"], less["links"]) == (1, 0)
    assert whole["candidates"] == less["candidates"] + 1
    assert whole["lambda"] > less["lambda"]


def test_a_hub_is_linked_from_the_other_ends(world: World, tenant: str, questions: QuestionSearch) -> None:
    leaves = [f"leaf{number}.md" for number in range(4)]
    hub = "# Hub\n\n" + " ".join(f"[one]({leaf})" for leaf in leaves) + "\n"
    back = "# Back\n\n" + " ".join(f"[one]({leaf})" for leaf in [*leaves, "hub.md"]) + "\n"
    world.ingest(
        tenant, {"hub.md": hub, "back.md": back, **dict.fromkeys(leaves, "# Leaf\n\nA leaf, see [it](hub.md).\n")}
    )
    chunks = [hit.chunk_id for hit in questions.search(tenant, QueryRequest("leaf hub back one")).hits]
    ids = {uri: document_id(tenant, uri) for uri in ("hub.md", "back.md", *leaves)}
    graph = world.platform.graph

    def pairs(fan_out: int, among: Sequence[str]) -> set[tuple[str, ...]]:
        found = read_links(graph, tenant, among, LinkProfile(fan_out=fan_out), timeout=30)
        assert set(found.documents.values()) <= set(ids.values())
        return {tuple(sorted(uri for uri in ids if ids[uri] in ends)) for ends in found.pairs}

    everything = {("back.md", "hub.md")} | {(name, leaf) for name in ("back.md", "hub.md") for leaf in leaves}
    assert pairs(10, chunks) == everything
    # From the hub lead four links and to it five, from Back five; a leaf has two and one.
    assert pairs(2, chunks) == everything - {("back.md", "hub.md")}
    assert pairs(10, [*chunks[:1], "unknown"]) == set()
    assert pairs(10, []) == set()
