"""The server has the routes that the Qdrant adapter calls, and no others."""

import re
from pathlib import Path

from qdrant_client import QdrantClient

from interlace_edge.routes import ROUTES

ADAPTER = Path(__file__).parents[3] / "platform" / "interlace" / "adapters" / "qdrant"
# Methods of the client that the adapter may call, with the route that each of them requests.
CALLS = {
    "get_collection": ("GET", ""),
    "create_collection": ("PUT", ""),
    "delete_collection": ("DELETE", ""),
    "collection_exists": ("GET", "/exists"),
    "create_payload_index": ("PUT", "/index"),
    "create_vector_name": ("PUT", "/vectors/{vector}"),
    "upsert": ("PUT", "/points"),
    "retrieve": ("POST", "/points"),
    "delete": ("POST", "/points/delete"),
    "update_vectors": ("PUT", "/points/vectors"),
    "batch_update_points": ("POST", "/points/batch"),
    "scroll": ("POST", "/points/scroll"),
    "count": ("POST", "/points/count"),
}


def test_each_route_is_called_and_each_call_has_its_route() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in ADAPTER.glob("*.py"))
    called = set(re.findall(r"_client\.(\w+)\(", text)) - {"close"}
    assert all(hasattr(QdrantClient, name) for name in CALLS)
    routes = {(method, path.removeprefix("/collections/{collection}")) for method, path, _ in ROUTES}
    searched = {("POST", path) for path in re.findall(r'"(/points/query[/a-z]*)"', text)}
    assert {CALLS[name] for name in called} | searched == routes
