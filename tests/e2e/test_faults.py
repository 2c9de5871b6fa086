"""Servers that are down, and documents that are too much: clear words, the right exit code or status, and recovery without help."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest
from tests.support import waiting

from interlace.bootstrap import Platform
from interlace.domain.errors import UnavailableError
from interlace.settings import Settings
from interlace_stack.environment import app_environment
from interlace_stack.layout import layout_of
from interlace_stack.supervision import Supervisor

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

until = partial(waiting.until, seconds=120, despite=(UnavailableError,))
"""Waits, also where asking fails for a while."""
COMMAND_SECONDS = 240
UNAVAILABLE = 69


def interlace(settings: Settings, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a person does."""
    return subprocess.run(
        [sys.executable, "-m", "interlace.cli.main", *words],
        env=app_environment(settings),
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )


@contextmanager
def stopped(settings: Settings, server: str) -> Iterator[None]:
    """Stop a server; start it again at the end and wait until it answers. No other program is notified."""
    supervisor = Supervisor(layout_of(settings))
    supervisor.stop_program(server)
    try:
        yield
    finally:
        supervisor.start_program(server)
        address = f"http://127.0.0.1:{settings.api.port}/readyz"
        until(lambda: httpx.get(address, timeout=COMMAND_SECONDS).json().get("status") == "ready")


@pytest.fixture
def api(hasty_stack: Settings) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://127.0.0.1:{hasty_stack.api.port}", timeout=COMMAND_SECONDS) as client:
        yield client


@pytest.fixture
def platform(hasty_stack: Settings) -> Iterator[Platform]:
    opened = Platform(hasty_stack)
    yield opened
    opened.close()


def written(folder: Path, name: str) -> Path:
    """Write a folder of two documents that no one has seen."""
    root = folder / name
    root.mkdir()
    for number in range(2):
        (root / f"{number}.md").write_text(f"# {name} {number}\n\nZorg built {name} in Vienna.\n", encoding="utf-8")
    return root


def ready(platform: Platform, prefix: str) -> Callable[[], bool]:
    """Return a test for: both documents of a folder are in the graph, and nothing of them waits or was quarantined."""
    from interlace.documents.repository import DocumentRepository

    def both() -> bool:
        found = DocumentRepository(platform.graph).list("default", source=f"{prefix}/")
        return [(item.status, item.ledger) for item in found] == [("ready", None)] * 2

    return both


def test_qdrant_down(hasty_stack: Settings, api: httpx.Client, platform: Platform, tmp_path: Path) -> None:
    assert interlace(hasty_stack, "ingest", str(written(tmp_path, "before-qdrant"))).returncode == 0
    with stopped(hasty_stack, "qdrant"):
        sent = interlace(hasty_stack, "ingest", str(written(tmp_path, "without-qdrant")), "--no-wait")
        assert sent.returncode == 0
        job = sent.stdout.strip()
        until(lambda: platform.jobs.status("default", job).stages == {"received": 2})
        asked = interlace(hasty_stack, "query", "Who built before-qdrant 0?", "--json")
        assert asked.returncode == 0
        answer = json.loads(asked.stdout)
        assert {"vector", "keyword"} <= {entry.split(":")[0] for entry in answer["degraded"]}
        assert "before-qdrant" in answer["hits"][0]["title"]
        until(lambda: api.get("/readyz").json()["status"] == "degraded")
        assert api.post("/v1/query", json={"query": "Who built before-qdrant 0?"}).json()["degraded"]
    until(ready(platform, "without-qdrant"))
    assert platform.jobs.status("default", job).failed == 0
    assert not api.post("/v1/query", json={"query": "Who built without-qdrant 0?"}).json()["degraded"]


def test_redis_down(hasty_stack: Settings, api: httpx.Client, platform: Platform, tmp_path: Path) -> None:
    with stopped(hasty_stack, "redis"):
        sent = interlace(hasty_stack, "ingest", str(written(tmp_path, "without-redis")), "--no-wait")
        assert sent.returncode == UNAVAILABLE
        assert sent.stderr.startswith("error: Redis at 127.0.0.1:")
        assert sent.stderr.endswith("What was received is kept and will be processed when it takes tasks again.\n")
        body = {"documents": [{"uri": f"posted/{n}.md", "text": f"# Posted {n}\n\nwords"} for n in range(2)]}
        refused = api.post("/v1/documents", json=body)
        assert (refused.status_code, refused.headers["content-type"]) == (503, "application/problem+json")
        assert "Redis" in refused.json()["detail"]
        assert interlace(hasty_stack, "query", "Who built anything in Vienna?").returncode == 0
    until(ready(platform, "without-redis"))
    until(ready(platform, "posted"))


def test_neo4j_down(hasty_stack: Settings, api: httpx.Client, platform: Platform, tmp_path: Path) -> None:
    under_way = interlace(hasty_stack, "ingest", str(written(tmp_path, "before-neo4j")), "--no-wait")
    assert under_way.returncode == 0
    later = written(tmp_path, "after-neo4j")
    with stopped(hasty_stack, "neo4j"):
        for words in (["ingest", str(later)], ["query", "Who built anything?"]):
            refused = interlace(hasty_stack, *words)
            assert refused.returncode == UNAVAILABLE
            assert refused.stderr.startswith("error: Neo4j at bolt://127.0.0.1:")
            assert "is it running? `interlace doctor` checks." in refused.stderr
        for answer in (
            api.post("/v1/query", json={"query": "Who built anything?"}),
            api.post("/v1/documents", json={"documents": [{"uri": "x.md", "text": "words"}]}),
            api.get("/readyz"),
        ):
            assert answer.status_code == 503
        assert api.get("/livez").status_code == 200
    until(ready(platform, "before-neo4j"))
    assert interlace(hasty_stack, "ingest", str(later)).returncode == 0
    assert ready(platform, "after-neo4j")()
    assert api.post("/v1/query", json={"query": "Who built after-neo4j 0?"}).json()["hits"]


def test_documents_that_are_too_much_and_the_rest(hasty_stack: Settings, tmp_path: Path) -> None:
    folder = written(tmp_path, "mixed")
    (folder / "big.txt").write_bytes(b"fifty megabytes of words " * 2_000_000)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (folder / "empty.txt").touch()
    (folder / "program.exe").write_bytes(b"MZ\x00\x01\x02\x03" * 50)
    result = interlace(hasty_stack, "ingest", str(folder))
    assert result.returncode == 1
    said = result.stderr.replace("\n", " ")
    assert (
        "mixed/big.txt has 50000000 bytes; the limit is 16000000. Split it, or raise INTERLACE_INGEST__MAX_BYTES."
        in said
    )
    for name in ("broken.pdf", "empty.txt", "program.exe"):
        assert f"mixed/{name}" in said
    assert "Traceback" not in said
    listed = json.loads(interlace(hasty_stack, "documents", "list", "--json").stdout)
    assert "mixed/0.md" in json.dumps(listed)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_rights(hasty_stack: Settings, tmp_path: Path) -> None:
    folder = written(tmp_path, "locked")
    folder.chmod(0)
    try:
        result = interlace(hasty_stack, "ingest", str(folder))
    finally:
        folder.chmod(0o700)
    assert result.returncode == 1
    assert "cannot be opened: Permission denied. Check its name and permissions." in result.stderr
