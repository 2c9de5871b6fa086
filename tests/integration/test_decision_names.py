"""Names and ids in decisions: what they stand for, however the entity got its name."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.integration.ingestion_world import World

from interlace.api.app import create_app
from interlace.cli.commands import decisions
from interlace.cli.options.entity import entity_id_of
from interlace.decisions import service as decision_service
from interlace.domain.ids import document_id
from interlace.entities.candidates import Candidates
from interlace.entities.decision_records import PastDecision, history, standing
from interlace.entities.repository import EntityRepository
from interlace.ports.graph import QueryRunner

COMPANY = "# International Business Machines\n\nInternational Business Machines has a house in Vienna.\n"
DOCUMENTS = {
    "a.md": f"---\naliases: [Big Blue]\n---\n{COMPANY}",
    "b.md": "# Hursley Laboratories\n\nThe Hursley Laboratories met Ada Lovelace in Vienna.\n",
    "c.md": "# IBM\n\nIBM has a house in Vienna.\n",
}


@pytest.fixture
def api(world: World, tenant: str) -> Iterator[TestClient]:
    headers = {"X-Interlace-Tenant": tenant}
    with TestClient(create_app(world.platform), base_url="http://127.0.0.1", headers=headers) as client:
        yield client


def decide(api: TestClient, kind: str, *names: str, **more: Any) -> dict[str, Any]:
    made = api.post("/v1/decisions", json={"kind": kind, "names": names, **more})
    assert made.status_code == 201, made.text
    return dict(made.json())


def identity(world: World, tenant: str, key: str) -> str:
    """Return the id of the only entity that has a normalised form."""
    (row,) = world.rows("MATCH (e:Entity {tenant: $tenant}) WHERE $key IN e.keys RETURN e.id AS id", tenant, key=key)
    return str(row["id"])


def test_an_alias_stands_for_the_entity_that_has_it(world: World, tenant: str, api: TestClient) -> None:
    world.ingest(tenant, DOCUMENTS)
    without = world.dump(tenant)
    made = decide(api, "same", "Big Blue", "Hursley Laboratories")
    merged = identity(world, tenant, "hursley laboratories")
    assert merged == identity(world, tenant, "international business machines") == identity(world, tenant, "big blue")
    # The same again, though the names stand for one entity by now.
    assert decide(api, "same", "Big Blue", "Hursley Laboratories") == made
    assert api.delete(f"/v1/decisions/{made['id']}").status_code == 204
    assert world.dump(tenant) == without


@pytest.mark.parametrize("name", ["Aaron Works", "Zenith Works"])
def test_a_name_that_no_text_has_is_an_alias_that_questions_and_texts_find(
    world: World, tenant: str, api: TestClient, name: str
) -> None:
    """It sorts before the name of the texts, or after it: either may be the one from which the entity's id is derived."""
    late = {"d.md": f"# Notes\n\nsomeone sold {name.lower()} in the end.\n"}
    world.ingest(tenant, DOCUMENTS | late)
    without = world.dump(tenant)
    made = decide(api, "same", "International Business Machines", name)
    company = identity(world, tenant, "international business machines")
    assert identity(world, tenant, name.lower()) == company
    (found,) = world.platform.entity_linkers.current(tenant).find(f"What did {name} sell?")
    assert found.entities == (company,)
    (best, *_) = EntityRepository(world.platform.graph).search(tenant, name).matches
    assert (best.entity.id, name.lower() in best.entity.aliases) == (company, True)
    assert decide(api, "same", "International Business Machines", name) == made
    assert world.platform.reconciler.check(tenant) == []
    merged = world.dump(tenant)
    api.delete(f"/v1/decisions/{made['id']}")
    assert world.dump(tenant) == without
    world.clear(tenant)
    decide(api, "same", "International Business Machines", name)
    world.ingest(tenant, late)
    world.ingest(tenant, DOCUMENTS)
    assert world.dump(tenant) == merged
    linked = "MATCH (:Chunk {tenant: $tenant, documentId: $document})-[m:MENTIONS]->(e:Entity) RETURN e.id AS id"
    assert company in [row["id"] for row in world.rows(linked, tenant, document=document_id(tenant, "d.md"))]


def test_an_alias_of_several_entities_stands_for_none(world: World, tenant: str, api: TestClient) -> None:
    world.ingest(tenant, DOCUMENTS | {"d.md": "---\naliases: [Big Blue]\n---\n# Blue Whale\n\nA whale.\n"})
    refused = api.post("/v1/decisions", json={"kind": "same", "names": ["Big Blue", "Hursley Laboratories"]})
    assert refused.status_code == 422
    assert identity(world, tenant, "international business machines") in refused.json()["detail"]
    # It stands for none that it is said to differ from.
    decide(api, "different", "Big Blue", "Blue Whale")
    joined = decide(api, "same", "Big Blue", "Hursley Laboratories")
    assert identity(world, tenant, "hursley laboratories") == identity(world, tenant, "international business machines")
    api.delete(f"/v1/decisions/{joined['id']}")
    decide(api, "different", "Big Blue", "International Business Machines")
    assert decide(api, "same", "Big Blue", "Hursley Laboratories")["overruled"] is False
    # It has an entity of its own as soon as a text names one so.
    world.ingest(tenant, {"e.md": "# Big Blue\n\nAn album.\n"})
    decide(api, "same", "Big Blue", "Hursley Laboratories")


def test_an_entity_is_known_by_its_id_where_its_first_name_is_still_to_come(
    world: World, tenant: str, api: TestClient
) -> None:
    world.ingest(tenant, DOCUMENTS)

    def offered() -> set[frozenset[str]]:
        page = Candidates(world.platform.graph, tenant).queue(limit=50)
        return {frozenset({pair.one.name, pair.other.name}) for pair in page.candidates}

    pair = frozenset({"IBM", "International Business Machines"})
    assert pair in offered()
    made = decide(api, "same", "IBM", "Blue Giant")
    assert pair in offered()
    company = identity(world, tenant, "ibm")
    other = identity(world, tenant, "international business machines")
    # What was decided about an entity is found by its id, too.
    (past,) = api.get("/v1/decisions", params={"name": company}).json()["decisions"]
    assert past["id"] == made["id"]
    joined = decide(api, "same", company, other)
    assert identity(world, tenant, "ibm") == identity(world, tenant, "international business machines")
    api.delete(f"/v1/decisions/{joined['id']}")
    decide(api, "different", company, other)
    assert pair not in offered()


def test_what_a_split_makes_is_known_by_its_id_and_by_the_name_that_it_was_given(
    world: World, tenant: str, api: TestClient
) -> None:
    world.ingest(tenant, DOCUMENTS)
    usual = identity(world, tenant, "ibm")
    decide(api, "split", "IBM", meaning="IBM (missile)", documents=["c.md"])
    assert entity_id_of(EntityRepository(world.platform.graph), tenant, "IBM (missile)") == identity(
        world, tenant, "ibm"
    )
    assert decide(api, "different", identity(world, tenant, "ibm"), "Hursley Laboratories")["overruled"] is False
    assert api.get("/v1/decisions", params={"name": usual}).status_code == 404
    assert api.get("/v1/decisions", params={"name": "!"}).status_code == 422


def test_what_nothing_can_be_decided_about_is_not_offered(world: World, tenant: str, api: TestClient) -> None:
    band = "---\naliases: [Chk Chk Chk]\n---\n# !!!\n\nA band.\n"
    world.ingest(tenant, {"a.md": band, "b.md": "# Chk Chk Chks\n\nAnother one.\n"})
    ids = [identity(world, tenant, "chk chk chk"), identity(world, tenant, "chk chk chks")]
    assert api.post("/v1/decisions", json={"kind": "different", "names": ids}).status_code == 422
    assert Candidates(world.platform.graph, tenant).of(ids[0]) == ()


def test_one_look_says_whether_a_decision_counts(
    world: World, tenant: str, api: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, DOCUMENTS)
    looks: list[str] = []

    def counted(runner: QueryRunner, tenant: str) -> dict[str, PastDecision]:
        looks.append(tenant)
        return standing(runner, tenant)

    monkeypatch.setattr(decision_service, "standing", counted)
    decide(api, "different", "IBM", "Hursley Laboratories")
    assert decide(api, "same", "IBM", "Hursley Laboratories")["overruled"] is True
    assert looks == [tenant, tenant]


def test_a_split_says_in_which_documents_another_one_decides(world: World, tenant: str, api: TestClient) -> None:
    world.ingest(tenant, DOCUMENTS)
    one = decide(api, "split", "Vienna", meaning="Vienna (Virginia)", documents=["a.md", "b.md"])
    two = decide(api, "split", "Vienna", meaning="Vienna (Illinois)", documents=["b.md", "c.md"])
    # Decisions of one rank are taken in order of what they say, whichever came first.
    listed = {each["id"]: each for each in api.get("/v1/decisions").json()["decisions"]}
    assert [listed[each["id"]]["passed_over"] for each in (one, two)] == [[document_id(tenant, "b.md")], []]
    assert (one["passed_over"], two["passed_over"]) == ([], [])
    again = decide(api, "split", "Vienna", meaning="Vienna (Virginia)", documents=["a.md", "b.md"])
    assert (again["overruled"], again["passed_over"]) == (False, [document_id(tenant, "b.md")])
    shown = {each.id: decisions._row(each)[4] for each in history(world.platform.graph, tenant)}
    assert shown == {one["id"]: "no, but in 1 of 2 documents another split decides", two["id"]: ""}


def test_a_name_is_no_longer_linked_to_what_it_is_said_to_differ_from(
    world: World, tenant: str, api: TestClient
) -> None:
    roads = "# Roads\n\nThe Bureau of Public Roads (BPR) hired Robert Miler in Denver.\n"
    music = "# Music\n\nThe BPR built a road in Denver. The BPR is based in Boston.\n"
    world.ingest(tenant, {"roads.md": roads, "music.md": music})
    without = world.dump(tenant)
    text = """
    MATCH (:Chunk {tenant: $tenant, documentId: $document})-[m:MENTIONS]->(e:Entity {name: 'Bureau of Public Roads'})
    RETURN count(m) AS count
    """

    def linked(uri: str) -> int:
        return int(world.rows(text, tenant, document=document_id(tenant, uri))[0]["count"])

    assert linked("music.md") == 1
    made = decide(api, "different", "BPR", "Bureau of Public Roads")["id"]
    assert (linked("music.md"), linked("roads.md") > 0) == (0, True)
    late = world.dump(tenant)
    assert world.platform.reconciler.check(tenant) == []
    api.delete(f"/v1/decisions/{made}")
    assert world.dump(tenant) == without
    world.clear(tenant)
    decide(api, "different", "BPR", "Bureau of Public Roads")
    world.ingest(tenant, {"music.md": music, "roads.md": roads})
    assert world.dump(tenant) == late
