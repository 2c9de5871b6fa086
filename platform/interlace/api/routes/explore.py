"""``/``: the explore page, a few static files that ask the API; everything it shows comes from routes that anyone may call."""

from pathlib import Path
from typing import Final

from fastapi import APIRouter, Response

from interlace.domain.errors import NotFoundError

router = APIRouter(include_in_schema=False)
_FOLDER: Final = Path(__file__).parents[1] / "explore"
_TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
# Read once: only what lies there is ever served, whatever name is asked for.
_FILES: Final = {path.name: (path.read_bytes(), _TYPES[path.suffix]) for path in _FOLDER.iterdir() if path.is_file()}
# No inline script or style, no other host: what a document holds cannot become code even if it became markup.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}


@router.head("/")
@router.get("/")
def explore_page() -> Response:
    """Return the page."""
    return explore_file("index.html")


@router.head("/explore/{name}")
@router.get("/explore/{name}")
def explore_file(name: str) -> Response:
    """Return a script or the style sheet of the page."""
    if name not in _FILES:
        raise NotFoundError(f"There is no /explore/{name}.")
    content, kind = _FILES[name]
    return Response(content, media_type=kind, headers=_HEADERS)
