"""A transport of httpx that hands requests to an application, as its test client would."""

import httpx
from fastapi.testclient import TestClient


class Bridge(httpx.BaseTransport):
    """Hands requests to the application without a network.

    Args:
        client: the application's test client.
    """

    def __init__(self, client: TestClient) -> None:
        self._client = client

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return what the application answers."""
        answer = self._client.request(
            request.method, str(request.url), headers=dict(request.headers), content=request.read()
        )
        return httpx.Response(answer.status_code, headers=dict(answer.headers), content=answer.content)
