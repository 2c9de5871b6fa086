"""Searches in Qdrant's REST format, sent over connections of their own.

A question searches five times. The client's typed models and HTTP library need more processor time for that than the search itself, so searches
are plain JSON over ``urllib3``; everything else goes through the client.
"""

import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlsplit

import numpy as np
import orjson
import urllib3
from numpy.typing import NDArray
from qdrant_client import models
from urllib3.exceptions import ProtocolError

from interlace.adapters.qdrant import values
from interlace.adapters.qdrant.failures import refusal
from interlace.adapters.qdrant.filters import only, visible
from interlace.ports.vectors import ScoredPoint, SparseVector

# The beam of an HNSW search: at least this, and four times the limit.
MIN_BEAM = 256
BEAM_FACTOR = 4
_CONNECTIONS: Final = 64  # kept open per process: 40 threads answer requests, 16 run legs, 4 describe hits
Search = Mapping[str, Any]
"""The body of a query, as JSON values and NumPy arrays."""


class SearchConnections:
    """Sends searches; safe for use by several threads. It connects on the first search.

    Args:
        url: address of the server, possibly with a path.
        headers: of every request.
    """

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url = url
        self._path = urlsplit(url).path.rstrip("/")
        self._headers = {**headers, "content-type": "application/json"}
        self._pool = urllib3.connection_from_url(url, maxsize=_CONNECTIONS)

    def search(self, collection: str, searches: Sequence[Search], timeout: float) -> list[list[ScoredPoint]]:
        """Return the points that each search finds, in the server's order, all in one request.

        Args:
            collection: the collection.
            searches: at least one.
            timeout: seconds.

        Raises:
            urllib3.exceptions.HTTPError: no answer.
            InterlaceError: a refusal (``failures``).
        """
        alone = len(searches) == 1
        route = "/points/query" if alone else "/points/query/batch"
        seconds = max(1, math.ceil(timeout))
        path = f"{self._path}/collections/{quote(collection, safe='')}{route}?timeout={seconds}"
        body = orjson.dumps(searches[0] if alone else {"searches": searches}, option=orjson.OPT_SERIALIZE_NUMPY)
        try:
            answer = self._post(path, body, seconds)
        except ProtocolError:  # the server may close an idle connection while it is taken from the pool
            answer = self._post(path, body, seconds)
        if answer.status != HTTPStatus.OK:
            raise refusal(self._url, answer.status, answer.data)
        result = orjson.loads(answer.data)["result"]
        found = [result] if alone else result
        return [[ScoredPoint(point["id"], point["score"]) for point in each["points"]] for each in found]

    def _post(self, path: str, body: bytes, seconds: float) -> urllib3.BaseHTTPResponse:
        return self._pool.urlopen("POST", path, body=body, headers=self._headers, timeout=seconds, retries=False)

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()


def nearest(
    tenant: str,
    vector: NDArray[np.float32] | SparseVector,
    using: str,
    limit: int,
    where: models.Filter | None,
    *,
    exact: bool,
) -> Search:
    """Return the search for the nearest points that match a filter."""
    return {
        "query": {"nearest": _query(vector)},
        "using": using,
        "limit": limit,
        "filter": as_json(where),
        "params": _params(tenant, vector, limit, exact=exact),
    }


def of_terms(tenant: str, vector: SparseVector, ids: Sequence[str], using: str) -> list[Search]:
    """Return a search among some points for each term of a sparse vector."""
    return [
        nearest(tenant, SparseVector((term,), (weight,)), using, len(ids), only(ids), exact=True)
        for term, weight in zip(vector.indices, vector.values, strict=True)
    ]


def of_cosines(vectors: Sequence[NDArray[np.float32]], ids: Sequence[str], using: str) -> list[Search]:
    """Return an exact search among some points for each of several dense vectors."""
    chosen, limit = visible(only(ids)), max(len(ids), 1)
    return [nearest("", vector, using, limit, chosen, exact=True) for vector in vectors]


def as_json(where: models.Filter | None) -> dict[str, Any] | None:
    """Return a filter as JSON values; None without one."""
    return where.model_dump(mode="json", exclude_none=True) if where else None


def _query(vector: NDArray[np.float32] | SparseVector) -> Any:
    if isinstance(vector, SparseVector):
        return {"indices": vector.indices, "values": vector.values}
    return np.ascontiguousarray(vector)


def _params(tenant: str, vector: NDArray[np.float32] | SparseVector, limit: int, *, exact: bool) -> dict[str, Any]:
    if isinstance(vector, SparseVector):
        # Without a corpus Qdrant counts deleted points until it vacuums them, and scores would depend on history.
        mine = models.FieldCondition(key=values.TENANT, match=models.MatchValue(value=tenant))
        return {"idf": {"corpus": as_json(visible(models.Filter(must=[mine])))}}
    return {"exact": True} if exact else {"hnsw_ef": max(MIN_BEAM, limit * BEAM_FACTOR)}
