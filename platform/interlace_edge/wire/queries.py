"""The query of ``/points/query``: nearest neighbours, fusion of prefetched results, or an order by a payload field."""

from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from interlace_edge.errors import unsupported
from interlace_edge.wire.base import Wire
from interlace_edge.wire.filters import Filter
from interlace_edge.wire.points import OrderBy, PayloadSelector, Sparse

NOT_HERE = (
    "recommend",
    "discover",
    "context",
    "sample",
    "formula",
    "relevance_feedback",
    "mmr",
    "text",
    "image",
    "object",
)


class Nearest(Wire):
    """Nearest neighbours of a vector."""

    nearest: list[float] | Sparse

    @model_validator(mode="before")
    @classmethod
    def _no_diversity(cls, body: Any) -> Any:
        if isinstance(body, dict) and body.get("mmr") is not None:
            raise unsupported("the query `mmr`")
        return body


class FusionQuery(Wire):
    """Reciprocal rank fusion (k = 2, weights 1) or distribution based score fusion."""

    fusion: Literal["rrf", "dbsf"]


class Rrf(Wire):
    """Constant and weights of reciprocal rank fusion: ``sum(1 / (rank / weight + k - 1))``, ranks from 1."""

    k: int | None = Field(None, ge=1)
    weights: list[Annotated[float, Field(ge=0)]] | None = None


class RrfQuery(Wire):
    """Reciprocal rank fusion with parameters."""

    rrf: Rrf


class OrderByQuery(Wire):
    """Points ordered by a payload field with a range index."""

    order_by: str | OrderBy


def _kind(query: Any) -> str:
    if isinstance(query, list):
        return "dense"
    if isinstance(query, str | int):
        raise unsupported("queries by point id")
    if isinstance(query, dict):
        for name in NOT_HERE:
            if name in query and "nearest" not in query:
                raise unsupported(f"the query `{name}`")
        return next((name for name in ("nearest", "fusion", "rrf", "order_by") if name in query), "sparse")
    return "dense"


AnyQuery = Annotated[
    Annotated[list[float], Tag("dense")]
    | Annotated[Sparse, Tag("sparse")]
    | Annotated[Nearest, Tag("nearest")]
    | Annotated[FusionQuery, Tag("fusion")]
    | Annotated[RrfQuery, Tag("rrf")]
    | Annotated[OrderByQuery, Tag("order_by")],
    Discriminator(_kind),
]


class IdfCorpus(Wire):
    """The points whose term statistics give the inverse document frequencies."""

    corpus: Filter


class SearchParams(Wire):
    """Exact or HNSW search, its beam, and the corpus of the inverse document frequencies."""

    hnsw_ef: int | None = Field(None, ge=1)
    exact: bool = False
    indexed_only: bool = False
    idf: Literal["global"] | IdfCorpus | None = None


class Stage(Wire):
    """What a query and a prefetch have in common."""

    prefetch: list["Prefetch"] | None = None
    query: AnyQuery | None = None
    using: str | None = None
    filter: Filter | None = None
    params: SearchParams | None = None
    score_threshold: float | None = None
    limit: int = Field(10, ge=1)

    @model_validator(mode="before")
    @classmethod
    def _prefetch_list(cls, body: Any) -> Any:
        if isinstance(body, dict) and isinstance(body.get("prefetch"), dict):
            return {**body, "prefetch": [body["prefetch"]]}
        return body

    @model_validator(mode="after")
    def _fusion_has_sources(self) -> Self:
        if isinstance(self.query, FusionQuery | RrfQuery):
            if not self.prefetch:
                raise ValueError("a fusion needs prefetch")
            weights = self.query.rrf.weights if isinstance(self.query, RrfQuery) else None
            if weights is not None and len(weights) != len(self.prefetch):
                raise ValueError(f"{len(weights)} weights for {len(self.prefetch)} prefetches")
        return self


class Prefetch(Stage):
    """A stage whose results the next one ranks again."""


class Query(Stage):
    """The outermost stage."""

    offset: int = Field(0, ge=0)
    with_vector: bool | list[str] = False
    with_payload: bool | list[str] | PayloadSelector = False


class QueryBatch(Wire):
    """Several queries in one request."""

    searches: list[Query]
