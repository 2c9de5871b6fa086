"""Queue, rate limits and schedule on whichever Redis is the master, by what a real sentinel says."""

import gc
import importlib.util
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from pydantic import SecretStr
from redbeat.schedulers import get_redis
from tests.support.ports import free_port
from tests.support.sentinel_processes import MASTER, PASSWORD, Sentinel, sentinel_processes

from interlace.adapters.redis import rate_limiter
from interlace.adapters.redis.celery_app import INGEST, celery_app
from interlace.adapters.redis.client import redis_client
from interlace.adapters.redis.queue import CeleryQueue
from interlace.adapters.redis.rate_limiter import RedisRateLimiter
from interlace.cli.doctor.servers import examine_servers
from interlace.domain.errors import RefusedSettingsError, UnavailableError
from interlace.settings import RedisSettings, StackSettings, WorkerSettings, load_settings
from interlace_stack.doctor import Finding


def at(port: int, password: str = PASSWORD, database: int = 3, master: str = MASTER) -> RedisSettings:
    """Settings of a sentinel that answers and, before it, one that does not."""
    addresses = f"sentinel://:{quote(password, safe='')}@127.0.0.1:{free_port()};sentinel://127.0.0.1:{port}/{database}"
    return RedisSettings(url=SecretStr(addresses), master=master)


@pytest.fixture(scope="module")
def sentinel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sentinel]:
    with sentinel_processes(tmp_path_factory.mktemp("sentinel")) as started:
        yield started


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Collect the connections to sentinels that kombu and RedBeat never close, which would be an error of whichever test runs then."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield
        gc.collect()


def test_a_client_closes_its_connections_to_sentinels(sentinel: Sentinel) -> None:
    client: Any = redis_client(at(sentinel.port), 5)
    assert client.ping()
    asked = [connection for each in client.sentinels for connection in each.connection_pool._available_connections]
    assert any(connection.is_connected for connection in asked)
    client.close()
    assert not any(connection.is_connected for connection in asked)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limiter, "_SECONDS", 30.0)


def taken(settings: RedisSettings) -> str:
    """Take a task as a worker would, and return its name."""
    with celery_app(settings, WorkerSettings()) as app, app.connection_for_read() as connection:
        waiting = connection.SimpleQueue("ingest")
        with closing(waiting):
            message = waiting.get(timeout=60)
            message.ack()
            return str(message.headers["task"])


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("password", ["", PASSWORD], ids=["an open sentinel", "a sentinel with the servers' password"])
def test_work_goes_on_with_a_new_master(tmp_path: Path, password: str) -> None:
    with ExitStack() as opened:
        sentinel = opened.enter_context(sentinel_processes(tmp_path, password))
        settings = at(sentinel.port)
        queue = opened.enter_context(closing(CeleryQueue(settings, WorkerSettings())))
        limiter = opened.enter_context(closing(RedisRateLimiter(settings)))
        schedule = get_redis(opened.enter_context(celery_app(settings, WorkerSettings())))
        queue.ingest("blue", [["a"], ["b"]])
        schedule.set("redbeat::lock", "held")
        assert (queue.depth(), limiter.take("caller", 1)) == (2, None)
        assert taken(settings) == INGEST
        known = queue.incarnation()
        sentinel.replace_master()
        again(queue.ping)
        again(lambda: limiter.take("caller", 1))
        assert queue.depth() == 1
        assert limiter.take("caller", 1)
        queue.ingest("blue", [["c"]])
        assert [taken(settings), taken(settings), queue.depth()] == [INGEST, INGEST, 0]
        assert queue.incarnation() != known  # workers restart
        assert again(lambda: schedule.get("redbeat::lock")) == "held"


def again(call: Callable[[], object]) -> object:
    """Call what may find a connection to the old master, and call it again then."""
    try:
        return call()
    except (UnavailableError, ConnectionError):
        return call()


def test_the_containers_health_check_finds_the_lock(sentinel: Sentinel, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = at(sentinel.port)
    monkeypatch.setenv("INTERLACE_REDIS__URL", settings.url.get_secret_value())
    monkeypatch.setenv("INTERLACE_REDIS__MASTER", MASTER)
    file = Path(__file__).parents[2] / "docker" / "healthcheck.py"
    described = importlib.util.spec_from_file_location("healthcheck", file)
    assert described is not None
    assert described.loader is not None
    check = importlib.util.module_from_spec(described)
    described.loader.exec_module(check)
    assert check.beat() is False
    with celery_app(settings, WorkerSettings()) as app:
        get_redis(app).set("redbeat::lock", "held")
    assert check.beat() is True


CALLS: dict[str, Callable[[CeleryQueue], object]] = {
    "enqueue": lambda queue: queue.enqueue("refresh_communities", "blue"),
    "ask": lambda queue: queue.ping(),
}


@pytest.mark.parametrize("call", CALLS)
def test_what_is_wrong_is_named(sentinel: Sentinel, call: str) -> None:
    def said(settings: RedisSettings) -> UnavailableError:
        with closing(CeleryQueue(settings, WorkerSettings())) as queue, pytest.raises(UnavailableError) as caught:
            CALLS[call](queue)
        return caught.value

    unknown = said(at(sentinel.port, master="another"))
    assert unknown.message.startswith("The sentinels at 127.0.0.1:")
    assert f", 127.0.0.1:{sentinel.port} name no running master another;" in unknown.message
    assert "INTERLACE_REDIS__MASTER" in unknown.message
    assert "are they running" in said(at(free_port())).message
    refused = said(at(sentinel.port, password="not-it"))
    assert isinstance(refused, RefusedSettingsError)
    assert "set INTERLACE_REDIS__URL, as in sentinel://USER:PASSWORD@HOST:26379/0" in refused.message
    assert "not-it" not in refused.message
    assert "no database of this number" in said(at(sentinel.port, database=99)).message


def test_doctor_asks_the_master(sentinel: Sentinel, tmp_path: Path) -> None:
    def found(settings: RedisSettings) -> Finding:
        (finding,) = examine_servers(load_settings(stack=StackSettings(home=tmp_path), redis=settings), [])
        return finding

    settings = at(sentinel.port)
    assert found(settings) == Finding("redis", "ok", f"{settings.place} (external) accepts the credentials and answers")
    assert PASSWORD not in settings.place
    assert found(at(free_port())).level == "error"
