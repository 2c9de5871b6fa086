"""One transaction of a decision about entities: records or undoes it, or moves the evidence of documents accordingly."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from more_itertools import chunked, constrained_batches

from interlace.access.audit import Record, entry_of
from interlace.decisions.idempotent_request import IdempotentRequest
from interlace.decisions.identity_change import IdentityChange, identity_change
from interlace.decisions.read_ahead import ReadAhead
from interlace.domain.decisions import Author, Decision
from interlace.domain.errors import ConflictError, NotFoundError
from interlace.domain.ids import stable_id
from interlace.entities.decision_records import CHANGED, properties_of
from interlace.entities.identities import Identities, Transition, moves
from interlace.entities.linker import EntityLinker
from interlace.ingestion import relink
from interlace.ingestion.change import EntityChange, entity_change
from interlace.ingestion.entity_entries import enter_entities
from interlace.ingestion.gazetteer_version import log_version
from interlace.ingestion.older_chunks import defer, first_batch, remove_unsupported
from interlace.ports.graph import Transaction
from interlace.queries import decisions as queries
from interlace.queries.access import write_audit
from interlace.queries.decisions import MovedDocumentsRow
from interlace.queries.entities import read_entities, write_entities
from interlace.queries.facts import aggregate_relations
from interlace.queries.mentions import remove_links, write_mentions

_ROWS: Final = 5000
"""Rows that one query moves, and mentions in the documents that one query reads."""
_CHUNKS: Final = 2000
"""Chunks whose texts are in memory at once while they are linked."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """That a decision is undone; made before the transaction, which may run again.

    Args:
        decision: id of the decision.
        by: who undoes it.
        note: why.
        at: an instant.
        record: what the audit log says of it, given the decision; None for nothing.
    """

    decision: str
    by: Author
    note: str
    at: str
    record: Callable[[Decision], Record] | None = None

    def id(self, tenant: str) -> str:
        """Return the id that the decision has afterwards."""
        return stable_id("undone", tenant, self.decision, self.at)


@dataclass(frozen=True, slots=True)
class DecisionStep:
    """One transaction.

    Args:
        tx: the transaction.
        tenant: the tenant.
        version: the gazetteer version that the transaction creates.
        linker: entity linker at the previous version.
        ahead: documents to move that were read ahead.
        mentions: how many it may move if nothing is left after them; otherwise it moves a batch.
        chunks: older chunks that it links, in addition to those whose mentions it moves.
        before_commit: called before the commit of a transaction that moves everything a decision concerns.
    """

    tx: Transaction
    tenant: str
    version: int
    linker: EntityLinker
    ahead: ReadAhead
    mentions: int
    chunks: int
    before_commit: Callable[[], None]

    def record(self, decision: Decision, request: IdempotentRequest | None, entry: Mapping[str, object] | None) -> str:
        """Record a decision and, if it is small enough, apply it; return its id. One that already stands stays as it is.

        Args:
            decision: the decision.
            request: the request for it, if that may be repeated.
            entry: what the audit log says of it if it is recorded.

        Raises:
            ConflictError: another decision is being applied, or the request's key was used for another one.
        """
        if request and (done := request.recorded(self.tx, self.tenant)):
            self._log([])
            return done
        before = self._standing()
        decision_id = decision.id(self.tenant)
        if any(each.key == decision.key for each in before.decisions):
            self._log([])
            return decision_id
        properties = properties_of(decision)
        if request:
            properties |= {"requestKey": request.key, "requestDigest": request.digest}
        queries.write_decision(self.tx, tenant=self.tenant, id=decision_id, properties=properties)
        if entry:
            write_audit(self.tx, entries=[entry])
        self._begin(Identities(self.tenant, [*before.decisions, decision]), before, decision_id)
        return decision_id

    def undo(self, undoing: Undoing) -> None:
        """Mark a decision as undone and, if it is small enough, revert it; nothing is left to do if an earlier run was committed.

        Raises:
            ConflictError: another decision is being applied.
            NotFoundError: no such decision stands.
        """
        undone = undoing.id(self.tenant)
        if queries.find_undone(self.tx, tenant=self.tenant, id=undone):
            self._log([])
            return
        before = self._standing()
        found = next((each for each in before.decisions if each.id(self.tenant) == undoing.decision), None)
        if found is None:
            raise NotFoundError(
                f"Decision {undoing.decision} is not in force; `interlace entities history` lists what was decided."
            )
        queries.undo_decision(
            self.tx,
            tenant=self.tenant,
            id=undoing.decision,
            undone=undone,
            by=undoing.by.name,
            note=undoing.note,
            at=undoing.at,
        )
        if undoing.record:
            write_audit(self.tx, entries=[entry_of(undoing.record(found))])
        rest = [each for each in before.decisions if each != found]
        self._begin(Identities(self.tenant, rest), before, undone)

    def apply_next(self) -> bool:
        """Move everything that is left, or the next batch; return whether there may be more."""
        pending = queries.pending_decision(self.tx, tenant=self.tenant)
        if pending is None:
            self._log([])
            return False
        at = self.linker.transition
        documents, reached = self._documents(at)
        if reached is None:
            queries.finish_pending(self.tx, tenant=self.tenant)
        else:
            queries.write_pending(self.tx, tenant=self.tenant, decision=pending.decision, place=reached)
        self._apply(at, documents, reached)
        return reached is not None

    def _standing(self) -> Identities:
        if self.linker.transition.place is not None:
            raise ConflictError(f"A decision of tenant {self.tenant!r} is being applied; try again when that is done.")
        return self.linker.transition.after

    def _begin(self, after: Identities, before: Identities, decision_id: str) -> None:
        """Apply a change of identities; if it is too large for one transaction, only record that none of it is applied yet."""
        at = Transition(after, before, "")
        documents, reached = self._documents(at)
        if reached is None:
            self._apply(at, documents, None)
            return
        queries.write_pending(self.tx, tenant=self.tenant, decision=decision_id, place="")
        self.linker.apply({}, self.version, at)
        self._log([CHANGED])

    def _documents(self, at: Transition) -> tuple[list[MovedDocumentsRow], str | None]:
        """Return the next documents to move, and the last of them if others are left."""
        assert at.before is not None and at.place is not None  # noqa: S101, PT018 - it is in progress
        place, moved = at.place, [asdict(move) for move in moves(at.before, at.after)]
        if not moved:
            return [], None
        found = self.ahead.after(
            place,
            lambda limit: queries.moved_documents(self.tx, tenant=self.tenant, rows=moved, after=place, limit=limit),
        )
        most = self.ahead.mentions if place else self.mentions
        if sum(row.mentions for row in found) <= most:
            return list(found), None
        some, *_ = constrained_batches(found, self.ahead.mentions, get_len=_mentions, strict=False)
        return list(some), some[-1].document

    def _apply(self, at: Transition, documents: Sequence[MovedDocumentsRow], reached: str | None) -> None:
        """Move the evidence of documents; the decision is then applied up to ``reached``, or completely if that is None."""
        assert at.before is not None  # noqa: S101 - it is in progress
        origins = sorted({move.origin for move in moves(at.before, at.after)})
        change = identity_change(self._identity_rows(documents, origins), at.after)
        renamed = set() if at.place else at.after.renamed(at.before)
        touched = sorted(renamed.union(change.shared.touched_entities()))
        entities = entity_change(
            {entity: change.shared.evidence[entity] for entity in touched},
            read_entities(self.tx, tenant=self.tenant, ids=touched),
            at.after.names,
        )
        names = set(entities.changed_names)
        if not at.place:
            names |= at.after.changed_choices(at.before, self.linker.forms_of)
        self._write(change, entities, names, Transition(at.after) if reached is None else replace(at, place=reached))
        self._log([*sorted(entities.keys), CHANGED])
        if reached is None and not at.place:
            self.before_commit()

    def _identity_rows(
        self, documents: Sequence[MovedDocumentsRow], origins: Sequence[str]
    ) -> Iterator[queries.ReadIdentityRow]:
        """Read what documents say of origins, a few documents at a time."""
        for some in constrained_batches(documents, _ROWS, get_len=_mentions, strict=False):
            ids = [row.document for row in some]
            yield from queries.read_identity(self.tx, tenant=self.tenant, documents=ids, origins=origins)

    def _write(self, change: IdentityChange, entities: EntityChange, names: set[str], at: Transition) -> None:
        affected = relink.affected_chunks(self.tx, self.tenant, names)
        others = max(self.chunks, self.mentions - len(change.chunks))
        batch = first_batch([each for each in affected if each.id not in change.chunks], (), others)
        self.linker.apply(entities.keys, self.version, at)
        if entities.rows:
            write_entities(self.tx, tenant=self.tenant, rows=entities.rows)
        for rows in chunked(change.mentions, _ROWS):
            queries.move_mentions(self.tx, rows=rows)
        for rows in chunked(change.about, _ROWS):
            queries.move_about(self.tx, rows=rows)
        for rows in chunked(change.fact_ends, _ROWS):
            queries.move_fact_ends(self.tx, rows=rows)
        # Read after the mentions have moved: where an entity is mentioned already, the linker makes no link.
        for chunks in chunked(sorted(change.chunks.union(batch.chunks)), _CHUNKS):
            links = relink.relink(relink.read_linking(self.tx, self.tenant, chunks), self.linker, set(entities.removed))
            remove_links(self.tx, rows=links.remove)
            write_mentions(self.tx, rows=links.add)
        remove_unsupported(self.tx, self.tenant, entities.removed, batch)
        for rows in chunked(change.shared.relation_rows(), _ROWS):
            aggregate_relations(self.tx, rows=rows)
        enter_entities(self.tx, self.tenant, self.version, change.described_entities())
        if batch.after:
            defer(self.tx, self.tenant, self.version, names, batch.after, ())

    def _log(self, changed: Sequence[str]) -> None:
        log_version(self.tx, self.tenant, self.version, changed=changed)


def _mentions(row: MovedDocumentsRow) -> int:
    return row.mentions
