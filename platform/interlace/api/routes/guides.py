"""``/guides``: the guide and the style sheet that Neo4j Browser fetches when it connects."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from interlace.cypher_files import cypher_root, guide
from interlace.domain.errors import NotFoundError

router = APIRouter(prefix="/guides", include_in_schema=False)
# Neo4j Browser comes from another port and therefore another origin. Guides hold nothing but what everybody may read.
_READABLE = {"Access-Control-Allow-Origin": "*"}


@router.options("/{name}")
def preflight(name: str) -> Response:  # noqa: ARG001 - all guides are alike
    """Allow the header ``cache-control``, about which Neo4j Browser asks before it fetches a guide."""
    headers = _READABLE | {"Access-Control-Allow-Methods": "GET", "Access-Control-Allow-Headers": "*"}
    return Response(status_code=204, headers=headers)


@router.get("/style.grass")
def style() -> Response:
    """Return the colours and captions of nodes and relationships."""
    return PlainTextResponse((cypher_root() / "browser" / "style.grass").read_text(encoding="utf-8"), headers=_READABLE)


@router.get("/{name}")
def guide_page(name: str, request: Request) -> Response:
    """Return a guide with the saved queries in their places, and links to the other guides."""
    try:
        return HTMLResponse(guide(name, f"{request.base_url}guides"), headers=_READABLE)
    except FileNotFoundError:
        raise NotFoundError(f"There is no guide called {name}.") from None
