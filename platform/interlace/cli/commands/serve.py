"""``interlace api``, ``worker`` and ``beat``: the processes of a running platform, each in the foreground."""

import signal
import sys
import threading
from types import FrameType

import typer

from interlace.cli.output import settings_for

# A killed scheduler's lock lapses after five of these, then another takes over.
_BEAT_SECONDS = 5
_QUEUES = ("ingest", "retry", "enrich", "communities", "maintain")


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command()(api)
    app.command()(worker)
    app.command()(beat)


def api() -> None:
    """Serve the HTTP API until SIGTERM or Ctrl-C."""
    from interlace.api.server import serve
    from interlace.bootstrap import Platform
    from interlace.logs import configure_logging
    from interlace.tracing import start_tracing, stop_tracing

    settings = settings_for()
    configure_logging(settings.log_format)
    start_tracing("api")
    # uvicorn raises the signal that ended it once more; by then all requests are answered, so the exit code is 0.
    signal.signal(signal.SIGTERM, _exit)
    platform = Platform.open(settings)
    threading.Thread(target=platform.warm_queries, name="warm", daemon=True).start()
    try:
        serve(platform)
    finally:
        platform.close()
        stop_tracing()


def worker() -> None:
    """Process documents and communities until SIGTERM, which lets tasks in progress finish."""
    # In this process rather than by exec: the local stack knows its worker by this command line.
    from interlace_workers.app import app

    app.worker_main(
        [
            "worker",
            f"--queues={','.join(_QUEUES)}",
            f"--concurrency={settings_for().worker.processes}",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
            "--loglevel=info",
        ]
    )


def beat() -> None:
    """Send tasks on their schedule until SIGTERM. A second one waits until the first is gone."""
    from interlace_workers.app import app

    app.start(
        [
            "beat",
            "--scheduler=redbeat.RedBeatScheduler",
            f"--max-interval={_BEAT_SECONDS}",
            "--pidfile=",
            "--loglevel=info",
        ]
    )


def _exit(_: int, __: FrameType | None) -> None:
    sys.exit(0)
