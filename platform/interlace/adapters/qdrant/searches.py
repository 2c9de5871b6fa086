"""Sends searches to Qdrant as plain JSON.

A question searches five times, and the client's typed models need more processor time for that than the search itself. Everything else goes
through the client.
"""

import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from urllib.parse import quote

import httpx
import orjson

from interlace.adapters.qdrant.failures import refusal
from interlace.adapters.qdrant.requests import SearchBody
from interlace.domain.errors import UnavailableError
from interlace.ports.vectors import ScoredPoint


class SearchConnections:
    """Sends searches; safe for use by several threads. It connects on the first search.

    Args:
        url: address of the server, possibly with a path.
        headers: of every request.
        limits: of connections.
    """

    def __init__(self, url: str, headers: Mapping[str, str], limits: httpx.Limits) -> None:
        self._url = url.rstrip("/")
        self._http = httpx.Client(headers={**headers, "content-type": "application/json"}, limits=limits)

    def search(self, collection: str, searches: Sequence[SearchBody], timeout: float) -> list[list[ScoredPoint]]:
        """Return the points that each search finds, in the server's order, all in one request of at most ``timeout`` seconds.

        Raises:
            httpx.RequestError: no answer.
            InterlaceError: a refusal (``failures``), or an answer that is not Qdrant's.
        """
        alone = len(searches) == 1
        route = "/points/query" if alone else "/points/query/batch"
        seconds = max(1, math.ceil(timeout))
        answer = self._http.post(
            f"{self._url}/collections/{quote(collection, safe='')}{route}?timeout={seconds}",
            content=orjson.dumps(searches[0] if alone else {"searches": searches}, option=orjson.OPT_SERIALIZE_NUMPY),
            timeout=seconds,
        )
        if answer.status_code != HTTPStatus.OK:
            raise refusal(self._url, answer.status_code, answer.content)
        try:
            result = orjson.loads(answer.content)["result"]
            found = [result] if alone else result
            return [[ScoredPoint(point["id"], float(point["score"])) for point in each["points"]] for each in found]
        except (KeyError, TypeError, ValueError) as error:
            raise UnavailableError(f"The server at {self._url} is not Qdrant; check INTERLACE_QDRANT__URL.") from error

    def close(self) -> None:
        """Close the connections."""
        self._http.close()
