"""An application on a real socket."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI
from tests.support.ports import free_port
from tests.support.waiting import until

from interlace.api.server import server_config
from interlace.settings import ApiSettings


@contextmanager
def served(app: FastAPI) -> Iterator[int]:
    """Serve an application on loopback as its users would; give the port."""
    settings = ApiSettings(port=free_port())
    server = uvicorn.Server(server_config(app, settings))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        yield settings.port
    finally:
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive()
