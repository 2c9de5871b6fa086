"""``/v1/query``: questions."""

from typing import Annotated

from fastapi import APIRouter, Depends

from interlace.api.dependencies import PlatformDep, ReaderTenant, metrics_of
from interlace.api.metrics import Metrics
from interlace.api.problems import RESPONSES
from interlace.api.schemas.questions import QueryBody
from interlace.api.scopes import requires
from interlace.domain.hits import QueryResponse

router = APIRouter(prefix="/v1/query", tags=["query"], responses=RESPONSES, dependencies=[requires("read")])


@router.post("")
def query(
    body: QueryBody, platform: PlatformDep, tenant: ReaderTenant, metrics: Annotated[Metrics, Depends(metrics_of)]
) -> QueryResponse:
    """Return the chunks that answer best, fused from every leg, each with how it was found.

    A leg that fails or is late is named in `degraded`; the others answer.
    """
    request = body.to_domain()
    if body.pack:
        response = platform.packer.query(tenant, request, body.pack.to_domain())
    else:
        response = platform.questions.search(tenant, request)
    metrics.observe_query(response)
    return response
