"""Cross-origin requests: off by default, exact origins by a setting, never with a browser's own credentials."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from interlace.settings import ApiSettings

PAGE = "https://app.example"
ALLOWED = "access-control-allow-origin"
ASKING = {"Origin": PAGE, "Sec-Fetch-Site": "cross-site"}
PREFLIGHT = {
    "Origin": PAGE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,x-interlace-tenant",
}


def test_by_default_no_other_origin_may_read_or_send(client: TestClient) -> None:
    assert ALLOWED not in client.get("/v1/documents", headers=ASKING).headers
    assert ALLOWED not in client.options("/v1/query", headers=PREFLIGHT).headers
    assert client.post("/v1/query", json={"query": "x"}, headers=ASKING).status_code == 403


def test_an_origin_of_the_settings_may_and_no_other(
    make_services: Callable[..., Any], client_of: Callable[..., TestClient]
) -> None:
    with client_of(make_services(cors_origins=(PAGE,))) as client:
        answer = client.options("/v1/query", headers=PREFLIGHT)
        assert (answer.status_code, answer.headers[ALLOWED]) == (200, PAGE)
        assert "authorization" in answer.headers["access-control-allow-headers"]
        asked = client.post("/v1/query", json={"query": "x"}, headers=ASKING)
        assert (asked.status_code, asked.headers[ALLOWED]) == (200, PAGE)
        assert "access-control-allow-credentials" not in asked.headers
        refused = client.post("/v1/query", json={"query": 1}, headers=ASKING)
        assert (refused.status_code, refused.headers[ALLOWED]) == (422, PAGE), "a page can read its mistakes"
        for origin in ("https://evil.example", f"{PAGE}.evil.example", "http://app.example", "null"):
            headers = {**ASKING, "Origin": origin}
            assert client.post("/v1/query", json={"query": "x"}, headers=headers).status_code == 403
            assert ALLOWED not in client.get("/v1/documents", headers=headers).headers


@pytest.mark.parametrize("origin", ["*", "https://*.example", "https://app.example/", "app.example", "null", ""])
def test_only_exact_origins_are_settings(origin: str) -> None:
    with pytest.raises(ValidationError, match="cors_origins"):
        ApiSettings(cors_origins=(origin,))
