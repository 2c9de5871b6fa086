"""Large merges: a question sees them before or after, whoever dies, and they are bounded in memory."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.integration.decision_histories import PERSON, same
from tests.integration.ingestion_world import World
from tests.integration.large_entities import write_large

from interlace.decisions.step import DecisionStep
from interlace.decisions.writer import DecisionWriter
from interlace.domain.errors import QueryRefusedError, UnavailableError
from interlace.domain.hits import Hit, QueryRequest
from interlace.ingestion.transaction_size import movable_mentions
from interlace.search.optimistic_reads import OptimisticReader
from interlace_stack.environment import app_environment

ROOT = Path(__file__).parents[2]
HUB = {f"{number:02}.md": f"# Note {number}\n\nFritz Lang met Zorg in Vienna.\n" for number in range(8)}
MERGE = same("zorg", "fritz lang")
QUESTION = "Whom did Zorg meet?"
SECONDS = 240
_LATER = "MATCH (l:Lease {tenant: $tenant}) SET l.expiresAt = 0"


def writer(world: World, max_atomic_mentions: int = 1000, batch_size: int = 2) -> DecisionWriter:
    platform = world.platform
    return DecisionWriter(platform.graph, platform.older_chunks, max_atomic_mentions, batch_size)


def answer(world: World, tenant: str, question: str = QUESTION) -> tuple[dict[str, float], tuple[Hit, ...]]:
    """Return what an answer says: its entities, and its hits with their paths and figures."""
    found = world.platform.questions.search(tenant, QueryRequest(text=question, limit=5, explain=True))
    assert found.degraded == ()
    return dict(found.entities), found.hits


@contextmanager
def asked_meanwhile(ask: Callable[[], Any]) -> Iterator[list[Any]]:
    """Ask all the time while the context is open, once before and once after; give the answers, one after the other."""
    answers, answered, over = list[Any](), threading.Event(), threading.Event()

    def go_on() -> None:
        while not over.is_set():
            try:
                answers.append(ask())
            except UnavailableError:
                continue  # a busy server pauses for longer than a read waits; who asks again sees no less
            except Exception as error:  # noqa: BLE001 - it is an answer that the test compares
                answers.append(error)
            answered.set()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        assert answered.wait(SECONDS)
        yield answers
        answered.clear()
        assert answered.wait(SECONDS)
    finally:
        over.set()
        thread.join()


def test_a_question_that_a_merge_overtakes_is_asked_again(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, HUB)
    decides, questions = writer(world), world.platform.questions
    before = answer(world, tenant)
    stages = type(questions.stages)
    retrieve, due = stages.retrieve, [MERGE]

    def overtaken(*args: Any) -> Any:
        while due:
            decides.record(tenant, due.pop())
        return retrieve(*args)

    monkeypatch.setattr(stages, "retrieve", overtaken)
    found = answer(world, tenant)
    assert found == answer(world, tenant) != before


@pytest.mark.parametrize("max_atomic_mentions", [1000, 2], ids=["at once", "in batches"])
def test_a_merge_and_its_undoing_are_exact_and_seen_before_or_after(
    world: World, tenant: str, max_atomic_mentions: int
) -> None:
    world.ingest(tenant, HUB)
    without, before = world.dump(tenant), answer(world, tenant)
    decides = writer(world, max_atomic_mentions=max_atomic_mentions)
    with asked_meanwhile(lambda: answer(world, tenant)) as answers:
        identity = decides.record(tenant, MERGE)
        after = answer(world, tenant)
        merged = world.dump(tenant)
        decides.undo(tenant, identity, PERSON)
    assert world.dump(tenant) == without
    assert before != after
    if max_atomic_mentions > len(HUB):
        assert answers
        assert [each for each in answers if each not in (before, after)] == []
    assert world.platform.reconciler.check(tenant) == []
    decides.record(tenant, MERGE)
    assert world.dump(tenant) == merged


def test_a_merge_is_resumed_after_a_kill_and_readers_see_nothing_of_it_before(
    world: World, tenant: str, tmp_path: Path
) -> None:
    world.ingest(tenant, HUB)
    platform = world.platform
    before = answer(world, tenant)
    command = [sys.executable, "-m", "tests.chaos.dying_decider", tenant, "zorg", "fritz lang"]
    with (tmp_path / "log").open("wb") as log:
        died = subprocess.run(
            command,
            cwd=ROOT,
            env=app_environment(platform.settings),
            stdout=log,
            stderr=log,
            check=False,
            timeout=SECONDS,
        )
    assert died.returncode == -signal.SIGKILL, (tmp_path / "log").read_text()
    assert platform.decisions.tenants() == [tenant]
    world.run(_LATER, tenant)
    assert answer(world, tenant) == before
    # Documents that come now follow the note: the decision is not made for anyone yet.
    late = {"later.md": "# Later\n\nZorg met Fritz Lang.\n"}
    world.ingest(tenant, late)
    platform.sweeper.sweep()
    assert platform.decisions.tenants() == []
    found = world.dump(tenant)
    assert platform.reconciler.check(tenant) == []
    world.clear(tenant)
    world.ingest(tenant, HUB | late)
    platform.entity_linkers.of(tenant).reset()
    writer(world).record(tenant, MERGE)
    assert world.dump(tenant) == found


def test_what_the_database_refuses_at_once_follows_in_batches(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, HUB)
    decides, real, sizes = writer(world), DecisionStep.apply_next, list[int]()

    def refused(step: DecisionStep) -> bool:
        sizes.append(step.mentions)
        if step.mentions > 2:
            raise QueryRefusedError("Neo4j ran out of the memory a transaction may take.")
        return real(step)

    monkeypatch.setattr(DecisionStep, "apply_next", refused)
    decides.record(tenant, MERGE)
    assert sizes[0] > 2
    assert len(sizes) > 3
    assert set(sizes[1:]) == {2}
    assert world.platform.reconciler.check(tenant) == []
    assert world.platform.decisions.tenants() == []


MANY = 18_000
MOVED = MANY + MANY // 20
"""Mentions, and the ends of facts, of which every second document has one."""
MAX_MIB = 225
_MENTIONS = """
UNWIND $ids AS id
MATCH (e:Entity {id: id, tenant: $tenant})
RETURN sum(COUNT { (e)<-[:MENTIONS]-() }) AS mentions, count(e) AS entities
"""
_MEMORY = "SHOW TRANSACTIONS YIELD estimatedUsedHeapMemory AS bytes RETURN max(bytes) AS bytes"
_GRAPH = """
MATCH (e:Entity {tenant: $tenant})
RETURN
  e.id AS id,
  properties(e) AS properties,
  COLLECT {
    MATCH (e)<-[m:MENTIONS]-(c:Chunk)
    WITH m.via AS via, m.origin AS origin, m.key AS key, m.evidence AS evidence, m.offsets AS offsets, count(*) AS count, max(c.id) AS last
    ORDER BY via, origin, offsets
    RETURN [via, origin, key, evidence, offsets, count, last]
  } AS mentions,
  COLLECT {
    MATCH (e)-[r]->(o:Entity)
    WITH type(r) AS type, o.id AS other, properties(r) AS properties
    ORDER BY other, type
    RETURN [type, other, properties]
  } AS relations,
  COUNT { (e)<-[:SUBJECT]-() } AS facts
ORDER BY id
"""


@pytest.mark.slow
def test_tens_of_thousands_of_mentions_are_shown_at_once_in_bounded_memory(world: World, tenant: str) -> None:
    names = ["Alpha Hub", "Beta Hub"]
    ids = list(write_large(world, tenant, dict.fromkeys(names, MANY)).values())
    graph = world.platform.graph
    reader = OptimisticReader(graph, world.platform.entity_linkers)

    def counted() -> tuple[int, int]:
        (row,) = world.rows(_MENTIONS, tenant, ids=ids)
        return row["entities"], row["mentions"]

    without = world.rows(_GRAPH, tenant)
    assert movable_mentions(graph) > MOVED
    decides = world.platform.decisions
    with (
        asked_meanwhile(lambda: reader.read(tenant, counted)) as counts,
        asked_meanwhile(lambda: world.rows(_MEMORY, tenant)[0]["bytes"] or 0) as memory,
    ):
        identity = decides.record(tenant, same("alpha hub", "beta hub"))
        assert counted() == (1, 2 * MANY)
        decides.undo(tenant, identity, PERSON)
    assert set(counts) == {(2, 2 * MANY), (1, 2 * MANY)}
    assert max(memory) < MAX_MIB << 20
    assert world.rows(_GRAPH, tenant) == without
