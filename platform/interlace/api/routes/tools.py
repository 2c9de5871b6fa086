"""``/v1/tools/route`` and ``/v1/skills``: which tool fits a request, and which skills there are."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from interlace.api.dependencies import Cursor, Limit, PlatformDep, ReaderTenant
from interlace.api.pages import Page, page, read_cursor
from interlace.api.problems import RESPONSES
from interlace.api.schemas.policy import EmbeddingModel, PolicyBody
from interlace.api.schemas.questions import Question
from interlace.api.schemas.request_body import RequestBody
from interlace.api.scopes import requires
from interlace.domain.hits import MAX_LIMIT
from interlace.domain.tools import RouteRequest, RouteResponse, RouteSignal, SkillSummary
from interlace.search.tools.skills import registered_skills

router = APIRouter(prefix="/v1", tags=["tools"], responses=RESPONSES, dependencies=[requires("read")])


class RouteBody(RequestBody):
    """A request for tools."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "where is my parcel?", "limit": 3}]})

    query: Annotated[Question, Field(description="the task, in words", examples=["where is my parcel?"])]
    limit: int = Field(5, ge=1, le=MAX_LIMIT, description="tools to return")
    without: list[RouteSignal] = Field([], max_length=16, description="signals to leave out of this answer")
    model: EmbeddingModel = None
    policy: PolicyBody | None = Field(
        None, description="the retrieval policy: what answers first, and the thresholds; empty: the server's own"
    )

    def to_domain(self) -> RouteRequest:
        """Return the request in the domain's words."""
        policy = self.policy.to_domain() if self.policy else None
        return RouteRequest(self.query, self.limit, frozenset(self.without), self.model, policy)


@router.post("/tools/route")
def route_tools(body: RouteBody, platform: PlatformDep, tenant: ReaderTenant) -> RouteResponse:
    """Return the tools that fit a request, best first, each with every part of its score.

    A leg that fails or is late is named in `degraded`; the other signals answer.
    """
    return platform.tools.search(tenant, body.to_domain())


@router.get("/skills", response_model=Page[SkillSummary])
def list_skills(
    platform: PlatformDep, tenant: ReaderTenant, limit: Limit = 50, cursor: Cursor = None
) -> dict[str, Any]:
    """Return the registered skills with their keywords and tools, by the id of their document."""
    (after,) = read_cursor(cursor, str) or (None,)
    return page(registered_skills(platform.graph, tenant, limit=limit, after=after), limit, "document_id")
