"""Entities in the vector index: found by meaning, made in the background, and gone with the text that they were made of."""

import pytest
from tests.integration.ingestion_world import World
from tests.integration.mortal_world import MortalWorld

from interlace.domain.decisions import Author, Decision
from interlace.domain.reader import reading
from interlace.entities.forms import form_of
from interlace.entities.identities import Identities
from interlace.entities.repository import EntityRepository
from interlace.export.backup import save
from interlace.export.restore import restore
from interlace.settings import Settings
from interlace.vectors import entity_vectors

CITY = "# New York\n\nNew York is the most populous city of the United States and is often called the Big Apple.\n"
DOCUMENTS = {
    "city.md": CITY,
    "river.md": "# Hudson River\n\nThe Hudson River is a river that flows south. New York lies at its mouth.\n",
    "opera.md": "# Brenna Salloway\n\nBrenna Salloway was a Norwegian opera singer. Brenna Salloway sang in Oslo.\n",
}
KIND = "entities"


def ids(world: World, tenant: str) -> dict[str, str]:
    rows = world.rows("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name, e.id AS id", tenant)
    return {row["name"]: row["id"] for row in rows}


def embed(world: World, tenant: str) -> None:
    world.platform.entity_vectors.embed_waiting(tenant)


def broken(world: World, tenant: str) -> set[str]:
    return {each.invariant for each in world.platform.reconciler.check(tenant)}


def test_an_entity_is_found_by_what_a_sentence_says_of_it(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    assert world.points(tenant, KIND) == {}, "documents are ready before their entities are embedded"
    assert broken(world, tenant) == set()
    embed(world, tenant)
    assert set(world.points(tenant, KIND)) == set(ids(world, tenant).values())
    repository = EntityRepository(world.platform.graph, world.platform.name_vectors)
    found = {match.entity.name: match for match in repository.search(tenant, "the Big Apple").matches}
    assert found["New York"].via == "meaning"
    assert found["New York"].signals["vector"].share > 0
    assert "Brenna Salloway" not in found
    assert repository.search(tenant, "the Big Apple", types=["Person"]).matches == ()
    with reading(lambda: ["board"]):
        bounded = repository.search(tenant, "the Big Apple").matches
    assert [match for match in bounded if match.via == "meaning"] == [], "a vector tells what all documents say"


def test_what_a_deleted_document_said_is_in_no_vector_at_once(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    embed(world, tenant)
    names = ids(world, tenant)
    world.delete(tenant, "city.md", "opera.md")
    points = world.points(tenant, KIND)
    assert names["New York"] not in points, "its sentence is gone, its new vector waits"
    assert names["Brenna Salloway"] not in points
    assert names["Hudson River"] in points
    embed(world, tenant)
    points = world.points(tenant, KIND)
    assert set(points) == set(ids(world, tenant).values())
    with world.tenant() as other:
        world.ingest(other, {"river.md": DOCUMENTS["river.md"]})
        embed(world, other)
        mine = {payload["name"]: vectors for vectors, _, payload in points.values()}
        assert mine == {payload["name"]: vectors for vectors, _, payload in world.points(other, KIND).values()}
    world.delete(tenant)
    assert world.points(tenant, KIND) == {}
    assert world.left(tenant) == []


def test_a_sentence_that_changes_while_the_evidence_does_not_takes_the_vector_with_it(
    world: World, tenant: str
) -> None:
    world.ingest(tenant, DOCUMENTS)
    embed(world, tenant)
    city = ids(world, tenant)["New York"]
    before = world.points(tenant, KIND)[city]
    world.ingest(tenant, {"city.md": CITY.replace("Big Apple", "Grey Pear")})
    assert city not in world.points(tenant, KIND)
    embed(world, tenant)
    assert world.points(tenant, KIND)[city][0] != before[0]


def test_a_lost_collection_is_made_again_the_same(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    embed(world, tenant)
    points = world.points(tenant, KIND)
    world.platform.vectors.drop(tenant, KIND)
    assert broken(world, tenant) == {"entity without point"}
    assert world.platform.vector_rebuild.rebuild(tenant).complete
    assert world.points(tenant, KIND) == points
    assert broken(world, tenant) == set()


def test_the_reconciler_mends_what_is_missing_or_stale(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    embed(world, tenant)
    points = world.points(tenant, KIND)
    some, other, *_ = sorted(points)
    world.platform.vectors.delete(tenant, KIND, [some])
    world.platform.vectors.set_payloads(tenant, KIND, {other: {**points[other][2], "name": "Someone else"}})
    assert broken(world, tenant) == {"entity without point", "entity point without entity"}
    world.platform.reconciler.repair(tenant)
    assert broken(world, tenant) == set()
    embed(world, tenant)
    assert world.points(tenant, KIND) == points


def test_a_decision_and_its_undoing_take_the_vectors_along(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    embed(world, tenant)
    points = world.points(tenant, KIND)
    graph, decisions = world.platform.graph, world.platform.decisions
    forms = tuple(sorted(form_of(graph, Identities(tenant), name) for name in ("New York", "Oslo")))
    made = decisions.record(tenant, Decision("same", forms, Author("Ada")))
    world.platform.outbox.dispatch(tenant)
    assert set(world.points(tenant, KIND)) <= set(ids(world, tenant).values())
    embed(world, tenant)
    assert set(world.points(tenant, KIND)) == set(ids(world, tenant).values())
    decisions.undo(tenant, made, Author("Ada"))
    world.platform.outbox.dispatch(tenant)
    embed(world, tenant)
    assert world.points(tenant, KIND) == points


def test_a_restored_tenant_has_its_vectors_again(
    world: World, tenant: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    world.ingest(tenant, DOCUMENTS)
    embed(world, tenant)
    points = world.points(tenant, KIND)
    file = tmp_path_factory.mktemp("backup") / "one"
    world.ingest(tenant, {"late.md": "# Late\n\nTilda Marrow was a painter.\n"})
    world.delete(tenant, "late.md")
    save(world.platform.graph, [tenant], file, {}, pause=world.platform.communities.paused)
    restore(world.platform.graph, world.platform.vectors, file, replace=True)
    assert world.points(tenant, KIND) == {}
    assert world.platform.vector_rebuild.rebuild(tenant).complete
    assert world.points(tenant, KIND) == points


def test_without_embeddings_nothing_waits_and_no_vector_outlives_its_text(
    world: World, tenant: str, stack: Settings
) -> None:
    world.ingest(tenant, DOCUMENTS)
    embed(world, tenant)
    off = World(stack.model_copy(update={"embedding": stack.embedding.model_copy(update={"enabled": False})}))
    vars(off.platform)["extractor"] = world.platform.extractor
    try:
        off.delete(tenant, "city.md")
        assert off.platform.entity_vectors.tenants().count(tenant) == 0
        assert set(off.points(tenant, KIND)) < set(ids(off, tenant).values())
        matches = EntityRepository(off.platform.graph, off.platform.name_vectors).search(tenant, "New York").matches
        assert "vector" not in matches[0].signals
        assert broken(off, tenant) == set()
    finally:
        off.close()


def test_the_sweeper_asks_for_what_waits_when_no_documents_do(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    world.tasks.embeddings.clear()
    world.platform.sweeper.sweep()
    assert tenant in world.tasks.embeddings
    embed(world, tenant)
    world.tasks.embeddings.clear()
    world.platform.sweeper.sweep()
    assert tenant not in world.tasks.embeddings


def test_whoever_dies_while_entities_are_embedded_leaves_the_rest_to_the_next(
    world: World, stack: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entity_vectors, "BATCH", 2)
    mortal = MortalWorld(stack, world)
    try:
        with mortal.tenant() as tenant:
            mortal.ingest(tenant, DOCUMENTS)
            embed(mortal, tenant)
            call, died = 1, True
            while died:
                mortal.ingest(
                    tenant,
                    {"opera.md": f"# Brenna Salloway\n\nBrenna Salloway sang {call} times in Oslo and New York.\n"},
                )
                died = bool(mortal.die_at(call, lambda: embed(mortal, tenant)))
                assert broken(mortal, tenant) == set(), "what waits is no fault"
                mortal.pass_time(tenant)
                embed(mortal, tenant)
                assert set(mortal.points(tenant, KIND)) == set(ids(mortal, tenant).values())
                call += 1
            assert call > 10, "it dies between batches, too"
            points = mortal.points(tenant, KIND)
            mortal.platform.vectors.drop(tenant, KIND)
            assert mortal.platform.vector_rebuild.rebuild(tenant).complete
            assert mortal.points(tenant, KIND) == points
    finally:
        mortal.close()
