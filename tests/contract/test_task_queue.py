"""What every implementation of the port ``TaskQueue`` promises: that of Celery on a real Redis, and that in memory."""

import queue as standard
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from pydantic import SecretStr
from tests.support.memory_queue import MemoryQueue
from tests.support.ports import free_port
from tests.support.redis_process import redis_process
from tests.support.waiting import until

from interlace.adapters.redis.celery_app import EMBED, ENRICH, INGEST, REBUILD, REFRESH, REMOVE, SWEEP, celery_app
from interlace.adapters.redis.queue import CeleryQueue
from interlace.domain.errors import RefusedSettingsError, UnavailableError
from interlace.ports.queue import TaskQueue, TaskTotal
from interlace.settings import RedisSettings, WorkerSettings

Tasks = Callable[[str], list[tuple[str, dict[str, Any]]]]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_process(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture(params=["memory", "celery"])
def queue(request: pytest.FixtureRequest) -> Iterator[TaskQueue]:
    if request.param == "memory":
        yield MemoryQueue()
        return
    import redis

    url = request.getfixturevalue("address")
    with redis.Redis.from_url(url) as client:
        client.flushall()
    opened = CeleryQueue(RedisSettings(url=SecretStr(url)), WorkerSettings())
    yield opened
    opened.close()


@pytest.fixture
def tasks(queue: TaskQueue, request: pytest.FixtureRequest) -> Tasks:
    """Take what waits in one of Celery's queues, as a worker would receive it."""
    if isinstance(queue, MemoryQueue):
        of = {"ingest": {INGEST}, "communities": {REFRESH, REBUILD, EMBED}, "enrich": {ENRICH}, "maintain": {REMOVE}}
        again = queue._retries
        return lambda name: (
            again if name == "retry" else [task for task in queue.tasks if task[0] in of[name] and task not in again]
        )
    redis = RedisSettings(url=SecretStr(request.getfixturevalue("address")))

    def take(name: str) -> list[tuple[str, dict[str, Any]]]:
        found: list[tuple[str, dict[str, Any]]] = []
        with celery_app(redis, WorkerSettings()).connection_for_read() as connection:
            waiting = connection.SimpleQueue(name)
            while True:
                try:
                    message = waiting.get_nowait()
                except standard.Empty:
                    waiting.close()
                    return found
                message.ack()
                found.append((message.headers["task"], message.payload[1]))

    return take


@pytest.fixture(params=["memory", "celery"])
def away(request: pytest.FixtureRequest) -> Iterator[TaskQueue]:
    """A queue whose broker does not answer."""
    if request.param == "memory":
        yield MemoryQueue(away=True)
        return
    url = f"redis://127.0.0.1:{free_port()}/0"
    opened = CeleryQueue(RedisSettings(url=SecretStr(url)), WorkerSettings())
    yield opened
    opened.close()


def test_a_batch_is_a_task_and_waits_in_order(queue: TaskQueue, tasks: Tasks) -> None:
    queue.ingest("blue", [["a", "b"], ("c",)])
    queue.ingest("red", [["d"]])
    assert queue.depth() == 3
    assert tasks("ingest") == [
        (INGEST, {"tenant": "blue", "ids": ["a", "b"]}),
        (INGEST, {"tenant": "blue", "ids": ["c"]}),
        (INGEST, {"tenant": "red", "ids": ["d"]}),
    ]


def test_retries_wait_apart_from_first_attempts(queue: TaskQueue, tasks: Tasks) -> None:
    queue.ingest("blue", [["a"], ["b"]])
    queue.retry("red", [["c"], ("d", "e")])
    assert (queue.depth(), queue.retries()) == (4, 2)
    assert tasks("retry") == [(INGEST, {"tenant": "red", "ids": ["c"]}), (INGEST, {"tenant": "red", "ids": ["d", "e"]})]
    assert tasks("ingest") == [(INGEST, {"tenant": "blue", "ids": ["a"]}), (INGEST, {"tenant": "blue", "ids": ["b"]})]


def test_a_worker_alternates_between_retries_and_first_attempts(address: str) -> None:
    """The first hours of an import are no reason for a retry to wait for its end."""
    redis = RedisSettings(url=SecretStr(address))
    taken: list[str] = []

    def take(body: Any, message: Any) -> None:
        taken.append(body[1]["tenant"])
        message.ack()

    with closing(CeleryQueue(redis, WorkerSettings())) as queue, celery_app(redis, WorkerSettings()) as app:
        queue.ingest("import", [["a"]] * 20)
        queue.retry("retry", [["b"], ["c"]])
        with app.connection_for_read() as connection:
            queues = [app.amqp.queues[name] for name in ("ingest", "retry")]
            with connection.Consumer(queues, callbacks=[take], prefetch_count=1):
                while len(taken) < 5:
                    connection.drain_events(timeout=60)
        assert (taken.count("retry"), queue.retries()) == (2, 0)


def test_no_batch_is_no_task(queue: TaskQueue) -> None:
    queue.ingest("blue", [])
    assert queue.depth() == 0


def test_other_work_waits_apart_from_ingestion(queue: TaskQueue, tasks: Tasks) -> None:
    queue.enqueue("refresh_communities", "blue")
    queue.enqueue("rebuild_vectors", "red")
    queue.enqueue("embed_entities", "blue")
    queue.enqueue("enrich", "blue")
    queue.enqueue("remove_tenant", "red")
    assert queue.depth() == 0
    assert tasks("maintain") == [(REMOVE, {"tenant": "red"})]
    assert tasks("enrich") == [(ENRICH, {"tenant": "blue"})]
    assert tasks("communities") == [
        (REFRESH, {"tenant": "blue"}),
        (REBUILD, {"tenant": "red"}),
        (EMBED, {"tenant": "blue"}),
    ]


def test_totals_add_up_by_task_and_outcome(queue: TaskQueue) -> None:
    assert queue.totals() == []
    queue.record_run(REFRESH, "succeeded", 1.5)
    queue.record_run(INGEST, "succeeded", 0.25)
    queue.record_run(REFRESH, "deferred", 4)
    queue.record_run(REFRESH, "succeeded", 2)
    assert queue.totals() == [
        TaskTotal(REFRESH, "deferred", 1, 4),
        TaskTotal(REFRESH, "succeeded", 2, 3.5),
        TaskTotal(INGEST, "succeeded", 1, 0.25),
    ]


def test_the_last_sweep_that_succeeded_is_known(queue: TaskQueue) -> None:
    queue.record_run(SWEEP, "failed", 1)
    queue.record_run(REFRESH, "succeeded", 1)
    assert queue.since_sweep() is None
    queue.record_run(SWEEP, "succeeded", 1)
    since = queue.since_sweep()
    assert since is not None
    assert 0 <= since < 60


def test_a_round_trip_takes_no_negative_time(queue: TaskQueue) -> None:
    assert queue.ping() >= 0


@pytest.mark.parametrize(
    "ask",
    [
        lambda queue: queue.ingest("blue", [["a"]]),
        lambda queue: queue.enqueue("refresh_communities", "blue"),
        lambda queue: queue.enqueue("rebuild_vectors", "blue"),
        lambda queue: queue.retry("blue", [["a"]]),
        lambda queue: queue.depth(),
        lambda queue: queue.retries(),
        lambda queue: queue.record_run(INGEST, "succeeded", 1),
        lambda queue: queue.since_sweep(),
        lambda queue: queue.totals(),
        lambda queue: queue.ping(),
    ],
    ids=["ingest", "refresh", "rebuild", "retry", "depth", "retries", "record", "swept", "totals", "ping"],
)
def test_a_broker_that_does_not_answer_is_named(away: TaskQueue, ask: Callable[[TaskQueue], object]) -> None:
    with pytest.raises(UnavailableError, match=r"Redis at 127\.0\.0\.1:\d+ does not answer"):
        ask(away)


def test_a_worker_counts_until_its_record_lapses(queue: TaskQueue) -> None:
    assert queue.workers() == 0
    queue.record_worker("one", 60)
    queue.record_worker("one", 60)
    queue.record_worker("two", 0.05)
    assert queue.workers() in {1, 2}
    until(lambda: queue.workers() == 1)


CALLS: dict[str, Callable[[CeleryQueue], object]] = {
    "ingest": lambda queue: queue.ingest("blue", [["a"]]),
    "refresh": lambda queue: queue.enqueue("refresh_communities", "blue"),
    "record": lambda queue: queue.record_run(INGEST, "succeeded", 1),
    "workers": lambda queue: queue.workers(),
    "totals": lambda queue: queue.totals(),
    "ping": lambda queue: queue.ping(),
}


@contextmanager
def configured(address: str, name: str, value: str, restored: str) -> Iterator[CeleryQueue]:
    """Change a setting of the server, and give a queue whose password is wrong where one is asked for."""
    import redis

    url = address.replace("redis://", "redis://:not-the-password@")
    with redis.Redis.from_url(address) as client:
        client.config_set(name, value)
        try:
            with closing(CeleryQueue(RedisSettings(url=SecretStr(url)), WorkerSettings())) as queue:
                yield queue
        finally:
            client.config_set(name, restored)


@pytest.mark.parametrize("call", CALLS)
def test_wrong_credentials_name_the_setting(address: str, call: str) -> None:
    with (
        configured(address, "requirepass", "the-password", "") as queue,
        pytest.raises(RefusedSettingsError, match=r"Redis at 127\.0\.0\.1:\d+ .*INTERLACE_REDIS__URL") as caught,
    ):
        CALLS[call](queue)
    assert "not-the-password" not in caught.value.message
    assert ("What was received is kept" in caught.value.message) == (call == "ingest")


def test_an_unknown_database_names_the_setting(address: str) -> None:
    url = f"{address.rpartition('/')[0]}/99"
    with (
        closing(CeleryQueue(RedisSettings(url=SecretStr(url)), WorkerSettings())) as queue,
        pytest.raises(RefusedSettingsError, match="has no database of this number; set INTERLACE_REDIS__URL"),
    ):
        queue.ping()


@pytest.mark.parametrize("call", ["ingest", "refresh", "record"])
def test_a_server_without_memory_is_no_silent_one(address: str, call: str) -> None:
    url = RedisSettings(url=SecretStr(address))
    with (
        configured(address, "maxmemory", "1", "0"),
        closing(CeleryQueue(url, WorkerSettings())) as queue,
        pytest.raises(UnavailableError, match="has no memory left for tasks: raise its `maxmemory`") as caught,
    ):
        CALLS[call](queue)
    assert ("What was received is kept" in caught.value.message) == (call == "ingest")


def test_the_eviction_policy_is_known(address: str) -> None:
    url = RedisSettings(url=SecretStr(address))
    with (
        configured(address, "maxmemory-policy", "allkeys-lru", "noeviction"),
        closing(CeleryQueue(url, WorkerSettings())) as queue,
    ):
        assert queue.eviction_policy() == "allkeys-lru"
