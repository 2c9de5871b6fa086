"""A tenant that is removed was never there: not in graph, vectors or caches, whatever was under way, and its name can be used again."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from tests.integration.ingestion_world import World, source

from interlace.domain.decisions import Author, Decision, EntityForm
from interlace.domain.errors import ConflictError, InvalidInputError, NotFoundError
from interlace.domain.hits import QueryRequest
from interlace.export.canonical_load import load
from interlace.export.removal import COLLECTIONS, TenantRemoval
from interlace.ingestion.writer import GraphWriter

pytestmark = pytest.mark.stack

DOCUMENTS = {
    "ferry.md": "---\ntags: [boats]\naccess: [staff]\n---\n# The Grey Ferry\n\nThe Grey Ferry was directed by Orla Venning.\n",
    "venning.md": "# Orla Venning\n\nOrla Venning married [[strand|Knud Strand]] in Aalborg.\n",
    "strand.md": "# Knud Strand\n\nKnud Strand painted The Grey Ferry in Aalborg.\n",
}
OTHERS = {"mill.md": "# The Mill\n\nThe Mill was built by Ada Mosse. Ada Mosse lived in Ribe.\n"}


@pytest.fixture
def tenants(world: World) -> TenantRemoval:
    return TenantRemoval(world.platform.graph, world.platform.vectors)


def left(world: World, tenant: str) -> list[Any]:
    """Return every node and every collection with points that a tenant has."""
    nodes = world.rows("MATCH (n) WHERE n.tenant = $tenant AND NOT n:AuditEntry RETURN labels(n) AS labels", tenant)
    return [row["labels"] for row in nodes] + [
        kind for kind in COLLECTIONS if world.platform.vectors.count(tenant, kind)
    ]


def test_nothing_of_a_removed_tenant_is_left_and_others_keep_theirs(
    world: World, tenant: str, tenants: TenantRemoval
) -> None:
    with world.tenant() as other:
        world.ingest(other, DOCUMENTS)
        before = world.state(other)
        world.ingest(tenant, DOCUMENTS)
        world.platform.communities.refresh(tenant)
        world.platform.entity_vectors.embed_waiting(tenant)
        same = Decision("same", (EntityForm("knud strand"), EntityForm("orla venning")), Author("ada"))
        world.platform.decisions.record(tenant, same)
        world.receive(tenant, [source("late.md", "# Late\n\nOrla Venning came late.\n")])
        assert all(world.platform.vectors.count(tenant, kind) for kind in COLLECTIONS)
        with pytest.raises(InvalidInputError, match=tenant):
            tenants.begin(tenant, "default")
        tenants.begin(tenant, tenant)
        assert tenants.state(tenant).state == "removing"
        assert tenants.run(tenant)
        assert left(world, tenant) == []
        with pytest.raises(NotFoundError, match=tenant):
            tenants.state(tenant)
        world.work()
        assert left(world, tenant) == [], "a task that was under way begins nothing again"
        assert world.state(other) == before


def test_the_name_of_a_removed_tenant_stands_for_a_new_one(world: World, tenant: str, tenants: TenantRemoval) -> None:
    world.ingest(tenant, DOCUMENTS)
    world.platform.questions.search(tenant, QueryRequest("Who directed The Grey Ferry?"))
    tenants.begin(tenant, tenant)
    assert tenants.run(tenant)
    world.ingest(tenant, OTHERS)
    with world.tenant() as fresh:
        world.ingest(fresh, OTHERS)
        assert len(world.dump(tenant)) == len(world.dump(fresh))
        assert len(world.points(tenant)) == len(world.points(fresh))
    assert {row["name"] for row in world.rows("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name", tenant)} == {
        "Ada Mosse",
        "Ribe",
        "The Mill",
    }
    asked = world.platform.questions.search(tenant, QueryRequest("Who directed The Grey Ferry with Orla Venning?"))
    assert "Orla Venning" not in asked.entities


def test_work_that_was_under_way_writes_nothing(world: World, tenant: str, tenants: TenantRemoval) -> None:
    """A worker has read and projected a document when its tenant is marked, or is gone."""
    for finish in (False, True):
        world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
        world.receive(tenant, [source("strand.md", DOCUMENTS["strand.md"])])
        write = world.platform.processor._writer.write

        def interrupted(_: GraphWriter, *batch: Any, finish: bool = finish, write: Any = write) -> Any:
            tenants.begin(tenant, tenant)
            assert not finish or tenants.run(tenant)
            return write(*batch)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(GraphWriter, "write", interrupted)
            (outcome,) = world.work()
        assert (outcome.written, len(outcome.lost)) == ((), 1)
        assert tenants.run(tenant)
        assert left(world, tenant) == []


def test_a_tenant_that_is_being_removed_takes_nothing_in(world: World, tenant: str, tenants: TenantRemoval) -> None:
    world.ingest(tenant, DOCUMENTS)
    tenants.begin(tenant, tenant)
    with pytest.raises(ConflictError, match="being removed"):
        world.receive(tenant, [source("late.md", "# Late\n")])
    with pytest.raises(ConflictError, match="being removed"):
        world.platform.receiver.delete(tenant, everything=True)
    same = Decision("same", (EntityForm("knud strand"), EntityForm("orla venning")), Author("ada"))
    with pytest.raises(ConflictError, match="being removed"):
        world.platform.decisions.record(tenant, same)


def test_a_removal_that_was_interrupted_is_swept_up(
    world: World, tenant: str, tenants: TenantRemoval, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, DOCUMENTS)
    tenants.begin(tenant, tenant)
    pages = iter([True, True, True])
    assert not tenants.run(tenant, lambda: next(pages, False))
    assert tenants.state(tenant).state == "removing"
    world.swept(tenant)
    assert tenant in world.tasks.removals

    class KilledError(Exception):
        pass

    def killed(*_: Any, **__: Any) -> None:
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr("interlace.export.removal.queries.remove_nodes", killed)
        with pytest.raises(KilledError):
            tenants.run(tenant)
    assert tenants.run(tenant)
    assert left(world, tenant) == []


def test_a_dump_is_read_into_a_tenant_whose_documents_were_deleted(world: World, tenant: str, tmp_path: Path) -> None:
    world.ingest(tenant, DOCUMENTS)
    world.platform.communities.refresh(tenant)
    file, before = tmp_path / "dump.jsonl", world.dump(tenant)
    file.write_text("".join(f"{line}\n" for line in before))
    world.delete(tenant)
    assert world.rows("MATCH (j:Job {tenant: $tenant}) RETURN j.id", tenant)
    assert load(world.platform.graph, world.platform.vectors, file).tenant == tenant
    assert world.dump(tenant) == before


def test_a_removal_is_in_the_audit_log_as_soon_as_it_has_begun(
    world: World, tenant: str, tenants: TenantRemoval
) -> None:
    world.ingest(tenant, DOCUMENTS)
    tenants.begin(tenant, tenant, key="ik")
    query = "MATCH (a:AuditEntry) WHERE $tenant IN a.tenants RETURN a.event AS event, a.key AS key"
    assert world.rows(query, tenant) == [{"event": "removed", "key": "ik"}]
    assert tenants.run(tenant)
    assert len(world.rows(query, tenant)) == 1


def test_a_name_that_stands_for_nothing_is_not_removed(world: World, tenants: TenantRemoval) -> None:
    name = f"t{uuid.uuid4().hex[:12]}"
    with pytest.raises(NotFoundError, match=name):
        tenants.begin(name, name)
    assert left(world, name) == []
