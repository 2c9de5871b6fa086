"""Two processes of the API on one stack: a rate is one for both, and a revoked key is refused by both within a second."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

import httpx
import pytest
from tests.integration.ingestion_world import ad_hoc
from tests.support.ports import free_ports
from tests.support.waiting import until

from interlace.access.keys import ApiKeys, Grant
from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.settings import Settings

pytestmark = pytest.mark.stack
RATE = 6
PROGRAM = """
from interlace.adapters.redis import rate_limiter
from interlace.cli.main import run

rate_limiter._SECONDS = 30
run()
"""
"""The command line, for which Redis on a busy machine is not away: where it does not answer in a quarter of a second, rates are off."""
FORGET = ad_hoc("MATCH (n) WHERE n:ApiKey OR n:AuditEntry DETACH DELETE n", "write")


@pytest.fixture
def graph(stack: Settings) -> Iterator[Neo4jDatabase]:
    with closing(Neo4jDatabase(stack.neo4j)) as opened:
        opened.run(FORGET)
        yield opened
        opened.run(FORGET)


@pytest.fixture
def processes(stack: Settings, graph: Neo4jDatabase) -> Iterator[list[httpx.Client]]:
    """Clients of two API processes, each started as its users start one, but for its patience with Redis."""
    del graph
    with ExitStack() as opened:
        ports = free_ports(2)
        started = [opened.enter_context(_api(stack, port)) for port in ports]
        clients = [
            opened.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False))
            for port in ports
        ]
        try:
            for process, client in zip(started, clients, strict=True):
                _await(process, client)
            yield clients
        finally:
            for process in started:
                process.terminate()


def _api(stack: Settings, port: int) -> "subprocess.Popen[bytes]":
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INTERLACE_")}
    environment |= {
        "INTERLACE_STACK__HOME": str(stack.stack.home),
        "INTERLACE_STACK__NAME": stack.stack.name,
        "INTERLACE_EMBEDDING__ENABLED": "false",
        "INTERLACE_API__PORT": str(port),
    }
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "api"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _await(process: "subprocess.Popen[bytes]", client: httpx.Client) -> None:
    def answers() -> bool:
        assert process.poll() is None
        return client.get("/livez").is_success

    until(answers, 240, despite=(httpx.TransportError,))


def _status(client: httpx.Client, key: str) -> int:
    return client.get("/v1/tenants", headers={"X-API-Key": key}).status_code


def test_a_rate_is_one_for_both_and_a_revoked_key_is_refused_by_both_within_a_second(
    processes: list[httpx.Client], graph: Neo4jDatabase
) -> None:
    keys = ApiKeys(graph)
    limited = keys.create(Grant("limited", ("default",), ("read",), rate=RATE)).key
    found = [_status(client, limited) for _ in range(RATE) for client in processes]
    assert found.count(200) == RATE
    assert set(found) == {200, 429}

    free = keys.create(Grant("free", ("default",), ("read",)))
    assert [_status(client, free.key) for client in processes] == [200, 200]
    keys.revoke(free.id)
    refused_from = time.monotonic() + 1
    for client in processes:
        asked = time.monotonic()
        while _status(client, free.key) == 200:
            assert asked < refused_from
            asked = time.monotonic()
