"""The Celery application of the workers: ``celery -A interlace_workers.app worker``."""

import gc
import threading
from contextlib import suppress

from celery.signals import setup_logging, worker_init, worker_process_init, worker_process_shutdown, worker_ready

from interlace.adapters.redis.celery_app import celery_app, schedule
from interlace.adapters.redis.queue import CeleryQueue
from interlace.domain.errors import InterlaceError
from interlace.logs import configure_logging
from interlace.settings import load_settings
from interlace.tracing import start_tracing, stop_tracing
from interlace_stack.connect import connect
from interlace_workers.broker_watch import watch
from interlace_workers.process import close_platform, platform

_settings = connect(load_settings())
app = celery_app(_settings.redis, _settings.worker)
app.conf.imports = ("interlace_workers.tasks",)
app.conf.beat_schedule = schedule(_settings.ingest.lease_seconds)


@setup_logging.connect  # type: ignore[untyped-decorator]
def _configure_logging(**_: object) -> None:
    # A receiver of this signal keeps Celery from installing handlers of its own.
    configure_logging(_settings.log_format)


@worker_init.connect  # type: ignore[untyped-decorator]
def _load_what_processes_share(**_: object) -> None:
    # Before the pool forks: its processes then start without delay, and share the memory of code and pipeline.
    import interlace.bootstrap  # noqa: F401 - what each process's platform needs
    from interlace.adapters.spacy.parser import load_pipeline

    with suppress(InterlaceError):  # each task says what is missing
        load_pipeline(_settings.spacy.pipeline)
    gc.freeze()  # a collection would write to the shared pages, and so copy them


@worker_process_init.connect  # type: ignore[untyped-decorator]
def _warm_up(**_: object) -> None:
    start_tracing("worker")
    # In a thread: Celery considers a pool process dead if it is not up within seconds.
    threading.Thread(target=lambda: platform().warm(), name="warm-up", daemon=True).start()


@worker_ready.connect  # type: ignore[untyped-decorator]
def _watch(**_: object) -> None:
    watch(CeleryQueue(_settings.redis, _settings.worker, app))


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def _close(**_: object) -> None:
    close_platform()
    stop_tracing()
