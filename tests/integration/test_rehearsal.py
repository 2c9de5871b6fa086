"""What workers write at their start, to make the database ready, is never there."""

import threading

import pytest
from tests.integration.ingestion_world import World, ad_hoc

from interlace.ingestion.rehearsal import rehearse
from interlace.ingestion.writer import GraphWriter

_EVERYTHING = ad_hoc("MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS ties")
_MADE = ad_hoc("MATCH (f:Fact {tenant: $tenant}) RETURN count(f) AS facts", tenant="STRING")


def test_a_rehearsal_writes_whole_batches_and_leaves_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = world.platform.graph
    before = graph.read(_EVERYTHING)
    seen: list[tuple[int, int]] = []
    write = GraphWriter.write

    def watched(self: GraphWriter, *args: object) -> object:
        outcome = write(self, *args)  # type: ignore[arg-type]
        # Within the transaction everything is there.
        rows = self._graph.transact(lambda transaction: transaction.run(_MADE, tenant=args[0]))
        seen.append((len(outcome.written), rows[0]["facts"]))
        return outcome

    monkeypatch.setattr(GraphWriter, "write", watched)
    rehearse(graph)
    assert 2 <= len(seen) <= 6
    assert set(seen) == {(112, 5 * 112)}
    assert graph.read(_EVERYTHING) == before


def test_workers_rehearse_at_the_same_time(world: World) -> None:
    graph = world.platform.graph
    before = graph.read(_EVERYTHING)
    failed: list[BaseException] = []

    def run() -> None:
        try:
            rehearse(graph)
        except BaseException as error:  # noqa: BLE001 - a thread's
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert graph.read(_EVERYTHING) == before
