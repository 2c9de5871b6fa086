"""Connections that are cut, slow, hung or deaf: ingestion completes once they work again, and questions are never kept waiting."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from tests.chaos.chaos_stack import seed, state, tell, until
from tests.chaos.disturbed_stack import SERVERS, Disturbed, disturbed
from tests.conftest import waiting_for_legs
from tests.support.tcp_proxy import Fault

from interlace.bootstrap import Platform
from interlace.domain.documents import Source
from interlace.domain.errors import UnavailableError
from interlace.domain.hits import QueryRequest, QueryResponse
from interlace.jobs.service import JobStatus
from interlace.search.questions import QuestionSearch
from interlace.search.searches import Searches

pytestmark = [pytest.mark.stack, pytest.mark.slow, pytest.mark.timeout(900)]

TENANT = "disturbed"
DOCUMENTS = 240
PATIENCE = 150.0
# What an answer may take while a server hangs: five seconds of the settings, and a margin for a busy machine. Without limits it is 44 s.
BOUND = 30.0
FAULTS = (Fault.CUT, Fault.SLOW, Fault.HUNG, Fault.DEAF)
CALLERS = 24
PEOPLE = ("Fritz Lang", "Thea von Harbou", "Brigitte Helm", "Erich Pommer", "Karl Freund", "Ada Lovelace")
PLACES = ("Vienna", "Berlin", "Babelsberg", "Rome", "Old Mill", "Paris")
QUESTION = QueryRequest(text="Who met Fritz Lang in Vienna?", limit=3)


def documents() -> list[Source]:
    """Return documents that name each other's people and places; the same ones every time."""
    chance = random.Random(7)
    found = []
    for number in range(DOCUMENTS):
        lines = [f"# Reel {number}\n"]
        for part in range(2):
            body = " ".join(
                f"{chance.choice(PEOPLE)} met {chance.choice(PEOPLE)} in {chance.choice(PLACES)}." for _ in range(5)
            )
            lines.append(f"\n## Part {part}\n\n{body} See [[{chance.choice(PLACES)}#place]].\n")
        found.append(Source(f"{number}.md", "text/markdown", "".join(lines).encode(), {}))
    return found


@pytest.fixture(scope="module")
def chance() -> random.Random:
    return random.Random(seed())


@pytest.fixture(scope="module")
def behind(chance: random.Random) -> Iterator[Disturbed]:
    with disturbed(chance) as found:
        yield found


@pytest.fixture(scope="module")
def undisturbed(behind: Disturbed) -> Iterator[Platform]:
    """Reaches the servers without a proxy."""
    with closing(Platform(behind.servers)) as opened:
        yield opened


@pytest.fixture
def platform(behind: Disturbed) -> Iterator[Platform]:
    """Reaches the servers through the proxies, like a command just started."""
    with closing(Platform(behind.settings)) as opened:
        yield opened


@pytest.fixture(scope="module")
def asked(undisturbed: Platform) -> str:
    """The tenant whose documents are asked about."""
    tenant = "asked"
    finish(undisturbed, tenant, documents()[:20])
    # The server has plans then, however new a connection is; also for a graph leg that has no chunks because Qdrant does not answer.
    undisturbed.warm_queries()
    return tenant


@contextmanager
def patient(platform: Platform) -> Iterator[QuestionSearch]:
    """Give questions over the same connections whose legs a busy machine may delay, because no server does."""
    settings = waiting_for_legs(platform.settings).query
    made = Searches(platform.graph, platform.vectors, platform.embedders, platform.entity_linkers, settings)
    yield made.questions
    made.close()


def finish(platform: Platform, tenant: str, sources: list[Source]) -> None:
    job = platform.receiver.receive(tenant, sources).job_id
    until(
        lambda: platform.jobs.status(tenant, job).finished, PATIENCE, lambda: platform.jobs.status(tenant, job).stages
    )
    assert platform.jobs.status(tenant, job).failed == 0


def plan(chance: random.Random) -> list[tuple[int, str, Fault]]:
    """Return which way is disturbed how after how many documents."""
    faults = [(server, fault) for server in SERVERS for fault in FAULTS]
    return sorted(
        ((chance.randrange(DOCUMENTS - 20), server, fault) for server, fault in faults), key=lambda item: item[0]
    )


def test_ingestion_over_disturbed_connections(
    behind: Disturbed, undisturbed: Platform, chance: random.Random, tmp_path: Path
) -> None:
    finish(undisturbed, TENANT, documents())
    calm = state(undisturbed, TENANT, tmp_path / "calm.jsonl")
    gone = undisturbed.receiver.delete(TENANT, everything=True).job_id
    until(lambda: undisturbed.jobs.status(TENANT, gone).finished, PATIENCE)
    until(lambda: state(undisturbed, TENANT, tmp_path / "empty.jsonl") == (b"", {}), PATIENCE)

    job = undisturbed.receiver.receive(TENANT, documents()).job_id

    def status() -> JobStatus:
        return undisturbed.jobs.status(TENANT, job)

    with behind.logs_shown_on_failure():
        for at, server, fault in plan(chance):
            until(lambda at=at: status().ready >= at, PATIENCE, status)  # type: ignore[misc]
            seconds = chance.uniform(1, 6)
            tell(f"{status().ready} ready: {server} {fault.value} for {seconds:.1f} s")
            with behind.fault(server, fault):
                threading.Event().wait(seconds)
        until(lambda: status().finished, PATIENCE, status)
    after = status()
    until(lambda: state(undisturbed, TENANT, tmp_path / "disturbed.jsonl") == calm, PATIENCE)
    assert (after.ready, after.failed, after.extracted) == (DOCUMENTS, 0, len(calm[1]))


def warm_up(platform: Platform, tenant: str) -> None:
    """Ask until models, plans and connections are there, and every leg answers in time."""
    incomplete: list[QueryResponse] = []

    def complete() -> bool:
        answer = platform.questions.search(tenant, QUESTION)
        if answer.degraded:
            incomplete.append(answer)
        return not answer.degraded

    try:
        until(complete, PATIENCE)
    except AssertionError:
        tell("\n".join(f"{answer.degraded} {answer.timings}" for answer in incomplete[-20:]))
        raise


def timed(ask: Callable[[], QueryResponse]) -> QueryResponse:
    """Ask, and check that an answer or an error came in time."""
    began = time.monotonic()
    try:
        return ask()
    finally:
        seconds = time.monotonic() - began
        tell(f"answered after {seconds:.1f} s")
        assert seconds < BOUND


@pytest.mark.parametrize("fault", [Fault.HUNG, Fault.DEAF, Fault.CUT])
@pytest.mark.parametrize("warm", [True, False], ids=["known connection", "new connection"])
def test_a_question_without_neo4j(behind: Disturbed, platform: Platform, asked: str, fault: Fault, warm: bool) -> None:
    if warm:
        warm_up(platform, asked)
    with behind.fault("neo4j", fault), pytest.raises(UnavailableError, match=r"Neo4j at bolt://.* did not answer"):
        timed(lambda: platform.questions.search(asked, QUESTION))
    with patient(platform) as questions:
        assert timed(lambda: questions.search(asked, QUESTION)).hits


@pytest.mark.parametrize("fault", [Fault.HUNG, Fault.DEAF, Fault.CUT])
@pytest.mark.parametrize("warm", [True, False], ids=["known connection", "new connection"])
def test_a_question_without_qdrant(behind: Disturbed, platform: Platform, asked: str, fault: Fault, warm: bool) -> None:
    if warm:
        warm_up(platform, asked)
    with behind.fault("qdrant", fault):
        partial = timed(lambda: platform.questions.search(asked, QUESTION))
    assert partial.hits, (partial.degraded, partial.timings)
    assert {"vector", "keyword"} <= {word.split(":")[0] for word in partial.degraded}
    warm_up(platform, asked)


@pytest.mark.parametrize("fault", [Fault.HUNG, Fault.DEAF, Fault.CUT])
def test_a_question_without_redis(behind: Disturbed, platform: Platform, asked: str, fault: Fault) -> None:
    warm_up(platform, asked)
    with behind.fault("redis", fault), patient(platform) as questions:
        assert not timed(lambda: questions.search(asked, QUESTION)).degraded
        with pytest.raises(UnavailableError, match=r"Redis at 127\.0\.0\.1:\d+ does not answer"):
            platform.queue.ping()


@pytest.mark.parametrize("server", ["neo4j", "qdrant"])
def test_many_callers_while_a_server_hangs(behind: Disturbed, asked: str, server: str) -> None:
    url = f"http://127.0.0.1:{behind.settings.api.port}"
    headers = {"X-Interlace-Tenant": asked}
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client, ThreadPoolExecutor(CALLERS) as callers:

        def ask(_: int) -> tuple[int, float]:
            began = time.monotonic()
            answer = client.post("/v1/query", json={"query": QUESTION.text})
            return answer.status_code, time.monotonic() - began

        until(lambda: ask(0)[0] == httpx.codes.OK, PATIENCE)
        with behind.fault(server, Fault.HUNG):
            answers = list(callers.map(ask, range(CALLERS)))
        tell(f"{server} hung: slowest of {CALLERS} after {max(seconds for _, seconds in answers):.1f} s")
        expected = httpx.codes.SERVICE_UNAVAILABLE if server == "neo4j" else httpx.codes.OK
        assert {status for status, _ in answers} == {expected}
        assert max(seconds for _, seconds in answers) < BOUND
        until(lambda: ask(0)[0] == httpx.codes.OK, PATIENCE)


def test_an_upload_while_redis_hangs_is_kept(behind: Disturbed, platform: Platform, undisturbed: Platform) -> None:
    sources = documents()[:3]
    with behind.fault("redis", Fault.HUNG), pytest.raises(UnavailableError, match="is kept"):
        platform.receiver.receive("kept", sources, job_id="kept-job")
    until(lambda: undisturbed.jobs.status("kept", "kept-job").finished, PATIENCE)
    assert undisturbed.jobs.status("kept", "kept-job").ready == len(sources)
