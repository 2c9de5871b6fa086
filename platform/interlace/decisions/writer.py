"""Writes decisions about entities, and moves the evidence of documents accordingly.

The transaction that records or undoes a decision moves all the evidence concerned, unless that is more than ``MENTION_BATCH``
mentions. In that case it notes in the graph (``PendingDecision``) that no document follows the decision yet, and a second transaction, under a lease,
moves everything. If its process dies, the note remains and another process does the same again. If the database does not grant enough memory,
documents follow in batches instead; each batch is exact for its documents, and documents written in the meantime follow the same note.
"""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from interlace.access.audit import Record, entry_of
from interlace.decisions.idempotent_request import IdempotentRequest
from interlace.decisions.read_ahead import ReadAhead
from interlace.decisions.step import DecisionStep, Undoing
from interlace.domain.decisions import Author, Decision
from interlace.domain.errors import InterlaceError, QueryRefusedError
from interlace.domain.instants import now
from interlace.entities.linker import EntityLinkers
from interlace.ingestion.gazetteer_version import begin_version
from interlace.ingestion.older_chunks import OlderChunks
from interlace.ingestion.transaction_size import movable_mentions
from interlace.leases.heartbeat import Heartbeat
from interlace.leases.lease import acquired
from interlace.leases.sequence_lock import committing
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries import decisions as queries

MENTION_BATCH: Final = 5000
"""Mentions, titles and ends of facts that the transaction of a request, or a batch, moves to another entity; a document is never split."""
_LEASE = "deciding"
_LEASE_SECONDS = 60
T = TypeVar("T")
_logger = logging.getLogger(__name__)


@dataclass(slots=True)
class DecisionWriter:
    """Records and undoes decisions.

    Args:
        graph: the graph.
        older_chunks: links the chunks that a decision defers.
        max_atomic_mentions: mentions that a separate transaction moves, so that a decision becomes visible all at once; None for as many as the
            server's memory allows.
        batch_size: mentions that the transaction of a request, or a batch, moves.
    """

    graph: GraphDatabase
    older_chunks: OlderChunks
    max_atomic_mentions: int | None = None
    batch_size: int = MENTION_BATCH
    _linkers: EntityLinkers = field(init=False)

    def __post_init__(self) -> None:
        # Never shared with readers: while a transaction is open they hold uncommitted names.
        self._linkers = EntityLinkers(self.graph, max_size=1)

    def record(
        self, tenant: str, decision: Decision, request: IdempotentRequest | None = None, record: Record | None = None
    ) -> str:
        """Record a decision and apply it; return its id. If its author has made it before, it stays as it is.

        Args:
            tenant: the tenant.
            decision: what is decided.
            request: what asks for it; repeated, it changes nothing, even if its decision has since been undone.
            record: what the audit log says of it if it is recorded.

        Raises:
            InvalidInputError: the decision is invalid.
            ConflictError: another decision of the tenant is being applied, or the key was used for another decision.
            UnavailableError: the graph does not answer; a decision that was recorded will be applied.
        """
        decision.check()
        made = replace(decision, created_at=decision.created_at or now())
        entry = entry_of(record) if record else None
        self.finish(tenant)
        ahead = self._ahead()
        decision_id = self._transact(tenant, lambda step: step.record(made, request, entry), ahead)
        self.finish(tenant, ahead=ahead)
        return decision_id

    def undo(
        self,
        tenant: str,
        decision_id: str,
        by: Author,
        note: str = "",
        record: Callable[[Decision], Record] | None = None,
    ) -> None:
        """Undo a decision, which makes the graph what it would be without it.

        Args:
            tenant: the tenant.
            decision_id: id of the decision.
            by: who undoes it.
            note: why.
            record: what the audit log says of it, given the decision.

        Raises:
            NotFoundError: no such decision stands.
            ConflictError: another decision of the tenant is being applied.
            UnavailableError: the graph does not answer; a decision that was marked as undone will be reverted.
        """
        self.finish(tenant)
        ahead = self._ahead()
        undoing = Undoing(decision_id, by, note, now(), record)
        self._transact(tenant, lambda step: step.undo(undoing), ahead)
        self.finish(tenant, ahead=ahead)

    def tenants(self) -> list[str]:
        """Return the tenants with a decision that is still being applied."""
        return queries.pending_tenants(self.graph)

    def finish(
        self, tenant: str, should_continue: Callable[[], bool] = lambda: True, ahead: ReadAhead | None = None
    ) -> None:
        """Apply what is left of a tenant's decision, then link older chunks.

        Args:
            tenant: the tenant.
            should_continue: called before each transaction; if it returns false, what is left is for the sweeper.
            ahead: documents of the decision that were already read.

        Raises:
            ConflictError: another process is already doing so.
        """
        if queries.pending_decision(self.graph, tenant=tenant):
            self._apply(tenant, should_continue, ahead or self._ahead())
        self.older_chunks.finish_or_leave(tenant, should_continue)

    def _apply(self, tenant: str, should_continue: Callable[[], bool], ahead: ReadAhead) -> None:
        busy = f"A decision of tenant {tenant!r} is being applied"
        with (
            acquired(self.graph, tenant, _LEASE, seconds=_LEASE_SECONDS, busy=busy) as lease,
            Heartbeat(_LEASE_SECONDS / 3).renewing(lease.renew),
        ):

            def batch(step: DecisionStep) -> bool:
                more = step.apply_next()
                lease.renew(step.tx)
                return more

            max_mentions = ahead.max_mentions
            more = True
            while more and should_continue():
                try:
                    more = self._transact(tenant, batch, ahead, max_mentions)
                except QueryRefusedError as error:
                    if max_mentions <= self.batch_size:
                        raise
                    _logger.warning("A decision of tenant %s continues in batches: %s", tenant, error.message)
                    max_mentions = self.batch_size

    def _ahead(self) -> ReadAhead:
        max_mentions = movable_mentions(self.graph) if self.max_atomic_mentions is None else self.max_atomic_mentions
        return ReadAhead(self.batch_size, max(self.batch_size, max_mentions))

    def finish_or_leave(self, tenant: str, should_continue: Callable[[], bool]) -> None:
        """Do what ``finish`` does, but leave work that a failure interrupts to the next sweep."""
        try:
            self.finish(tenant, should_continue)
        except InterlaceError as error:
            _logger.warning("A decision of tenant %s waits for the next sweep: %s", tenant, error.message)

    def _transact(
        self, tenant: str, work: Callable[[DecisionStep], T], ahead: ReadAhead, max_mentions: int | None = None
    ) -> T:
        """Run work in a transaction that creates a version of the gazetteer; ``ahead`` keeps what it reads for the next one."""
        with self._linkers.changing, ExitStack() as lock:
            linker = self._linkers.of(tenant)
            runs = 0

            def whole(tx: Transaction) -> T:
                nonlocal runs
                runs += 1
                version = begin_version(tx, tenant)
                if runs > 1:
                    # Holding the tenant's lock means that the previous attempt is over, whether or not it was committed.
                    lock.close()
                    linker.reset()
                linker.catch_up(tx, version - 1)
                ahead.begin(version)
                return work(
                    DecisionStep(
                        tx,
                        tenant,
                        version,
                        linker,
                        ahead,
                        max_mentions or self.batch_size,
                        self.older_chunks.batch_size,
                        lambda: lock.enter_context(committing(self.graph, tenant)),
                    )
                )

            try:
                done = self.graph.transact(whole)
            except BaseException:
                linker.reset()
                raise
            ahead.commit()
            return done
