"""A document's life through the API of a running stack: in, followed, asked about, and out again."""

import json

import httpx
import pytest
from tests.support.waiting import until

from interlace.client import Interlace

pytestmark = pytest.mark.stack
TENANT = "api-stack"
TEXTS = {
    "lilu.md": "# Lilu\n\nLilu is a film directed by Marta Kowalska in 1984.\n",
    "kowalska.md": "# Marta Kowalska\n\nMarta Kowalska was born in Toruń. Her mother was Irena Nowak.\n",
    "other.md": "# Turbine\n\nA turbine turns the flow of water into work.\n",
}


def followed(http: httpx.Client, location: str) -> dict[str, object]:
    """Follow a job to its end by its events; return its last state."""
    state: dict[str, object] = {}
    with http.stream("GET", f"{location}/events", timeout=240) as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        for line in events.iter_lines():
            if line.startswith("data: "):
                state = json.loads(line.removeprefix("data: "))
    return state


def test_documents_come_in_answer_and_go(http: httpx.Client, address: str) -> None:
    assert http.get("/readyz").json()["status"] == "ready"
    documents = [{"uri": uri, "text": text, "metadata": {"shelf": 7}} for uri, text in TEXTS.items()]
    accepted = http.post("/v1/documents", json={"documents": documents})
    assert accepted.status_code == 202
    state = followed(http, accepted.headers["location"])
    assert (state["state"], state["ready"], state["failed"]) == ("done", len(TEXTS), 0)

    answer = http.post("/v1/query", json={"query": "Who is the mother of the director of Lilu?", "limit": 3}).json()
    assert {hit["source_uri"] for hit in answer["hits"][:2]} == {"lilu.md", "kowalska.md"}
    assert any(hit["path"] for hit in answer["hits"])
    filtered = {"query": "Lilu", "filters": {"must": [{"field": "metadata.shelf", "op": "eq", "value": 8}]}}
    assert http.post("/v1/query", json=filtered).json()["hits"] == []

    with Interlace(address, tenant=TENANT) as client:
        assert "Marta Kowalska" in list(client.entities("Marta Kowalska")["name"])
        assert len(client.documents(status="ready")) == len(TEXTS)

    replaced = http.get("/v1/documents").json()["items"][0]
    again = http.put(f"/v1/documents/{replaced['id']}", json={"text": "# Marta Kowalska\n\nShe made films.\n"})
    assert followed(http, again.headers["location"])["ready"] == 1

    for item in http.get("/v1/documents").json()["items"]:
        gone = http.delete(f"/v1/documents/{item['id']}")
        assert followed(http, gone.headers["location"])["deleted"] == 1
    assert http.get("/v1/documents").json()["items"] == []
    assert http.post("/v1/query", json={"query": "Who directed Lilu?"}).json()["hits"] == []


def test_metrics_of_the_running_api_count_its_requests(http: httpx.Client) -> None:
    http.get("/livez")
    until(lambda: 'route="/livez"' in http.get("/metrics").text)
