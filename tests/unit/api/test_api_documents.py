"""Documents and jobs over HTTP."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.domain.ids import document_id
from interlace.jobs.service import JobStatus
from interlace.ports.fetcher import FetchedPage
from interlace.ports.graph import Query, Row
from interlace.settings import load_settings

ClientOf = Callable[..., TestClient]
AssertProblem = Callable[..., dict[str, Any]]


def test_documents_come_as_json(client: TestClient, services: Any) -> None:
    documents = [
        {"uri": "a.md", "text": "# A", "metadata": {"year": 2020}},
        {"uri": "b.bin", "content_base64": "aGk=", "media_type": "text/plain"},
        {"uri": "c.jsonl", "text": '{"id": "x", "text": "one"}\nbroken\n'},
    ]
    answer = client.post("/v1/documents", json={"documents": documents})
    assert answer.status_code == 202
    assert answer.headers["location"] == "/v1/jobs/j1"
    ((tenant, found, _),) = services.receiver.calls
    assert tenant == "default"
    assert found[0] == Source("a.md", "text/markdown", b"# A", {"year": 2020})
    assert found[1] == Source("b.bin", "text/plain", b"hi", {})
    assert found[2].uri == "c.jsonl#x"
    body = answer.json()
    assert (body["job_id"], body["received"]) == ("j1", 3)
    assert [error["source_uri"] for error in body["errors"]] == ["c.jsonl#2"]


class Pages:
    """Has a page for every address but one."""

    def check_allowed(self) -> None:
        pass

    def fetch(self, urls: Sequence[str]) -> list[FetchedPage | ParseError]:
        missing = ParseError("It is away.", reason="unreachable", uri="https://docs.test/gone")
        return [missing if "gone" in url else FetchedPage(url, "text/plain", b"# Guide") for url in urls]


class ChangingPages:
    """Has another page each time."""

    def __init__(self) -> None:
        self.fetched: list[str] = []

    def check_allowed(self) -> None:
        pass

    def fetch(self, urls: Sequence[str]) -> list[FetchedPage | ParseError]:
        self.fetched += urls
        return [FetchedPage(url, "text/plain", b"Asked %d times." % len(self.fetched)) for url in urls]


def test_documents_come_by_their_addresses(client: TestClient, services: Any) -> None:
    services.fetcher = Pages()
    urls = [
        {"url": "https://docs.test/a.md#start", "metadata": {"year": 2020}, "access": ["staff"]},
        {"url": "https://docs.test/gone"},
    ]
    answer = client.post("/v1/documents", json={"urls": urls, "documents": [{"source_uri": "b.md", "text": "# B"}]})
    assert answer.status_code == 202, answer.text
    assert [error["reason"] for error in answer.json()["errors"]] == ["unreachable"]
    ((_, found, _),) = services.receiver.calls
    metadata = {"year": 2020, "access": ["staff"]}
    assert found[0] == Source("https://docs.test/a.md", "text/markdown", b"# Guide", metadata)
    assert found[2].uri == "b.md"


def test_no_address_is_fetched_unless_the_settings_say_so(
    client: TestClient, services: Any, assert_problem: AssertProblem, client_of: ClientOf, make_services: Any
) -> None:
    body = {"urls": [{"url": "http://127.0.0.1/"}]}
    problem = assert_problem(client.post("/v1/documents", json=body), 422, "invalid-input")
    assert "INTERLACE_FETCH__HOSTS" in problem["detail"]
    assert services.receiver.calls == []
    with client_of(make_services(fetch={"hosts": ["docs.test"]})) as allowed:
        answer = allowed.post("/v1/documents", json=body)
    assert [error["reason"] for error in answer.json()["errors"]] == ["not-allowed"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body"),
        ({"urls": []}, "urls"),
        ({"urls": [{"url": "file:///etc/passwd"}]}, "urls[0].url"),
        ({"urls": [{"url": "https://a.test/"}, {"url": "https://a.test/#b"}]}, "urls"),
        ({"urls": [{"url": f"https://a.test/{number}"} for number in range(21)]}, "urls"),
        ({"urls": [{"url": "https://a.test/"}], "documents": [{"source_uri": "https://a.test/", "text": "x"}]}, "urls"),
    ],
)
def test_unusable_addresses_are_named(
    client: TestClient, body: dict[str, Any], field: str, assert_problem: AssertProblem
) -> None:
    problem = assert_problem(client.post("/v1/documents", json=body), 422, "invalid-input")
    assert [item["field"] for item in problem["errors"]] == [field]


def test_a_dry_run_tells_what_would_change_and_takes_nothing_in(client: TestClient, services: Any) -> None:
    documents = [{"uri": "a.md", "text": "# A"}, {"uri": "c.jsonl", "text": "broken\n"}]
    answer = client.post("/v1/documents", params={"dry_run": "true"}, json={"documents": documents})
    assert (answer.status_code, services.receiver.calls) == (200, [])
    body = answer.json()
    assert (body["added"], body["chunks"]["added"], body["llm_tokens"]) == (1, 1, 0)
    assert [document["source_uri"] for document in body["documents"]] == ["a.md"]
    assert [failure["source_uri"] for failure in body["failures"]] == ["c.jsonl#1"]


def test_documents_come_as_files(client: TestClient, services: Any) -> None:
    files = [("files", ("docs/a.md", b"# A", "text/plain")), ("files", ("rows.csv", b"id,text\n7,hello\n", ""))]
    answer = client.post("/v1/documents", files=files, data={"metadata": '{"team": "x"}'})
    assert answer.status_code == 202, answer.text
    ((_, found, _),) = services.receiver.calls
    assert found[0] == Source("docs/a.md", "text/markdown", b"# A", {"team": "x"})
    assert (found[1].uri, found[1].metadata["team"]) == ("rows.csv#7", "x")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"documents": []}, "documents"),
        ({"documents": [{"uri": "a"}]}, "documents[0]"),
        ({"documents": [{"uri": "a", "text": "x", "content_base64": "eA=="}]}, "documents[0]"),
        ({"documents": [{"uri": "a", "content_base64": "!"}]}, "documents[0].content_base64"),
        ({"documents": [{"uri": "a\n", "text": "x"}]}, "documents[0].uri"),
        ({"documents": [{"uri": "a", "text": "x"}, {"uri": "a", "text": "y"}]}, "documents"),
        (
            {
                "documents": [
                    {"uri": "a", "text": "x", "metadata": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}}
                ]
            },
            "documents[0].metadata",
        ),
    ],
)
def test_unusable_documents_are_named(
    client: TestClient, services: Any, body: dict[str, Any], field: str, assert_problem: AssertProblem
) -> None:
    answer = client.post("/v1/documents", json=body)
    problem = assert_problem(answer, 422, "invalid-input")
    assert [item["field"] for item in problem["errors"]] == [field]
    assert services.receiver.calls == []


def test_a_form_without_files_and_other_types_are_refused(client: TestClient, assert_problem: AssertProblem) -> None:
    answer = client.post("/v1/documents", files={"other": ("a.md", b"x")})
    assert assert_problem(answer, 422, "invalid-input")["errors"][0]["field"] == "other"
    answer = client.post("/v1/documents", content=b"x", headers={"Content-Type": "text/plain"})
    assert_problem(answer, 415, "unsupported-media-type")


def test_a_document_above_the_limit_is_refused_alone(services: Any, client_of: ClientOf) -> None:
    services.settings = load_settings(ingest={"max_bytes": 100})
    with client_of(services) as client:
        documents = [{"uri": "big.txt", "text": "x" * 200}, {"uri": "small.txt", "text": "x"}]
        body = client.post("/v1/documents", json={"documents": documents}).json()
    assert body["received"] == 1
    assert [(error["source_uri"], error["reason"]) for error in body["errors"]] == [("big.txt", "too-large")]


@pytest.fixture
def bound(services: Any) -> dict[str, str]:
    """The digests that idempotency keys are bound to."""
    digests: dict[str, str] = {}
    keys = services.graph.access

    def bind(query: Query, /, **params: Any) -> list[Row]:
        if query.name.startswith("access/"):
            answered: list[Row] = keys.run(query, **params)
            return answered
        assert query.name == "jobs/bind_job"
        return [{"digest": digests.setdefault(params["id"], params["digest"])}]

    services.graph.run = bind
    return digests


@pytest.mark.usefixtures("bound")
def test_an_idempotency_key_gives_the_same_job_and_takes_other_documents_for_a_conflict(
    client: TestClient, services: Any, assert_problem: AssertProblem, running: JobStatus
) -> None:
    headers = {"Idempotency-Key": "order-7"}
    body = {"documents": [{"uri": "a.md", "text": "one"}]}
    services.jobs.states = iter([replace(running, state="receiving"), running])
    first = client.post("/v1/documents", json=body, headers=headers)
    second = client.post("/v1/documents", json=body, headers=headers)
    assert first.status_code == second.status_code == 202
    assert first.headers["location"] == second.headers["location"]
    assert len(services.receiver.calls) == 1
    other = client.post("/v1/documents", json={"documents": [{"uri": "b.md", "text": "two"}]}, headers=headers)
    assert_problem(other, 409, "conflict")


@pytest.mark.parametrize(
    "other",
    [{"metadata": {"year": 2021, "team": "x"}}, {"access": []}, {"access": ["legal"]}, {"atlas_strategy": "atom"}],
)
@pytest.mark.usefixtures("bound")
def test_a_repeated_request_with_other_metadata_or_groups_is_a_conflict(
    client: TestClient, assert_problem: AssertProblem, other: dict[str, Any]
) -> None:
    def send(**sent: Any) -> Any:
        document = {"source_uri": "a.md", "text": "one", "access": ["board"], **sent}
        return client.post("/v1/documents", json={"documents": [document]}, headers={"Idempotency-Key": "order-7"})

    first = send(metadata={"year": 2020, "team": {"a": 1, "b": 2}})
    # The order of keys means nothing in JSON.
    again = send(metadata={"team": {"b": 2, "a": 1}, "year": 2020})
    assert first.status_code == again.status_code == 202
    assert first.headers["location"] == again.headers["location"]
    problem = assert_problem(send(**{"metadata": {"year": 2020, "team": {"a": 1, "b": 2}}, **other}), 409, "conflict")
    assert "metadata" in problem["detail"]


@pytest.mark.usefixtures("bound")
def test_a_repeated_request_for_addresses_gives_the_same_job_and_fetches_nothing(
    client: TestClient, services: Any, assert_problem: AssertProblem, running: JobStatus
) -> None:
    services.fetcher = pages = ChangingPages()
    services.jobs.states = iter([replace(running, state="receiving"), replace(running, state="receiving"), running])

    def send(**sent: Any) -> Any:
        body = {"urls": [{"url": "https://docs.test/a.md", **sent}]}
        return client.post("/v1/documents", json=body, headers={"Idempotency-Key": "order-7"})

    broken_off, again, last = (send(metadata={"year": 2020}) for _ in range(3))
    assert broken_off.status_code == again.status_code == last.status_code == 202
    assert broken_off.headers["location"] == again.headers["location"] == last.headers["location"]
    assert pages.fetched == ["https://docs.test/a.md"] * 2
    for other in ({}, {"metadata": {"year": 2021}}, {"metadata": {"year": 2020}, "access": ["board"]}):
        assert_problem(send(**other), 409, "conflict")


def test_a_refused_request_for_addresses_binds_no_key(
    client: TestClient, bound: dict[str, str], assert_problem: AssertProblem
) -> None:
    body = {"urls": [{"url": "https://docs.test/a.md"}]}
    answer = client.post("/v1/documents", json=body, headers={"Idempotency-Key": "order-7"})
    assert_problem(answer, 422, "invalid-input")
    assert bound == {}


def test_putting_needs_a_known_document_or_its_uri(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    identity = document_id("default", "a.md")
    assert_problem(client.put(f"/v1/documents/{identity}", json={"text": "x"}), 404, "not-found")
    answer = client.put(f"/v1/documents/{identity}", json={"text": "x", "uri": "a.md"})
    assert answer.status_code == 202
    assert services.receiver.calls[0][1] == [Source("a.md", "text/markdown", b"x", {})]
    assert_problem(client.put(f"/v1/documents/{identity}", json={"text": "x", "uri": "b.md"}), 422, "invalid-input")


def test_nan_in_metadata_is_refused(client: TestClient, assert_problem: AssertProblem) -> None:
    identity = document_id("default", "a.md")
    for method, path, body in (
        ("PUT", f"/v1/documents/{identity}", '{"uri": "a.md", "text": "x", "metadata": {"n": NaN}}'),
        ("POST", "/v1/documents", '{"documents": [{"uri": "a.md", "text": "x", "metadata": {"n": NaN}}]}'),
    ):
        answer = client.request(method, path, content=body, headers={"Content-Type": "application/json"})
        assert_problem(answer, 422, "invalid-input")


def test_callers_cannot_name_files_of_this_machine(client: TestClient, assert_problem: AssertProblem) -> None:
    metadata = {"local_file": "/etc/passwd"}
    answer = client.post("/v1/documents", json={"documents": [{"uri": "a.md", "text": "x", "metadata": metadata}]})
    (refused,) = assert_problem(answer, 422, "invalid-input")["errors"]
    assert "local_file" in refused["message"]
    form = {"metadata": json.dumps(metadata)}
    answer = client.post("/v1/documents", data=form, files={"files": ("a.md", b"x")})
    assert "local_file" in assert_problem(answer, 422, "invalid-input")["detail"]


def test_deleting_is_a_job(client: TestClient, services: Any) -> None:
    answer = client.delete("/v1/documents/d1")
    assert (answer.status_code, answer.headers["location"]) == (202, "/v1/jobs/j2")
    assert services.receiver.deletions == [("default", ["d1"])]


def test_a_quarantined_document_is_tried_again_by_its_job_or_discarded(client: TestClient, services: Any) -> None:
    services.graph.answers |= {
        "ingestion_records/quarantine_list": [{"id": "d1"}],
        "ingestion_records/quarantine_retry": [{"id": "d1", "jobId": "j7"}],
        "ingestion_records/quarantine_discard": [{"id": "d1"}],
    }
    retried = client.post("/v1/documents/d1/retry")
    assert (retried.status_code, retried.headers["location"]) == (202, "/v1/jobs/j7")
    assert retried.json() == {"job_id": "j7", "received": 1, "unchanged": 0, "errors": []}
    assert services.queue.batches == [["d1"]]
    discarded = client.post("/v1/documents/d1/discard")
    assert (discarded.status_code, discarded.content) == (204, b"")


def test_what_is_not_quarantined_is_neither_tried_again_nor_discarded(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    for action in ("retry", "discard"):
        problem = assert_problem(client.post(f"/v1/documents/d1/{action}"), 404, "not-found")
        assert "quarantined" in problem["detail"]
    # Another request releases it after this one has found it.
    services.graph.answers["ingestion_records/quarantine_list"] = [{"id": "d1"}]
    assert_problem(client.post("/v1/documents/d1/retry"), 404, "not-found")


def _document_row(uri: str) -> Row:
    document = {
        "title": "T",
        "mediaType": "text/plain",
        "checksum": "0",
        "version": 1,
        "indexedAt": "2024",
        "tags": ["a"],
        "metadata.k": 1,
    }
    return {"id": uri, "source": uri, "document": document, "record": None}


def test_pages_of_documents_follow_each_other(client: TestClient, services: Any, assert_problem: AssertProblem) -> None:
    services.graph.answers["documents/document_list"] = [{"id": "a", "source": "a"}, {"id": "b", "source": "b"}]
    services.graph.answers["documents/document_summaries"] = [_document_row("b"), _document_row("a")]
    first = client.get("/v1/documents", params={"limit": 2, "tag": "a", "status": "ready", "source": "docs/"}).json()
    assert first["items"][0]["metadata"] == {"k": 1}
    client.get("/v1/documents", params={"limit": 2, "cursor": first["next_cursor"]})
    pages = [params for name, params in services.graph.ran if name == "documents/document_list"]
    assert (pages[0]["prefix"], pages[1]["after"]) == ("docs/", "b")
    assert client.get("/v1/documents", params={"limit": 3}).json()["next_cursor"] is None
    for cursor in ("!", "AAAA", "WzFd", "Ww"):
        assert_problem(client.get("/v1/documents", params={"cursor": cursor}), 422, "invalid-input")


def test_followers_of_a_job_receive_each_change_and_the_end(
    client: TestClient, services: Any, monkeypatch: pytest.MonkeyPatch, running: JobStatus
) -> None:
    monkeypatch.setattr("interlace.api.routes.jobs._POLL_SECONDS", 0.001)
    done = replace(running, state="done", ready=2, stages={})
    services.jobs.states = iter([running, replace(running, seconds=9.0), replace(running, ready=2), done])
    answer = client.get("/v1/jobs/j1/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [block.splitlines()[0] for block in answer.text.split("\n\n") if block]
    assert events == ["event: progress", "event: progress", "event: finished"]


def test_followers_of_an_unknown_job_get_a_problem(client: TestClient, assert_problem: AssertProblem) -> None:
    assert_problem(client.get("/v1/jobs/none/events"), 404, "not-found")


def test_jobs_are_listed_and_cancelled(client: TestClient) -> None:
    assert client.get("/v1/jobs").json()[0]["id"] == "j1"
    assert client.post("/v1/jobs/j9/cancel").json()["state"] == "cancelled"


def test_tags_of_a_form_are_tags_of_every_file(client: TestClient, services: Any) -> None:
    files = [("files", ("a.md", b"# A")), ("files", ("b.pdf", b"%PDF-"))]
    answer = client.post(
        "/v1/documents", files=files, data={"metadata": '{"tags": "x, y", "team": "z"}', "tags": ["boats", "a b"]}
    )
    assert answer.status_code == 202
    ((_, found, _),) = services.receiver.calls
    assert [item.metadata for item in found] == [{"tags": ["x", "y", "boats", "a b"], "team": "z"}] * 2


def test_labels_are_a_merge_patch(client: TestClient, services: Any) -> None:
    services.graph.answers["documents/document_detail"] = []
    for body in ({"tags": ["a"], "metadata": {"x": None}}, {"tags": None}, {"metadata": None}, {}):
        client.patch("/v1/documents/d1", json=body, headers={"Content-Type": "application/merge-patch+json"})
    assert [(found.tags, found.metadata, found.clear_metadata) for _, _, found in services.labels.changes] == [
        (["a"], {"x": None}, False),
        ([], None, False),
        (None, None, True),
        (None, None, False),
    ]


@pytest.mark.parametrize("body", [{"title": "x"}, {"tags": "x"}, {"metadata": {"atlas_id": "x"}}, {"tags": ["#"]}])
def test_what_is_no_label_is_refused(client: TestClient, services: Any, body: dict[str, Any]) -> None:
    assert client.patch("/v1/documents/d1", json=body).status_code in (400, 422)
    assert services.labels.changes == []


def test_groups_of_readers_come_by_json_by_form_and_by_patch(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    client.post("/v1/documents", json={"documents": [{"source_uri": "a.md", "text": "x", "access": ["legal"]}]})
    client.post("/v1/documents", files={"files": ("b.md", b"x")}, data={"access": ["board", "legal, press"]})
    client.post("/v1/documents", files={"files": ("c.md", b"x")})
    assert [dict(found[0].metadata).get("access") for _, found, _ in services.receiver.calls] == [
        ["legal"],
        ["board", "legal", "press"],
        None,
    ]
    changes: tuple[dict[str, Any], ...] = ({"access": ["board"]}, {"access": None}, {"tags": []})
    for body in changes:
        client.patch("/v1/documents/d1", json=body)
    assert [found.access for _, _, found in services.labels.changes] == [["board"], [], None]
    wrong = client.post("/v1/documents", files={"files": ("d.md", b"x")}, data={"access": "a b"})
    assert_problem(wrong, 422, "invalid-input")
    assert client.patch("/v1/documents/d1", json={"access": ["*"]}).status_code == 422
