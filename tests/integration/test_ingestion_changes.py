"""What a second look at a document costs, and what becomes of its points."""

import time

import pytest
from tests.integration.ingestion_world import World, source

from interlace.domain.ids import document_id
from interlace.ports.vectors import Point, SparseVector
from interlace.text.bm25 import query_terms

PARAGRAPHS = [f"The mill number {word} turned by the river." for word in ("Alpha", "Beta", "Gamma", "Delta")]
LONG = "".join(f"## Part {n}\n\n{text}\n\n" for n, text in enumerate(PARAGRAPHS))


def test_the_same_bytes_again_cost_nothing(world: World, tenant: str) -> None:
    world.ingest(tenant, {"a.md": LONG, "b.md": "# B\n\nwords"})
    versions = world.rows("MATCH (r:Tenant {tenant: $tenant}) RETURN r.version AS version", tenant)
    receipt = world.receive(tenant, [source("a.md", LONG), source("b.md", "# B\n\nwords")])
    assert (receipt.received, receipt.unchanged, world.tasks.batches) == (0, 2, [])
    assert world.platform.jobs.status(tenant, receipt.job_id).state == "done"
    assert world.rows("MATCH (r:Tenant {tenant: $tenant}) RETURN r.version AS version", tenant) == versions


def test_the_bytes_that_the_graph_holds_call_off_an_upload_under_way(world: World, tenant: str) -> None:
    world.ingest(tenant, {"a.md": "# A\n\nold"})
    before = world.state(tenant)
    world.receive(tenant, [source("a.md", "# A\n\nnew")])
    assert world.receive(tenant, [source("a.md", "# A\n\nold")]).unchanged == 1
    assert world.work()[0].written == ()
    assert world.state(tenant) == before


def test_a_changed_paragraph_is_extracted_alone(world: World, tenant: str) -> None:
    world.ingest(tenant, {"a.md": LONG})
    changed = LONG.replace("Gamma turned", "Gamma stopped")
    receipt = world.receive(tenant, [source("a.md", changed)])
    world.work()
    status = world.platform.jobs.status(tenant, receipt.job_id)
    assert (status.chunks, status.extracted) == (4, 1)
    after = world.state(tenant)
    world.delete(tenant)
    world.ingest(tenant, {"a.md": changed})
    assert world.state(tenant) == after


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("[[Zorg#person]] saw it.", "[[Zorg#place]] saw it."),
        ("[[Zorg]] saw it.", "Zorg saw it."),
        ("Zorg and [[Zorg#person]] saw it.", "Zorg saw it."),
        ("See [it](b.md).", "See [it](c.md)."),
    ],
)
def test_a_link_that_changes_behind_its_words_counts(world: World, tenant: str, first: str, second: str) -> None:
    others = {"b.md": "# B\n\nwords", "c.md": "# C\n\nwords"}
    world.ingest(tenant, others | {"a.md": f"# A\n\n{second}"})
    expected = world.state(tenant)
    world.delete(tenant)
    world.ingest(tenant, others | {"a.md": f"# A\n\n{first}"})
    assert world.dump(tenant) != expected[0]
    world.ingest(tenant, {"a.md": f"# A\n\n{second}"})
    assert world.state(tenant) == expected


def test_kept_chunks_follow_their_documents_tags(world: World, tenant: str) -> None:
    world.ingest(tenant, {"a.md": f"---\ntags: [old]\n---\n# A\n\n{LONG}"})
    before = world.points(tenant)
    world.ingest(tenant, {"a.md": f"---\ntags: [new]\nyear: 1927\n---\n# A\n\n{LONG}"})
    after = world.points(tenant)
    assert {identity: vectors for identity, (*vectors, _) in before.items()} == {
        identity: vectors for identity, (*vectors, _) in after.items()
    }
    assert {tuple(payload["tags"]) for *_, payload in after.values()} == {("new",)}
    assert {payload["metadata"]["year"] for *_, payload in after.values()} == {1927}


def test_points_of_a_batch_that_died_before_its_graph_are_removed_when_due(world: World, tenant: str) -> None:
    world.ingest(tenant, {"a.md": "# A\n\nwords"})
    (kept,) = world.points(tenant)
    orphan = document_id(tenant, "orphan")
    terms = SparseVector(*query_terms("words"))
    world.platform.outbox.enter(tenant, "late", [kept, orphan], due_in=600)
    world.platform.vectors.upsert(tenant, "chunks", [Point(orphan, sparse={"bm25": terms}, payload={"tenant": tenant})])
    assert world.platform.outbox.dispatch(tenant) == 0
    assert set(world.points(tenant)) == {kept, orphan}
    world.platform.outbox.enter(tenant, "late", [kept, orphan], due_in=-1)
    world.platform.sweeper.sweep()
    assert set(world.points(tenant)) == {kept}
    assert world.rows("MATCH (o:Outbox {tenant: $tenant}) RETURN o.id AS id", tenant) == []


def test_an_old_entry_leaves_the_points_of_a_batch_under_way_alone(world: World, tenant: str) -> None:
    """A retry writes the same points again while the entry of its first attempt falls due; that keeps no other entry waiting."""
    world.ingest(tenant, {"a.md": "# A\n\nwords"})
    kept = list(world.points(tenant))
    coming = document_id(tenant, "coming")
    world.platform.outbox.enter(tenant, "first attempt", [coming], due_in=-1)
    world.platform.outbox.enter(tenant, "second attempt", [coming], due_in=600)
    world.platform.vectors.upsert(tenant, "chunks", [Point(coming, payload={"tenant": tenant})])
    world.platform.outbox.enter(tenant, "third", kept, due_in=-1)
    assert [world.platform.outbox.dispatch(tenant, limit=1) for _ in range(3)] == [0, 1, 0]
    assert coming in world.points(tenant)
    left = world.rows("MATCH (o:Outbox {tenant: $tenant}) RETURN o.id AS id ORDER BY id", tenant)
    assert [row["id"] for row in left] == ["first attempt", "second attempt"]


def test_a_claim_lost_to_a_newer_upload_writes_nothing(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = {"a.md": "# A\n\nnewer Bork", "b.md": "# B\n\nwords"}
    world.ingest(tenant, documents)
    expected = world.state(tenant)
    world.delete(tenant, "a.md")
    world.receive(tenant, [source("a.md", "# A\n\nolder Zorg")])
    upsert = world.platform.vectors.upsert

    def overtaken(*args: object) -> None:
        upsert(*args)  # type: ignore[arg-type]
        monkeypatch.undo()
        world.receive(tenant, [source("a.md", documents["a.md"])])

    monkeypatch.setattr(world.platform.vectors, "upsert", overtaken)
    older, newer = world.work()
    identity = document_id(tenant, "a.md")
    assert (older.written, older.lost, newer.written) == ((), (identity,), (identity,))
    assert world.state(tenant) == expected


def test_a_redelivered_batch_does_nothing(world: World, tenant: str) -> None:
    world.receive(tenant, [source("a.md", "# A\n\nwords")])
    batch = world.tasks.batches[0]
    world.work()
    before = world.state(tenant)
    outcome = world.platform.processor.process(*batch)
    assert (outcome.written, outcome.deleted, outcome.lost) == ((), (), ())
    assert world.state(tenant) == before


def test_what_a_dead_worker_held_is_taken_over_when_its_lease_ends(world: World, tenant: str) -> None:
    world.receive(tenant, [source("a.md", "# A\n\nwords"), source("b.md", "# B\n\nwords")])
    (batch,) = world.tasks.batches
    ledger = world.platform.processor._ledger
    ledger.claim(*batch)
    assert world.work()[0].written == ()
    assert world.swept(tenant) == []
    world.run(
        "MATCH (i:IngestionRecord {tenant: $tenant}) SET i.leaseUntil = $now", tenant, now=int(time.time() * 1000) - 1
    )
    assert [len(ids) for ids in world.swept(tenant)] == [1, 1]
    assert [len(outcome.written) for outcome in world.work()] == [1, 1]


def test_during_an_import_only_what_was_taken_before_is_enqueued_again(world: World, tenant: str) -> None:
    documents = ("killed.md", "released.md", "held.md", "waits.md", "failed.md")
    world.receive(tenant, [source(uri, f"# T\n\nwords of {uri}") for uri in documents])
    killed, released, held, waits, failed = (document_id(tenant, uri) for uri in documents)
    ledger = world.platform.processor._ledger
    for identity in (killed, held):
        ledger.claim(tenant, [identity])
    ledger.release(tenant, ledger.claim(tenant, [released]), "Qdrant does not answer.")
    ledger.retry_later(tenant, ledger.claim(tenant, [failed])[0], "It timed out.")
    (task,) = world.swept(tenant)
    assert sorted(task) == sorted([killed, released, held, waits, failed])
    world.run("MATCH (i:IngestionRecord {tenant: $tenant}) SET i.retryAt = i.retryAt - 600000", tenant)
    world.run("MATCH (i:IngestionRecord {id: $id}) WHERE i.tenant = $tenant SET i.leaseUntil = 0", tenant, id=killed)
    assert sorted(world.swept(tenant)[1:]) == sorted([[killed], [released], [failed]])
    assert len(world.swept(tenant)) == 4
    assert sum(len(outcome.written) for outcome in world.work()) == 4
