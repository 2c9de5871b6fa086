"""The recipes of docs/integrations.md, run as they stand there over the API and a graph that the pipeline made."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import openapi_python_client as generator
import pytest
from fastapi.testclient import TestClient
from openapi_python_client.config import Config, ConfigFile, MetaType
from tests.conftest import waiting_for_legs
from tests.support.bridge import Bridge
from tests.support.recipes import run_recipe

from interlace.api.app import create_app
from interlace.bootstrap import Platform
from interlace.settings import Settings

pytestmark = pytest.mark.stack
PORT = 8765


@pytest.fixture(autouse=True)
def api(full_stack: Settings, saltmarsh: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The API over the sample collection; whatever a program sends over HTTP reaches it."""
    headers = {"X-Interlace-Tenant": saltmarsh}
    with (
        closing(Platform(waiting_for_legs(full_stack))) as platform,
        TestClient(create_app(platform), base_url="http://127.0.0.1:8765", headers=headers) as client,
    ):
        bridge = Bridge(client)
        send = httpx.HTTPTransport.handle_request

        def reach(transport: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
            # The platform itself speaks to Qdrant by httpx.
            return bridge.handle_request(request) if request.url.port == PORT else send(transport, request)

        monkeypatch.setattr(httpx.HTTPTransport, "handle_request", reach)
        yield client


def test_the_langchain_retriever_finds_over_two_hops() -> None:
    made = run_recipe("class InterlaceRetriever", "retriever = InterlaceRetriever(")
    (found,) = [document for document in made["documents"] if "Rostock" in document.page_content]
    assert found.metadata["source"] == "saltmarsh/people/clara-hoffmann.md"
    assert list(dict.fromkeys(found.metadata["path"])) == ["Plover", "Clara Hoffmann"]
    filtered = made["InterlaceRetriever"](
        http=made["http"], filters={"must": [{"field": "source", "value": "saltmarsh/people/clara-hoffmann.md"}]}
    )
    assert {each.metadata["title"] for each in filtered.invoke("Who designed the Plover?")} == {"Clara Hoffmann"}


def test_the_graphrag_retriever_gives_the_path_with_the_text() -> None:
    http = httpx.Client(base_url="http://127.0.0.1:8765")
    result = run_recipe("class InterlaceGraphRetriever", "retriever = InterlaceGraphRetriever(", http=http)["result"]
    (found,) = [item for item in result.items if "Rostock" in item.content]
    assert "Clara Hoffmann designed the Plover in 2017." in found.content
    assert found.metadata["source"] == "saltmarsh/people/clara-hoffmann.md"
    assert "Plover" in result.metadata["entities"]


def test_the_generated_client_answers_as_on_the_page(
    api: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "openapi.json").write_text(api.get("/openapi.json").text, encoding="utf-8")
    source, target = tmp_path / "openapi.json", tmp_path / "interlace_client"
    config = Config.from_sources(ConfigFile(post_hooks=[]), MetaType.NONE, source, "utf-8", False, target)
    assert list(generator.generate(config=config)) == []
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    try:
        assert "Clara Hoffmann" in run_recipe("from interlace_client import Client")["titles"]
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "interlace_client"]:
            del sys.modules[name]
