"""Writing and reading points."""

from typing import Any

import qdrant_edge as engine
from pydantic import TypeAdapter, ValidationError

from interlace_edge.engine import answers, points, queries, schema
from interlace_edge.engine.filters import compile_filter
from interlace_edge.errors import EdgeError
from interlace_edge.routes.ask import Ask, completed
from interlace_edge.wire import points as wire
from interlace_edge.wire.base import PointId, refusal
from interlace_edge.wire.queries import Query, QueryBatch

POINT_ID: TypeAdapter[int | str] = TypeAdapter(PointId)


def upsert(ask: Ask) -> dict[str, Any]:
    """Write whole points."""
    collection = ask.collection
    rows = ask.read(wire.Upsert).rows()
    schema.check_vectors(collection.config, (row.vector for row in rows))
    return completed(collection.write(points.upsert(rows), points_touched=len(rows)))


def update_vectors(ask: Ask) -> dict[str, Any]:
    """Replace named vectors of existing points."""
    collection = ask.collection
    rows = ask.read(wire.UpdateVectors).points
    schema.check_vectors(collection.config, (row.vector for row in rows))
    return completed(collection.write(points.update_vectors(rows), points_touched=len(rows)))


def delete_vectors(ask: Ask) -> dict[str, Any]:
    """Take vectors away from points."""
    body = ask.read(wire.DeleteVectors)
    return completed(ask.collection.write(points.delete_vectors(body), points_touched=_touched(body)))


def delete(ask: Ask) -> dict[str, Any]:
    """Remove points."""
    body = ask.read(wire.Selector)
    return completed(ask.collection.write(points.delete_points(body), points_touched=_touched(body)))


def set_payload(ask: Ask) -> dict[str, Any]:
    """Merge keys into payloads."""
    body = ask.read(wire.SetPayload)
    return completed(ask.collection.write(points.set_payload(body), points_touched=_touched(body)))


def overwrite_payload(ask: Ask) -> dict[str, Any]:
    """Replace payloads."""
    body = ask.read(wire.SetPayload)
    return completed(ask.collection.write(points.overwrite_payload(body), points_touched=_touched(body)))


def clear_payload(ask: Ask) -> dict[str, Any]:
    """Empty payloads."""
    body = ask.read(wire.Selector)
    return completed(ask.collection.write(points.clear_payload(body), points_touched=_touched(body)))


def delete_payload(ask: Ask) -> dict[str, Any]:
    """Remove keys from payloads."""
    body = ask.read(wire.DeletePayload)
    return completed(ask.collection.write(points.delete_payload(body), points_touched=_touched(body)))


def _touched(body: wire.Selector) -> int:
    return len(body.points) if body.points is not None else 1


def retrieve(ask: Ask) -> list[dict[str, Any]]:
    """Return points by id; missing ones are left out."""
    body = ask.read(wire.Retrieve)
    choice = queries.payload_choice(body.with_payload)
    found = ask.collection.read(lambda shard: shard.retrieve(body.ids, choice, body.with_vector))
    return [answers.record(point) for point in found]


def one(ask: Ask) -> dict[str, Any]:
    """Return one point with payload and vectors."""
    text = ask.path["id"]
    try:
        point = POINT_ID.validate_python(int(text) if text.isdecimal() else text)
    except ValidationError as error:
        raise refusal(error) from None
    found = ask.collection.read(lambda shard: shard.retrieve([point], True, True))
    if not found:
        raise EdgeError(404, f"Not found: Point with id {text} does not exists!")
    return answers.record(found[0])


def scroll(ask: Ask) -> dict[str, Any]:
    """Return a page of points in order of id."""
    request = queries.compile_scroll(ask.read(wire.Scroll))
    found, following = ask.collection.read(lambda shard: shard.scroll(request))
    return {"points": [answers.record(point) for point in found], "next_page_offset": answers.point_id(following)}


def count(ask: Ask) -> dict[str, int]:
    """Count points."""
    body = ask.read(wire.Count)
    request = engine.CountRequest(exact=body.exact, filter=compile_filter(body.filter))
    return {"count": ask.collection.read(lambda shard: shard.count(request))}


def facet(ask: Ask) -> dict[str, Any]:
    """Count the values of a payload field, most frequent first."""
    body = ask.read(wire.Facet)
    request = engine.FacetRequest(body.key, body.limit, body.exact, compile_filter(body.filter))
    found = ask.collection.read(lambda shard: shard.facet(request))
    return {"hits": [{"value": hit.value, "count": hit.count} for hit in found.hits]}


def query(ask: Ask) -> dict[str, Any]:
    """Answer one query."""
    return _answer(ask, ask.read(Query))


def query_batch(ask: Ask) -> list[dict[str, Any]]:
    """Answer several queries."""
    return [_answer(ask, single) for single in ask.read(QueryBatch).searches]


def _answer(ask: Ask, body: Query) -> dict[str, Any]:
    collection = ask.collection
    request = queries.compile_query(collection.config, body)
    found = collection.read(lambda shard: shard.query(request))
    return {"points": [answers.scored(point) for point in found]}
