"""The Celery application of the workers: ``celery -A interlace_workers.app worker``.

Each pool process opens the platform once, when its first task comes, because connections and models do not survive a fork.
"""

import logging
import threading
from functools import cache
from typing import TYPE_CHECKING

from celery.signals import worker_process_init, worker_process_shutdown, worker_ready

from interlace.adapters.redis.celery_app import celery_app
from interlace.adapters.redis.queue import CeleryQueue
from interlace.settings import load_settings
from interlace_stack.connect import connect
from interlace_workers.broker_watch import watch

if TYPE_CHECKING:
    from interlace.bootstrap import Platform


@cache
def platform() -> "Platform":
    """Return this process's platform. Imported here, because the scheduler and the pool's parent never need it."""
    from interlace.bootstrap import Platform

    return Platform.open()


_settings = connect(load_settings())
app = celery_app(_settings.redis, _settings.worker)
app.conf.imports = ("interlace_workers.tasks",)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def _warm(**_: object) -> None:
    # In a thread: Celery takes a pool process for dead that is not up within seconds.
    logging.getLogger("interlace").setLevel(logging.INFO)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    threading.Thread(target=lambda: platform().warm(), name="warm", daemon=True).start()


@worker_ready.connect  # type: ignore[untyped-decorator]
def _watch(**_: object) -> None:
    watch(CeleryQueue(_settings.redis, _settings.worker, app))


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def _close(**_: object) -> None:
    if platform.cache_info().currsize:
        platform().close()
