"""Writes decisions about entities, and takes the evidence of documents where they say.

The transaction that records or undoes a decision moves the evidence of the first documents, in order of id: of all of them, unless they
have more than ``MENTIONS_AT_ONCE`` mentions of the entities concerned. Then it notes in the graph (``PendingDecision``) how far it came,
and batches under a lease move the rest. Each is exact for its documents, and documents written meanwhile follow the same note.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final, TypeVar

from interlace.domain.decisions import Author, Decision
from interlace.domain.errors import ConflictError, InterlaceError, NotFoundError
from interlace.domain.ids import stable_id
from interlace.domain.instants import now
from interlace.entities.decision_records import CHANGED, properties_of
from interlace.entities.identities import Identities, Move, Transition, moves
from interlace.entities.linker import KEPT_GAZETTEER_CHANGES, EntityLinker, EntityLinkers
from interlace.ingestion import relink
from interlace.ingestion.change import EntityChange, entity_change
from interlace.ingestion.entity_entries import enter_entities
from interlace.ingestion.gazetteer_version import begin_version
from interlace.ingestion.identity_change import IdentityChange, identity_change
from interlace.ingestion.older_chunks import OlderChunks, defer, first_portion, remove_unsupported
from interlace.ingestion.read_ahead import ReadAhead
from interlace.leases.lease import acquired
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries import decisions as queries
from interlace.queries.documents import remove_links
from interlace.queries.entities import log_gazetteer_change, read_entities, write_entities, write_mentions
from interlace.queries.facts import aggregate_relations

MENTIONS_AT_ONCE: Final = 5000
"""Mentions, titles and ends of facts that one transaction takes to another entity; a document is never divided."""
_LEASE = "deciding"
_LEASE_SECONDS = 60
T = TypeVar("T")
_log = logging.getLogger(__name__)


class DecisionWriter:
    """Records and undoes decisions.

    Args:
        graph: the graph.
        linkers: gazetteers of the tenants.
        older_chunks: links the chunks that a decision defers.
        at_once: mentions that a transaction moves.
    """

    def __init__(
        self, graph: GraphDatabase, linkers: EntityLinkers, older_chunks: OlderChunks, at_once: int = MENTIONS_AT_ONCE
    ) -> None:
        self._graph = graph
        self._linkers = linkers
        self._older_chunks = older_chunks
        self._at_once = at_once

    def record(self, tenant: str, decision: Decision, *, request: str = "") -> str:
        """Record a decision and apply it; return its id. One that its author has made before stays as it is.

        Args:
            tenant: whose.
            decision: what is decided.
            request: names the request: one that comes again changes nothing, also if its decision was undone meanwhile.

        Raises:
            InvalidInputError: it says nothing.
            ConflictError: another decision of the tenant is being applied, or the request was for another decision.
            UnavailableError: the graph does not answer; what is recorded will be applied.
        """
        decision.check()
        made = replace(decision, created_at=decision.created_at or now())
        self.finish(tenant)
        ahead = ReadAhead(self._at_once)
        self._transact(tenant, lambda step: step.record(made, request), ahead)
        self.finish(tenant, ahead=ahead)
        return made.id(tenant)

    def undo(self, tenant: str, identity: str, by: Author, note: str = "") -> Decision:
        """Undo a decision: the graph becomes the one without it. Return the decision.

        Raises:
            NotFoundError: no such decision stands.
            ConflictError: another decision of the tenant is being applied.
            UnavailableError: the graph does not answer; what is undone will be taken back.
        """
        self.finish(tenant)
        ahead = ReadAhead(self._at_once)
        undone = self._transact(tenant, lambda step: step.undo(identity, by, note), ahead)
        self.finish(tenant, ahead=ahead)
        return undone

    def tenants(self) -> list[str]:
        """Return the tenants with a decision that is still being applied."""
        return [row.tenant for row in queries.pending_tenants(self._graph)]

    def finish(self, tenant: str, go_on: Callable[[], bool] = lambda: True, ahead: ReadAhead | None = None) -> None:
        """Apply what is left of a tenant's decision, batch by batch, then link older chunks.

        Args:
            tenant: whose.
            go_on: asked before each transaction; what is left then waits for the sweeper.
            ahead: what was read of the decision already.

        Raises:
            ConflictError: another process does so already.
        """
        if queries.pending_decision(self._graph, tenant=tenant):
            busy = f"A decision of tenant {tenant!r} is being applied"
            with acquired(self._graph, tenant, _LEASE, seconds=_LEASE_SECONDS, busy=busy) as lease:

                def batch(step: "_Step") -> bool:
                    lease.renew(step.tx)
                    return step.go_on()

                ahead = ahead or ReadAhead(self._at_once)
                while go_on() and self._transact(tenant, batch, ahead):
                    pass
        self._older_chunks.finish_or_leave(tenant, go_on)

    def finish_or_leave(self, tenant: str, go_on: Callable[[], bool]) -> None:
        """Do as ``finish``, but leave what a fault interrupts to the next sweep."""
        try:
            self.finish(tenant, go_on)
        except InterlaceError as error:
            _log.warning("A decision of tenant %s waits for the next sweep: %s", tenant, error.message)

    def _transact(self, tenant: str, work: "Callable[[_Step], T]", ahead: ReadAhead) -> T:
        """Run work in a transaction that makes a version of the gazetteer; ``ahead`` keeps what is read for the next one."""
        with self._linkers.changing:
            linker = self._linkers.of(tenant)
            runs = 0

            def whole(tx: Transaction) -> T:
                nonlocal runs
                runs += 1
                if runs > 1:
                    linker.reset()
                version = begin_version(tx, tenant)
                linker.catch_up(tx, version - 1)
                ahead.begin(version)
                return work(_Step(tx, tenant, version, linker, ahead, self._older_chunks.at_once))

            try:
                done = self._graph.transact(whole)
            except BaseException:
                linker.reset()
                raise
            ahead.commit()
            return done


@dataclass(frozen=True, slots=True)
class _Step:
    """One transaction: its version of the gazetteer, the linker of the version before, and how much it may do."""

    tx: Transaction
    tenant: str
    version: int
    linker: EntityLinker
    ahead: ReadAhead
    chunks: int

    def record(self, decision: Decision, request: str) -> None:
        before = self._standing()
        identity = decision.id(self.tenant)
        done = queries.find_request(self.tx, tenant=self.tenant, request_key=request) if request else None
        if done and done.id != identity:
            raise ConflictError(
                f"The Idempotency-Key {request!r} was used for another decision; take a new key for this one."
            )
        if done or any(each.key == decision.key for each in before.decisions):
            self._log([])
            return
        properties = properties_of(decision) | ({"requestKey": request} if request else {})
        queries.write_decision(self.tx, tenant=self.tenant, id=identity, properties=properties)
        self._apply(Transition(Identities(self.tenant, [*before.decisions, decision]), before, ""), identity)

    def undo(self, identity: str, by: Author, note: str) -> Decision:
        before = self._standing()
        found = [each for each in before.decisions if each.id(self.tenant) == identity]
        if not found:
            raise NotFoundError(f"No decision {identity} stands; `interlace entities history` lists what was decided.")
        at = now()
        undone = stable_id("undone", self.tenant, identity, at)
        queries.undo_decision(self.tx, tenant=self.tenant, id=identity, undone=undone, by=by.name, note=note, at=at)
        rest = [each for each in before.decisions if each not in found]
        self._apply(Transition(Identities(self.tenant, rest), before, ""), undone)
        return found[0]

    def go_on(self) -> bool:
        """Move another batch; return whether there may be more."""
        pending = queries.pending_decision(self.tx, tenant=self.tenant)
        if pending is None:
            self._log([])
            return False
        return self._apply(self.linker.transition, pending.decision)

    def _standing(self) -> Identities:
        if self.linker.transition.place is not None:
            raise ConflictError(f"A decision of tenant {self.tenant!r} is being applied; try again when it is.")
        return self.linker.transition.after

    def _apply(self, at: Transition, decision: str) -> bool:
        """Move the evidence of the next documents; return whether others are left."""
        assert at.before is not None and at.place is not None  # noqa: S101, PT018 - it is under way
        rows = moves(at.before, at.after)
        documents, reached = self._batch(rows, at.place)
        origins = sorted({move.origin for move in rows})
        held = queries.read_identity(self.tx, tenant=self.tenant, documents=documents, origins=origins)
        change = identity_change(held, at.after)
        touched = change.shared.touched_entities()
        entities = entity_change(
            {entity: change.shared.evidence[entity] for entity in touched},
            read_entities(self.tx, tenant=self.tenant, ids=touched),
        )
        names = set(entities.changed_names)
        if not at.place:
            names |= at.after.changed_choices(at.before)
        following = Transition(at.after) if reached is None else replace(at, place=reached)
        self._write(change, entities, names, following)
        if reached is not None:
            queries.write_pending(self.tx, tenant=self.tenant, decision=decision, place=reached)
        elif at.place:
            queries.finish_pending(self.tx, tenant=self.tenant)
        self._log([*sorted(entities.keys), CHANGED])
        return reached is not None

    def _batch(self, rows: Sequence[Move], place: str) -> tuple[list[str], str | None]:
        """Return the next documents, and the last of them if others are left."""
        if not rows:
            return [], None
        moved = [asdict(move) for move in rows]
        found = self.ahead.after(
            place,
            lambda limit: queries.moved_documents(self.tx, tenant=self.tenant, rows=moved, after=place, limit=limit),
        )
        total, batch = 0, list[str]()
        for row in found:
            total += row.mentions
            if batch and total > self.ahead.mentions:
                return batch, batch[-1]
            batch.append(row.document)
        return batch, None

    def _write(self, change: IdentityChange, entities: EntityChange, names: set[str], at: Transition) -> None:
        affected = relink.affected_chunks(self.tx, self.tenant, names)
        portion = first_portion([each for each in affected if each.id not in change.chunks], (), self.chunks)
        self.linker.apply(entities.keys, self.version, at)
        if entities.rows:
            write_entities(self.tx, tenant=self.tenant, rows=entities.rows)
        queries.move_mentions(self.tx, rows=change.mentions)
        queries.move_about(self.tx, rows=change.about)
        queries.move_fact_ends(self.tx, rows=change.fact_ends)
        # Read after the mentions have moved: where an entity is mentioned already, the linker makes no link.
        held = relink.read_linking(self.tx, self.tenant, change.chunks.union(portion.chunks))
        links = relink.relink(held, self.linker, set(entities.removed))
        remove_links(self.tx, rows=links.remove)
        write_mentions(self.tx, rows=links.add)
        remove_unsupported(self.tx, self.tenant, entities.removed, portion)
        if relations := change.shared.relation_rows():
            aggregate_relations(self.tx, rows=relations)
        enter_entities(self.tx, self.tenant, self.version, change.described_entities())
        if portion.after:
            defer(self.tx, self.tenant, self.version, names, portion.after, ())

    def _log(self, changed: Sequence[str]) -> None:
        log_gazetteer_change(
            self.tx,
            tenant=self.tenant,
            version=self.version,
            entity_ids=changed,
            keep=KEPT_GAZETTEER_CHANGES,
            chunks=0,
        )
