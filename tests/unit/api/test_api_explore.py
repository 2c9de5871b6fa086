"""The files of the explore page: what is served, under which policy, and that they hold nothing that it forbids."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interlace.api.routes.explore import _FILES, POLICY


def test_the_page_is_served_under_a_strict_policy(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert "*" not in POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    for file in re.findall(r'(?:src|href)="(/explore/[^"]+)"', answer.text):
        assert client.get(file).headers["content-security-policy"] == POLICY


@pytest.mark.parametrize("path", ["/", "/explore/app.js", "/livez", "/readyz"])
def test_a_monitor_may_ask_with_head(client: TestClient, path: str) -> None:
    head, got = client.head(path), client.get(path)
    assert (head.status_code, head.headers["content-type"]) == (200, got.headers["content-type"])


@pytest.mark.parametrize("name", ["..%2Fapp.py", "none.js", "%2e%2e"])
def test_nothing_else_is_served(client: TestClient, assert_problem: Callable[..., Any], name: str) -> None:
    assert_problem(client.get(f"/explore/{name}"), 404, "not-found")


def test_the_page_needs_no_key_and_what_it_shows_does(
    make_services: Callable[..., Any], client_of: Callable[..., TestClient]
) -> None:
    with client_of(make_services(keys=["a" * 64])) as client:
        assert client.get("/").status_code == client.get("/explore/app.js").status_code == 200
        assert client.get("/v1/counts").status_code == 401


def test_text_never_becomes_markup() -> None:
    scripts = {name: content.decode() for name, (content, _) in _FILES.items() if name.endswith(".js")}
    assert len(scripts) > 4
    for name, text in scripts.items():
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|DOMParser", text
        ), name
        assert "//" not in re.sub(r"^\s*//.*|https?://www\.w3\.org/2000/svg", "", text, flags=re.MULTILINE), name


def test_every_import_of_a_script_is_there() -> None:
    for name, (content, _) in _FILES.items():
        for wanted in re.findall(r'from "\./([^"]+)"', content.decode()):
            assert wanted in _FILES, (name, wanted)
