"""``/v1/decisions``: what people, models and rules say about entities."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from pydantic import BaseModel, ConfigDict, Field

from interlace.api.dependencies import Limit, PlatformDep, Tenant
from interlace.api.problems import RESPONSES
from interlace.api.schemas.request_body import RequestBody
from interlace.api.scopes import CallerOf, requires
from interlace.decisions.service import DecisionRequest, DecisionService
from interlace.domain.decisions import MAX_DOCUMENTS, MAX_FORMS, Author, DecisionKind
from interlace.domain.validation import IDEMPOTENCY_KEY
from interlace.entities.candidates import CandidatePage, Candidates
from interlace.entities.decision_records import PastDecision

router = APIRouter(prefix="/v1/decisions", tags=["entities"], responses=RESPONSES)
DecidedName = Annotated[str, Field(min_length=1, max_length=300)]
DecidedText = Annotated[str, Field(max_length=4000)]


class DecisionBody(RequestBody):
    """A decision about entities."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "same", "names": ["NYC", "New York City"]}]})

    kind: DecisionKind = Field(
        description="`same`: one entity; `different`: never one; `split`: another entity in some documents"
    )
    names: list[DecidedName] = Field(
        min_length=1, max_length=MAX_FORMS, description="names or ids of entities; exactly one for a split"
    )
    meaning: str = Field(
        "", max_length=300, description="for a split, what the name means there, for example `Mercury (planet)`"
    )
    documents: list[DecidedName] = Field(
        default_factory=list, max_length=MAX_DOCUMENTS, description="for a split, ids or source URIs"
    )
    seen: DecidedText = Field("", description="the evidence that the author saw")
    note: DecidedText = Field("", description="why")
    model: str | None = Field(None, max_length=200, description="the model that decides, if no person does")


class CreatedDecision(BaseModel):
    """A decision that stands."""

    id: str = Field(description="the id to undo it by; the same decision of the same author has the same id")
    overruled: bool = Field(description="whether it has no effect, because a decision that it contradicts stands")
    passed_over: list[str] = Field(
        description="ids of documents of a split, if not all, in which another split decides"
    )


class DecisionList(BaseModel):
    """Decisions of a tenant."""

    decisions: list[PastDecision] = Field(description="newest first, including undone ones")


def _decision_service(platform: PlatformDep, caller: CallerOf) -> DecisionService:
    author = Author(f"key {caller.key_id}" if caller.key_id else "this machine")
    return DecisionService(platform.graph, platform.decisions, author, caller.key_id)


Service = Annotated[DecisionService, Depends(_decision_service)]


@router.post("", status_code=201, dependencies=[requires("decide")])
def create_decision(
    body: DecisionBody,
    service: Service,
    tenant: Tenant,
    idempotency_key: Annotated[
        str | None,
        Header(
            max_length=255, pattern=IDEMPOTENCY_KEY.pattern, description="idempotency key: a repetition changes nothing"
        ),
    ] = None,
) -> CreatedDecision:
    """Record a decision and apply it to the graph, also to future documents."""
    request = DecisionRequest(body.kind, body.names, body.meaning, body.documents, body.seen, body.note)
    model = Author(body.model, "model") if body.model else None
    decision_id = service.decide(tenant, request, idempotency_key=idempotency_key or "", author=model)
    made = service.standing(tenant, decision_id)
    return CreatedDecision(
        id=decision_id,
        overruled=made is not None and made.overruled,
        passed_over=list(made.passed_over) if made else [],
    )


@router.delete("/{decision_id}", status_code=204, dependencies=[requires("decide")])
def undo_decision(
    decision_id: str,
    service: Service,
    tenant: Tenant,
    note: Annotated[str, Query(max_length=4000, description="why")] = "",
) -> None:
    """Undo a decision: the graph becomes what it would be without it."""
    service.undo(tenant, decision_id, note)


@router.get("", dependencies=[requires("read")])
def list_decisions(
    service: Service,
    tenant: Tenant,
    limit: Limit = 100,
    name: Annotated[str, Query(max_length=300, description="only decisions about this name")] = "",
) -> DecisionList:
    """Return decisions, those that stand and those that were undone."""
    return DecisionList(decisions=service.history(tenant, name, limit))


@router.get("/candidates", dependencies=[requires("read")])
def list_candidates(
    platform: PlatformDep,
    tenant: Tenant,
    entity: Annotated[str, Query(max_length=64, description="only pairs of this entity, by id")] = "",
    after: Annotated[str, Query(max_length=64, description="`after` of the previous page")] = "",
    limit: Annotated[
        int, Query(ge=1, le=100, description="pairs to return; those of the last entity are complete")
    ] = 20,
) -> CandidatePage:
    """Return undecided pairs of entities that may be the same, best first, with the evidence for and against each."""
    found = Candidates(platform.graph, tenant)
    return CandidatePage(found.of(entity, limit=limit)) if entity else found.queue(after=after, limit=limit)
