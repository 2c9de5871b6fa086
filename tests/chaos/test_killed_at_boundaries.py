"""A worker that dies at each boundary of its work: what another one makes of what it left is what it would have made itself."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from tests.chaos.chaos_stack import tell
from tests.chaos.crashing_worker import BOUNDARIES, DURABLE
from tests.integration.ingestion_world import World, source

from interlace.adapters.redis.queue import CeleryQueue
from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.extraction import Extraction
from interlace.domain.ids import document_id
from interlace.settings import Settings
from interlace_stack.environment import app_environment

pytestmark = [pytest.mark.slow]

TENANT = "boundaries"
SECONDS_TO_DIE = 240
ROOT = Path(__file__).parents[2]
KEPT = "## Kept\n\nThea von Harbou wrote in Babelsberg.\n"
BEFORE = {
    "changed.md": f"---\ntags: [old]\n---\n# Metropolis\n\n{KEPT}\n## Gone\n\nFritz Lang worked in Vienna.\n",
    "deleted.md": "# Studio\n\nErich Pommer founded a studio in Berlin. Zorg knew [[Metropolis]].\n",
    "bystander.md": "# Bystander\n\nZorg met Brigitte Helm in Berlin.\n",
}
AFTER = {
    "changed.md": f"---\ntags: [new]\n---\n# Metropolis\n\n{KEPT}\n## Come\n\nKarl Freund filmed in Rome for Ada Lovelace.\n",
    "added.md": "# Camera\n\nKarl Freund met Brigitte Helm. See [[Zorg#person]].\n",
}
NEW_CHUNKS = 2
State = tuple[list[str], dict[str, Any]]


@pytest.fixture(scope="module")
def world(stack: Settings) -> Iterator[World]:
    opened = World(stack)
    yield opened
    opened.clear(TENANT)
    opened.close()


@pytest.fixture(scope="module")
def states(world: World) -> tuple[State, State]:
    """What the tenant holds before the batch, and what it holds after one that no one disturbed."""
    world.clear(TENANT)
    world.ingest(TENANT, BEFORE)
    before = world.state(TENANT)
    batch, _ = receive(world)
    world.platform.processor.process(TENANT, batch)
    return before, world.state(TENANT)


def receive(world: World) -> tuple[list[str], str]:
    """Enter changes in the ledger; return the ids, all for one batch, and the job of the uploads."""
    job = world.receive(TENANT, [source(uri, content) for uri, content in AFTER.items()]).job_id
    world.platform.receiver.delete(TENANT, ids=[document_id(TENANT, "deleted.md")])
    ids = [identity for _, batch in world.tasks.batches for identity in batch]
    world.tasks.batches.clear()
    return ids, job


@contextmanager
def worker(settings: Settings, boundary: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.chaos.crashing_worker", boundary]
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=app_environment(settings), stdout=output, stderr=output)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def die_at(boundary: str, ids: list[str], settings: Settings, log: Path) -> None:
    """Give the batch to a real worker through the real queue, and see it die."""
    with (
        closing(CeleryQueue(settings.redis, settings.worker)) as queue,
        worker(settings, boundary, log) as process,
    ):
        queue.ingest(TENANT, [ids])
        assert process.wait(SECONDS_TO_DIE) == -signal.SIGKILL, log.read_text()
        assert queue.depth() == 0
    with closing(redis.Redis.from_url(settings.redis.url.get_secret_value())) as client:
        client.flushdb()  # the queue keeps what was not acknowledged for another worker; here, no one gets it twice


@contextmanager
def counted(world: World) -> Iterator[list[str]]:
    """Give the list of texts that are extracted from now on."""
    models = world.platform.processor._reader.models
    real: Callable[..., list[Extraction]] = models.extract
    read: list[str] = []

    def extract(chunks: list[tuple[ParsedDocument, Chunk]]) -> list[Extraction]:
        read.extend(chunk.text for _, chunk in chunks)
        return real(chunks)

    object.__setattr__(models, "extract", extract)
    try:
        yield read
    finally:
        object.__setattr__(models, "extract", real)


def recover(world: World) -> None:
    """Let leases and waiting times pass, then sweep and work, and once more for what the first sweep left."""
    for _ in range(2):
        world.run("MATCH (i:IngestionRecord {tenant: $tenant}) SET i.leaseUntil = 0, i.retryAt = 0", TENANT)
        world.run("MATCH (o:Outbox {tenant: $tenant}) SET o.dueAt = 0", TENANT)
        world.swept(TENANT)
        world.work()


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_worker_dies(
    world: World, stack: Settings, states: tuple[State, State], tmp_path: Path, boundary: str
) -> None:
    before, after = states
    world.clear(TENANT)
    world.ingest(TENANT, BEFORE)
    ids, job = receive(world)
    started = time.monotonic()
    die_at(boundary, ids, stack, tmp_path / "worker.log")
    tell(f"killed at {boundary} after {time.monotonic() - started:.1f} s")

    # Readers look at the graph alone: they see all of the old or all of the new.
    assert world.dump(TENANT) == (after if boundary in DURABLE else before)[0]
    with counted(world) as extracted:
        recover(world)
    assert world.state(TENANT) == after
    assert len(extracted) == (0 if boundary in DURABLE else NEW_CHUNKS)
    status = world.platform.jobs.status(TENANT, job)
    assert (status.state, status.ready, status.failed, status.extracted) == ("done", len(AFTER), 0, NEW_CHUNKS)
    for label in ("IngestionRecord", "Outbox"):
        assert world.rows(f"MATCH (n:{label} {{tenant: $tenant}}) RETURN n.id AS id", TENANT) == []
