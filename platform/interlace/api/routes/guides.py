"""``/guides``: the guides and the style sheet that Neo4j Browser fetches."""

from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from interlace.cypher_files import cypher_root


class Guides(StaticFiles):
    """Serves ``cypher/browser/guides`` to pages of any origin: it holds nothing but what everybody may read."""

    def __init__(self) -> None:
        super().__init__(directory=cypher_root() / "browser" / "guides", html=True, check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, readable by Neo4j Browser, which comes from another port and therefore another origin."""
        if scope["method"] == "OPTIONS":
            headers = {
                "Access-Control-Allow-Origin": "*",
                "Access-Control-Allow-Methods": "GET, HEAD",
                "Access-Control-Allow-Headers": "*",
            }
            return Response(status_code=204, headers=headers)
        response = await super().get_response(path, scope)
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response
