"""The query of ``/points/query``: nearest neighbours of a dense or sparse vector."""

from pydantic import Field

from interlace_edge.bodies.base import StrictBody
from interlace_edge.bodies.filters import EdgeFilter
from interlace_edge.bodies.points import SparseValues


class Nearest(StrictBody):
    """Nearest neighbours of a vector."""

    nearest: list[float] | SparseValues


class IdfCorpus(StrictBody):
    """The points whose term statistics give the inverse document frequencies."""

    corpus: EdgeFilter


class SearchParams(StrictBody):
    """Exact or HNSW search, its beam, and the corpus of the inverse document frequencies."""

    hnsw_ef: int | None = Field(None, ge=1)
    exact: bool = False
    idf: IdfCorpus | None = None


class EdgeQuery(StrictBody):
    """The best ``limit`` points by similarity, among those that match ``filter``."""

    query: Nearest
    using: str
    filter: EdgeFilter | None = None
    params: SearchParams = Field(default_factory=SearchParams)
    limit: int = Field(10, ge=1)
    with_payload: bool = False
    with_vector: bool = False


class EdgeQueryBatch(StrictBody):
    """Several queries in one request."""

    searches: list[EdgeQuery]
