"""Decisions as the graph keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from interlace.domain.decisions import Author, AuthorKind, Decision, DecisionKind, EntityForm
from interlace.entities.identities import Identities, Transition
from interlace.ports.graph import QueryRunner
from interlace.queries import decisions as queries

CHANGED: Final = "decisions"
"""Marks, among the ids of a gazetteer change, that decisions changed as well."""


@dataclass(frozen=True, slots=True)
class PastDecision:
    """A decision with its id, and who undid it when and why; empty strings while it is in force.

    Args:
        id: the id to undo it by.
        decision: what was decided.
        undone_at: when it was undone.
        undone_by: who undid it.
        undo_note: why.
        overruled: whether it has no effect although it stands, because a decision that it contradicts does.
        passed_over: ids of the documents, not all of them, in which a split has no effect because another one decides.
    """

    id: str
    decision: Decision
    undone_at: str = ""
    undone_by: str = ""
    undo_note: str = ""
    overruled: bool = False
    passed_over: tuple[str, ...] = ()


def properties_of(decision: Decision) -> dict[str, Any]:
    """Return the properties of a decision's node."""
    meaning = decision.meaning
    sign = " ≠ " if decision.kind == "different" else " = "
    return {
        "name": sign.join(form.form for form in (*decision.forms, *([meaning] if meaning else []))),
        "kind": decision.kind,
        "forms": [form.form for form in decision.forms],
        "types": [form.type for form in decision.forms],
        "meaning": meaning.form if meaning else None,
        "meaningType": meaning.type if meaning else None,
        "documents": list(decision.documents),
        "author": decision.author.name,
        "authorKind": decision.author.kind,
        "seen": decision.seen,
        "note": decision.note,
        "createdAt": decision.created_at,
    }


def decision_of(row: queries.ReadDecisionsRow | queries.ListDecisionsRow) -> Decision:
    """Return the decision of a row."""
    return Decision(
        kind=cast("DecisionKind", row.kind),
        forms=tuple(EntityForm(form, kind) for form, kind in zip(row.forms, row.types, strict=True)),
        author=Author(row.author, cast("AuthorKind", row.author_kind)),
        meaning=EntityForm(row.meaning, row.meaning_type or "") if row.meaning else None,
        documents=tuple(row.documents),
        seen=row.seen,
        note=row.note,
        created_at=row.created_at,
    )


def read_transition(runner: QueryRunner, tenant: str) -> Transition:
    """Return the identities of a tenant, and those before the decision that is being applied, if one is."""
    rows = queries.read_decisions(runner, tenant=tenant)
    after = {row.id: decision_of(row) for row in rows if row.standing}
    moving = next((row for row in rows if row.place is not None), None)
    if moving is None:
        return Transition(Identities(tenant, after.values()))
    before: Mapping[str, Decision] = {**after, moving.id: decision_of(moving)}
    if moving.standing:
        before = {entity_id: each for entity_id, each in after.items() if entity_id != moving.id}
    return Transition(Identities(tenant, after.values()), Identities(tenant, before.values()), moving.place)


def history(runner: QueryRunner, tenant: str, *, form: str | None = None, limit: int = 100) -> list[PastDecision]:
    """Return decisions, newest first, including those that were undone; with ``form``, only those about this normalised form."""
    rows = queries.list_decisions(runner, tenant=tenant, form=form, limit=limit)
    stands = standing(runner, tenant) if rows else {}
    return [
        PastDecision(row.id, decision_of(row), row.undone_at, row.undone_by or "", row.undo_note or "")
        if row.undone_at
        else stands.get(row.id) or PastDecision(row.id, decision_of(row))
        for row in rows
    ]


def standing(runner: QueryRunner, tenant: str) -> dict[str, PastDecision]:
    """Return the decisions that stand, by id."""
    identities = read_transition(runner, tenant).after
    found = (
        PastDecision(
            each.id(tenant),
            each,
            overruled=each.key in identities.overruled,
            passed_over=identities.passed_over.get(each.key, ()),
        )
        for each in identities.decisions
    )
    return {each.id: each for each in found}
