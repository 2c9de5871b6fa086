"""Begins the worker anew when the queue's server was away.

A worker that lost Redis while all its processes were at work may never ask for tasks again: Celery looks for a lost connection only
where it waits for messages. A fresh worker costs seconds, and whoever supervises it starts it again.
"""

import logging
import os
import signal
import threading
import time

from interlace.adapters.redis.queue import CeleryQueue
from interlace.domain.errors import UnavailableError

LOOK_SECONDS = 2.0
PATIENCE_SECONDS = 120.0
_EXIT_TEMPORARY_FAILURE = 75
_log = logging.getLogger(__name__)


def watch(queue: CeleryQueue) -> threading.Thread:
    """Look after the queue in a daemon thread of the worker's parent process."""
    thread = threading.Thread(target=_leave_after_outage, args=(queue,), name="broker-watch", daemon=True)
    thread.start()
    return thread


def _leave_after_outage(queue: CeleryQueue) -> None:
    known = wait_for_queue(queue)
    while wait_for_queue(queue) == known:
        time.sleep(LOOK_SECONDS)
    _log.warning("Redis was away and is back: this worker ends, to be started anew")
    os.kill(os.getpid(), signal.SIGTERM)  # lets the tasks in hand finish
    time.sleep(PATIENCE_SECONDS)
    os._exit(_EXIT_TEMPORARY_FAILURE)  # what they held is taken over when its lease ends


def wait_for_queue(queue: CeleryQueue) -> str:
    """Return what tells this run of the queue's server from others, as soon as it answers; an outage on the way makes it another."""
    missed = ""
    while True:
        try:
            return queue.incarnation() + missed
        except UnavailableError:
            missed = " after an outage"
            time.sleep(LOOK_SECONDS)
