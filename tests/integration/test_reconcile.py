"""Each invariant broken by hand in the real stores: it is seen, mended, and what is left is what an untouched ingestion gives."""

import json
import threading
import uuid
from collections.abc import Callable, Iterator

import pytest
from tests.integration.ingestion_world import World
from typer.testing import CliRunner

from interlace.cli.main import app
from interlace.domain.hits import QueryRequest
from interlace.ports.vectors import Point, SparseVector
from interlace.reconciliation.invariants import MEANINGS
from interlace.reconciliation.last_checks import read_last_checks
from interlace.settings import Settings
from interlace.text.bm25 import query_terms

DOCUMENTS = {
    "a.md": "---\naliases: [Old Mill Zorg]\ntags: [film]\n---\n# Vienna\n\nFritz Lang directed Metropolis in Vienna.\n\n"
    "## Part\n\nThea von Harbou wrote Metropolis. Fritz Lang married Thea von Harbou.",
    "b.md": "# Fritz Lang\n\nThe Old Mill Zorg stands in Vienna. Fritz Lang directed Metropolis.",
    "c.md": "# Metropolis\n\nIn Berlin, Fritz Lang met Erich Pommer. Erich Pommer produced Metropolis.",
}
Break = Callable[[World, str], None]


def strange_point() -> Point:
    terms = SparseVector(*query_terms("words"))
    return Point("00000000" + str(uuid.uuid4())[8:], sparse={"bm25": terms}, payload={"tags": []})


def overdue_entry(world: World, tenant: str) -> None:
    world.platform.outbox.enter(tenant, f"{tenant}-old", sorted(world.points(tenant))[:1], due_in=-1000)
    world.run(
        "MATCH (o:Outbox {tenant: $tenant}) SET o.createdAt = o.createdAt - 1000000, o.dueAt = o.dueAt - 1000000",
        tenant,
    )


def overdue_linking(world: World, tenant: str) -> None:
    """A writer that died before it linked older chunks, and no sweep since."""
    world.run(
        """
        MATCH (c:Chunk {tenant: $tenant})-[m:MENTIONS {via: 'linker'}]->(:Entity)
        WITH m, m.key AS key
        ORDER BY c.id, key
        LIMIT 1
        DELETE m
        CREATE (:PendingRelink {
          id: randomUUID(), tenant: $tenant, version: 1, keys: [key], after: ['', ''], jobs: [], updatedAt: 0
        })
        """,
        tenant,
    )


def chunk_of_no_one(world: World, tenant: str) -> None:
    world.run(
        """
        MATCH (e:Entity {tenant: $tenant, name: 'Fritz Lang'})
        MATCH (o:Entity {tenant: $tenant, name: 'Metropolis'})
        CREATE (c:Chunk {id: randomUUID(), tenant: $tenant, documentId: 'gone', text: 'x', terms: 'x', capitals: ''})
        CREATE (c)-[:MENTIONS {via: 'ner', count: 2, evidence: ['ner\tPerson\tFritz Lang\t2']}]->(e)
        CREATE (c)-[:ASSERTS]->(f:Fact {id: randomUUID(), tenant: $tenant, predicate: 'SAW'})
        CREATE (f)-[:SUBJECT]->(e) CREATE (f)-[:OBJECT]->(o)
        """,
        tenant,
    )


def fact_of_no_one(world: World, tenant: str) -> None:
    world.run(
        """
        MATCH (e:Entity {tenant: $tenant, name: 'Fritz Lang'})-[r:RELATES_TO]->(o:Entity)
        WITH e, r, o
        ORDER BY o.id
        LIMIT 1
        SET r.weight = r.weight + 1
        CREATE (f:Fact {id: randomUUID(), tenant: $tenant, predicate: r.predicate})
        CREATE (f)-[:SUBJECT]->(e) CREATE (f)-[:OBJECT]->(o)
        """,
        tenant,
    )


def false_evidence(world: World, tenant: str) -> None:
    world.run(
        """
        MATCH (e:Entity {tenant: $tenant, name: 'Fritz Lang'})
        SET e.evidence = e.evidence + ['ner\tPlace\tVienna\t9'], e.keys = e.keys + ['vienna'], e.name = 'Vienna'
        """,
        tenant,
    )


def entity_without_evidence(world: World, tenant: str) -> None:
    """A name that no one gave, to which a chunk was linked instead of to a shorter one."""
    world.run(
        """
        MATCH (c:Chunk {tenant: $tenant})-[m:MENTIONS {via: 'linker'}]->(:Entity)
        WITH c, m
        ORDER BY c.id, m.key
        LIMIT 1
        CREATE (e:Entity:Other {id: randomUUID(), tenant: $tenant, name: 'Ghost', type: 'Other', aliases: [], confidence: 0.5})
        SET e.keys = [m.key], e.key = m.key, e.evidence = ['ner\t\tGhost\t1']
        CREATE (c)-[n:MENTIONS]->(e)
        SET n = properties(m)
        DELETE m
        """,
        tenant,
    )


def mention_by_a_lost_name(world: World, tenant: str) -> None:
    world.run(
        """
        MATCH (c:Chunk {tenant: $tenant})
        WITH c
        ORDER BY c.id
        LIMIT 1
        MATCH (e:Entity {tenant: $tenant, name: 'Fritz Lang'})
        CREATE (c)-[:MENTIONS {via: 'linker', key: 'unknown', count: 1, offsets: [0, 3]}]->(e)
        """,
        tenant,
    )


def title_of_another_document(world: World, tenant: str) -> None:
    world.run(
        """
        MATCH (:Document {tenant: $tenant, title: 'Vienna'})-[:HAS_SECTION]->()-[:HAS_CHUNK]->(c:Chunk)
        MATCH (e:Entity {tenant: $tenant, name: 'Erich Pommer'})
        CREATE (c)-[:MENTIONS {via: 'title', count: 1, confidence: 1.0}]->(e)
        """,
        tenant,
    )


def changed_relations(change: str) -> Break:
    def broken(world: World, tenant: str) -> None:
        world.run(f"MATCH (:Entity {{tenant: $tenant}})-[r:RELATES_TO]->(:Entity) {change}", tenant)

    return broken


def wrong_number_of_chunks(world: World, tenant: str) -> None:
    world.run("MATCH (r:Tenant {tenant: $tenant}) SET r.chunks = 99", tenant)


def record_of_no_text(world: World, tenant: str) -> None:
    """What a language model said of a text that no chunk has any more."""
    world.run(
        "CREATE (:ExtractionRecord {id: randomUUID(), tenant: $tenant, checksum: 'gone', key: 'k', output: '{}'})",
        tenant,
    )


def point_of_no_one(world: World, tenant: str) -> None:
    world.platform.vectors.upsert(tenant, "chunks", [strange_point()])


def vector_of_no_entity(world: World, tenant: str) -> None:
    world.platform.entity_vectors.embed_waiting(tenant)
    world.platform.vectors.upsert(tenant, "entities", [strange_point()])


def lost_point(world: World, tenant: str) -> None:
    """A point that a chunk has: an orphaned point, put there by another damage, is none of these."""
    (row,) = world.rows("MATCH (c:Chunk {tenant: $tenant}) RETURN c.id AS id ORDER BY c.id LIMIT 1", tenant)
    world.platform.vectors.delete(tenant, "chunks", [row["id"]])


def lost_collection(world: World, tenant: str) -> None:
    world.platform.vectors.drop(tenant, "chunks")


BREAKS: dict[str, tuple[Break, set[str]]] = {
    "overdue entry": (overdue_entry, {"stale outbox"}),
    "overdue linking": (overdue_linking, {"chunks not linked"}),
    "orphaned chunk": (
        chunk_of_no_one,
        {"chunk without document", "evidence miscounted", "relation miscounted", "chunks miscounted"}
        | {"chunk without point"},
    ),
    "orphaned fact": (fact_of_no_one, {"fact without chunk", "relation miscounted"}),
    "false evidence": (false_evidence, {"evidence miscounted"}),
    "entity without evidence": (entity_without_evidence, {"evidence miscounted", "entity without point"}),
    "mention by a lost name": (mention_by_a_lost_name, {"dangling mention"}),
    "title of another document": (title_of_another_document, {"dangling mention"}),
    "relation too heavy": (changed_relations("SET r.weight = r.weight + 5"), {"relation miscounted"}),
    "relation of too many documents": (changed_relations("SET r.documents = 9"), {"relation miscounted"}),
    "relation gone": (changed_relations("DELETE r"), {"relation miscounted"}),
    "wrong number of chunks": (wrong_number_of_chunks, {"chunks miscounted"}),
    "record of no text": (record_of_no_text, {"extraction without chunk"}),
    "orphaned point": (point_of_no_one, {"point without chunk"}),
    "lost point": (lost_point, {"chunk without point", "ready without projection"}),
    "vector of no entity": (vector_of_no_entity, {"entity point without entity"}),
    "lost collection": (lost_collection, {"chunk without point", "ready without projection"}),
}


def broken(world: World, tenant: str) -> set[str]:
    return {each.invariant for each in world.platform.reconciler.check(tenant)}


def chunks(world: World, tenant: str) -> int:
    (row,) = world.rows("MATCH (r:Tenant {tenant: $tenant}) RETURN r.chunks AS chunks", tenant)
    return int(row["chunks"])


@pytest.mark.parametrize("name", BREAKS)
def test_what_is_broken_is_seen_and_mended(world: World, tenant: str, name: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    expected, counted = world.state(tenant), chunks(world, tenant)
    assert broken(world, tenant) == set()
    damage, invariants = BREAKS[name]
    damage(world, tenant)
    assert broken(world, tenant) == invariants
    assert {each.invariant for each in world.platform.reconciler.repair(tenant)} & invariants
    assert broken(world, tenant) == set()
    assert (world.state(tenant), chunks(world, tenant)) == (expected, counted)


def test_every_invariant_of_documents_is_broken_above() -> None:
    seen = {invariant for _, invariants in BREAKS.values() for invariant in invariants}
    assert {name for name in MEANINGS if not name.startswith("community")} == seen


def test_after_a_repair_documents_come_and_go_as_ever(world: World, tenant: str) -> None:
    """Names, log of changes and counters are those that workers go by, also the workers that remember older ones."""
    world.ingest(tenant, {"b.md": DOCUMENTS["b.md"]})
    expected = world.state(tenant)
    world.delete(tenant)
    world.ingest(tenant, DOCUMENTS)
    for damage, _ in BREAKS.values():
        damage(world, tenant)
    world.platform.reconciler.repair(tenant)
    world.delete(tenant, "a.md", "c.md")
    assert _timeless(world.state(tenant)) == _timeless(expected)
    world.delete(tenant)
    assert world.left(tenant) == []


def _timeless(state: tuple[list[str], dict[str, tuple[object, object, dict[str, object]]]]) -> object:
    """Leave out when a document was indexed, which its points say."""
    graph, points = state
    return graph, {
        name: (dense, sparse, {key: value for key, value in payload.items() if key != "indexed_at"})
        for name, (dense, sparse, payload) in points.items()
    }


COMMUNITY_BREAKS: dict[str, tuple[Break, set[str]]] = {
    "empty": (
        lambda world, tenant: world.run(
            "MATCH (c:Community {tenant: $tenant}) WITH c ORDER BY c.id LIMIT 1 MATCH (c)<-[m:IN_COMMUNITY]-() DELETE m",
            tenant,
        ),
        {"community without members"},
    ),
    "lost point": (
        lambda world, tenant: world.platform.vectors.drop(tenant, "communities"),
        {"community without point"},
    ),
    "strange point": (
        lambda world, tenant: world.platform.vectors.upsert(tenant, "communities", [strange_point()]),
        {"community point without community"},
    ),
}


@pytest.fixture
def grouped(world: World, tenant: str) -> Iterator[str]:
    """A tenant with communities."""
    world.ingest(tenant, DOCUMENTS)
    assert world.platform.communities.refresh(tenant).communities
    yield tenant
    world.platform.vectors.drop(tenant, "communities")


@pytest.mark.parametrize("name", COMMUNITY_BREAKS)
def test_communities_are_mended_by_a_refresh(world: World, grouped: str, name: str) -> None:
    expected = sorted(point.id for point in world.platform.vectors.scroll(grouped, "communities"))
    assert broken(world, grouped) == set()
    damage, invariants = COMMUNITY_BREAKS[name]
    damage(world, grouped)
    assert broken(world, grouped) == invariants
    world.platform.reconciler.repair(grouped)
    assert broken(world, grouped) == set()
    if name != "empty":
        assert sorted(point.id for point in world.platform.vectors.scroll(grouped, "communities")) == expected


def test_lost_communities_are_named_as_degraded(world: World, grouped: str) -> None:
    request = QueryRequest("What is this about?", legs=("community",))
    assert world.platform.questions.search(grouped, request).degraded == ()
    world.platform.vectors.drop(grouped, "communities")
    assert world.platform.questions.search(grouped, request).degraded == ("community",)


def test_communities_are_left_to_the_refresh_that_is_due(world: World, grouped: str) -> None:
    world.delete(grouped)
    assert broken(world, grouped) == set()


def test_points_of_a_batch_under_way_are_no_violations(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    coming = strange_point()
    world.platform.outbox.enter(tenant, f"{tenant}-coming", [coming.id], due_in=600)
    world.platform.vectors.upsert(tenant, "chunks", [coming])
    assert world.platform.reconciler.repair(tenant) == []
    assert coming.id in world.points(tenant)


def test_a_tenant_is_checked_and_mended_while_its_documents_come_and_go(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    expected = _timeless(world.state(tenant))
    found = []
    done = threading.Event()

    def reconcile() -> None:
        while not done.is_set():
            found.extend(world.platform.reconciler.repair(tenant))

    beside = threading.Thread(target=reconcile)
    beside.start()
    try:
        for _ in range(4):
            world.delete(tenant, "a.md")
            world.ingest(tenant, {"b.md": DOCUMENTS["c.md"], "a.md": DOCUMENTS["a.md"]})
            world.ingest(tenant, {"b.md": DOCUMENTS["b.md"]})
    finally:
        done.set()
        beside.join()
    assert found == []
    assert _timeless(world.state(tenant)) == expected


def test_the_schedule_mends_points_and_notes_the_rest(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    point_of_no_one(world, tenant)
    lost_point(world, tenant)
    wrong_number_of_chunks(world, tenant)
    mended = {each.invariant for each in world.platform.reconciler.run_scheduled() if each.tenant == tenant}
    assert mended == {"point without chunk", "chunk without point", "ready without projection"}
    noted = read_last_checks(world.platform.graph)
    assert noted.counts.keys() == MEANINGS.keys()
    assert noted.counts["chunks miscounted"] >= 1
    assert noted.oldest is not None
    world.platform.reconciler.repair(tenant)
    assert read_last_checks(world.platform.graph).counts["chunks miscounted"] == 0


def test_doctor_reports_and_repairs(
    world: World, tenant: str, stack: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in stack.stack.model_dump(mode="json").items():
        monkeypatch.setenv(f"INTERLACE_STACK__{name.upper()}", value if isinstance(value, str) else json.dumps(value))
    world.ingest(tenant, DOCUMENTS)
    lost_point(world, tenant)

    def doctor(*options: str) -> tuple[int, dict[str, str]]:
        result = CliRunner().invoke(app, ["doctor", "--tenant", tenant, "--json", *options])
        findings = {each["check"]: each["level"] for each in json.loads(result.stdout)}
        assert findings["neo4j"] == findings["qdrant"] == "ok"
        return result.exit_code, {check: findings[check] for check in findings if check in {*MEANINGS, "data"}}

    missing = {"chunk without point", "ready without projection"}
    assert doctor() == (1, dict.fromkeys(missing, "error"))
    assert doctor("--repair")[1] == dict.fromkeys({*missing, "data"}, "ok")
    assert doctor()[1] == {"data": "ok"}
