"""Outbox entries of entities whose names or describing sentences a transaction may have changed."""

from collections.abc import Sequence

from interlace.domain.ids import stable_id
from interlace.ports.graph import Transaction
from interlace.queries.outbox import write_outbox
from interlace.vectors.entity_points import KIND


def enter_entities(transaction: Transaction, tenant: str, version: int, ids: Sequence[str]) -> None:
    """Write an outbox entry for entities whose points must be synchronised with what the transaction commits.

    Args:
        transaction: the transaction that changes the graph.
        tenant: the tenant.
        version: the gazetteer version that the transaction creates.
        ids: ids of the entities; if empty, no entry is written.
    """
    if ids:
        entry = stable_id("outbox", tenant, KIND, str(version))
        write_outbox(transaction, tenant=tenant, id=entry, kind=KIND, ids=ids, jobs=[], due_ms=0)
