"""Decisions as callers make them: by name instead of by form, on someone's behalf, with an entry in the audit log."""

import uuid
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final

import orjson

from interlace.access.audit import Event, Record
from interlace.decisions.idempotent_request import IdempotentRequest
from interlace.decisions.writer import DecisionWriter
from interlace.domain.decisions import Author, Decision, DecisionKind
from interlace.domain.errors import NotFoundError
from interlace.domain.ids import checksum, document_id
from interlace.entities.decision_records import PastDecision, history, read_transition, standing
from interlace.entities.forms import form_of, joined_forms
from interlace.ports.graph import GraphDatabase
from interlace.queries.decisions import list_decisions
from interlace.queries.documents import documents_by_id

_ALL: Final = 2**31


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """A decision in a caller's words.

    Args:
        kind: ``same``, ``different`` or ``split``.
        names: names, or ids of entities.
        meaning: for a split, what the name means in ``documents``.
        documents: for a split, ids or source URIs of the documents.
        seen: the evidence that the caller saw.
        note: the reason.
    """

    kind: DecisionKind
    names: Sequence[str]
    meaning: str = ""
    documents: Sequence[str] = ()
    seen: str = ""
    note: str = ""

    def digest(self, author: Author) -> str:
        """Return the digest by which the request of an author is known when it comes again."""
        return checksum(orjson.dumps([*astuple(self), *astuple(author)]))


@dataclass(frozen=True, slots=True)
class DecisionService:
    """Makes and undoes decisions for one caller.

    Args:
        graph: the graph.
        writer: records and applies.
        author: who decides.
        key: id of the caller's API key; empty on this machine.
    """

    graph: GraphDatabase
    writer: DecisionWriter
    author: Author
    key: str = ""

    def decide(
        self, tenant: str, request: DecisionRequest, *, idempotency_key: str = "", author: Author | None = None
    ) -> str:
        """Record and apply a decision; return its id.

        Args:
            tenant: the tenant.
            request: the decision.
            idempotency_key: a repeated request changes nothing, even if its decision has since been undone.
            author: who decides, if not the caller.

        Raises:
            InvalidInputError: the decision is invalid, or a name that is to be the same as others is an alias of several entities.
            NotFoundError: an id names no entity, or no document.
            ConflictError: another decision is being applied, or the key was used for another one.
        """
        by = author or self.author
        repeated = IdempotentRequest(idempotency_key, request.digest(by)) if idempotency_key else None
        if repeated and (done := repeated.recorded(self.graph, tenant)):
            return done
        decision = self._decision(tenant, request, by)
        what = f"{request.kind} {decision.id(tenant)}: {', '.join(request.names)}"
        record = self._record("decided", tenant, what, request.note, by)
        return self.writer.record(tenant, decision, repeated, record)

    def _decision(self, tenant: str, request: DecisionRequest, author: Author) -> Decision:
        identities = read_transition(self.graph, tenant).after
        if request.kind == "same":
            forms = set().union(*(joined_forms(self.graph, identities, name) for name in request.names))
        else:
            forms = {form_of(self.graph, identities, name) for name in request.names}
        self._require_documents(tenant, [each for each in request.documents if _is_id(each)])
        documents = {each if _is_id(each) else document_id(tenant, each) for each in request.documents}
        return Decision(
            kind=request.kind,
            forms=tuple(sorted(forms)),
            author=author,
            meaning=form_of(self.graph, identities, request.meaning) if request.meaning else None,
            documents=tuple(sorted(documents)),
            seen=request.seen,
            note=request.note,
        )

    def undo(self, tenant: str, decision_id: str, note: str = "") -> None:
        """Undo a decision.

        Raises:
            NotFoundError: no such decision stands.
            ConflictError: another decision is being applied.
        """

        def record(undone: Decision) -> Record:
            names = ", ".join(form.form for form in undone.forms)
            return self._record("undone", tenant, f"{undone.kind} {decision_id}: {names}", note, self.author)

        self.writer.undo(tenant, decision_id, self.author, note, record)

    def standing(self, tenant: str, decision_id: str) -> PastDecision | None:
        """Return a decision with what overrules it; None if it does not stand."""
        return standing(self.graph, tenant).get(decision_id)

    def history(self, tenant: str, name: str = "", limit: int = 100) -> list[PastDecision]:
        """Return decisions, newest first: all, or those about a name or an entity.

        Raises:
            NotFoundError: an id names no entity.
            InvalidInputError: the name has no letter or digit.
        """
        identities = read_transition(self.graph, tenant).after
        form = form_of(self.graph, identities, name).form if name else None
        return history(self.graph, tenant, form=form, limit=limit)

    def _require_documents(self, tenant: str, ids: Sequence[str]) -> None:
        """Refuse ids of documents that are neither there nor known to an earlier decision, as those of deleted documents may be."""
        there = {row.id for row in documents_by_id(self.graph, tenant=tenant, ids=list(ids))} if ids else set()
        if missing := sorted(set(ids) - there):
            past = list_decisions(self.graph, tenant=tenant, form=None, limit=_ALL)
            there |= {each for row in past for each in row.documents or ()}
            if missing := [each for each in missing if each not in there]:
                raise NotFoundError(
                    f"There is no document {missing[0]}; give the source URI of a document that is still to come."
                )

    def _record(self, event: Event, tenant: str, what: str, note: str, author: Author) -> Record:
        by = f" (by {author.kind} {author.name})" + (f": {note}" if note else "")
        return Record(event, what + by, self.key, (tenant,))


def _is_id(document: str) -> bool:
    try:
        return str(uuid.UUID(document)) == document
    except ValueError:
        return False
