"""Which older chunks a transaction links, and that no transaction links more."""

from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import UnavailableError
from interlace.entities.linker import EntityLinkers
from interlace.ingestion.older_chunks import FirstBatch, OlderChunks, first_batch
from interlace.ingestion.relink import AffectedChunk
from interlace.ports.graph import Row


def affected(*places: str) -> list[AffectedChunk]:
    return [AffectedChunk(*place.split("/")) for place in places]


@pytest.mark.parametrize(
    ("places", "own", "expected"),
    [
        ([], (), FirstBatch([])),
        (["a/1", "b/1"], (), FirstBatch(["1", "1"])),
        (["a/1", "b/2", "c/3"], (), FirstBatch(["1", "2"], AffectedChunk("b", "2"))),
        # A document stays together unless it alone is more than a batch.
        (["a/1", "b/2", "b/3"], (), FirstBatch(["1"], AffectedChunk("a", "1"))),
        (["a/1", "a/2", "a/3"], (), FirstBatch(["1", "2"], AffectedChunk("a", "2"))),
        # Chunks of the documents that are written come first, and do not count.
        (["a/1", "b/2", "c/3", "d/4"], ("3", "4"), FirstBatch(["3", "4", "1", "2"])),
        (["a/1", "b/2", "c/3", "d/4"], ("1",), FirstBatch(["1", "2", "3"], AffectedChunk("c", "3"))),
    ],
)
def test_the_first_batch_is_bounded(places: list[str], own: tuple[str, ...], expected: FirstBatch) -> None:
    assert first_batch(affected(*places), own, batch_size=2) == expected


class Pending:
    """A graph with one note about five chunks in three documents, and seven mentions of retired entities."""

    def __init__(self) -> None:
        self.after = ["", ""]
        self.pending = True
        self.mentions = 7
        self.graph = CollectingGraph(
            {
                "leases/acquire_lease": [{"token": 1}],
                "leases/renew_lease": [{"token": 1}],
                "tenants/lock_tenant": [{"version": 8}],
                "relinks/next_relink": lambda **_: (
                    [{"id": "n", "keys": ["zorg"], "after": self.after}] if self.pending else []
                ),
                "chunks/find_chunks_by_alias": [
                    {"document": document, "id": chunk} for chunk, document in zip("54321", "cbbba", strict=True)
                ],
                "relinks/advance_relink": self.advance,
                "relinks/forget_mentions": self.forget,
                "relinks/finish_relink": self.finish,
            }
        )

    def advance(self, after: list[str], reached: list[str], **_: Any) -> list[Row]:
        if after != self.after:
            return []
        self.after = reached
        return [{"id": "n"}]

    def forget(self, limit: int, **_: Any) -> list[Row]:
        removed = min(limit, self.mentions)
        self.mentions -= removed
        return [{"removed": removed}]

    def finish(self, **_: Any) -> list[Row]:
        self.pending = False
        return []

    def older_chunks(self, batch_size: int = 2) -> OlderChunks:
        return OlderChunks(self.graph, EntityLinkers(self.graph), batch_size)

    def batches(self) -> list[list[str]]:
        return [params["chunks"] for params in self.graph.params_of("mentions/read_linking")]


def test_each_transaction_links_a_batch_under_lease_and_lock_and_makes_a_version() -> None:
    pending = Pending()
    pending.older_chunks().finish("t")
    assert pending.batches() == [["1"], ["2", "3"], ["4", "5"]]
    assert len(pending.graph.params_of("chunks/find_chunks_by_alias")) == 1
    names = [name for name, _ in pending.graph.ran]
    begins = [at for at, name in enumerate(names) if name == "leases/renew_lease"]
    # Three that link, three that remove two mentions of seven each, one that removes the last and the note.
    assert len(begins) == 7
    assert all(names[at + 1] == "tenants/lock_tenant" for at in begins)
    logged = pending.graph.params_of("gazetteer/log_gazetteer_change")
    assert len(logged) == 7
    assert all((params["entityIds"], params["chunks"]) == ((), 0) for params in logged)
    assert not pending.pending
    assert names[-1] == "leases/release_lease"


def test_a_run_goes_on_where_the_one_before_has_stopped() -> None:
    pending = Pending()
    answers = iter([True, True, False, False])
    pending.older_chunks().finish("t", lambda: next(answers))
    assert (pending.batches(), pending.after) == ([["1"]], ["a", "1"])
    pending.older_chunks().finish("t")
    assert pending.batches()[1:] == [["2", "3"], ["4", "5"]]


def test_a_note_that_another_run_has_moved_is_read_again() -> None:
    pending = Pending()
    elsewhere = iter([["b", "4"]])

    def advance(after: list[str], reached: list[str], **params: Any) -> list[Row]:
        pending.after = next(elsewhere, pending.after)
        return pending.advance(after, reached, **params)

    pending.graph.answers["relinks/advance_relink"] = advance
    pending.older_chunks().finish("t")
    assert pending.batches() == [["5"]]
    assert not pending.pending


def test_a_run_of_another_process_is_left_alone() -> None:
    pending = Pending()
    pending.graph.answers["leases/acquire_lease"] = []
    pending.older_chunks().finish("t")
    assert pending.batches() == []
    assert pending.pending


def test_where_nothing_is_deferred_nothing_is_written() -> None:
    pending = Pending()
    pending.pending = False
    pending.older_chunks().finish("t")
    assert [name for name, _ in pending.graph.ran] == ["relinks/next_relink"]


def test_a_fault_leaves_the_rest_to_the_sweeper() -> None:
    pending = Pending()
    pending.graph.answers["mentions/write_mentions"] = UnavailableError("Neo4j does not answer.")
    pending.older_chunks().finish_or_leave("t")
    assert pending.pending
    with pytest.raises(UnavailableError):
        pending.older_chunks().finish("t")
