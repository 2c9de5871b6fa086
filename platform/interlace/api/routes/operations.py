"""``/livez``, ``/readyz``, ``/metrics`` and ``/problems``: for those who run the platform."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field

from interlace.api.dependencies import metrics_of, readiness_of
from interlace.api.metrics import Metrics
from interlace.api.problems import KINDS, RESPONSES
from interlace.api.readiness import Readiness, Report
from interlace.api.scopes import requires
from interlace.domain.errors import NotFoundError
from interlace.domain.reader import check_unrestricted

router = APIRouter(tags=["operations"], responses=RESPONSES)


class Alive(BaseModel):
    """The process runs."""

    status: str = "alive"


class ProblemKind(BaseModel):
    """A kind of problem that any request may meet."""

    type: str = Field(description="its address, the `type` of problems of this kind")
    title: str
    status: int
    remedy: str


@router.head("/livez", include_in_schema=False)
@router.get("/livez")
def livez() -> Alive:
    """Answer while the process runs, whatever the state of its servers."""
    return Alive()


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz", responses={503: {"model": Report, "description": "The graph database does not answer."}})
def readyz(readiness: Annotated[Readiness, Depends(readiness_of)], response: Response) -> Report:
    """Return whether graph, vector index and queue answer, and in how many milliseconds; without the graph the status is 503."""
    report = readiness.report()
    if report.status == "unavailable":
        response.status_code = 503
        response.headers["Retry-After"] = "2"
    return report


@router.get("/metrics", response_class=PlainTextResponse, dependencies=[requires("read", every_tenant=True)])
def metrics(metrics: Annotated[Metrics, Depends(metrics_of)]) -> Response:
    """Return all numbers in Prometheus' text format; where documents are restricted to groups, only to a key that sees all of them."""
    # The counts of an earlier scrape are read without a query that would refuse.
    check_unrestricted("The page of metrics")
    return Response(metrics.render(), media_type=CONTENT_TYPE_LATEST)


@router.get("/problems/{code}")
def problem_kind(code: str) -> ProblemKind:
    """Describe a kind of problem; the `type` of every problem document leads here."""
    kind = KINDS.get(code)
    if kind is None:
        raise NotFoundError(f"There is no kind of problem called {code}.")
    return ProblemKind(type=f"/problems/{code}", title=kind.title, status=kind.status, remedy=kind.remedy)
