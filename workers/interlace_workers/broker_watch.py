"""Restarts the worker after it has lost its connection to the queue.

A worker that lost Redis while all its processes were at work may never ask for tasks again: Celery looks for a lost connection only
where it waits for messages, and a task that could not be acknowledged counts as in progress for ever. A fresh worker costs seconds,
and its supervisor restarts it.
"""

import logging
import os
import signal
import socket
import threading
import time
from contextlib import suppress

from interlace.adapters.redis.queue import CeleryQueue
from interlace.domain.errors import UnavailableError

POLL_SECONDS = 2.0
SHUTDOWN_GRACE_SECONDS = 40.0
_HEARTBEAT_TTL = 15.0  # several checks long, because a busy machine may be late with one
_EXIT_TEMPORARY_FAILURE = 75
_logger = logging.getLogger(__name__)
# Celery logs there, as critical, that it could not acknowledge or reject a message, and nothing else; it raises nothing.
_ACKNOWLEDGEMENTS = logging.getLogger("celery.worker.request")


class _Unacknowledged(logging.Handler):
    """Notes that a message could not be acknowledged."""

    def __init__(self) -> None:
        super().__init__(logging.CRITICAL)
        self.noted = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002 - its text does not matter
        self.noted.set()


def watch(queue: CeleryQueue) -> threading.Thread:
    """Watch the queue in a daemon thread of the worker's parent process."""
    lost = _Unacknowledged()
    _ACKNOWLEDGEMENTS.addHandler(lost)
    thread = threading.Thread(target=_exit_after_outage, args=(queue, lost.noted), name="broker-watch", daemon=True)
    thread.start()
    return thread


def _exit_after_outage(queue: CeleryQueue, unacknowledged: threading.Event) -> None:
    known = wait_for_queue(queue)
    _send_heartbeat(queue)
    while not unacknowledged.wait(POLL_SECONDS) and wait_for_queue(queue) == known:
        _send_heartbeat(queue)
    wait_for_queue(queue)  # without it a fresh worker would only wait
    _logger.warning(
        "The connection to Redis was lost, and Redis is up: this worker exits, and its supervisor restarts it"
    )
    os.kill(os.getpid(), signal.SIGTERM)  # lets running tasks finish
    time.sleep(SHUTDOWN_GRACE_SECONDS)
    os._exit(_EXIT_TEMPORARY_FAILURE)  # what they held is taken over when its lease ends


def _send_heartbeat(queue: CeleryQueue) -> None:
    """Record this worker, so that callers waiting for a job learn whether any worker runs; its processes may all be busy."""
    with suppress(UnavailableError):  # the check that follows finds the outage
        queue.record_worker(f"{socket.gethostname()}:{os.getpid()}", _HEARTBEAT_TTL)


def wait_for_queue(queue: CeleryQueue) -> str:
    """Return an identifier of this run of the queue's server, as soon as it answers; an outage in the meantime counts as another run."""
    missed = ""
    while True:
        try:
            return queue.incarnation() + missed
        except UnavailableError:
            missed = " after an outage"
            time.sleep(POLL_SECONDS)
