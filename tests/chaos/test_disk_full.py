"""Qdrant's disk is full: a clear error, reads go on, nothing is lost, and work goes on by itself once there is room.

Neo4j on a full disk gives up until it is started anew, which no test shows.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from tests.chaos.chaos_stack import tell, until
from tests.conftest import fresh_stack

from interlace.adapters.neo4j.migrations import migrate
from interlace.bootstrap import Platform
from interlace.domain.documents import Source
from interlace.domain.hits import QueryRequest
from interlace.ingestion.dump import dump
from interlace.ports.graph import Query
from interlace.settings import IngestSettings, Neo4jSettings, Settings, WorkerSettings
from interlace.stack.layout import layout_of
from interlace.stack.up import up

pytestmark = [
    pytest.mark.slow,
    pytest.mark.stack,
    pytest.mark.timeout(400),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk"),
]

TENANT = "full"
MEGABYTES = 640
PATIENCE = 150.0
_REASONS = Query(
    "test/reasons",
    "Test",
    "MATCH (i:Intake {tenant: $tenant}) RETURN DISTINCT i.stage AS stage, i.attempt AS attempt, i.reason AS reason, i.error AS message",
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
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with small_disk(tmp_path_factory.mktemp("disks") / "qdrant", MEGABYTES) as mounted:
        yield mounted


@pytest.fixture(scope="module")
def small_stack(disk: Path) -> Iterator[Settings]:
    """A full stack whose Qdrant keeps its data on a small disk of its own."""
    groups = {
        "ingest": IngestSettings(lease_seconds=5, batch_documents=8),
        "worker": WorkerSettings(sweep_seconds=1),
        "neo4j": Neo4jSettings(retry_seconds=3),
    }
    with fresh_stack(**groups) as settings:
        root = layout_of(settings).root
        root.mkdir(mode=0o700)
        (root / "qdrant").symlink_to(disk)
        yield up(settings, migrate=_migrate).settings


def _migrate(connected: Settings) -> None:
    migrate(connected.neo4j)


@pytest.fixture
def platform(small_stack: Settings) -> Iterator[Platform]:
    with closing(Platform(small_stack)) as opened:
        yield opened


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Take all the room there is on a disk inside the block."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(65_536))
    try:
        assert shutil.disk_usage(disk).free < 2**20
        yield
    finally:
        filler.unlink()


def documents(word: str, number: int = 20) -> list[Source]:
    return [
        Source(f"{word}/{n}.md", "text/markdown", f"# {word} {n}\n\nZorg built {word} {n} in Vienna.\n".encode(), {})
        for n in range(number)
    ]


def receive(platform: Platform, sources: list[Source]) -> str:
    return platform.intake.receive(TENANT, sources).job_id


def finish(platform: Platform, job: str) -> None:
    until(
        lambda: platform.jobs.status(TENANT, job).finished, PATIENCE, lambda: platform.jobs.status(TENANT, job).stages
    )
    status = platform.jobs.status(TENANT, job)
    assert (status.ready, status.failed) == (status.total, 0), status


def lines(platform: Platform, target: Path) -> set[bytes]:
    dump(platform.graph, TENANT, target)
    return set(target.read_bytes().splitlines())


def test_qdrant_has_no_room(platform: Platform, disk: Path, tmp_path: Path) -> None:
    finish(platform, receive(platform, documents("before")))
    known = lines(platform, tmp_path / "before.jsonl")
    with full(disk):
        job = receive(platform, documents("meanwhile"))
        until(lambda: bool(_waiting(platform)), PATIENCE)
        for why in _waiting(platform):
            tell(str(why))
            assert (why["attempt"], why["reason"]) == (0, "outage")
            assert "Make room" in str(why["message"])
        answer = platform.coordinator.query(TENANT, QueryRequest(text="Who built before 3?"))
        assert not answer.degraded
        assert answer.hits[0].title == "before 3"
        assert lines(platform, tmp_path / "meanwhile.jsonl") == known
    finish(platform, job)
    assert platform.vectors.count(TENANT, "chunks") == platform.jobs.status(TENANT, job).chunks + len(
        documents("before")
    )


def _waiting(platform: Platform) -> list[dict[str, object]]:
    """Return why documents were given back, for those that nobody has in hand."""
    rows = [dict(row) for row in platform.graph.read(_REASONS, tenant=TENANT)]
    return [row for row in rows if row["reason"] and row["stage"] == "received" and not row["attempt"]]
