"""The base class of all tasks: context for log lines, metrics and the retry policy, in one place.

The retry policy: Celery retries nothing. Work that a task leaves undone is recorded in the graph, and the sweep or the schedule enqueues
it again; a retry would be a second mechanism for the same. A transient failure ends the task with one log line, any other with its traceback.
"""

import logging
import time
from typing import Any, Final, Literal

from celery import Task
from structlog.contextvars import bind_contextvars, clear_contextvars

from interlace.domain.errors import ConflictError, SettingsError, UnavailableError
from interlace.tracing import continued_span
from interlace_workers.process import platform

Outcome = Literal["succeeded", "deferred", "failed"]
_logger = logging.getLogger(__name__)
_DEFERRED: Final = (UnavailableError, ConflictError, SettingsError)


class ServiceTask(Task):  # type: ignore[misc]
    """A task that calls one service. Its arguments are ids, passed by keyword; each of its log lines names task and tenant."""

    abstract = True
    max_retries = 0

    def __call__(self, **kwargs: Any) -> None:
        """Run the task in its context and record the outcome."""
        clear_contextvars()
        bind_contextvars(task=self.name, task_id=self.request.id)
        if tenant := kwargs.get("tenant"):
            bind_contextvars(tenant=tenant)
        started = time.perf_counter()
        outcome: Outcome = "failed"
        try:
            with continued_span(self.name, self.request.headers):
                # Not ``super().__call__``: the tracer has pushed the request already, and a second one would hide its id.
                self.run(**kwargs)
            outcome = "succeeded"
        except _DEFERRED as error:
            outcome = "deferred"
            level = logging.INFO if isinstance(error, ConflictError) else logging.WARNING
            _logger.log(level, "Deferred until the next sweep or schedule: %s", error.message)
        finally:
            _record(self.name, outcome, time.perf_counter() - started)
            clear_contextvars()


def _record(task: str, outcome: Outcome, seconds: float) -> None:
    """Add a run to the totals that the API publishes; an outage of the queue loses it, which only the metrics notice."""
    try:
        platform().queue.record_run(task, outcome, seconds)
    except UnavailableError:
        _logger.debug("The run is not recorded: the queue does not answer")
