"""A real server on a real socket, over services in memory."""

import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
import uvicorn
from tests.support.edge_process import free_port
from tests.support.memory_keys import MemoryKeys
from tests.support.memory_queue import MemoryQueue
from tests.support.memory_rates import MemoryRateLimiter

from interlace.api import slow_clients
from interlace.api.app import create_app
from interlace.api.server import raise_connection_limit, server_config
from interlace.api.services import Services
from interlace.settings import ApiSettings, load_settings


def application() -> Any:
    services = SimpleNamespace(
        settings=load_settings(), graph=MemoryKeys(), queue=MemoryQueue(), rate_limiter=MemoryRateLimiter()
    )
    return create_app(cast("Services", services))


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a real server whose patience is short."""
    monkeypatch.setattr(slow_clients, "HEAD_SECONDS", 3.0)
    raise_connection_limit()
    settings = ApiSettings(port=free_port())
    server = uvicorn.Server(server_config(application(), settings))
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    yield settings.port
    server.should_exit = True
    thread.join(60)
    assert not thread.is_alive()
