"""The base class of tasks: context of log lines, outcomes, totals."""

import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from celery import Celery
from structlog.contextvars import get_contextvars
from tests.support.memory_queue import MemoryQueue

from interlace.domain.errors import ConflictError, UnavailableError
from interlace_workers import task as module
from interlace_workers.task import ServiceTask


class World:
    """An application with one task that does what a test tells it to."""

    def __init__(self, queue: MemoryQueue) -> None:
        self.queue = queue
        self.seen: dict[str, Any] = {}
        self.error: Exception | None = None
        app = Celery("test", set_as_current=False)

        @app.task(name="test.work.v1", base=ServiceTask)  # type: ignore[untyped-decorator]
        def work(*, tenant: str) -> None:
            assert tenant
            self.seen = get_contextvars()
            if self.error:
                raise self.error

        self.work = work

    def outcomes(self) -> list[tuple[str, int]]:
        return [(total.outcome, total.runs) for total in self.queue.totals()]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    queue = MemoryQueue()
    monkeypatch.setattr(module, "platform", lambda: SimpleNamespace(queue=queue))
    yield World(queue)
    assert get_contextvars() == {}


def test_log_lines_of_a_task_name_it_and_its_tenant(world: World) -> None:
    done = world.work.apply(kwargs={"tenant": "blue"}, task_id="t1")
    assert done.successful()
    assert world.seen == {"task": "test.work.v1", "task_id": "t1", "tenant": "blue"}
    assert world.outcomes() == [("succeeded", 1)]


@pytest.mark.parametrize(
    ("error", "level"), [(UnavailableError("away"), logging.WARNING), (ConflictError("busy"), logging.INFO)]
)
def test_what_passes_by_itself_ends_the_task_with_one_line(
    world: World, error: Exception, level: int, caplog: pytest.LogCaptureFixture
) -> None:
    world.error = error
    with caplog.at_level(logging.INFO, logger=module.__name__):
        assert world.work.apply(kwargs={"tenant": "blue"}).successful()
    assert [(record.levelno, record.exc_info) for record in caplog.records] == [(level, None)]
    assert world.outcomes() == [("deferred", 1)]


def test_a_defect_fails_the_task_and_is_not_retried(world: World) -> None:
    world.error = ValueError("a defect")
    done = world.work.apply(kwargs={"tenant": "blue"})
    assert (done.state, str(done.result)) == ("FAILURE", "a defect")
    assert world.outcomes() == [("failed", 1)]


def test_a_queue_that_is_away_costs_the_totals_and_nothing_else(world: World) -> None:
    world.queue.away = True
    assert world.work.apply(kwargs={"tenant": "blue"}).successful()
    assert world.seen["tenant"] == "blue"
