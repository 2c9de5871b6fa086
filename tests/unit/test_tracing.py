"""Spans: a tree a question and a task, named after stages and query files, and nothing at all while tracing is off."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from interlace import tracing
from interlace.ingestion.stopwatch import Stopwatch
from interlace.search.execution import TaskPool
from interlace.search.pipeline import SearchPipeline

Spans = InMemorySpanExporter


@pytest.fixture
def spans() -> Iterator[Spans]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.use_provider(provider)
    yield exporter
    tracing.stop_tracing()


def parents(spans: Spans) -> dict[str, str]:
    """Return each span's name with that of its parent."""
    finished = spans.get_finished_spans()
    names = {each.context.span_id: each.name for each in finished if each.context}
    return {each.name: names.get(each.parent.span_id, "") if each.parent else "" for each in finished}


class Stages:
    """One leg in the pool, which asks the database."""

    def understand(self, run: Any, tenant: str, request: str) -> str:
        assert run.degraded == []
        return f"{tenant} {request}"

    def plan(self, query: str) -> str:
        return query

    def retrieve(self, run: Any, query: str, plan: str) -> Any:
        assert plan == query

        def leg() -> str:
            with tracing.span("chunks/find"):
                return query

        return run.wait("keyword", run.start("keyword", leg))

    def fuse(self, query: str, found: Any) -> list[Any]:
        return [query, found]

    def rerank(self, run: Any, query: str, found: Any, fused: list[Any]) -> Any:
        return run.timed("rerank", lambda: [query, found, fused])

    def present(self, run: Any, query: str, found: Any, ranked: Any) -> str:
        return f"{query} {found} {len(ranked)} {len(run.timings)}"


def search() -> None:
    pool = TaskPool(2)
    SearchPipeline(Stages(), pool, 5.0).search("blue", "Who built the secret?")
    pool.close()


def test_a_question_is_a_tree_also_across_threads(spans: Spans) -> None:
    search()
    assert parents(spans) == {
        "search": "",
        "understand": "search",
        "keyword": "search",
        "chunks/find": "keyword",
        "fusion": "search",
        "rerank": "search",
    }
    assert "secret" not in "".join(each.to_json() for each in spans.get_finished_spans())


def test_a_task_continues_the_trace_of_whoever_asked_for_it(spans: Spans) -> None:
    with tracing.span("POST /v1/documents"):
        headers = tracing.trace_headers()
    with tracing.continued_span("ingest.batch.v1", {**headers, "id": 7}):
        stopwatch = Stopwatch()
        stopwatch.lap("parse")
    assert parents(spans) == {
        "POST /v1/documents": "",
        "ingest.batch.v1": "POST /v1/documents",
        "parse": "ingest.batch.v1",
    }
    assert len({each.context.trace_id for each in spans.get_finished_spans() if each.context}) == 1


@pytest.mark.parametrize("headers", [None, {}, {"traceparent": "nonsense"}, {"traceparent": 3}])
def test_a_task_that_nothing_traced_begins_a_trace(spans: Spans, headers: Any) -> None:
    with tracing.continued_span("maintain.sweep.v1", headers):
        pass
    assert parents(spans) == {"maintain.sweep.v1": ""}


def test_without_an_endpoint_there_are_no_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "os", SimpleNamespace(environ={}))
    assert not tracing.start_tracing("api")
    search()
    assert tracing.trace_headers() == {}
    with tracing.continued_span("ingest.batch.v1", {}), tracing.span("query"):
        tracing.note_span("parse", 1.0)


def test_the_sdk_can_be_disabled_by_its_own_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"}
    monkeypatch.setattr(tracing, "os", SimpleNamespace(environ=named))
    assert not tracing.start_tracing("api")
