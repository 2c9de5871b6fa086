"""Answers over HTTP: JSON, events, and what is refused."""

import inspect
import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interlace.api.schemas.answers import AnswerBody
from interlace.cli.commands.answer import answer
from interlace.client import Interlace
from interlace.domain.answers import DEFAULT_SENTENCES, AnswerRequest
from interlace.domain.errors import UnavailableError

EVENTS = {"Accept": "text/event-stream"}
ASKED = {"query": "Who built the first turbine?", "insist": True}


def test_an_answer_cites_what_it_says(client: TestClient, services: Any) -> None:
    answer = client.post("/v1/answer", json={**ASKED, "limit": 4}, headers={"X-Interlace-Tenant": "acme"})
    assert answer.status_code == 200, answer.text
    ((tenant, request),) = services.questions.asked
    assert (tenant, request.text, request.limit) == ("acme", ASKED["query"], 4)
    shown = answer.json()
    assert shown["sentences"] == [{"text": "Ada built the first turbine.", "citations": [1]}]
    assert (
        shown["citations"][0] | {"quote": "Ada built the first turbine.", "start": 0, "end": 28}
        == shown["citations"][0]
    )
    assert (shown["mode"], shown["abstained"], shown["tokens"]) == ("extractive", False, 0)
    assert shown["hits"][0]["path"]


def test_events_end_with_the_same_answer(client: TestClient) -> None:
    whole = client.post("/v1/answer", json=ASKED).json()
    answer = client.post("/v1/answer", json=ASKED, headers=EVENTS)
    assert answer.headers["content-type"].startswith("text/event-stream")
    blocks = [block.split("\n") for block in answer.text.strip().split("\n\n")]
    names = [block[0].removeprefix("event: ") for block in blocks]
    data = [json.loads(block[1].removeprefix("data: ")) for block in blocks]
    assert names == ["sufficiency", "sentence", "answer"]
    assert data[1] == {**whole["sentences"][0], "footnotes": whole["citations"]}
    described = client.get("/openapi.json").json()["paths"]["/v1/answer"]["post"]["responses"]["200"]["content"]
    shown = [line for line in described["text/event-stream"]["example"].split("\n") if line]
    assert shown[::2] == [f"event: {name}" for name in names]
    for example, event in zip(shown[1::2], data, strict=True):
        assert json.loads(example.removeprefix("data: ")).keys() <= event.keys()
    unsteady = {"timings"}
    assert {key: data[2][key] for key in whole if key not in unsteady} == {
        key: whole[key] for key in whole if key not in unsteady
    }


def test_whoever_asks_gets_as_many_sentences() -> None:
    ways = [inspect.signature(way).parameters["sentences"].default for way in (AnswerRequest, Interlace.answer, answer)]
    assert {*ways, AnswerBody(query="Who?").to_domain().sentences} == {DEFAULT_SENTENCES}


@pytest.mark.parametrize("headers", [{}, EVENTS])
def test_failures_are_problem_documents(
    client: TestClient, services: Any, headers: dict[str, str], assert_problem: Callable[..., Any]
) -> None:
    services.questions.failure = UnavailableError("Neo4j does not answer.")
    assert_problem(client.post("/v1/answer", json=ASKED, headers=headers), 503, "unavailable")
    refused = client.post("/v1/answer", json={"query": " ", "sentences": 11}, headers=headers)
    body = assert_problem(refused, 422, "invalid-input")
    assert {error["field"] for error in body["errors"]} == {"query", "sentences"}


def test_answers_are_counted(client: TestClient, services: Any) -> None:
    services.graph.answers["documents/document_counts"] = [{"documents": 4, "chunks": 9, "entities": 2, "facts": 1}]
    client.post("/v1/answer", json=ASKED)
    client.post("/v1/answer", json=ASKED, headers=EVENTS)
    assert 'interlace_answers_total{mode="extractive",outcome="answered"} 2.0' in client.get("/metrics").text
