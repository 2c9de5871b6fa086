"""A server's disk is full: a clear error, nothing is lost, and work goes on by itself once there is disk space.

Qdrant answers questions all the while, unless it has to start. Neo4j answers nothing, not even reads, until the stack's watchdog restarts it.
"""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest
from tests.chaos.chaos_stack import kill, process, state, tell, until
from tests.conftest import fresh_stack, migrate_graph, waiting_for_legs

from interlace.bootstrap import Platform
from interlace.domain.documents import Source
from interlace.domain.errors import UnavailableError
from interlace.domain.hits import QueryRequest
from interlace.export.canonical import dump
from interlace.ports.graph import Query
from interlace.settings import IngestSettings, Neo4jSettings, Settings
from interlace_stack.disk_space import MIN_FREE_BYTES
from interlace_stack.doctor import Finding, doctor
from interlace_stack.layout import layout_of
from interlace_stack.up import up

pytestmark = [
    pytest.mark.slow,
    pytest.mark.stack,
    pytest.mark.timeout(900),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk"),
]

# A collection that is opened again has all its pages in memory, and so on such a disk: up to 190 MiB, of which a real disk stores 30.
MEGABYTES = {"qdrant": 3072, "neo4j": 640}
PATIENCE = 150.0
_REASONS = Query(
    "test/reasons",
    "Test",
    "MATCH (i:IngestionRecord {tenant: $tenant}) RETURN DISTINCT i.stage AS stage, i.attempt AS attempt, i.reason AS reason, i.error AS message",
    {"tenant": "STRING"},
    "read",
    "why documents wait",
)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Mount a disk of its own; skip the test where that is not allowed."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="module")
def disks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    root = tmp_path_factory.mktemp("disks")
    with ExitStack() as mounted:
        yield {name: mounted.enter_context(small_disk(root / name, size)) for name, size in MEGABYTES.items()}


@pytest.fixture(scope="module")
def small_stack(disks: dict[str, Path]) -> Iterator[Settings]:
    """A full stack whose Qdrant and Neo4j keep their data on small disks of their own."""
    groups = {
        "ingest": IngestSettings(lease_seconds=5, batch_documents=8),
        "neo4j": Neo4jSettings(retry_seconds=3),
    }
    with fresh_stack(**groups) as settings:
        root = layout_of(settings).root
        root.mkdir(mode=0o700)
        for server, disk in disks.items():
            (root / server).symlink_to(disk)
        yield up(settings, migrate=migrate_graph).settings


@pytest.fixture
def platform(small_stack: Settings) -> Iterator[Platform]:
    with closing(Platform(waiting_for_legs(small_stack))) as opened:
        yield opened


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Keep a disk full inside the block, whatever its server writes and frees meanwhile."""
    filler, ended = disk / "filler", Event()
    with filler.open("wb", buffering=0) as file:

        def keep_full() -> None:
            while True:
                for size in (2**20, 4096):
                    with suppress(OSError):
                        while True:
                            file.write(bytes(size))
                            # No disk loses its last space within one write of a server, not even on a busy machine.
                            if size > 4096 and shutil.disk_usage(disk).free < MIN_FREE_BYTES:
                                time.sleep(0.02)
                if ended.wait(0.1):
                    return

        thread = Thread(target=keep_full, name="filler")
        thread.start()
        try:
            until(lambda: shutil.disk_usage(disk).free < 2**20, PATIENCE)
            yield
        finally:
            ended.set()
            thread.join()
            filler.unlink()


def documents(word: str, number: int = 20) -> list[Source]:
    return [
        Source(f"{word}/{n}.md", "text/markdown", f"# {word} {n}\n\nZorg built {word} {n} in Vienna.\n".encode(), {})
        for n in range(number)
    ]


def receive(platform: Platform, tenant: str, sources: list[Source]) -> str:
    return platform.receiver.receive(tenant, sources).job_id


def finish(platform: Platform, tenant: str, job: str) -> None:
    until(
        lambda: platform.jobs.status(tenant, job).finished, PATIENCE, lambda: platform.jobs.status(tenant, job).stages
    )
    status = platform.jobs.status(tenant, job)
    assert (status.ready + status.deleted, status.failed) == (status.total, 0), status


def lines(platform: Platform, tenant: str, target: Path) -> set[bytes]:
    dump(platform.graph, tenant, target)
    return set(target.read_bytes().splitlines())


def test_qdrant_has_no_disk_space(
    platform: Platform, small_stack: Settings, disks: dict[str, Path], tmp_path: Path
) -> None:
    tenant = "vectors"
    finish(platform, tenant, receive(platform, tenant, documents("before")))
    known = lines(platform, tenant, tmp_path / "before.jsonl")
    with full(disks["qdrant"]):
        job = receive(platform, tenant, documents("meanwhile"))
        until(lambda: bool(_waiting(platform, tenant)), PATIENCE)
        for why in _waiting(platform, tenant):
            tell(str(why))
            assert (why["attempt"], why["reason"]) == (0, "outage")
            assert "Free some disk space" in str(why["message"])
        answer = platform.questions.search(tenant, QueryRequest(text="Who built before 3?"))
        # Communities may be new, and their points wait for disk space.
        assert set(answer.degraded) <= {"community"}, layout_of(small_stack).log("qdrant").read_text(encoding="utf-8")
        assert answer.hits[0].title == "before 3"
        assert lines(platform, tenant, tmp_path / "meanwhile.jsonl") == known
    finish(platform, tenant, job)
    assert platform.vectors.count(tenant, "chunks") == platform.jobs.status(tenant, job).chunks + len(
        documents("before")
    )


def test_qdrant_is_killed_while_there_is_no_disk_space(
    platform: Platform, small_stack: Settings, disks: dict[str, Path]
) -> None:
    """It cannot open its collections on a full disk; so it waits for disk space, and the doctor says so."""
    tenant, log = "reopened", layout_of(small_stack).log("qdrant")
    finish(platform, tenant, receive(platform, tenant, documents("vector")))
    points = platform.vectors.count(tenant, "chunks")
    with full(disks["qdrant"]):
        kill(process(small_stack, "qdrant", PATIENCE))
        until(lambda: "qdrant waits for disk space: 0 MiB are free" in log.read_text(encoding="utf-8"), PATIENCE)
        answer = platform.questions.search(tenant, QueryRequest(text="Who built vector 3?"))
        assert "vector" in answer.degraded
        assert answer.hits[0].title == "vector 3"
        assert "Free some disk space" in _finding(small_stack, "qdrant").remedy
    until(lambda: _finding(small_stack, "qdrant").level == "ok", PATIENCE)
    assert platform.vectors.count(tenant, "chunks") == points


def _waiting(platform: Platform, tenant: str) -> list[dict[str, object]]:
    """Return why documents were given back, for those that no one has in hand."""
    rows = [dict(row) for row in platform.graph.run(_REASONS, tenant=tenant)]
    return [row for row in rows if row["reason"] and row["stage"] == "received" and not row["attempt"]]


def test_neo4j_has_no_disk_space(
    platform: Platform, small_stack: Settings, disks: dict[str, Path], tmp_path: Path
) -> None:
    tenant, sources = "graph", documents("scene", 100)
    finish(platform, tenant, receive(platform, tenant, sources))
    calm = state(platform, tenant, tmp_path / "calm.jsonl")
    finish(platform, tenant, platform.receiver.delete(tenant, everything=True).job_id)
    until(lambda: state(platform, tenant, tmp_path / "empty.jsonl") == (b"", {}), PATIENCE)

    question = QueryRequest(text="Who built scene 3?")
    server = process(small_stack, "neo4j", PATIENCE)
    job = receive(platform, tenant, sources)
    until(lambda: platform.jobs.status(tenant, job).ready > 0, PATIENCE)
    with full(disks["neo4j"]):
        until(lambda: _has_given_up(platform), PATIENCE)
        tell(_refusal(platform))
        assert re.search(r"accepts no more work: .*Free some disk space if its disk is full", _refusal(platform))
        with pytest.raises(UnavailableError, match="accepts no more work"):
            platform.questions.search(tenant, question)
        with pytest.raises(UnavailableError, match="accepts no more work"):
            receive(platform, tenant, documents("refused", 1))
        found = _finding(small_stack)
        tell(f"{found.detail} {found.remedy}")
        assert found.level == "error"
        assert "No space left on device" in found.detail
        assert re.search(r"0 MiB are free at .* Free some disk space", found.remedy)
        assert server.is_running()
    # Freeing disk space is all that anybody does.
    finish(platform, tenant, job)
    tell(layout_of(small_stack).log("watchdog").read_text(encoding="utf-8"))
    assert not server.is_running()
    assert state(platform, tenant, tmp_path / "after.jsonl") == calm
    assert platform.questions.search(tenant, question).hits[0].title == "scene 3"
    assert _finding(small_stack).level == "ok"


def test_neo4j_is_killed_while_there_is_no_disk_space(
    platform: Platform, small_stack: Settings, disks: dict[str, Path], tmp_path: Path
) -> None:
    """Started on a full disk it would hang over its recovery, or give up; so it waits for disk space."""
    tenant, log = "killed", layout_of(small_stack).log("neo4j")
    finish(platform, tenant, receive(platform, tenant, documents("kept")))
    known = lines(platform, tenant, tmp_path / "before.jsonl")
    with full(disks["neo4j"]):
        kill(process(small_stack, "neo4j", PATIENCE))
        until(lambda: "neo4j waits for disk space: 0 MiB are free" in log.read_text(encoding="utf-8"), PATIENCE)
        with pytest.raises(UnavailableError, match="did not answer"):
            platform.graph.ping()
        assert "Free some disk space" in _finding(small_stack).remedy
    until(lambda: platform.graph.ping() > 0, PATIENCE)
    assert lines(platform, tenant, tmp_path / "after.jsonl") == known


def _has_given_up(platform: Platform) -> bool:
    """Return whether Neo4j has; if not, give it something to write, for the job may be through, and some writes need no more disk space."""
    if _refusal(platform):
        return True
    receive(platform, "others", documents(f"other {time.monotonic_ns()}"))
    return False


def _refusal(platform: Platform) -> str:
    """Return what Neo4j says to a read once it has given up; nothing before."""
    try:
        platform.graph.ping()
    except UnavailableError as error:
        return error.message
    return ""


def _finding(settings: Settings, server: str = "neo4j") -> Finding:
    (found,) = (each for each in doctor(settings) if each.check == server)
    return found
