"""What every implementation of the port ``RateLimiter`` promises: that on a real Redis, and that in memory."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import SecretStr
from tests.support.memory_rates import MemoryRateLimiter
from tests.support.ports import free_port
from tests.support.redis_process import redis_process

from interlace.adapters.redis import rate_limiter
from interlace.adapters.redis.rate_limiter import RedisRateLimiter
from interlace.domain.errors import UnavailableError
from interlace.ports.rate_limiter import RateLimiter
from interlace.settings import RedisSettings

RATE = 5
PATIENCE = 30.0
"""Seconds for an answer of Redis where counts matter; requests give it a quarter of one, which a busy machine may exceed."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_process(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limiter, "_SECONDS", PATIENCE)


@pytest.fixture(params=["memory", "redis"])
def limiter(request: pytest.FixtureRequest, patient: None) -> Iterator[RateLimiter]:
    del patient
    made: RateLimiter = MemoryRateLimiter()
    if request.param == "redis":
        made = RedisRateLimiter(RedisSettings(url=SecretStr(request.getfixturevalue("address"))))
    yield made
    made.close()


def test_a_caller_sends_its_rate_and_then_learns_when_to_go_on(limiter: RateLimiter) -> None:
    assert [limiter.take("first", RATE) for _ in range(RATE)] == [None] * RATE
    wait = limiter.take("first", RATE)
    assert wait is not None
    assert 0 <= wait <= 60
    assert limiter.take("second", RATE) is None


def test_callers_at_the_same_time_get_no_more_than_the_rate(limiter: RateLimiter) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: limiter.take("many", RATE), range(40)))
    assert found.count(None) == RATE


@pytest.mark.usefixtures("patient")
def test_two_processes_share_one_count(address: str) -> None:
    settings = RedisSettings(url=SecretStr(address))
    one, other = RedisRateLimiter(settings), RedisRateLimiter(settings)
    found = [limiter.take("shared", RATE) for _ in range(RATE) for limiter in (one, other)]
    one.close()
    other.close()
    assert found.count(None) == RATE


def test_a_server_that_is_away_is_named_at_once() -> None:
    limiter = RedisRateLimiter(RedisSettings(url=SecretStr(f"redis://127.0.0.1:{free_port()}/0")))
    started = time.monotonic()
    with pytest.raises(UnavailableError, match="rate limits are not enforced"):
        limiter.take("any", RATE)
    assert time.monotonic() - started < 30
