"""A real server on a real socket, over services in memory."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.support.memory_keys import MemoryKeys
from tests.support.memory_queue import MemoryQueue
from tests.support.memory_rates import MemoryRateLimiter
from tests.support.served import served

from interlace.api import slow_clients
from interlace.api.app import create_app
from interlace.api.server import raise_connection_limit
from interlace.bootstrap import Platform
from interlace.settings import load_settings


def application() -> Any:
    services = SimpleNamespace(
        settings=load_settings(), graph=MemoryKeys(), queue=MemoryQueue(), rate_limiter=MemoryRateLimiter()
    )
    return create_app(cast("Platform", services))


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a real server whose patience is short."""
    monkeypatch.setattr(slow_clients, "HEAD_SECONDS", 3.0)
    raise_connection_limit()
    with served(application()) as port:
        yield port
