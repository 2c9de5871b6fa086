"""Commands that hand in, follow and remove documents, over stand-ins for the services."""

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph
from tests.support.memory_queue import MemoryQueue
from tests.support.memory_services import RUNNING as STARTED
from tests.support.memory_services import MemoryJobs, MemoryPreviewer, MemoryReceiver
from typer.testing import CliRunner, Result

from interlace.adapters.web.fetcher import WebFetcher
from interlace.cli.main import app
from interlace.documents.folders import VanishedDocument
from interlace.domain.errors import ConflictError, InvalidInputError, NotFoundError
from interlace.ingestion.preview import ChunkCounts
from interlace.jobs.service import Failure, JobStatus
from interlace.ports.fetcher import FetchedPage
from interlace.settings import load_settings

RUNNING = replace(STARTED, chunks=1234, eta_seconds=61.0)
DONE = replace(RUNNING, state="done", ready=2, stages={}, eta_seconds=None)
FOUND = {
    "handbook": {"d1": "docs/d1.md", "d2": "docs/d2.md"},
    "/data/docs/a.md": {"d3": "docs/d3.md"},
}


class Communities:
    """Remembers whose communities were refreshed."""

    def __init__(self) -> None:
        self.refreshed: list[str] = []

    def refresh(self, tenant: str, *, fresh: bool) -> None:
        assert not fresh
        self.refreshed.append(tenant)


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch) -> Any:
    outbox = iter([2, 0])
    counts = {"documents": 2, "chunks": 1234, "entities": 3, "facts": 1, "communities": 0}
    made = SimpleNamespace(
        settings=load_settings(tenant="acme"),
        graph=CollectingGraph({"tenants/tenant_counts": [counts], "tenants/tenant_known": [{"known": True}]}),
        receiver=MemoryReceiver(FOUND),
        previewer=MemoryPreviewer("changed", ChunkCounts(added=1, changed=0, removed=1, unchanged=4)),
        jobs=MemoryJobs(itertools.repeat(DONE), [RUNNING, DONE]),
        communities=Communities(),
        queue=MemoryQueue(),
        outbox=SimpleNamespace(dispatch=lambda _: next(outbox)),
        close=lambda: None,
    )
    monkeypatch.setattr("interlace.bootstrap.Platform.open", lambda _: made)
    monkeypatch.setattr("interlace.cli.waiting._ASK_SECONDS", 0.0)
    return made


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=True)


def test_ingest_waits_and_tells_what_came_of_it(platform: Any, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A")
    platform.jobs.states = MemoryJobs.of(RUNNING, DONE).states
    result = run("ingest", tmp_path / "a.md")
    assert result.exit_code == 0, result.output
    assert [source.uri for source in platform.receiver.received] == ["a.md"]
    assert "2/2 documents · 1,234 chunks · 5 mentions · 1 fact · 3 entities in the graph" in result.stdout


def test_ingest_takes_addresses_beside_paths(platform: Any, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A")
    url = "https://docs.test//guide"
    platform.fetcher = SimpleNamespace(
        fetch=lambda urls: [FetchedPage(each, "text/html", b"<h1>B</h1>") for each in urls]
    )
    assert run("ingest", tmp_path / "a.md", url, "--tag", "new").exit_code == 0
    received = [(source.uri, source.media_type, source.metadata["tags"]) for source in platform.receiver.received]
    assert received == [("a.md", "text/markdown", ["new"]), (url, "text/html", ["new"])]
    platform.fetcher = WebFetcher(load_settings().fetch, 1)
    refused = run("ingest", url)
    assert (refused.exit_code, "INTERLACE_FETCH__HOSTS" in str(refused.exception)) == (1, True)


def test_ingest_tells_each_failure_and_exits_with_1(platform: Any, tmp_path: Path) -> None:
    failure = Failure("d1", "docs/b.pdf", "received", "broken", "It is no PDF.")
    platform.jobs.states = itertools.repeat(replace(DONE, ready=1, failed=1, failures=(failure,)))
    result = run("ingest", tmp_path, tmp_path / "missing.md")
    assert result.exit_code == 1
    assert "failed: docs/b.pdf after stage received (broken): It is no PDF." in result.stderr
    assert "missing.md does not exist" in result.stderr


def test_ingest_without_waiting_prints_the_job(platform: Any, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A")
    result = run("ingest", tmp_path, "--no-wait")
    ((tenant, _, job_id),) = platform.receiver.calls
    assert (result.exit_code, tenant, result.stdout) == (0, "acme", f"{job_id}\n")
    assert job_id
    assert json.loads(run("ingest", tmp_path, "--no-wait", "--json").stdout)["received"] == 1


def test_a_dry_run_shows_what_would_change_and_hands_nothing_in(platform: Any, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# A")
    result = run("ingest", folder, "--dry-run")
    assert (result.exit_code, platform.receiver.received) == (0, [])
    assert (
        "1,234 words would be read by the models, 0 tokens of a language model spent. Nothing was changed."
        in result.stdout
    )
    assert re.search(r"docs/a.md +changed +1 +0 +1 +4 *\n", result.stdout)
    shown = json.loads(run("ingest", folder, "--dry-run", "--json").stdout)
    assert shown["chunks"] == {"added": 1, "changed": 0, "removed": 1, "unchanged": 4}
    missing = run("ingest", tmp_path / "missing.md", "--dry-run")
    assert (missing.exit_code, "would fail: missing.md (unreadable)" in missing.stderr) == (1, True)


def test_a_dry_run_says_what_a_language_model_would_take(platform: Any, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A")
    seen = platform.previewer.preview
    platform.previewer = SimpleNamespace(
        preview=lambda *given: replace(seen(*given), llm_tokens=48_200, llm_price=0.031)
    )
    shown = run("ingest", tmp_path, "--dry-run").stdout
    assert "48,200 tokens of a language model spent (about 0.03 $). Nothing was changed." in shown
    assert json.loads(run("ingest", tmp_path, "--dry-run", "--json").stdout)["llm_tokens"] == 48_200


def gone(monkeypatch: pytest.MonkeyPatch, *vanished: VanishedDocument) -> None:
    """Let every folder have lost these documents."""
    watch = SimpleNamespace(watch=lambda sources: sources, vanished=lambda: list(vanished))
    monkeypatch.setattr("interlace.documents.folders.FolderWatch", lambda *_: watch)


LOST = (VanishedDocument("d1", "docs/old.md"), VanishedDocument("d2", "docs/a.md", "docs/b.md"))


def test_pruning_shows_what_has_vanished_and_removes_it(
    platform: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone(monkeypatch, *LOST)
    platform.labels = SimpleNamespace(carry=lambda _, renamed: set(renamed))
    platform.jobs.states = itertools.repeat(replace(DONE, deleted=2))
    result = run("ingest", tmp_path, "--prune", "--yes")
    assert result.exit_code == 0, result.output
    assert platform.receiver.deletions == [("acme", ["d1", "d2"])]
    assert platform.communities.refreshed == ["acme"]
    assert "docs/old.md: gone from its folder" in result.stderr
    assert "docs/a.md: renamed: now docs/b.md" in result.stderr
    assert "2 removed" in result.stdout


def test_a_renamed_document_stays_until_its_successor_is_ready(
    platform: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone(monkeypatch, *LOST)
    platform.labels = SimpleNamespace(carry=lambda *_: set())
    result = run("sync", tmp_path, "--yes")
    assert platform.receiver.deletions == [("acme", ["d1"])]
    assert "1 renamed document stays until the new one is ready." in result.stderr


@pytest.mark.usefixtures("platform")
def test_pruning_asks_waits_and_is_only_looked_at_by_a_dry_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone(monkeypatch, *LOST)
    for words in (["--prune"], ["--prune", "--yes", "--no-wait"]):
        assert isinstance(run("ingest", tmp_path, *words).exception, InvalidInputError)
    shown = json.loads(run("sync", tmp_path, "--dry-run", "--json").stdout)
    assert shown["vanished"] == [
        {"id": "d1", "source_uri": "docs/old.md", "renamed_to": None},
        {"id": "d2", "source_uri": "docs/a.md", "renamed_to": "docs/b.md"},
    ]
    assert "docs/a.md: renamed: now docs/b.md" in run("ingest", tmp_path, "--prune", "--dry-run").stderr


def test_nothing_is_pruned_after_a_job_that_was_cancelled(
    platform: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone(monkeypatch, *LOST)
    platform.jobs.states = itertools.repeat(replace(DONE, state="cancelled"))
    run("sync", tmp_path, "--yes")
    assert platform.receiver.deletions == []


def test_json_is_all_that_scripts_see(platform: Any, tmp_path: Path) -> None:
    platform.jobs.states = itertools.repeat(DONE)
    result = run("ingest", tmp_path, "--json")
    assert json.loads(result.stdout)["ready"] == 2


def test_a_slow_answer_is_asked_for_less_often(platform: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Following a job of a hundred thousand documents took more of Neo4j than the job."""
    clock = itertools.count(0, 2)
    slept: list[float] = []
    monkeypatch.setattr("interlace.cli.waiting.time", SimpleNamespace(monotonic=clock.__next__, sleep=slept.append))
    platform.jobs.states = MemoryJobs.of(RUNNING, DONE).states
    assert run("ingest", tmp_path).exit_code == 0
    assert slept == [20.0]


def test_ctrl_c_leaves_the_job_alone_and_tells_how_to_come_back(platform: Any) -> None:
    def interrupted() -> Iterator[JobStatus]:
        yield RUNNING
        yield RUNNING
        raise KeyboardInterrupt

    platform.jobs.states = interrupted()
    result = run("jobs", "show", "j1", "--follow")
    assert result.exit_code == 130
    assert "`interlace jobs show j1 --follow --tenant acme` watches it again" in result.stderr
    assert "`interlace jobs cancel j1 --tenant acme`" in result.stderr


@pytest.mark.usefixtures("platform")
def test_what_an_error_says_to_run_is_of_the_same_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    error = run("documents", "delete", "--source", "gone", "--yes").exception
    assert isinstance(error, NotFoundError)
    assert error.message.endswith("gone; `interlace documents list --tenant acme` lists them.")
    monkeypatch.setenv("INTERLACE_TENANT", "acme")
    error = run("documents", "delete", "--source", "gone", "--yes").exception
    assert isinstance(error, NotFoundError)
    assert error.message.endswith("gone; `interlace documents list` lists them.")


def test_a_job_that_stands_still_is_said_to_lack_workers_once(platform: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlace.cli.waiting._STILL_SECONDS", 0.0)
    platform.jobs.states = itertools.chain(itertools.repeat(RUNNING, 5), itertools.repeat(DONE))
    result = run("jobs", "show", "j1", "--follow")
    assert result.exit_code == 0
    assert result.stderr.count("no worker runs. `interlace up`") == 1


def test_jobs_are_listed(platform: Any) -> None:
    platform.jobs.states = itertools.repeat(RUNNING)
    shown = run("jobs", "list").stdout
    assert "running" in shown
    assert "0:01:01 to go" in " ".join(shown.split())
    assert len(json.loads(run("jobs", "list", "--json", "--limit", "1").stdout)) == 1


@pytest.mark.parametrize(
    ("source", "asked", "ids"),
    [
        ("handbook", [{"source_prefix": "handbook"}], ["d1", "d2"]),
        ("/data/docs/a.md", [{"file": "/data/docs/a.md"}], ["d3"]),
    ],
)
def test_delete_takes_a_path_of_this_machine_or_the_beginning_of_a_source(
    platform: Any, source: str, asked: Sequence[Any], ids: Sequence[str]
) -> None:
    result = run("documents", "delete", "--source", source, "--yes")
    assert result.exit_code == 0, result.output
    assert platform.receiver.searches == asked
    assert platform.receiver.deletions == [("acme", ids)]
    assert platform.communities.refreshed == ["acme"]


def test_delete_says_how_many_documents_a_source_has(platform: Any) -> None:
    result = run("documents", "delete", "--source", "handbook")
    assert "delete 2 documents from handbook of tenant acme" in str(result.exception)
    assert not platform.receiver.deletions


@pytest.mark.parametrize("source", ["nothing", "/other/docs", "handbook"])
def test_delete_of_nothing_is_not_found(
    platform: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """Neither is a folder of another place that has the same name."""
    (tmp_path / "handbook").mkdir()
    monkeypatch.chdir(tmp_path)
    result = run("documents", "delete", "--source", source, "--yes")
    assert isinstance(result.exception, NotFoundError)
    assert platform.receiver.deletions == platform.communities.refreshed == []


@pytest.mark.parametrize("words", [[], ["--all", "--id", "x"], ["--id", "x", "--source", "y"]])
def test_delete_wants_one_choice(platform: Any, words: list[str]) -> None:
    result = run("documents", "delete", "--yes", *words)
    assert isinstance(result.exception, InvalidInputError)
    assert platform.receiver.deletions == []


def test_delete_asks_and_cannot_ask_a_script(platform: Any) -> None:
    result = run("documents", "delete", "--all")
    assert isinstance(result.exception, InvalidInputError)
    assert "--yes" in str(result.exception)
    assert platform.receiver.deletions == []


def test_documents_are_listed_to_the_limit(platform: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlace.cli.commands.documents._PAGE", 1)
    ledger = {
        "operation": "upsert",
        "stage": "quarantined",
        "failedStage": "received",
        "attempt": 3,
        "reason": "broken",
        "error": "It is no PDF.",
        "jobId": "j1",
        "receivedAt": 0,
        "mediaType": "application/pdf",
        "checksum": "0",
    }
    platform.graph.answers["documents/document_list"] = [{"id": "d1", "source": "b.pdf"}]
    platform.graph.answers["documents/document_summaries"] = [
        {"id": "d1", "source": "b.pdf", "document": None, "record": ledger}
    ]
    result = run("documents", "quarantined", "--json", "--limit", "2")
    assert [item["status"] for item in json.loads(result.stdout)] == ["quarantined", "quarantined"]
    assert result.stderr == "These are the first 2; --limit lists more.\n"
    assert [params["after"] for _, params in platform.graph.ran if "after" in params] == ["", "b.pdf", "b.pdf"]
    assert "It is no PDF." in " ".join(run("documents", "quarantined").stdout.split())
    refused = run("documents", "list", "--status", "lost")
    assert refused.exit_code == InvalidInputError.exit_code
    assert "'lost' is not one of 'ready', 'pending', 'quarantined'" in " ".join(
        refused.stderr.replace("│", " ").split()
    )


def test_a_refresh_waits_for_the_one_that_runs(platform: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlace.cli.waiting._RETRY_SECONDS", 0.0)
    turns = iter([ConflictError("busy"), None])
    report = SimpleNamespace(communities=3, levels=2, redone=1, reused=2, modularity=0.5, seconds=0.1)

    def refresh(_: str, *, fresh: bool) -> Any:
        assert fresh
        if (error := next(turns)) is not None:
            raise error
        return report

    platform.communities = SimpleNamespace(refresh=refresh)
    result = run("communities", "refresh", "--fresh")
    assert result.exit_code == 0, result.output
    assert "3 communities on 2 levels" in result.stdout
    assert isinstance(run("communities", "refresh", "--fresh", "--no-wait").exception, InvalidInputError)


def test_worker_and_scheduler_get_their_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("INTERLACE_STACK__HOME", str(tmp_path))
    monkeypatch.setenv("INTERLACE_WORKER__PROCESSES", "3")
    started: list[list[str]] = []
    monkeypatch.setattr("celery.Celery.worker_main", lambda _, words: started.append(words))
    monkeypatch.setattr("celery.Celery.start", lambda _, words: started.append(words))
    assert run("worker").exit_code == 0
    assert run("beat").exit_code == 0
    assert {"--concurrency=3", "--queues=ingest,retry,enrich,communities,maintain"} <= set(started[0])
    assert "--scheduler=redbeat.RedBeatScheduler" in started[1]
