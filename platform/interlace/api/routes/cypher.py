"""``/v1/cypher``: statements by hand, which read one tenant's graph within limits."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from interlace.access.cypher import MAX_ROWS, MAX_SECONDS, GuardedCypher
from interlace.access.cypher_text import MAX_CHARACTERS
from interlace.api.dependencies import PlatformDep, Tenant
from interlace.api.problems import RESPONSES
from interlace.api.schemas.request_body import RequestBody
from interlace.api.schemas.uploads import json_metadata
from interlace.api.scopes import CallerOf, requires
from interlace.api.tables import ARROW, CSV, encoded

router = APIRouter(prefix="/v1/cypher", tags=["cypher"], responses=RESPONSES, dependencies=[requires("cypher")])
_EXAMPLE = "UNWIND [1, 2, 3] AS number RETURN number * $factor AS product"


class CypherBody(RequestBody):
    """A statement and its parameters."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"statement": _EXAMPLE, "params": {"factor": 2}}]})

    statement: str = Field(
        min_length=1,
        max_length=MAX_CHARACTERS,
        description="read-only Cypher without quotes, comments, subqueries and procedures; the plan must filter by `{tenant: $tenant}`",
        examples=[_EXAMPLE],
    )
    params: Annotated[dict[str, Any], AfterValidator(json_metadata)] = Field(
        {}, max_length=50, description="values by name; the server sets `tenant`"
    )
    limit: int = Field(1000, ge=1, le=MAX_ROWS, description="maximum number of rows")
    seconds: float = Field(10, gt=0, le=MAX_SECONDS, allow_inf_nan=False, description="timeout in seconds")


class CypherAnswer(BaseModel):
    """The rows of a statement."""

    columns: list[str] = Field(description="names of the columns, as the statement returns them")
    rows: list[list[Any]] = Field(description="one list of values a row, in the order of the columns")
    truncated: bool = Field(description="whether a limit cut off further rows")


@router.post(
    "",
    response_model=CypherAnswer,
    responses={
        200: {
            "content": {CSV: {"schema": {"type": "string"}}, ARROW: {"schema": {"type": "string", "format": "binary"}}}
        }
    },
)
def run_cypher(
    body: CypherBody,
    platform: PlatformDep,
    tenant: Tenant,
    caller: CallerOf,
    request: Request,
    accept: Annotated[str, Header(description=f"`application/json`, `{CSV}` or `{ARROW}`")] = "application/json",
) -> Response:
    """Run a read-only statement on the tenant's graph, after checking its plan; as JSON, CSV or an Arrow stream.

    With CSV and Arrow the header `X-Interlace-Truncated` says whether rows are missing.
    """
    guarded = GuardedCypher(platform.statements, request.app.state.audit)
    table = guarded.run(caller, tenant, body.statement, body.params, rows=body.limit, timeout=body.seconds)
    content, media_type = encoded(table, accept)
    headers = {"X-Interlace-Truncated": str(table.truncated).lower(), "Vary": "Accept"}
    return Response(content, media_type=media_type, headers=headers)
