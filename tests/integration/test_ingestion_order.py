"""Ingestion on real servers: order, batching and parallelism leave no trace; names link late and unlink."""

import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from tests.integration.ingestion_world import World, source
from tests.integration.written_documents import documents

from interlace.domain.ids import document_id
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.receiver import Receipt
from interlace.settings import Settings

CORPUS = {
    "docs/lang.md": "---\ntitle: Fritz Lang\naliases: [The Director]\ntags: [film, people/german]\n---\n"
    "Fritz Lang was born in Vienna. He directed Metropolis.\n\nSee [[Metropolis]] and [the plan](plans/plan.md).\n",
    "docs/metropolis.md": "# Metropolis (film)\n\nMetropolis was directed by Fritz Lang. [[Thea von Harbou#person]] wrote it.\n\n"
    "## Cast\n\nBrigitte Helm plays Maria. #film\n",
    "docs/plans/plan.md": "# The Plan\n\nThe Director wants Brigitte Helm again. The plan hangs on 8½ things.\n",
    "docs/eight.json": '{"id": "8", "title": "8½", "text": "8½ was made in Rome by Federico Fellini.", "year": 1963}',
    "docs/helm.txt": "Brigitte Helm\n\nShe was born in Berlin. Vienna she never saw. Frau Harbou she met.\n",
    "docs/city.md": "# Vienna\n\nVienna lies on the Danube. Old Vienna Hall stands there.\n",
    "docs/hall.md": "---\naliases: [Old Vienna Hall]\n---\n# Hall\n\nThe Hall burned in 1881. See [Vienna](city.md#top).\n",
    "docs/empty.md": "---\ntitle: Thea von Harbou\naliases: [Frau Harbou]\n---\n",
}


def shuffled(seed: int) -> dict[str, str]:
    uris = sorted(CORPUS)
    random.Random(seed).shuffle(uris)
    return {uri: CORPUS[uri] for uri in uris}


def test_any_order_and_batching_gives_the_same_graph_and_vectors(world: World, tenant: str) -> None:
    world.ingest(tenant, CORPUS)
    graph, points = world.state(tenant)
    assert len(points) == sum(line.startswith('{"id"') and '"labels":["Chunk"]' in line for line in graph) == 8
    for seed, size in [(1, 1), (2, 3)]:
        world.delete(tenant)
        assert (world.left(tenant), world.points(tenant)) == ([], {})
        world.ingest(tenant, shuffled(seed), size)
        assert world.dump(tenant) == graph
        assert world.points(tenant) == points


def test_two_processors_at_once_give_the_graph_of_one(world: World, tenant: str, stack: Settings) -> None:
    world.ingest(tenant, CORPUS)
    alone = world.state(tenant)
    world.delete(tenant)
    other = World(stack)
    try:
        for uri, content in CORPUS.items():
            world.receive(tenant, [source(uri, content)])
        # Every batch twice, as after a redelivery: each is done by whoever comes first.
        other.tasks.batches = [*reversed(world.tasks.batches)]
        workers = [threading.Thread(target=each.work) for each in (world, other)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert world.state(tenant) == alone
    finally:
        other.close()


def test_the_world_of_these_tests_waits_for_documents_that_a_worker_took_first(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a stack that runs workers, whose sweep may enqueue what a test has just sent."""
    world.ingest(tenant, {"b.md": "# Berlin\n"})  # models take their time only once
    worker = Ledger(world.platform.graph, lease_seconds=5, max_attempts=5)
    receive = world.receive

    def taken(*arguments: Any) -> Receipt:
        receipt = receive(*arguments)
        assert worker.claim(tenant, world.tasks.batches[-1][1])
        return receipt

    monkeypatch.setattr(world, "receive", taken)
    world.ingest(tenant, {"a.md": "# Ada\n\nAda Lovelace wrote notes.\n"})
    assert any("Lovelace" in line for line in world.dump(tenant))


def test_a_name_that_becomes_known_late_links_older_chunks_and_unlinks_again(world: World, tenant: str) -> None:
    world.ingest(
        tenant, {"a.md": "# Note\n\nyesterday the old mill burned, Zorgon said.", "b.md": "# Other\n\nnothing here"}
    )
    before = world.state(tenant)
    assert world.links(tenant) == set()
    world.ingest(tenant, {"c.md": "---\naliases: [Zorgon]\n---\n# Old Mill\n\nwords"})
    assert world.links(tenant) >= {("yesterday", "Old Mill")}
    world.ingest(tenant, {"c.md": "# Old Mill\n\nwords"})
    assert len(world.links(tenant)) == 1
    world.delete(tenant, "c.md")
    assert world.state(tenant) == before


def test_a_lost_name_gives_way_to_shorter_ones_even_where_it_made_no_link(world: World, tenant: str) -> None:
    """The alias covers the name that the extractor saw, so it made no link; without it a word is free again."""
    reference = "# Tour\n\n[[Old Zorg#place]] Frobnitz is closed."
    documents = {"t.md": reference, "f.md": "# Frobnitz\n\nwords", "z.md": "# Old Zorg\n\nwords"}
    world.ingest(tenant, documents)
    before = world.state(tenant)
    world.ingest(tenant, {"z.md": "---\naliases: [Old Zorg Frobnitz]\n---\n# Old Zorg\n\nwords"})
    assert world.dump(tenant) != before[0]
    world.ingest(tenant, {"z.md": documents["z.md"]})
    assert world.state(tenant) == before


def test_more_names_at_once_than_a_search_may_hold_are_looked_for(world: World, tenant: str) -> None:
    """Lucene takes 1024 clauses."""
    aliases = [f"frob{number} zorg" for number in range(1100)]
    world.ingest(tenant, {"old.md": f"# Old\n\nhere stands {aliases[777]} and no other"})
    world.ingest(tenant, {"names.md": f"---\naliases: [{', '.join(aliases)}]\n---\n# Bork\n"})
    assert world.links(tenant) == {("here", "Bork")}


@pytest.fixture(scope="module")
def lasting(world: World) -> Iterator[str]:
    """A tenant for the examples of one test, each of which leaves nothing."""
    with world.tenant() as name:
        yield name


@given(documents(), documents(), documents())
@examples(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_what_was_deleted_or_replaced_was_never_there(
    world: World, lasting: str, first: str, second: str, other: str
) -> None:
    world.ingest(lasting, {"b.md": other, "a.md": second})
    both = world.state(lasting)
    world.delete(lasting, "a.md")
    alone = world.state(lasting)
    world.delete(lasting)
    assert world.left(lasting) == []

    world.ingest(lasting, {"a.md": first, "b.md": other}, size=1)
    world.ingest(lasting, {"a.md": second})
    assert world.state(lasting) == both
    world.delete(lasting, "a.md")
    assert world.state(lasting) == alone
    world.delete(lasting)
    assert (world.left(lasting), world.points(lasting)) == ([], {})


def test_ids_of_tenants_never_meet(world: World, tenant: str) -> None:
    world.ingest(tenant, {"a.md": "# Old Mill\n\nZorg"})
    with world.tenant() as other:
        world.ingest(other, {"b.md": "# Zorg\n\nsaw the Old Mill"})
        assert world.links(tenant) == world.links(other) == set()
        assert document_id(tenant, "a.md") != document_id(other, "a.md")
