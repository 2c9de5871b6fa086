"""Leases with fencing tokens (Gray and Cheriton 1989; Kleppmann 2017, chapter 8), held in the graph.

A lease is a lock that expires by the database's clock, so that another process can take over from one that died. A process that was
only slow cannot do harm afterwards: it renews its lease in the transaction that writes, which fails once another owner has a greater token.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from interlace.domain.errors import ConflictError, InterlaceError
from interlace.ports.graph import GraphDatabase, QueryRunner
from interlace.queries import leases as queries


class LeaseHeldError(ConflictError):
    """Another run holds the lease; trying again once it has finished works.

    Args:
        message: the sentence for those who do not wait.
        busy: its first clause, for those who do: what the other run is doing.
    """

    def __init__(self, message: str, *, busy: str = "") -> None:
        super().__init__(message)
        self.busy = busy


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of one run to do one kind of work for a tenant.

    Args:
        graph: where the lease is held.
        tenant: the tenant that the work is for.
        name: kind of work, for example ``communities``.
        owner: a name that no other run has.
        token: fencing token, greater than that of every owner before.
        seconds: how long the lease holds after it was renewed.
    """

    graph: GraphDatabase
    tenant: str
    name: str
    owner: str
    token: int
    seconds: int

    def renew(self, transaction: QueryRunner | None = None) -> None:
        """Extend the lease (the heartbeat of a long run); no other run takes it over before the end of the transaction, if one is given.

        Raises:
            ConflictError: another run has the lease, because this one was silent for too long.
        """
        renewed = queries.renew_lease(
            transaction or self.graph,
            tenant=self.tenant,
            name=self.name,
            owner=self.owner,
            token=self.token,
            seconds=self.seconds,
        )
        if renewed is None:
            raise ConflictError(
                f"This run was silent for more than {self.seconds} s, and another took over its lease {self.name!r} of tenant "
                f"{self.tenant!r}."
            )

    def release(self) -> None:
        """Release the lease; nothing happens if another run already has it."""
        queries.release_lease(self.graph, tenant=self.tenant, name=self.name, owner=self.owner, token=self.token)


@contextmanager
def acquired(graph: GraphDatabase, tenant: str, name: str, *, seconds: int, busy: str) -> Iterator[Lease]:
    """Hold a lease while the context is open.

    Args:
        graph: where the lease is held.
        tenant: the tenant that the work is for.
        name: kind of work.
        seconds: how long the lease holds without renewal.
        busy: beginning of the error's sentence: what the other run is doing.

    Raises:
        LeaseHeldError: another run holds the lease.
        UnavailableError: the database does not answer.
    """
    owner = uuid.uuid4().hex
    token = queries.acquire_lease(graph, tenant=tenant, name=name, owner=owner, seconds=seconds)
    if token is None:
        raise LeaseHeldError(
            f"{busy}; try again when that run has finished. The lease of one that died expires after {seconds} s.",
            busy=busy,
        )
    lease = Lease(graph, tenant, name, owner, token, seconds)
    try:
        yield lease
    finally:
        # The lease expires by itself; the first error is the one that matters.
        with suppress(InterlaceError):
            lease.release()
