"""Links older chunks again when names are added or removed: a bounded number per transaction, resumable between transactions.

The transaction that changes names links the first chunks that contain one, and notes in the graph (``PendingRelink``) where the others
begin. Each further batch is a transaction of its own. It links by the gazetteer as it is then, not as it was at the change it belongs to:
a chunk's links depend on the gazetteer's content, not on its history, so batches and writers may come in any order.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from interlace.domain.errors import ConflictError, InterlaceError
from interlace.domain.ids import stable_id
from interlace.entities.linker import EntityLinkers
from interlace.ingestion import relink
from interlace.ingestion.gazetteer_version import log_version
from interlace.ingestion.relink import AffectedChunk
from interlace.leases.lease import Lease, acquired
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries import relinks as queries
from interlace.queries.entities import remove_entities, retire_entities
from interlace.queries.mentions import remove_links, write_mentions
from interlace.queries.tenants import lock_tenant

CHUNK_BATCH: Final = 2000
"""Older chunks that one transaction links, in addition to those of the documents that it writes."""
_LEASE = "relinking"
_LEASE_SECONDS = 60
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FirstBatch:
    """The affected chunks that one transaction links.

    Args:
        chunks: their ids.
        after: the others follow this one in the order of affected chunks; None if there are no others.
    """

    chunks: list[str]
    after: AffectedChunk | None = None


def first_batch(affected: Sequence[AffectedChunk], own: Collection[str], batch_size: int) -> FirstBatch:
    """Return the chunks that the transaction that changes names links itself.

    Args:
        affected: the affected chunks, in order.
        own: chunks of the documents that it writes: always among the first, so that no one sees a document with links of two versions.
        batch_size: how many others it links.
    """
    others = [chunk for chunk in affected if chunk.id not in own]
    end = _end_of_batch(others, batch_size)
    first = [chunk.id for chunk in affected if chunk.id in own] + [chunk.id for chunk in others[:end]]
    return FirstBatch(first, others[end - 1] if end < len(others) else None)


def _end_of_batch(chunks: Sequence[AffectedChunk], batch_size: int) -> int:
    """Return how many chunks make the first batch: those of a document stay together unless they are more than a batch."""
    if len(chunks) <= batch_size:
        return len(chunks)
    end = batch_size
    while end and chunks[end].document == chunks[end - 1].document:
        end -= 1
    return end or batch_size


def defer(
    transaction: Transaction,
    tenant: str,
    version: int,
    keys: Collection[str],
    after: AffectedChunk,
    jobs: Collection[str],
) -> None:
    """Note that the affected chunks after one are still to be linked.

    Args:
        transaction: the transaction that changes the names.
        tenant: the tenant that owns the chunks.
        version: the gazetteer version that the transaction creates.
        keys: normalised forms that were added or removed.
        after: the last chunk that the transaction links.
        jobs: jobs that finish only when all chunks are linked.
    """
    queries.defer_relink(
        transaction,
        tenant=tenant,
        id=stable_id("relink", tenant, str(version)),
        version=version,
        keys=sorted(keys),
        after=list(after),
        jobs=sorted(jobs),
    )


def remove_unsupported(transaction: Transaction, tenant: str, ids: Sequence[str], batch: FirstBatch) -> None:
    """Remove entities that no evidence supports, or retire them while chunks outside this transaction mention them."""
    if ids:
        (retire_entities if batch.after else remove_entities)(transaction, tenant=tenant, ids=ids)


@dataclass(frozen=True, slots=True)
class OlderChunks:
    """Links the chunks that writers have deferred.

    Args:
        graph: the graph.
        linkers: gazetteers of the tenants.
        batch_size: chunks that one transaction links, and mentions of retired entities that one removes.
    """

    graph: GraphDatabase
    linkers: EntityLinkers
    batch_size: int = CHUNK_BATCH

    def tenants(self) -> list[str]:
        """Return the tenants with deferred chunks."""
        return queries.relinking_tenants(self.graph)

    def finish(self, tenant: str, should_continue: Callable[[], bool] = lambda: True) -> None:
        """Link all deferred chunks of a tenant, unless another process is already doing so.

        Before each transaction ``should_continue`` is asked; if it says no, what is left is for the sweeper.

        Raises:
            UnavailableError: the database does not answer; what is linked stays linked.
        """
        if not queries.next_relink(self.graph, tenant=tenant):
            return
        try:
            with acquired(self.graph, tenant, _LEASE, seconds=_LEASE_SECONDS, busy="Older chunks are linked") as lease:
                self._finish(_LinkingRun(tenant, lease, should_continue))
        except ConflictError as error:
            _logger.info("Older chunks of tenant %s are left to another process: %s", tenant, error.message)

    def finish_or_leave(self, tenant: str, should_continue: Callable[[], bool] = lambda: True) -> None:
        """Do what ``finish`` does, but leave work that a failure interrupts to the sweeper: the documents are already written."""
        try:
            self.finish(tenant, should_continue)
        except InterlaceError as error:
            _logger.warning("Older chunks of tenant %s wait for the sweeper: %s", tenant, error.message)

    def _finish(self, run: "_LinkingRun") -> None:
        while run.should_continue() and (note := queries.next_relink(self.graph, tenant=run.tenant)):
            # Searched once for all batches: chunks that arrive in the meantime are linked by the writers that add them.
            affected = relink.affected_chunks(self.graph, run.tenant, note.keys)
            waiting = [chunk for chunk in affected if chunk > note.after]
            _logger.info("Tenant %s has %d older chunks to link", run.tenant, len(waiting))
            if self._link_all(run, note, waiting):
                while run.should_continue() and not self._transact(run, partial(self._end, run.tenant, note.id)):
                    pass

    def _link_all(self, run: "_LinkingRun", note: queries.NextRelinkRow, waiting: Sequence[AffectedChunk]) -> bool:
        """Link chunks in batches; return whether all are linked: the run ends early if the note has changed or it must stop."""
        after, begun = AffectedChunk(*note.after), 0
        while begun < len(waiting):
            end = begun + _end_of_batch(waiting[begun:], self.batch_size)
            batch = waiting[begun:end]
            if not run.should_continue() or not self._transact(
                run, partial(self._link, run.tenant, note.id, after, batch)
            ):
                return False
            after, begun = batch[-1], end
        return True

    def _transact(self, run: "_LinkingRun", work: Callable[[Transaction, int], bool]) -> bool:
        """Run work in a transaction that creates a gazetteer version equal to the previous one, so that readers of pages notice the write."""

        def whole(transaction: Transaction) -> bool:
            run.lease.renew(transaction)
            version = lock_tenant(transaction, tenant=run.tenant)
            assert version is not None  # noqa: S101 - the writer of the note created it
            done = work(transaction, version)
            log_version(transaction, run.tenant, version)
            return done

        with self.linkers.changing:
            return self.graph.transact(whole)

    def _link(
        self,
        tenant: str,
        note: str,
        after: AffectedChunk,
        batch: Sequence[AffectedChunk],
        tx: Transaction,
        version: int,
    ) -> bool:
        """Link a batch; do nothing and return false if the note is not where this run left it."""
        if queries.advance_relink(tx, tenant=tenant, id=note, after=list(after), reached=list(batch[-1])) is None:
            return False
        linker = self.linkers.of(tenant)
        linker.catch_up(tx, version - 1)
        links = relink.relink(relink.read_linking(tx, tenant, [chunk.id for chunk in batch]), linker, set())
        remove_links(tx, rows=links.remove)
        write_mentions(tx, rows=links.add)
        return True

    def _end(self, tenant: str, note: str, tx: Transaction, version: int) -> bool:
        """Remove mentions of retired entities and, with the last of them, the entities and the note, so that jobs waiting for it finish."""
        del version
        if queries.forget_mentions(tx, tenant=tenant, limit=self.batch_size) == self.batch_size:
            return False
        queries.remove_retired(tx, tenant=tenant)
        queries.finish_relink(tx, tenant=tenant, id=note)
        return True


@dataclass(frozen=True, slots=True)
class _LinkingRun:
    """One run of ``OlderChunks.finish``: the tenant, the lease, and whether it may go on."""

    tenant: str
    lease: Lease
    should_continue: Callable[[], bool]
