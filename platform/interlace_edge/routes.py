"""What the server does for each route of Qdrant's REST API that Interlace calls."""

from collections.abc import Callable
from typing import Any

import qdrant_edge as engine

from interlace_edge.bodies.collections import CreateCollection, CreateIndex, CreateVector
from interlace_edge.bodies.points import Count, DeletePoints, Retrieve, Scroll, UpdateBatch, UpdateVectors, Upsert
from interlace_edge.bodies.queries import EdgeQuery, EdgeQueryBatch
from interlace_edge.engine import answers, operations, queries, schema
from interlace_edge.request import EdgeRequest

COLLECTION = "/collections/{collection}"


def create_collection(request: EdgeRequest) -> bool:
    """Create a collection."""
    request.catalog.create(request.name, request.read(CreateCollection))
    return True


def delete_collection(request: EdgeRequest) -> bool:
    """Remove a collection; false if there was none."""
    return request.catalog.delete(request.name)


def collection_exists(request: EdgeRequest) -> dict[str, bool]:
    """Return whether a collection exists."""
    return {"exists": request.catalog.exists(request.name)}


def collection_info(request: EdgeRequest) -> dict[str, Any]:
    """Return a collection's configuration and state."""
    collection = request.collection
    found = collection.read(lambda shard: shard.info())
    return answers.collection_info(collection.config, found, optimizing=collection.optimizing)


def create_index(request: EdgeRequest) -> dict[str, Any]:
    """Build a payload index; the same one again changes nothing."""
    return _completed(request.collection.write(operations.create_index(request.read(CreateIndex))))


def create_vector(request: EdgeRequest) -> dict[str, Any]:
    """Add a dense vector."""
    return _completed(request.collection.add_vector(request.path["vector"], request.read(CreateVector)))


def upsert(request: EdgeRequest) -> dict[str, Any]:
    """Write whole points."""
    collection = request.collection
    points = request.read(Upsert).points
    schema.check_vectors(collection.config, (point.vector for point in points))
    return _completed(collection.write(operations.upsert(points), points_touched=len(points)))


def update_vectors(request: EdgeRequest) -> dict[str, Any]:
    """Replace named vectors of existing points."""
    collection = request.collection
    points = request.read(UpdateVectors).points
    schema.check_vectors(collection.config, (point.vector for point in points))
    return _completed(collection.write(operations.update_vectors(points), points_touched=len(points)))


def delete_points(request: EdgeRequest) -> dict[str, Any]:
    """Remove points."""
    body = request.read(DeletePoints)
    return _completed(request.collection.write(operations.delete_points(body), points_touched=len(body.points)))


def update_batch(request: EdgeRequest) -> list[dict[str, Any]]:
    """Replace payloads, each with its own; if one is refused, those before it stay replaced."""
    collection = request.collection
    updates = [operations.overwrite_payload(each.overwrite_payload) for each in request.read(UpdateBatch).operations]
    return [_completed(collection.write(update)) for update in updates]


def retrieve(request: EdgeRequest) -> list[dict[str, Any]]:
    """Return points by id; missing ones are left out."""
    body = request.read(Retrieve)
    found = request.collection.read(lambda shard: shard.retrieve(body.ids, body.with_payload, body.with_vector))
    return [answers.record(point) for point in found]


def scroll(request: EdgeRequest) -> dict[str, Any]:
    """Return a page of points in order of id."""
    page = queries.compile_scroll(request.read(Scroll))
    found, following = request.collection.read(lambda shard: shard.scroll(page))
    return {"points": [answers.record(point) for point in found], "next_page_offset": answers.point_id(following)}


def count(request: EdgeRequest) -> dict[str, int]:
    """Count the points exactly."""
    wanted = engine.CountRequest(exact=request.read(Count).exact)
    return {"count": request.collection.read(lambda shard: shard.count(wanted))}


def query(request: EdgeRequest) -> dict[str, Any]:
    """Answer one query."""
    return _answer(request, request.read(EdgeQuery))


def query_batch(request: EdgeRequest) -> list[dict[str, Any]]:
    """Answer several queries."""
    return [_answer(request, body) for body in request.read(EdgeQueryBatch).searches]


def _answer(request: EdgeRequest, body: EdgeQuery) -> dict[str, Any]:
    collection = request.collection
    compiled = queries.compile_query(collection.config, body)
    found = collection.read(lambda shard: shard.query(compiled))
    return {"points": [answers.scored(point) for point in found]}


def _completed(number: int) -> dict[str, Any]:
    """Return the answer to an update."""
    return {"operation_id": number, "status": "completed"}


# Interlace's Qdrant adapter calls these and no others.
ROUTES: tuple[tuple[str, str, Callable[[EdgeRequest], Any]], ...] = (
    ("GET", COLLECTION, collection_info),
    ("PUT", COLLECTION, create_collection),
    ("DELETE", COLLECTION, delete_collection),
    ("GET", COLLECTION + "/exists", collection_exists),
    ("PUT", COLLECTION + "/index", create_index),
    ("PUT", COLLECTION + "/vectors/{vector}", create_vector),
    ("PUT", COLLECTION + "/points", upsert),
    ("POST", COLLECTION + "/points", retrieve),
    ("POST", COLLECTION + "/points/delete", delete_points),
    ("PUT", COLLECTION + "/points/vectors", update_vectors),
    ("POST", COLLECTION + "/points/batch", update_batch),
    ("POST", COLLECTION + "/points/scroll", scroll),
    ("POST", COLLECTION + "/points/count", count),
    ("POST", COLLECTION + "/points/query", query),
    ("POST", COLLECTION + "/points/query/batch", query_batch),
)
