"""Documents that cannot be read, documents that break their worker, and servers that are away."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.integration.ingestion_world import World, source

from interlace.documents.repository import DocumentRepository
from interlace.domain.documents import Source
from interlace.domain.errors import InvalidInputError, UnavailableError
from interlace.domain.ids import document_id
from interlace.jobs.backlog import read_backlog
from interlace.jobs.quarantine import Quarantine
from interlace.jobs.service import JobStatus
from interlace.ports.graph import Query, Row
from interlace.settings import QdrantSettings, Settings

BAD = {
    "broken.pdf": (b"%PDF-1.7 and then nothing", "broken", "broken.pdf"),
    "empty.md": (b" \n", "empty", "empty.md is empty. Fill it, or leave it out."),
    "latin.txt": (bytes(range(128, 256)) * 2, "encoding", "latin.txt"),
    "image.md": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(64), "unknown-type", "image.md"),
    "huge.txt": (b"word " * 4_000_000, "too-large", "huge.txt has 20000000 bytes; the limit is 16000000."),
}


def status_of(world: World, tenant: str, job: str) -> JobStatus:
    return world.platform.jobs.status(tenant, job)


def attempts(world: World, tenant: str) -> list[tuple[str, int, str | None]]:
    text = "MATCH (i:IngestionRecord {tenant: $tenant}) RETURN i.stage AS stage, i.attempt AS attempt, i.reason AS reason ORDER BY i.id"
    return [(row["stage"], row["attempt"], row["reason"]) for row in world.rows(text, tenant)]


def try_again(world: World, tenant: str) -> None:
    """Let the time of waiting be over, sweep and work."""
    world.run("MATCH (i:IngestionRecord {tenant: $tenant}) SET i.retryAt = 0", tenant)
    world.swept(tenant)
    world.work()


def test_bad_documents_are_quarantined_with_a_sentence_and_the_rest_is_ready(world: World, tenant: str) -> None:
    good = {"a.md": "# A\n\nwords", "front.md": "---\ntitle: Only Front\naliases: [Other]\ntags: [x]\n---\n"}
    sources = [source(uri, content) for uri, (content, *_) in BAD.items()]
    receipt = world.receive(tenant, sources + [source(uri, content) for uri, content in good.items()])
    assert not world.platform.processor.is_done(tenant)
    world.work()
    assert world.platform.processor.is_done(tenant)
    status = status_of(world, tenant, receipt.job_id)
    assert (status.state, status.ready, status.failed, status.total) == ("done", 2, len(BAD), len(BAD) + 2)
    found = {failure.source_uri: (failure.reason, failure.message) for failure in status.failures}
    assert {uri: reason for uri, (reason, _) in found.items()} == {uri: reason for uri, (_, reason, _) in BAD.items()}
    for uri, (_, _, words) in BAD.items():
        assert words in found[uri][1]
        assert found[uri][1].endswith(".")


def test_the_backlog_counts_what_waits_and_what_is_in_quarantine(world: World, tenant: str) -> None:
    before = read_backlog(world.platform.graph).records
    world.receive(tenant, [source("a.md", "# A\n\nwords"), source("empty.md", b"")])
    waiting = read_backlog(world.platform.graph)
    assert dict(waiting.records) == {**before, "received": before["received"] + 2}
    assert waiting.oldest_seconds >= 0
    world.work()
    assert dict(read_backlog(world.platform.graph).records) == {**before, "quarantined": before["quarantined"] + 1}


def test_a_bad_update_leaves_the_old_version_as_it_is(world: World, tenant: str) -> None:
    world.ingest(tenant, {"a.md": "# A\n\nwords"})
    before = world.state(tenant)
    world.receive(tenant, [source("a.md", b"")])
    world.work()
    assert world.state(tenant) == before
    assert attempts(world, tenant) == [("quarantined", 1, "empty")]


def test_the_document_that_breaks_its_batch_is_found_and_quarantined(world: World, tenant: str) -> None:
    chunker = world.platform.processor._reader.models.chunker

    def breaking(identity: str, parsed: object) -> object:
        assert "Zorg" not in parsed.text  # type: ignore[attr-defined]
        return chunker(identity, parsed)  # type: ignore[arg-type]

    models = world.platform.processor._reader.models
    object.__setattr__(models, "chunker", breaking)
    try:
        receipt = world.receive(tenant, [source(f"{word}.md", f"# T\n\n{word}") for word in ("one", "Zorg", "two")])
        for _ in range(world.platform.settings.ingest.max_attempts + 1):
            try_again(world, tenant)
    finally:
        object.__setattr__(models, "chunker", chunker)
    status = status_of(world, tenant, receipt.job_id)
    assert (status.ready, status.failed, status.state) == (2, 1, "done")
    assert (status.failures[0].source_uri, status.failures[0].reason) == ("Zorg.md", "failed")
    assert "AssertionError" in status.failures[0].message


def twice(world: World, monkeypatch: pytest.MonkeyPatch, name: str, between: Callable[[], None]) -> None:
    """Have a write run twice, as after a commit that may not have arrived; call ``between`` after the second time."""
    graph, write = world.platform.graph, world.platform.graph.run

    def write_twice(query: Query, /, **params: Any) -> list[Row]:
        rows = write(query, **params)
        if query.name == name:
            rows = write(query, **params)
            between()
        return rows

    monkeypatch.setattr(graph, "run", write_twice)


def test_a_claim_whose_commit_is_uncertain_is_repeated_and_counts_once(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = world.receive(tenant, [source("a.md", "# A\n\nwords")])
    counted: list[tuple[str, int, str | None]] = []
    twice(world, monkeypatch, "ingestion_records/claim_records", lambda: counted.extend(attempts(world, tenant)))
    world.work()
    assert counted == [("received", 1, None)]
    assert status_of(world, tenant, receipt.job_id).ready == 1


def test_a_release_whose_commit_is_uncertain_is_repeated_and_counts_once(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = world.receive(tenant, [source("a.md", b"")])
    world.work()
    (failure,) = status_of(world, tenant, receipt.job_id).failures
    quarantine = Quarantine(world.platform.graph, world.tasks)
    counted: list[int] = []
    twice(
        world,
        monkeypatch,
        "ingestion_records/quarantine_retry",
        lambda: counted.append(status_of(world, tenant, receipt.job_id).failed),
    )
    released = quarantine.retry(tenant)
    assert (len(released.ids), released.job_ids, counted) == (1, (receipt.job_id,), [0])
    assert world.tasks.batches == [(tenant, list(released.ids))]
    world.work()
    assert status_of(world, tenant, receipt.job_id).failed == 1
    assert status_of(world, tenant, receipt.job_id).failures == (failure,)


def test_a_discarded_upload_leaves_the_older_version(world: World, tenant: str) -> None:
    world.ingest(tenant, {"a.md": "# A\n\nwords"})
    before = world.state(tenant)
    world.receive(tenant, [source("a.md", b"")])
    world.work()
    assert Quarantine(world.platform.graph, world.tasks).discard(tenant).ids == (document_id(tenant, "a.md"),)
    assert world.state(tenant) == before
    detail = DocumentRepository(world.platform.graph).get(tenant, document_id(tenant, "a.md"))
    assert (detail.document.status, detail.document.ledger) == ("ready", None)


def test_an_outage_costs_no_attempt_however_long_it_lasts(
    world: World, tenant: str, stack: Settings, free_port: int
) -> None:
    receipt = world.receive(tenant, [source("a.md", "# A\n\nwords"), source("b.md", "# B\n\nwords")])
    away = World(stack.model_copy(update={"qdrant": QdrantSettings(url=f"http://127.0.0.1:{free_port}")}))
    try:
        for _ in range(stack.ingest.max_attempts + 2):
            with pytest.raises(UnavailableError, match="Qdrant"):
                try_again(away, tenant)
            assert attempts(world, tenant) == [("received", 0, "outage")] * 2
    finally:
        away.close()
    try_again(world, tenant)
    assert status_of(world, tenant, receipt.job_id).ready == 2
    assert len(world.points(tenant)) == 2


def test_what_an_outage_of_the_graph_kept_from_being_given_back_is_given_back_later(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = world.receive(tenant, [source("a.md", "# A\n\nwords")])

    def away(*_: object, **__: object) -> None:
        raise UnavailableError("away")

    with monkeypatch.context() as patched:
        patched.setattr(world.platform.vectors, "upsert", away)
        patched.setattr(world.platform.graph, "ping", away)
        patched.setattr(world.platform.processor._ledger, "release", away)
        with pytest.raises(UnavailableError):
            world.work()
        assert attempts(world, tenant) == [("extracted", 1, None)]
    world.platform.processor.process(tenant, [])
    assert attempts(world, tenant) == [("received", 0, "outage")]
    try_again(world, tenant)
    assert status_of(world, tenant, receipt.job_id).ready == 1


def test_what_a_healthy_server_never_takes_is_quarantined(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise UnavailableError("Qdrant failed with status 500.")

    receipt = world.receive(tenant, [source("a.md", "# A\n\nwords")])
    monkeypatch.setattr(world.platform.vectors, "upsert", refuse)
    for _ in range(world.platform.settings.ingest.max_attempts):
        with pytest.raises(UnavailableError):
            try_again(world, tenant)
    (failure,) = status_of(world, tenant, receipt.job_id).failures
    assert (failure.reason, failure.message) == ("failed", "Qdrant failed with status 500.")


def test_without_a_queue_all_is_received_and_done_when_it_is_back(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise UnavailableError("Redis does not answer.")

    documents = [source(f"{n}.md", f"# T{n}\n\nwords") for n in range(300)]
    with monkeypatch.context() as patched:
        patched.setattr(world.tasks, "ingest", away)
        with pytest.raises(UnavailableError, match="Redis"):
            world.platform.receiver.receive(tenant, documents, job_id=f"{tenant}-job")
    status = status_of(world, tenant, f"{tenant}-job")
    assert (status.state, status.total, status.stages) == ("running", 300, {"received": 300})
    assert sum(map(len, world.swept(tenant))) == 300


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), InvalidInputError("This server does not fetch addresses.")])
def test_a_job_whose_sources_break_off_is_closed_with_what_it_has(
    world: World, tenant: str, failure: BaseException
) -> None:
    def breaks_off() -> Iterator[Source]:
        for number in range(300):
            yield source(f"{number}.md", f"# T{number}\n\nwords")
        raise failure

    with pytest.raises(type(failure)):
        world.platform.receiver.receive(tenant, breaks_off())
    (job,) = world.platform.jobs.list(tenant)
    assert (job.state, job.total) == ("running", 256)
    assert "ended early" in job.unreadable[0]


def test_a_request_that_fails_is_repeated_with_its_key_for_the_rest(world: World, tenant: str) -> None:
    documents = [source(f"{number}.md", f"# T{number}\n\nwords") for number in range(300)]

    def breaks_off() -> Iterator[Source]:
        yield from documents[:-1]
        raise TypeError("no text")

    with pytest.raises(TypeError):
        world.platform.receiver.receive(tenant, breaks_off(), job_id=f"{tenant}-job")
    assert status_of(world, tenant, f"{tenant}-job").state == "receiving"
    world.platform.receiver.receive(tenant, documents, job_id=f"{tenant}-job")
    assert status_of(world, tenant, f"{tenant}-job").total == 300


def test_batches_are_bounded_by_size_also_when_swept(world: World, tenant: str) -> None:
    noise = "".join(f"{n * 7919 % 100_003:x} " for n in range(60_000))
    world.receive(tenant, [source(f"{n}.txt", noise) for n in range(3)])
    received = [ids for _, ids in world.tasks.batches]
    world.tasks.batches.clear()
    assert sorted(map(len, received)) == sorted(map(len, world.swept(tenant))) != [3]
