"""``python -m interlace_edge --host 127.0.0.1 --port 6333 --data FOLDER --api-key-file FILE``: run until SIGTERM or SIGINT."""

import argparse
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool

from interlace_edge.app import create_app
from interlace_edge.storage.catalog import Catalog
from interlace_edge.storage.locks import lock_folder
from interlace_edge.storage.maintenance import Maintenance

GRACE_SECONDS = 10
NO_START = 78


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve, and return the exit status: 0 after a signal, 78 (``EX_CONFIG``) with a sentence on standard error if it cannot start."""
    options = _options(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    try:
        key = _read_key(options.api_key_file)
        descriptor = lock_folder(options.data)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return NO_START
    try:
        _serve(options.host, options.port, Catalog(options.data), key)
    finally:
        os.close(descriptor)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m interlace_edge", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=6333, help="port to listen on")
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--api-key-file", type=Path, required=True, help="file that holds the API key")
    return parser.parse_args(arguments)


def _read_key(file: Path) -> str:
    key = file.read_text(encoding="utf-8").strip()
    if not key or not key.isascii():
        raise ValueError(f"The API key file {file} must hold a key of ASCII characters.")
    return key


def _serve(host: str, port: int, catalog: Catalog, key: str) -> None:
    maintenance = Maintenance(catalog)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        maintenance.start()
        yield
        await run_in_threadpool(maintenance.stop)

    # uvicorn re-raises the signal after it has stopped, with the previous handlers; these make the exit status 0.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    config = uvicorn.Config(
        create_app(catalog, key, lifespan),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    try:
        uvicorn.Server(config).run()
    finally:
        catalog.close()


if __name__ == "__main__":
    sys.exit(main())
