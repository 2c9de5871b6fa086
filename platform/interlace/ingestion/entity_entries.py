"""Outbox entries of entities: what a transaction may have changed of their names and of the sentences that describe them."""

from collections.abc import Sequence

from interlace.domain.ids import stable_id
from interlace.ports.graph import Transaction
from interlace.queries.outbox import write_outbox
from interlace.vectors.entity_points import KIND


def enter_entities(transaction: Transaction, tenant: str, version: int, ids: Sequence[str]) -> None:
    """Enter entities whose points must be brought in step with what the transaction commits.

    Args:
        transaction: the one that changes the graph.
        tenant: whose.
        version: of the gazetteer, which the transaction makes.
        ids: entities; none enter nothing.
    """
    if ids:
        entry = stable_id("outbox", tenant, KIND, str(version))
        write_outbox(transaction, tenant=tenant, id=entry, kind=KIND, ids=ids, jobs=[], due_ms=0)
