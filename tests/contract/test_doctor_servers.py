"""What ``interlace doctor`` says of servers that the settings name: it calls them as services do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from pydantic import SecretStr
from tests.support.edge_process import KEY, EdgeProcess
from tests.support.ports import free_port
from tests.support.redis_process import redis_process

from interlace.cli.doctor.servers import examine_servers
from interlace.settings import Neo4jSettings, QdrantSettings, RedisSettings, StackSettings, load_settings
from interlace_stack.doctor import Finding


def examined(folder: Path, **groups: Neo4jSettings | QdrantSettings | RedisSettings) -> list[Finding]:
    return list(examine_servers(load_settings(stack=StackSettings(home=folder), **groups), []))


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with redis_process(tmp_path) as url:
        yield url


def test_redis_is_asked_with_the_password_of_the_settings(address: str, tmp_path: Path) -> None:
    server = address.removeprefix("redis://").removesuffix("/0")
    with redis.Redis.from_url(address) as client:
        client.config_set("requirepass", "the-password")

        def said(password: str) -> list[Finding]:
            return examined(tmp_path, redis=RedisSettings(url=SecretStr(f"redis://:{password}@{server}/0")))

        assert said("the-password") == [
            Finding("redis", "ok", f"{server} (external) accepts the credentials and answers")
        ]
        (refused,) = said("another")
        assert (refused.check, refused.level, refused.detail) == ("redis", "error", f"{server} (external)")
        assert "INTERLACE_REDIS__URL" in refused.remedy
        assert "another" not in refused.remedy


def test_a_redis_that_drops_what_it_holds_is_warned_of(address: str, tmp_path: Path) -> None:
    with redis.Redis.from_url(address) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
    answers, drops = examined(tmp_path, redis=RedisSettings(url=SecretStr(address)))
    assert (answers.level, drops.level) == ("ok", "warn")
    assert drops.detail.startswith("allkeys-lru: ")
    assert "`maxmemory-policy noeviction`" in drops.remedy


def test_qdrant_is_asked_with_the_key_of_the_settings(tmp_path: Path) -> None:
    server = EdgeProcess(tmp_path).start()
    try:
        (answers,) = examined(tmp_path, qdrant=QdrantSettings(url=server.url, api_key=SecretStr(KEY)))
        (refused,) = examined(tmp_path, qdrant=QdrantSettings(url=server.url, api_key=SecretStr("another")))
    finally:
        server.stop()
    assert (answers.check, answers.level) == ("qdrant", "ok")
    assert (refused.check, refused.level) == ("qdrant", "error")
    assert "INTERLACE_QDRANT__API_KEY" in refused.remedy


def test_servers_that_do_not_answer_are_named(tmp_path: Path) -> None:
    ports = [free_port() for _ in range(3)]
    found = examined(
        tmp_path,
        neo4j=Neo4jSettings(uri=f"bolt://127.0.0.1:{ports[0]}"),
        qdrant=QdrantSettings(url=f"http://127.0.0.1:{ports[1]}"),
        redis=RedisSettings(url=SecretStr(f"redis://127.0.0.1:{ports[2]}/0")),
    )
    assert [(each.check, each.level, each.detail) for each in found] == [
        (name, "error", f"127.0.0.1:{port} (external)")
        for name, port in zip(("neo4j", "qdrant", "redis"), ports, strict=True)
    ]
    assert all("is it running?" in each.remedy for each in found)


def test_a_stack_that_is_not_running_is_not_asked(tmp_path: Path) -> None:
    assert examined(tmp_path) == []
