"""The options that each library gets for sentinels."""

from contextlib import closing
from typing import Any

import pytest
from kombu.utils.url import url_to_parts
from pydantic import SecretStr
from redis.sentinel import SentinelConnectionPool

from interlace.adapters.redis.celery_app import celery_app
from interlace.adapters.redis.client import redis_client
from interlace.adapters.redis.rate_limiter import RedisRateLimiter
from interlace.settings import RedisSettings, WorkerSettings

URL = "sentinel://me:hu%2Fsh@one:26380;sentinel://two/3"
SERVERS = {"username": "me", "password": "hu/sh", "db": 3}
SENTINELS = {"username": "default", "password": "hu/sh"}


def settings(url: str = URL) -> RedisSettings:
    return RedisSettings(url=SecretStr(url), master="mymaster")


def test_every_address_of_the_queue_has_user_password_and_database() -> None:
    with celery_app(settings(), WorkerSettings()) as app:
        addresses = [url_to_parts(each) for each in app.conf.broker_url.split(";")]
        asked = app.conf.broker_transport_options
    assert [each[:6] for each in addresses] == [
        ("sentinel", "one", 26380, "me", "hu/sh", "3"),
        ("sentinel", "two", 26379, "me", "hu/sh", "3"),
    ]
    assert asked["master_name"] == "mymaster"
    assert asked["visibility_timeout"] == 3600
    assert_asks(asked["sentinel_kwargs"], asked["socket_connect_timeout"])


def test_the_schedule_is_on_the_same_master() -> None:
    with celery_app(settings(), WorkerSettings()) as app:
        options = app.conf.redbeat_redis_options
        assert app.conf.redbeat_redis_url.startswith("redis-sentinel")
    assert {key: options[key] for key in SERVERS} == SERVERS
    assert options["sentinels"] == (("one", 26380), ("two", 26379))
    assert options["service_name"] == "mymaster"
    assert_asks(options["sentinel_kwargs"], 3)


def test_a_client_asks_the_sentinels_for_the_master() -> None:
    with closing(redis_client(settings(), 1.5)) as client:
        pool = client.connection_pool
        assert isinstance(pool, SentinelConnectionPool)
        assert (pool.service_name, pool.is_master) == ("mymaster", True)
        assert {key: pool.connection_kwargs[key] for key in SERVERS} == SERVERS
        assert pool.connection_kwargs["socket_timeout"] == 1.5
        assert_asks(pool.sentinel_manager.sentinel_kwargs, 1.5)


def test_rates_are_counted_on_the_master() -> None:
    with closing(RedisRateLimiter(settings())) as limiter:
        assert isinstance(limiter._client.connection_pool, SentinelConnectionPool)


def test_without_a_password_none_is_sent() -> None:
    plain = settings("sentinel://one")
    with closing(redis_client(plain, 1)) as client, celery_app(plain, WorkerSettings()) as app:
        assert client.connection_pool.connection_kwargs["password"] is None
        assert "password" not in app.conf.broker_transport_options["sentinel_kwargs"]
        assert app.conf.broker_url == "sentinel://one:26379/0"


@pytest.mark.parametrize("url", ["redis://:hush@queue:6380/1", "rediss://queue"])
def test_the_address_of_a_server_stays_as_it_is(url: str) -> None:
    with celery_app(RedisSettings(url=SecretStr(url)), WorkerSettings()) as app:
        assert (app.conf.broker_url, app.conf.redbeat_redis_url) == (url, url)
        assert "master_name" not in app.conf.broker_transport_options


def assert_asks(options: dict[str, Any], seconds: float) -> None:
    assert options["socket_timeout"] == options["socket_connect_timeout"] == seconds
    assert options["retry"].get_retries() == 0  # else seconds pass before the next sentinel is asked
    assert {key: options[key] for key in SENTINELS} == SENTINELS
