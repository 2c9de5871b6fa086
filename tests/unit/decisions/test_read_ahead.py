"""What a decision will move is read once for many batches, and again when others wrote or what was read ends."""

from collections.abc import Sequence

from interlace.decisions.read_ahead import BATCHES, ReadAhead
from interlace.queries.decisions import MovedDocumentsRow

MENTIONS = 2


class Hub:
    """Documents with one mention each; it counts how often they are read."""

    def __init__(self, documents: int) -> None:
        self.rows = [MovedDocumentsRow(f"{number:04}", 1) for number in range(documents)]
        self.readings = 0

    def move(self, ahead: ReadAhead, place: str, version: int) -> list[str]:
        """Return the documents of the next batch."""

        def read(limit: int) -> Sequence[MovedDocumentsRow]:
            self.readings += 1
            return [row for row in self.rows if row.document > place][:limit]

        ahead.begin(version)
        return [row.document for row in ahead.after(place, read)][:MENTIONS]


def test_batches_that_follow_one_another_read_once() -> None:
    hub, ahead, place, moved = Hub(20), ReadAhead(MENTIONS), "", list[str]()
    for version in range(10):
        batch = hub.move(ahead, place, version)
        ahead.commit()
        place, moved = batch[-1], [*moved, *batch]
    assert moved == [row.document for row in hub.rows]
    assert hub.readings == 1


def test_a_large_hub_is_read_once_for_so_many_batches() -> None:
    hub, ahead, place = Hub(3 * BATCHES * MENTIONS), ReadAhead(MENTIONS), ""
    for version in range(3 * BATCHES):
        place = hub.move(ahead, place, version)[-1]
        ahead.commit()
    assert place == hub.rows[-1].document
    assert hub.readings <= 4


def test_what_others_wrote_is_read() -> None:
    hub, ahead = Hub(10), ReadAhead(MENTIONS)
    place = hub.move(ahead, "", 1)[-1]
    ahead.commit()
    hub.rows.insert(2, MovedDocumentsRow("0001-new", 1))
    assert hub.move(ahead, place, 3) == ["0001-new", "0002"]
    assert hub.readings == 2


def test_a_transaction_that_runs_again_after_another_writer_reads_again() -> None:
    hub, ahead = Hub(10), ReadAhead(MENTIONS)
    hub.move(ahead, "", 1)
    hub.rows.insert(0, MovedDocumentsRow("0000", 1))
    assert hub.move(ahead, "", 2) == ["0000", "0000"]
    assert hub.readings == 2
    # It did not commit as version 1, so version 3 of the same place is no successor of what was read.
    assert hub.move(ahead, "", 2) == ["0000", "0000"]
