"""Queries, scrolls and counts of requests as the engine's."""

from typing import Any

import qdrant_edge as engine

from interlace_edge.engine.filters import compile_filter
from interlace_edge.engine.points import vector_value
from interlace_edge.engine.schema import check_vector
from interlace_edge.errors import wrong_input
from interlace_edge.wire import points
from interlace_edge.wire import queries as wire
from interlace_edge.wire.collections import CreateCollection

RRF_K = 2
PayloadChoice = bool | list[str] | points.PayloadSelector


def compile_query(config: CreateCollection, query: wire.Query) -> Any:
    """Return the engine's request.

    Raises:
        EdgeError: 400, a vector does not fit the collection or a filter is malformed.
    """
    return engine.QueryRequest(
        limit=query.limit,
        offset=query.offset,
        query=_scoring(config, query),
        prefetches=_prefetches(config, query),
        with_vector=query.with_vector,
        with_payload=payload_choice(query.with_payload),
        filter=compile_filter(query.filter),
        score_threshold=query.score_threshold,
        params=_params(query.params),
    )


def _prefetches(config: CreateCollection, stage: wire.Stage) -> list[Any]:
    return [
        engine.Prefetch(
            limit=inner.limit,
            query=_scoring(config, inner),
            prefetches=_prefetches(config, inner),
            params=_params(inner.params),
            filter=compile_filter(inner.filter),
            score_threshold=inner.score_threshold,
        )
        for inner in stage.prefetch or []
    ]


def _scoring(config: CreateCollection, stage: wire.Stage) -> Any:
    match stage.query:
        case None:
            return None
        case wire.FusionQuery(fusion="dbsf"):
            return engine.Fusion.Dbsf()
        case wire.FusionQuery():
            return engine.Fusion.Rrf(k=RRF_K)
        case wire.RrfQuery(rrf=rrf):
            return engine.Fusion.Rrf(k=rrf.k or RRF_K, weights=rrf.weights)
        case wire.OrderByQuery(order_by=order):
            return order_by(order)
        case wire.Nearest(nearest=vector) | vector:
            return _nearest(config, vector, stage.using or "")


def _nearest(config: CreateCollection, vector: Any, using: str) -> Any:
    sizes = {name: params.size for name, params in config.dense().items()}
    check_vector(sizes, config.sparse_vectors or {}, using, vector)
    return engine.Query.Nearest(vector_value(vector), using)


def _params(params: wire.SearchParams | None) -> Any:
    if params is None:
        return None
    corpus = params.idf.corpus if isinstance(params.idf, wire.IdfCorpus) else None
    return engine.SearchParams(
        hnsw_ef=params.hnsw_ef,
        exact=params.exact,
        indexed_only=params.indexed_only,
        idf=engine.IdfParams(compile_filter(corpus)) if corpus else None,
    )


def order_by(order: str | points.OrderBy) -> Any:
    """Return the engine's order by a payload field.

    Raises:
        EdgeError: 400, the start is no number and no date.
    """
    if isinstance(order, str):
        return engine.OrderBy(order)
    direction = engine.Direction.Desc if order.direction == "desc" else engine.Direction.Asc
    try:
        return engine.OrderBy(order.key, direction, order.start_from)
    except (TypeError, ValueError) as error:
        raise wrong_input(f"order by `{order.key}`: {error}") from None


def payload_choice(choice: PayloadChoice) -> Any:
    """Return which payload keys the engine brings."""
    if not isinstance(choice, points.PayloadSelector):
        return choice
    if choice.exclude is not None:
        return engine.PayloadSelector.Exclude(choice.exclude)
    return choice.include


def compile_scroll(body: points.Scroll) -> Any:
    """Return the engine's scroll.

    Raises:
        EdgeError: 400, a filter or the order is malformed.
    """
    return engine.ScrollRequest(
        offset=body.offset,
        limit=body.limit,
        filter=compile_filter(body.filter),
        with_payload=payload_choice(body.with_payload),
        with_vector=body.with_vector,
        order_by=order_by(body.order_by) if body.order_by else None,
    )
