"""Entities, communities, health, metrics and the description over HTTP."""

import time
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interlace.domain.errors import UnavailableError
from interlace.enrichment.overview import Enrichment, EnrichReceipt, Usage, Waiting
from interlace.ports.graph import Row

ClientOf = Callable[..., TestClient]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds on the clock of the metrics, as the only item of a list."""
    seconds = [0.0]
    clock = SimpleNamespace(monotonic=lambda: seconds[0], perf_counter=time.perf_counter)
    monkeypatch.setattr("interlace.api.metrics.time", clock)
    return seconds


def _entity_row(name: str, **more: Any) -> Row:
    return {
        "id": name,
        "name": name,
        "type": "Person",
        "aliases": ["Lady L"],
        "keys": [name.lower(), "lady l"],
        "confidence": 1.0,
        "mentions": 3,
        **more,
    }


def test_entities_are_ranked_by_how_they_match(client: TestClient, services: Any) -> None:
    services.graph.answers["entities/entity_named"] = []
    services.graph.answers["entities/entity_search"] = [
        _entity_row("Adam", keys=["adam"], aliases=[]),
        _entity_row("Ada Lovelace", keys=["ada lovelace"], aliases=[]),
        _entity_row("Ada", keys=["ada"], aliases=[]),
    ]
    matches = client.post("/v1/search/entities", json={"query": "Ada"}).json()["matches"]
    assert [(match["entity"]["name"], match["via"]) for match in matches] == [
        ("Ada", "exact"),
        ("Ada Lovelace", "words"),
        ("Adam", "fuzzy"),
    ]
    matches = client.post("/v1/search/entities", json={"query": "lady l"}).json()["matches"]
    assert matches[-1]["confidence"] < 1


def test_each_match_says_what_every_signal_adds(client: TestClient, services: Any) -> None:
    services.graph.answers["entities/entity_search"] = [
        _entity_row("Ada Lovelace", keys=["ada lovelace"], aliases=[]),
        _entity_row("Adam", keys=["adam"], aliases=[]),
    ]
    answer = client.post("/v1/search/entities", json={"query": "Lovelace, Ada", "min_confidence": 0.5}).json()
    (match,) = answer["matches"]
    assert match["signals"] == {
        "name": {"value": 0.0, "weight": 1.0, "share": 0.0},
        "fuzzy": {"value": 1.0, "weight": 0.5, "share": 0.45},
        "tokens": {"value": 1.0, "weight": 0.5, "share": 0.45},
    }
    assert match["confidence"] == 0.9
    assert answer["effort"]["candidates"] == 2


def test_a_name_is_never_read_as_a_search_language(client: TestClient, services: Any) -> None:
    client.post("/v1/search/entities", json={"query": 'NOT "x" OR a\\b* name:c'})
    search = services.graph.ran[-1][1]["search"]
    assert search.count('"') % 2 == 0
    assert "\\" not in search
    assert client.post("/v1/search/entities", json={"query": "?!"}).json() == {
        "matches": [],
        "model": None,
        "degraded": [],
        "effort": {"legs": 0, "hops": 0, "candidates": 0, "tokens": 0, "lambda": 0},
    }


def test_communities_are_listed_in_pages(client: TestClient, services: Any) -> None:
    row = {"id": "c1", "level": 0, "title": "T", "summary": "S", "size": 9, "rating": 2.5, "parents": ["p"]}
    services.graph.answers["communities/community_list"] = [row]
    shown = client.get("/v1/communities", params={"limit": 1, "level": 0}).json()
    assert shown["items"] == [row | {"generated": None}]
    client.get("/v1/communities", params={"cursor": shown["next_cursor"]})
    asked = next(params for name, params in reversed(services.graph.ran) if name == "communities/community_list")
    assert (asked["size"], asked["after"]) == (9, "c1")


def test_readiness_names_each_server_and_fails_without_the_graph_only(services: Any, client_of: ClientOf) -> None:
    with client_of(services) as client:
        assert client.get("/readyz").json()["status"] == "ready"

    def away() -> float:
        raise UnavailableError("Qdrant at http://10.0.0.9 does not answer.")

    services.vectors.ping = away
    with client_of(services) as client:
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert answer.json()["checks"]["vectors"] == {"ok": False, "latency_ms": None, "required": False}
        assert "10.0.0.9" not in answer.text
        services.graph.failure = UnavailableError("gone")
        assert client.get("/readyz").json()["status"] == "degraded", "an answer holds for a second"
    with client_of(services) as client:
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")


def test_before_the_first_check_of_invariants_their_age_raises_no_alarm(client: TestClient, services: Any) -> None:
    services.graph.answers["documents/document_counts"] = [{"documents": 0, "chunks": 0, "entities": 0, "facts": 0}]
    assert "interlace_invariants_checked_timestamp_seconds NaN" in client.get("/metrics").text


def test_metrics_count_requests_legs_and_nodes(client: TestClient, services: Any) -> None:
    services.graph.answers["documents/document_counts"] = [{"documents": 4, "chunks": 9, "entities": 2, "facts": 1}]
    noted = {"name": "dangling mention", "violations": 3, "checkedAt": 5000}
    services.graph.answers["invariants/recorded_violations"] = [noted]
    client.post("/v1/query", json={"query": "x"})
    client.get("/v1/jobs/j1")
    services.graph.answers["ingestion_records/record_counts"] = [
        {"stage": "quarantined", "records": 2, "oldestMs": 90_000},
        {"stage": "parsed", "records": 3, "oldestMs": 7000},
        {"stage": "received", "records": 40, "oldestMs": 5000},
    ]
    services.queue.record_run("maintain.sweep.v1", "deferred", 1.5)
    services.queue.ingest("blue", [["a"]])
    services.queue.retry("blue", [["b"]])
    services.queue.record_worker("one", 60)
    text = client.get("/metrics").text
    assert 'interlace_http_requests_total{method="POST",route="/v1/query",status="200"} 1.0' in text
    assert 'route="/v1/jobs/{job_id}"' in text
    assert 'interlace_query_leg_seconds_sum{leg="graph"} 0.012' in text
    assert 'interlace_query_degraded_total{leg="vector"} 1.0' in text
    assert 'interlace_graph_nodes{kind="chunks"} 9.0' in text
    assert 'interlace_invariant_violations{invariant="dangling mention"} 3.0' in text
    assert "interlace_invariants_checked_timestamp_seconds 5.0" in text
    assert 'interlace_task_runs_total{outcome="deferred",task="maintain.sweep.v1"} 1.0' in text
    assert 'interlace_task_seconds_total{outcome="deferred",task="maintain.sweep.v1"} 1.5' in text
    stages = {"received": 40, "parsed": 3, "extracted": 0, "projected": 0, "quarantined": 2}
    for stage, records in stages.items():
        assert f'interlace_ingestion_records{{stage="{stage}"}} {records}.0' in text
    assert "interlace_ingestion_oldest_seconds 7.0" in text, "documents in quarantine wait for a person"
    assert "interlace_ingestion_tasks 2.0" in text
    assert "interlace_workers 1.0" in text


def test_what_was_broken_in_a_removed_tenant_is_forgotten(client: TestClient, services: Any, now: list[float]) -> None:
    services.graph.answers["documents/document_counts"] = [{"documents": 0, "chunks": 0, "entities": 0, "facts": 0}]
    services.graph.answers["invariants/recorded_violations"] = [
        {"name": "dangling mention", "violations": 3, "checkedAt": 5000}
    ]
    assert "dangling mention" in client.get("/metrics").text
    services.graph.answers["invariants/recorded_violations"] = []
    now[0] = 15.0
    text = client.get("/metrics").text
    assert "dangling mention" not in text
    assert "interlace_invariants_checked_timestamp_seconds NaN" in text


def test_metrics_do_without_the_graph_and_say_so(client: TestClient, services: Any) -> None:
    services.graph.answers["documents/document_counts"] = UnavailableError("gone")
    services.graph.failure = UnavailableError("gone")
    services.queue.away = True
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert [line for line in answer.text.splitlines() if line.startswith("interlace_server_up")] == [
        'interlace_server_up{server="graph"} 0.0',
        'interlace_server_up{server="vectors"} 1.0',
        'interlace_server_up{server="queue"} 0.0',
    ]


def test_the_description_needs_no_other_server(client: TestClient) -> None:
    page = client.get("/docs").text
    assert "//cdn" not in page
    assert "https://" not in page
    assert client.get("/static-offline-docs/swagger-ui-bundle.js").status_code == 200


def test_the_description_covers_every_route_and_its_problems(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    for path in (
        "/v1/query",
        "/v1/documents",
        "/v1/documents/{document_id}",
        "/v1/jobs/{job_id}/events",
        "/v1/search/entities",
    ):
        for operation in described["paths"][path].values():
            assert "application/problem+json" in operation["responses"]["4XX"]["content"]
            assert operation["description"]
    text = client.get("/openapi.json").text
    references = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert references <= described["components"]["schemas"].keys()


def test_tokens_of_today_are_counted_by_model_and_yesterdays_are_gone(
    client: TestClient, services: Any, now: list[float]
) -> None:
    services.graph.answers["documents/document_counts"] = [{"documents": 4, "chunks": 9, "entities": 2, "facts": 1}]
    used = [Usage("2026-03-01", "openai/m", 48_000, 0.03, 120)]
    services.enrichment = SimpleNamespace(usage=lambda days: used if days == 0 else [])
    text = client.get("/metrics").text
    assert 'interlace_extraction_tokens{model="openai/m"} 48000.0' in text
    assert 'interlace_extraction_cost_dollars{model="openai/m"} 0.03' in text
    used.clear()
    now[0] = 14.0
    assert "openai/m" in client.get("/metrics").text, "what was counted 14 seconds ago is not counted again"
    now[0] = 15.0
    assert "openai/m" not in client.get("/metrics").text


def test_enrichment_is_shown_begun_paused_and_resumed(client: TestClient, services: Any) -> None:
    waiting = (Waiting("The provider does not answer.", 2, 5, 61.0),)
    usage = (Usage("2026-03-01", "openai/m", 48_000, 0.03, 120),)
    state = Enrichment("openai/m", paused=False, documents=2, chunks=5, waiting=waiting, summaries=None, usage=usage)
    services.enrichment = SimpleNamespace(
        state=lambda _: state,
        enrich=lambda *_: EnrichReceipt("j1", 2, 5),
        pause=lambda _: replace(state, paused=True),
        resume=lambda _: state,
    )
    shown = client.get("/v1/enrichment").json()
    assert (shown["waiting"][0]["reason"], shown["usage"][0]["tokens"]) == ("The provider does not answer.", 48_000)
    begun = client.post("/v1/enrichment")
    assert (begun.status_code, begun.json()) == (202, {"job_id": "j1", "documents": 2, "chunks": 5})
    assert client.post("/v1/enrichment/pause").json()["paused"] is True
    assert client.post("/v1/enrichment/resume").json()["paused"] is False
