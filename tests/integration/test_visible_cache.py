"""What is kept for readers of groups answers as the graph does, and not once after a change of a document or of its groups."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World, source

from interlace.domain.hits import QueryRequest, QueryResponse
from interlace.domain.ids import document_id, entity_id
from interlace.domain.reader import reading
from interlace.entities.normalization import normalize_name
from interlace.entities.repository import EntityRepository
from interlace.ingestion.labelling import LabelChange
from interlace.ports.graph import Query, Row
from interlace.queries.expansion import reach_visible
from interlace.queries.visibility import visible_degrees
from interlace.settings import Settings

pytestmark = pytest.mark.stack
QUESTION = "Where does Mira Quill of Quill Works keep the ledger of Port Ellery?"
TEXT = (
    "# Harbour\n\nMira Quill of Quill Works keeps the ledger in Port Ellery. Mira Quill and Ben Stone live in Oslo.\n"
)
OTHER = "# Crane\n\nMira Quill of Quill Works sold the crane in Port Ellery to Ada Lang, who lives in Oslo.\n"
COUNTED = {"visibility/visible_evidence", "visibility/visible_degrees", "visibility/hidden_chunks"}


@pytest.fixture
def world(stack: Settings) -> Iterator[World]:
    with closing(World(waiting_for_legs(stack))) as opened:
        yield opened


def ask(world: World, tenant: str, *groups: str) -> QueryResponse:
    with reading(lambda: groups):
        answer = world.platform.questions.search(tenant, QueryRequest(QUESTION, explain=True))
    assert answer.degraded == ()
    return answer


def seen_of(answer: QueryResponse) -> Any:
    """Return what an answer shows of hits and entities."""
    return answer.entities, [(hit.chunk_id, hit.score, hit.path, hit.boosts) for hit in answer.hits]


def ask_until_kept(world: World, tenant: str, *groups: str) -> QueryResponse:
    """Ask, wait until something may be kept, and ask once more, which keeps it."""
    ask(world, tenant, *groups)
    world.platform.visible_cache.wait()
    return ask(world, tenant, *groups)


def keep_to(world: World, tenant: str, uri: str, *groups: str) -> None:
    world.platform.labels.change(tenant, [document_id(tenant, uri)], LabelChange(access=groups))


def notes_queries(world: World, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that takes the name of each query of the graph from now on."""
    graph, ran = world.platform.graph, list[str]()
    run = graph.run

    def noted(query: Query, /, **given: Any) -> list[Row]:
        ran.append(query.name)
        return run(query, **given)

    monkeypatch.setattr(graph, "run", noted)
    return ran


def test_a_question_asked_again_counts_nothing_and_answers_alike(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.receive(tenant, [source("a.md", TEXT, access=["press"]), source("b.md", OTHER, access=["board"])])
    world.work()
    first = ask_until_kept(world, tenant, "press")
    ran = notes_queries(world, monkeypatch)
    again = ask(world, tenant, "press")
    assert "expansion/reach_visible" in ran
    assert not COUNTED & set(ran)
    assert {hit.source_uri for hit in again.hits} == {"a.md"}
    assert any(hit.path for hit in again.hits)
    assert seen_of(first) == seen_of(again)
    # Others of the same tenant are answered of what they may see.
    assert {hit.source_uri for hit in ask(world, tenant, "board").hits} == {"b.md"}
    assert set(ran) >= COUNTED


def test_a_degree_that_the_expansion_knows_is_not_counted_again(world: World, tenant: str) -> None:
    world.receive(tenant, [source("a.md", TEXT, access=["press"]), source("b.md", OTHER, access=["board"])])
    world.work()
    graph = world.platform.graph
    mira = entity_id(tenant, normalize_name("Mira Quill"))
    with reading(lambda: ["press"]):
        rows = reach_visible(
            graph,
            tenant=tenant,
            seeds=[{"id": mira, "degree": 1}],
            chunks=[],
            chunks_per_entity=10,
            seed_cap=10,
            filter=None,
        )
        ids = [row.entity for row in rows]
        counted = {row.id: row.degree for row in visible_degrees(graph, tenant=tenant, ids=ids, max_degree=100)}
    known = {row.entity: row.degree for row in rows}
    # A hidden document names her too, and no one else names him.
    assert known[mira] is None
    assert known[entity_id(tenant, normalize_name("Ben Stone"))] == 1
    assert {each: degree for each, degree in known.items() if degree is not None}.items() <= counted.items()


def test_a_page_asked_again_counts_no_facts_until_a_document_changes(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.receive(tenant, [source("a.md", TEXT, access=["press"]), source("b.md", OTHER, access=["board"])])
    world.work()
    ran = notes_queries(world, monkeypatch)
    cache = world.platform.visible_cache
    identity = entity_id(tenant, normalize_name("Mira Quill"))

    def facts(*groups: str) -> int:
        with reading(lambda: groups):
            repository = EntityRepository(world.platform.graph, cache=cache)
            repository.get(tenant, identity)
            cache.wait()
            page = repository.get(tenant, identity)
            ran.clear()
            assert repository.get(tenant, identity) == page
        assert "entities/entity_detail" in ran
        assert not {"visibility/visible_facts", "visibility/visible_evidence"} & set(ran)
        return page.facts

    press, board = facts("press"), facts("board")
    assert (press > 0, board > 0) == (True, True)
    assert facts("press", "board") == press + board
    keep_to(world, tenant, "b.md", "press")
    assert facts("press") == press + board


def test_the_first_question_after_a_change_knows_of_it(world: World, tenant: str) -> None:
    world.receive(
        tenant,
        [source("a.md", TEXT, access=["press"]), source("b.md", OTHER, access=["board"]), source("c.md", "It rains.")],
    )
    world.work()
    before = ask_until_kept(world, tenant, "press")
    assert "Mira Quill" in before.entities
    keep_to(world, tenant, "a.md", "board")
    hidden = ask(world, tenant, "press")
    assert ({hit.source_uri for hit in hidden.hits}, hidden.entities) == ({"c.md"}, {})
    assert ask_until_kept(world, tenant, "press").entities == {}
    keep_to(world, tenant, "a.md", "press")
    assert seen_of(ask(world, tenant, "press")) == seen_of(before)
    ask_until_kept(world, tenant, "press")
    keep_to(world, tenant, "b.md", "press")
    both = ask(world, tenant, "press")
    assert {hit.source_uri for hit in both.hits} == {"a.md", "b.md", "c.md"}
    # The name is in two of three chunks now, where it was in one of two.
    assert both.entities["Mira Quill"] < before.entities["Mira Quill"]
    ask_until_kept(world, tenant, "press")
    world.delete(tenant, "b.md")
    assert ask(world, tenant, "press").entities == before.entities
    ask_until_kept(world, tenant, "press")
    world.delete(tenant)
    assert ask(world, tenant, "press").entities == {}
