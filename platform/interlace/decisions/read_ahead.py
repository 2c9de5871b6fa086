"""Documents that a decision will move, read once for many batches instead of once per batch, because each read follows all mentions of a hub."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from interlace.queries.decisions import MovedDocumentsRow

BATCHES: Final = 20
"""Batches that one read serves; its rows are kept in memory."""


@dataclass(slots=True)
class ReadAhead:
    """Documents read ahead for one decision. Valid while no one else writes to the tenant: gazetteer versions are then consecutive.

    Args:
        mentions: number of mentions that a batch moves.
        max_mentions: number of mentions that a transaction may move if nothing is left after them.
    """

    mentions: int
    max_mentions: int = 0
    _rows: Sequence[MovedDocumentsRow] = ()
    _complete: bool = False
    _committed: int = -1
    _begun: int = -1
    _names: list[str] = field(default_factory=list)

    def begin(self, version: int) -> None:
        """Note the version that a transaction creates; a retry may create another."""
        self._begun = version

    def commit(self) -> None:
        """Note that the transaction that began last has committed."""
        self._committed = self._begun

    def after(self, place: str, read: Callable[[int], Sequence[MovedDocumentsRow]]) -> Sequence[MovedDocumentsRow]:
        """Return the documents after a place, the last one that was moved, in order: all that are left, or more than a batch moves.

        ``read`` reads the given number of documents after the place.
        """
        rest = self._rows[bisect_right(self._names, place) :]
        if self._committed + 1 != self._begun or not self._reaches(rest):
            limit = max(BATCHES * self.mentions, self.max_mentions) + 1
            self._rows = rest = read(limit)
            self._names = [row.document for row in rest]
            self._complete = len(rest) < limit
        return rest

    def _reaches(self, rows: Sequence[MovedDocumentsRow]) -> bool:
        return self._complete or sum(row.mentions for row in rows) > self.mentions
