"""Names that many older chunks hold: linked in batches, whatever happens between two of them, as if in one transaction."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from tests.integration.ingestion_world import Documents, World, source
from tests.integration.mortal_world import MortalWorld
from tests.integration.test_reconcile import false_evidence
from tests.integration.written_documents import documents

from interlace.domain.errors import ConflictError
from interlace.domain.ids import document_id
from interlace.entities.repository import EntityRepository
from interlace.export.backup import save
from interlace.ingestion.older_chunks import OlderChunks
from interlace.settings import IngestSettings, Settings

AT_ONCE = 2
CALLS = 90
"""More calls than the batch below makes."""
OLD = {f"{number}.md": f"# Note {number}\n\nhere number {number} the old mill of Zorg burned" for number in range(7)}
HUB = {"hub.md": "---\naliases: [Zorg]\n---\n# Old Mill\n\nwords"}
OTHER = {"other.md": "---\naliases: [Mill of Zorg]\n---\n# Other\n\nwords"}
_STATE = """
OPTIONAL MATCH (p:PendingRelink {tenant: $tenant})
WITH count(p) AS pending
OPTIONAL MATCH (e:RetiredEntity {tenant: $tenant})
RETURN pending, count(e) AS retired
"""


@pytest.fixture(scope="module")
def small(world: World, stack: Settings) -> Iterator[MortalWorld]:
    """A world that links two older chunks at once and may die."""
    settings = stack.model_copy(update={"ingest": IngestSettings(max_attempts=20)})
    made = MortalWorld(settings, world, AT_ONCE)
    yield made
    made.close()


def unbounded(world: World, tenant: str, documents: Documents) -> Any:
    """Return what the documents give when each change is linked in one transaction."""
    world.ingest(tenant, documents)
    state = world.state(tenant)
    world.clear(tenant)
    return state


def left(world: World, tenant: str) -> tuple[int, int]:
    """Return how many changes still have chunks to link, and how many entities are retired."""
    (row,) = world.rows(_STATE, tenant)
    return row["pending"], row["retired"]


def linked(world: World, tenant: str) -> int:
    """Return how many older chunks are linked to the hub by its alias or its name."""
    return sum(chunk == "here" and name == "Old Mill" for chunk, name in _links(world, tenant))


def _links(world: World, tenant: str) -> list[tuple[str, str]]:
    text = """
    MATCH (c:Chunk {tenant: $tenant})-[m:MENTIONS {via: 'linker', key: 'zorg'}]->(e:Entity)
    RETURN split(c.text, ' ')[0] AS chunk, e.name AS name
    """
    return [(row["chunk"], row["name"]) for row in world.rows(text, tenant)]


def work_and_die_before_linking(world: MortalWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """Process what waits by a worker that dies right after the transaction that writes."""
    with monkeypatch.context() as dead:
        dead.setattr(OlderChunks, "finish", lambda *_: None)
        world.work()


def test_a_name_of_many_chunks_is_linked_and_unlinked_as_in_one_transaction(
    world: World, small: MortalWorld, tenant: str
) -> None:
    whole = unbounded(world, tenant, OLD | HUB)
    alone = unbounded(world, tenant, OLD)
    small.ingest(tenant, OLD)
    small.ingest(tenant, HUB)
    assert (linked(small, tenant), left(small, tenant)) == (7, (0, 0))
    assert small.state(tenant) == whole
    small.delete(tenant, "hub.md")
    assert left(small, tenant) == (0, 0)
    assert small.state(tenant) == alone


def test_between_two_batches_everyone_knows_what_is_pending(
    small: MortalWorld, tenant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.ingest(tenant, OLD)
    job = small.receive(tenant, [source(uri, text) for uri, text in HUB.items()]).job_id
    work_and_die_before_linking(small, monkeypatch)
    assert (linked(small, tenant), left(small, tenant)) == (AT_ONCE, (1, 0))
    status = small.platform.jobs.status(tenant, job)
    assert (status.state, status.ready, status.finished) == ("linking", 1, False)
    assert small.platform.reconciler.check(tenant) == []
    with pytest.raises(ConflictError, match="Older chunks of tenant"):
        save(small.platform.graph, [tenant], tmp_path / "b.gz", {}, pause=small.platform.communities.paused)
    small.platform.sweeper.sweep()
    assert (linked(small, tenant), left(small, tenant)) == (7, (0, 0))
    assert small.platform.jobs.status(tenant, job).state == "done"


def test_a_run_that_must_stop_leaves_the_rest_to_the_next(
    small: MortalWorld, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.ingest(tenant, OLD)
    small.receive(tenant, [source(uri, text) for uri, text in HUB.items()])
    work_and_die_before_linking(small, monkeypatch)
    answers = iter([True, True, False, False])
    small.platform.older_chunks.finish(tenant, lambda: next(answers))
    assert (linked(small, tenant), left(small, tenant)) == (2 * AT_ONCE, (1, 0))
    small.platform.older_chunks.finish(tenant)
    assert (linked(small, tenant), left(small, tenant)) == (7, (0, 0))


def test_an_entity_that_goes_is_out_of_sight_at_once(
    small: MortalWorld, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.ingest(tenant, OLD)
    before = small.state(tenant)
    small.ingest(tenant, HUB)
    small.platform.receiver.delete(tenant, ids=[document_id(tenant, "hub.md")])
    work_and_die_before_linking(small, monkeypatch)
    assert (linked(small, tenant), left(small, tenant)) == (0, (1, 1))
    assert EntityRepository(small.platform.graph).search(tenant, "Old Mill").matches == ()
    assert small.platform.reconciler.check(tenant) == []
    # The name comes back before the old entity is gone: another node has its id now.
    small.ingest(tenant, HUB)
    assert (linked(small, tenant), left(small, tenant)) == (7, (0, 0))
    small.delete(tenant, "hub.md")
    assert small.state(tenant) == before


def test_the_document_that_brought_the_name_goes_while_its_chunks_are_being_linked(
    small: MortalWorld, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.ingest(tenant, OLD)
    before = small.state(tenant)
    brought = small.receive(tenant, [source(uri, text) for uri, text in HUB.items()]).job_id
    work_and_die_before_linking(small, monkeypatch)
    small.platform.receiver.delete(tenant, ids=[document_id(tenant, "hub.md")])
    work_and_die_before_linking(small, monkeypatch)
    # The same names came and went: one note is left for both, and both jobs wait for it.
    assert left(small, tenant) == (1, 1)
    assert small.platform.jobs.status(tenant, brought).state == "linking"
    small.settle(tenant)
    assert small.state(tenant) == before
    assert small.platform.jobs.status(tenant, brought).state == "done"


@pytest.mark.slow
def test_a_worker_may_die_between_any_two_calls_while_it_links(world: World, small: MortalWorld, tenant: str) -> None:
    """A batch that takes one name of many chunks and brings another, killed at its first call, at its second, and so on."""
    expected = unbounded(world, tenant, OLD | OTHER)
    deaths = []
    for call in range(1, CALLS + 1):
        small.ingest(tenant, OLD | HUB)
        small.receive(tenant, [source(uri, text) for uri, text in OTHER.items()])
        small.platform.receiver.delete(tenant, ids=[document_id(tenant, "hub.md")])
        ids = [identity for _, batch in small.tasks.batches for identity in batch]
        small.tasks.batches.clear()
        death = small.die_working((tenant, ids), call)
        assert small.platform.reconciler.check(tenant) == [], f"killed before call {call}: {death}"
        small.settle(tenant)
        assert small.dump(tenant) == expected[0], f"killed before call {call}: {death}"
        if not death:
            break
        deaths.append(death)
        small.delete(tenant, "other.md")
    # The transaction that writes, at least two batches more, and the end of retired entities.
    assert deaths.count("commit") >= 4
    assert len(deaths) < CALLS


@pytest.mark.slow
@given(documents(), documents(), documents(), documents())
@examples(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_any_documents_give_the_same_graph_bounded_and_unbounded(
    world: World, small: MortalWorld, tenant: str, first: str, second: str, third: str, fourth: str
) -> None:
    kept = {"a.md": second, "b.md": third, "c.md": first}
    whole = unbounded(world, tenant, kept)
    small.ingest(tenant, {"c.md": first, "a.md": first, "d.md": fourth}, size=1)
    small.ingest(tenant, {"b.md": third, "a.md": second}, size=1)
    small.delete(tenant, "d.md")
    assert left(small, tenant) == (0, 0)
    assert small.state(tenant) == whole
    small.clear(tenant)


def test_a_repair_that_changes_names_links_in_batches(small: MortalWorld, tenant: str) -> None:
    town = {f"v{number}.md": f"# Town {number}\n\nthe town {number} is called Vienna, sometimes" for number in range(5)}
    small.ingest(tenant, town | {"lang.md": "# Fritz Lang\n\nwords"})
    expected = small.state(tenant)
    false_evidence(small, tenant)
    assert small.platform.reconciler.repair(tenant)
    assert small.platform.reconciler.check(tenant) == []
    assert (small.state(tenant), left(small, tenant)) == (expected, (0, 0))
