"""Queries over Neo4j's HTTP API, so that the stack needs no driver."""

from typing import Any

import httpx

from interlace.ports.graph import Query, Row
from interlace_stack.state import StackState

_REFUSALS = frozenset({"Neo.ClientError.Security.Unauthorized", "Neo.ClientError.Security.AuthenticationRateLimit"})
_TIMEOUT_SECONDS = 30.0  # a query right after startup waits for much of Neo4j to be compiled


class NotReadyError(Exception):
    """The server does not answer as expected, or not yet; the message says what it did instead."""


class RefusedPasswordError(NotReadyError):
    """Neo4j refuses the password, or every password for some seconds after wrong ones."""


class Neo4jHttp:
    """Runs queries in a database of the stack's Neo4j; fits ``interlace.ports.graph.QueryRunner``.

    Args:
        state: address and password.
        database: the database's name.
    """

    def __init__(self, state: StackState, database: str = "neo4j") -> None:
        self._url = f"{state.http_url}/db/{database}/tx/commit"
        self._auth = ("neo4j", state.neo4j_password)

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        """Run a query in a transaction of its own and return all its rows.

        Raises:
            RefusedPasswordError: the server refuses the password.
            NotReadyError: it does not answer in time, or refuses the query.
        """
        body = {"statements": [{"statement": query.text, "parameters": params}]}
        try:
            # Loopback is never behind a proxy from the environment.
            with httpx.Client(timeout=timeout or _TIMEOUT_SECONDS, trust_env=False) as client:
                content = client.post(self._url, json=body, auth=self._auth).json()
        except (httpx.HTTPError, ValueError) as error:
            raise NotReadyError(f"Neo4j: {error}") from None
        if content.get("errors"):
            first = content["errors"][0]
            refused = RefusedPasswordError if first.get("code") in _REFUSALS else NotReadyError
            raise refused(f"Neo4j: {first.get('message')}")
        (result,) = content["results"]
        return [dict(zip(result["columns"], record["row"], strict=True)) for record in result["data"]]
