"""The client for notebooks against the application itself: data frames, pages, errors."""

import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import neo4j_viz
import pytest
from fastapi.testclient import TestClient
from tests.support.bridge import Bridge

from interlace.client import Interlace
from interlace.client.pictures import path_picture
from interlace.domain.errors import InvalidInputError, NotFoundError, SettingsError, UnavailableError
from interlace.jobs.service import JobStatus
from interlace.ports.graph import Query, Row

ADA = {
    "id": "6f2d1f0e-0d0c-5d6b-9b1e-1a7e3c0a51ce",
    "name": "Ada",
    "type": "Person",
    "aliases": [],
    "keys": ["ada"],
    "confidence": 1.0,
    "mentions": 3,
}
MILL = {**ADA, "id": "0d0c1f0e-0d0c-5d6b-9b1e-1a7e3c0a51ce", "name": "Mill", "keys": ["mill"]}


@pytest.fixture
def interlace(client: TestClient) -> Iterator[Interlace]:
    with Interlace(tenant="acme", transport=Bridge(client)) as opened:
        yield opened


def test_hits_become_a_frame(interlace: Interlace, services: Any) -> None:
    frame = interlace.query("Who built it?", filters={"must": [{"field": "tags", "value": "energy"}]})
    assert frame.loc[0, "title"] == "Turbines"
    assert isinstance(frame.loc[0, "sentence"], str)
    assert frame.loc[0, "legs"] == {"graph": 1}
    assert frame.loc[0, "path"] == "Ada"
    assert frame.attrs["retrieval_mode"] == "graph_only"
    ((tenant, request),) = services.questions.asked
    assert tenant == "acme"
    assert request.where.must[0].value == "energy"


def test_a_frame_takes_the_choices_of_the_whole_answer(interlace: Interlace, services: Any) -> None:
    frame = interlace.query("Who built it?", without=["trust"], pack=500, options={"recency_days": 30})
    assert frame.attrs["pack"]["budget"] == 500
    ((_, request),) = services.questions.asked
    assert (request.without, request.recency_days) == (frozenset({"trust"}), 30)


def test_an_answer_has_sentences_and_their_sources(interlace: Interlace, services: Any) -> None:
    answer = interlace.answer("Who built the first turbine?", sentences=2, insist=True)
    assert answer["sentences"] == [{"text": "Ada built the first turbine.", "citations": [1]}]
    assert answer["citations"][0]["source_uri"] == "docs/turbines.md"
    ((tenant, _),) = services.questions.asked
    assert tenant == "acme"


def test_lists_are_read_page_by_page(interlace: Interlace, services: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlace.client.http.PAGE", 1)
    row = {"level": 0, "title": "T", "summary": "S", "size": 9, "rating": 1.0, "parents": []}
    pages = iter([[{**row, "id": "a"}], [{**row, "id": "b"}], []])
    keys = services.graph.access

    def answer(query: Query, /, **params: Any) -> list[Any]:
        if query.name.startswith("access/"):
            return list(keys.run(query, **params))
        if query.name == "tenants/tenant_known":
            return [{"known": True}]
        return next(pages) if query.name == "communities/community_list" else []

    services.graph.run = answer
    assert list(interlace.communities()["id"]) == ["a", "b"]


def ada_and_mill(predicate: str, direction: str) -> dict[str, list[Row]]:
    """Return what the graph knows of Ada: one relation, with the mill."""
    relation = {"predicate": predicate, "direction": direction, "weight": 2, "documents": 1, "confidence": 0.9}
    mill = {"id": MILL["id"], "name": "Mill", "type": "Product", "weight": 2, "via": ADA["id"], "viaName": "Ada"}
    return {
        "entities/entity_detail": [{**ADA, "chunks": 1, "documents": 1, "facts": 1, "about": [], "communities": []}],
        "relations/entity_neighbors": [{**mill, "relations": [relation]}],
    }


def test_names_stand_for_entities(interlace: Interlace, services: Any) -> None:
    services.graph.answers["entities/entity_named"] = [ADA]
    services.graph.answers |= ada_and_mill("BUILT", "out")
    frame = interlace.neighbors("Ada")
    assert list(frame["relations"]) == ["BUILT"]
    asked = next(given for name, given in services.graph.ran if name == "relations/entity_neighbors")
    assert asked["ids"] == [ADA["id"]]


def test_a_name_of_several_entities_is_refused_with_their_ids(interlace: Interlace, services: Any) -> None:
    services.graph.answers["entities/entity_named"] = [ADA, {**MILL, "name": "Ada", "keys": ["ada"]}]
    with pytest.raises(InvalidInputError, match=str(MILL["id"])):
        interlace.facts("Ada")
    services.graph.answers.clear()
    with pytest.raises(NotFoundError, match="Ada"):
        interlace.facts("Ada")


def test_a_picture_shows_an_entity_with_its_neighbours(interlace: Interlace, services: Any) -> None:
    services.graph.answers |= ada_and_mill("BUILT_BY", "in")
    network = interlace.to_networkx(str(ADA["id"]))
    assert dict(network.nodes(data="name")) == {ADA["id"]: "Ada", MILL["id"]: "Mill"}
    assert list(network.edges(data="predicate")) == [(MILL["id"], ADA["id"], "BUILT_BY")]
    picture = interlace.graph(str(ADA["id"]))
    assert [node.caption for node in picture.nodes] == ["Ada", "Mill"]
    assert [(edge.source, edge.target, edge.caption) for edge in picture.relationships] == [
        (MILL["id"], ADA["id"], "BUILT_BY")
    ]


def test_a_picture_of_paths_shows_each_entity_and_relation_once_in_its_direction() -> None:
    built = {"predicate": "BUILT", "direction": "out"}
    by = {"predicate": "OWNED_BY", "direction": "in"}
    paths = [
        {"ids": ["ada", "mill", "zorg"], "names": ["Ada", "Mill", "Zorg"], "relations": [built, by]},
        {"ids": ["ada", "mill", "vienna"], "names": ["Ada", "Mill", "Vienna"], "relations": [built, built]},
    ]
    picture = path_picture(neo4j_viz, paths)
    assert [(node.id, node.caption) for node in picture.nodes] == [
        ("ada", "Ada"),
        ("mill", "Mill"),
        ("zorg", "Zorg"),
        ("vienna", "Vienna"),
    ]
    assert [(edge.source, edge.target, edge.caption) for edge in picture.relationships] == [
        ("ada", "mill", "BUILT"),
        ("zorg", "mill", "OWNED_BY"),
        ("mill", "vienna", "BUILT"),
    ]
    assert path_picture(neo4j_viz, []).nodes == []


def test_a_picture_of_an_answer_leads_from_entities_to_documents(interlace: Interlace) -> None:
    picture = interlace.answer_graph("Who built it?")
    assert [node.caption for node in picture.nodes] == ["Turbines", "Ada"]
    ((source, target),) = [(edge.source, edge.target) for edge in picture.relationships]
    assert (source, target) == ("e1", "document d1")


def test_a_picture_of_communities_has_their_members_and_what_they_are_part_of(
    interlace: Interlace, services: Any
) -> None:
    row = {"id": "low", "level": 0, "title": "Builders", "summary": "S", "size": 2, "rating": 2.5, "parents": ["top"]}
    services.graph.answers["communities/community_list"] = [row]
    top = {"id": "top", "level": 1, "title": "All", "size": 2}
    member = {"id": ADA["id"], "name": "Ada", "type": "Person", "mentions": 3}
    detail = {name: value for name, value in row.items() if name != "parents"}
    services.graph.answers["communities/community_detail"] = [
        {**detail, "members": [member], "parents": [top], "children": []}
    ]
    picture = interlace.community_graph()
    assert [node.caption for node in picture.nodes] == ["Builders", "All", "Ada"]
    assert [(edge.source, edge.target) for edge in picture.relationships] == [
        ("community low", "community top"),
        (ADA["id"], "community low"),
    ]


def test_files_and_texts_go_in_with_the_uris_that_the_command_gives_them(
    interlace: Interlace, services: Any, running: JobStatus, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A", encoding="utf-8")
    (tmp_path / "notes" / "rows.jsonl").write_text(
        '{"id": "x", "text": "one", "year": 2020}\nbroken\n', encoding="utf-8"
    )
    services.jobs.states = itertools.chain([running], itertools.repeat(replace(running, state="done")))
    done = interlace.ingestion.files(tmp_path / "notes", tags=["new"])
    assert (done["jobs"], done["received"]) == (["j1"], 2)
    assert [each["source_uri"] for each in done["failed"]] == ["notes/rows.jsonl#2"]
    ((tenant, sources, _),) = services.receiver.calls
    assert (tenant, [source.uri for source in sources]) == ("acme", ["notes/a.md", "notes/rows.jsonl#x"])
    assert (sources[0].content, b"2020" in sources[1].content) == (b"# A", True)
    assert all(source.metadata["tags"] == ["new"] for source in sources)
    assert interlace.ingestion.text("b.md", "# B", timeout=0)["received"] == 1
    assert interlace.ingestion.job("j1")["state"] == "done"


def test_a_job_that_takes_longer_is_named(interlace: Interlace) -> None:
    with pytest.raises(UnavailableError, match="j1"):
        interlace.ingestion.text("b.md", "# B", timeout=0.001)


def test_problems_come_back_as_errors(interlace: Interlace) -> None:
    with pytest.raises(InvalidInputError, match="filters"):
        interlace.ask("x", filters={"any": []})


def test_an_api_that_is_away_is_named() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with (
        Interlace("http://127.0.0.1:1", transport=httpx.MockTransport(refuse)) as client,
        pytest.raises(UnavailableError, match=r"127\.0\.0\.1:1"),
    ):
        client.documents()


def test_frames_without_pandas_say_what_to_install(interlace: Interlace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SettingsError, match="notebooks"):
        interlace.entities("Ada")


def test_graph_data_science_wants_credentials(
    interlace: Interlace, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLACE_STACK__HOME", str(tmp_path))
    with pytest.raises(SettingsError, match="INTERLACE_NEO4J__PASSWORD"):
        interlace.gds()


ClientOf = Callable[..., TestClient]


def test_a_key_is_sent(make_services: Callable[..., Any], client_of: ClientOf) -> None:
    services = make_services(keys=("2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683",))
    with client_of(services) as client, Interlace(api_key="key", transport=Bridge(client)) as interlace:
        assert interlace.ask("x")["hits"]


def test_a_statement_by_hand_becomes_a_frame(interlace: Interlace) -> None:
    frame = interlace.cypher("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name", {"x": 1}, limit=5)
    assert list(frame["name"]) == ["Ada"]
    with pytest.raises(InvalidInputError, match="quotes"):
        interlace.cypher("RETURN 'x'")
