"""The recipes of docs/integrations.md against the application: what they send, what they make of answers and refusals."""

from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from tests.support.bridge import Bridge
from tests.support.recipes import run_recipe

URL = "http://127.0.0.1:8765"


@pytest.fixture(autouse=True)
def reached(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whatever a program sends over HTTP reach the application."""
    bridge = Bridge(client)
    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", lambda _, request: bridge.handle_request(request))


def test_the_langchain_retriever_gives_documents_with_their_sources(services: Any) -> None:
    made = run_recipe("class InterlaceRetriever", "retriever = InterlaceRetriever(")
    (document,) = made["documents"]
    assert (document.id, document.page_content) == ("c1", "Ada built the first turbine.")
    assert document.metadata["source"] == "docs/turbines.md"
    assert (document.metadata["author"], document.metadata["path"]) == ("Ada", ["Ada"])
    filters = {"must": [{"field": "tags", "value": "energy"}]}
    made["InterlaceRetriever"](http=made["http"], filters=filters).invoke("Who?")
    (_, first), (_, second) = services.questions.asked
    assert (first.limit, second.where.must[0].value) == (3, "energy")


def test_the_graphrag_retriever_gives_the_sentences_of_the_path_before_the_text() -> None:
    made = run_recipe(
        "class InterlaceGraphRetriever",
        "retriever = InterlaceGraphRetriever(",
        http=httpx.Client(base_url=URL),
    )
    (item,) = made["result"].items
    assert item.content == "Ada built the first turbine.\nAda built the first turbine."
    assert item.metadata["source"] == "docs/turbines.md"
    assert made["result"].metadata["entities"] == {"Ada": 1.0}


def test_a_refusal_is_the_sentence_of_the_api() -> None:
    made = run_recipe("class InterlaceRetriever", "class InterlaceGraphRetriever")
    http = httpx.Client(base_url=URL)
    with pytest.raises(RuntimeError, match="limit"):
        made["InterlaceRetriever"](http=http, limit=-1).invoke("Who?")
    with pytest.raises(RuntimeError, match="limit"):
        made["InterlaceGraphRetriever"](http).search(query_text="Who?", top_k=-1)
