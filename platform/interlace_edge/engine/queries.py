"""Queries and scrolls of requests as the engine's."""

from typing import Any

import qdrant_edge as engine

from interlace_edge.bodies.collections import CreateCollection
from interlace_edge.bodies.points import Scroll
from interlace_edge.bodies.queries import EdgeQuery, SearchParams
from interlace_edge.engine.filters import compile_filter
from interlace_edge.engine.operations import vector_value
from interlace_edge.engine.schema import check_vector


def compile_query(config: CreateCollection, body: EdgeQuery) -> Any:
    """Return the engine's request.

    Raises:
        EdgeError: 400, the vector does not fit the collection or the filter is malformed.
    """
    vector = body.query.nearest
    check_vector(config, body.using, vector)
    return engine.QueryRequest(
        limit=body.limit,
        query=engine.Query.Nearest(vector_value(vector), body.using),
        with_vector=body.with_vector,
        with_payload=body.with_payload,
        filter=compile_filter(body.filter),
        params=_params(body.params),
    )


def _params(params: SearchParams) -> Any:
    return engine.SearchParams(
        hnsw_ef=params.hnsw_ef,
        exact=params.exact,
        idf=engine.IdfParams(compile_filter(params.idf.corpus)) if params.idf else None,
    )


def compile_scroll(body: Scroll) -> Any:
    """Return the engine's scroll.

    Raises:
        EdgeError: 400, the filter is malformed.
    """
    return engine.ScrollRequest(
        offset=body.offset,
        limit=body.limit,
        filter=compile_filter(body.filter),
        with_payload=body.with_payload,
        with_vector=body.with_vector,
    )
