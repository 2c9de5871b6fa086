"""Every program of the stack is killed at work, several times, at moments that a seed chooses; no one helps, and nothing is amiss.

``INTERLACE_TEST_KILLS`` (of each program) and ``INTERLACE_TEST_CHUNKS`` make the run longer or shorter.
"""

import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import httpx
import orjson
import psutil
import pytest
from tests.chaos.chaos_stack import State, kill, pool_process, process, seed, state, tell, until
from tests.chaos.uploader import Uploader

from interlace.bootstrap import Platform
from interlace.domain.errors import InterlaceError
from interlace.jobs.service import JobStatus
from interlace.ports.graph import Query
from interlace.settings import Settings

TENANT = "killed"
PROGRAMS = ("worker", "pool", "api", "beat", "redis", "qdrant", "neo4j")
KILLS = int(os.environ.get("INTERLACE_TEST_KILLS", "3"))  # of each program
BATCH = 12
AHEAD = 36
PATIENCE = 150.0
CHUNKS = int(os.environ.get("INTERLACE_TEST_CHUNKS", "240"))
pytestmark = [pytest.mark.slow, pytest.mark.evaluation, pytest.mark.timeout(1200 + 100 * KILLS)]
_READY = Query(
    "test/ready",
    "Test",
    "MATCH (d:Document {tenant: $tenant}) RETURN count(d) AS ready",
    {"tenant": "STRING"},
    "read",
    "ready",
)
_LEFT = Query(
    "test/left",
    "Test",
    """
    MATCH (n)
    WHERE n.tenant = $tenant AND (n:IngestionRecord OR (n:Outbox AND n.dueAt <= timestamp()))
    RETURN labels(n)[0] AS label, n.stage AS stage, n.reason AS reason, count(*) AS number
    """,
    {"tenant": "STRING"},
    "read",
    "what waits",
)
_CHUNKS = Query(
    "test/chunks",
    "Test",
    "MATCH (c:Chunk {tenant: $tenant}) RETURN count(c) AS chunks",
    {"tenant": "STRING"},
    "read",
    "chunks",
)


@pytest.fixture
def platform(hasty_stack: Settings) -> Iterator[Platform]:
    opened = Platform(hasty_stack)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def batches(eval_root: Path) -> list[list[dict[str, str]]]:
    """The chunks as requests hold them."""
    lines = (eval_root / "hotpotqa" / "corpus.jsonl").read_bytes().splitlines()
    chunks = [orjson.loads(line) for line in lines[:CHUNKS]]
    documents = [{"uri": f"{item['_id']}.md", "text": f"# {item['title']}\n\n{item['text']}\n"} for item in chunks]
    return [documents[at : at + BATCH] for at in range(0, len(documents), BATCH)]


class Progress:
    """How far a tenant's documents are, as far as the graph can tell."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._ready = 0

    def ready(self) -> int:
        """Return the number of ready documents, or the last known one while the graph is away."""
        with suppress(InterlaceError):
            self._ready = self._platform.graph.run(_READY, timeout=1, tenant=TENANT)[0]["ready"]
        return self._ready

    def left(self) -> list[object]:
        """Return what waits in ledger and outbox, counted."""
        return [dict(row) for row in self._platform.graph.run(_LEFT, tenant=TENANT)]


def plan(chance: random.Random, documents: int) -> list[tuple[int, str]]:
    """Return who is killed after how many documents; the API only while there is still something to upload."""
    names = [name for name in PROGRAMS for _ in range(KILLS)]
    last = {"api": documents - 2 * AHEAD}
    return sorted((chance.randrange(last.get(name, documents - AHEAD)), name) for name in names)


def strike(name: str, settings: Settings, chance: random.Random, uploader: Uploader) -> list[psutil.Process]:
    """Kill a program; the API while it answers an upload, if there is one soon. Return the children that outlive it."""
    if name == "pool":
        kill(pool_process(settings, chance, PATIENCE))
        return []
    victim = process(settings, name, PATIENCE)
    children = victim.children(recursive=True) if name == "worker" else []
    if name == "api":
        uploader.posting.wait(5)
        time.sleep(chance.random() * 0.05)
    kill(victim)
    assert psutil.wait_procs([victim], timeout=PATIENCE)[1] == []
    return children


def ingest_killing(
    platform: Platform, settings: Settings, batches: Sequence[Sequence[dict[str, str]]], chance: random.Random
) -> tuple[list[JobStatus], int]:
    """Upload everything while programs are killed; return the jobs and the number of repeated requests."""
    documents = sum(map(len, batches))
    progress = Progress(platform)
    orphans: list[psutil.Process] = []
    url = f"http://127.0.0.1:{settings.api.port}"
    with Uploader(
        url, TENANT, batches, wanted=lambda sent: sent - progress.ready() < AHEAD, key=str(chance.random())
    ) as uploader:
        for at, name in plan(chance, documents):
            until(lambda at=at: progress.ready() >= at, PATIENCE, progress.ready)  # type: ignore[misc]
            tell(f"{progress.ready()} of {documents} ready: kill {name}")
            orphans += strike(name, settings, chance, uploader)
        until(lambda: uploader.done, PATIENCE, progress.ready)
        until(lambda: progress.ready() == documents and not progress.left(), PATIENCE, progress.left)
        # What a killed worker's processes had in hand they finish, and then they go.
        assert psutil.wait_procs(orphans, timeout=PATIENCE)[1] == []
        return [platform.jobs.status(TENANT, job) for job in uploader.jobs], uploader.repeated


def undisturbed(
    platform: Platform, settings: Settings, batches: Sequence[Sequence[dict[str, str]]], target: Path
) -> State:
    """Return what the documents give when no one is killed; afterwards the tenant has no documents."""
    url, progress = f"http://127.0.0.1:{settings.api.port}", Progress(platform)
    with Uploader(url, TENANT, batches, wanted=lambda _: True, key="calm") as uploader:
        until(lambda: uploader.done and not progress.left(), PATIENCE, progress.left)
    found = state(platform, TENANT, target)
    gone = platform.receiver.delete(TENANT, everything=True).job_id
    until(lambda: platform.jobs.status(TENANT, gone).finished and not progress.left(), PATIENCE, progress.left)
    return found


def test_every_program_is_killed_again_and_again(
    platform: Platform, hasty_stack: Settings, batches: list[list[dict[str, str]]], tmp_path: Path
) -> None:
    chance = random.Random(seed())
    began = time.monotonic()
    calm = undisturbed(platform, hasty_stack, batches, tmp_path / "calm.jsonl")
    assert state(platform, TENANT, tmp_path / "empty.jsonl") == (b"", {})
    tell(f"undisturbed and deleted after {time.monotonic() - began:.0f} s")

    began = time.monotonic()
    jobs, repeated = ingest_killing(platform, hasty_stack, batches, chance)
    tell(f"{len(PROGRAMS) * KILLS} kills, {repeated} repeated uploads, done after {time.monotonic() - began:.0f} s")
    assert state(platform, TENANT, tmp_path / "disturbed.jsonl") == calm
    # Nothing twice, nothing lost, and no finished chunk extracted again: counted with the transaction that wrote it.
    (row,) = platform.graph.run(_CHUNKS, tenant=TENANT)
    assert {job.state for job in jobs} == {"done"}
    assert len(jobs) == len({job.id for job in jobs}) == len(batches)
    assert sum(job.ready for job in jobs) == sum(map(len, batches))
    assert sum(job.failed for job in jobs) == 0
    assert sum(job.extracted for job in jobs) == row["chunks"] == len(calm[1])
    assert repeated > 0
    until(lambda: httpx.get(f"http://127.0.0.1:{hasty_stack.api.port}/readyz").json()["status"] == "ready", PATIENCE)
