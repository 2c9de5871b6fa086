"""Reads under a tenant's lock, while its writers of documents wait."""

from collections.abc import Callable
from typing import TypeVar

from interlace.ports.graph import GraphDatabase, QueryRunner, Transaction
from interlace.queries.tenants import lock_writers

T = TypeVar("T")


def while_writers_wait(graph: GraphDatabase, tenant: str, read: Callable[[QueryRunner], T]) -> T:
    """Return what ``read`` returns under the tenant's lock.

    Neo4j shows a commit bit by bit while it applies it. A transaction keeps its locks until all of it is visible, so whoever has the
    tenant's lock sees no half of what a writer of documents wrote.
    """

    def locked(transaction: Transaction) -> T:
        lock_writers(transaction, tenant=tenant)
        return read(transaction)

    return graph.transact(locked)
