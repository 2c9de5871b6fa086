"""The worker's watch over its queue: what counts as the same run of the server, and what as another."""

import threading
from typing import Any, cast

import pytest
from celery.worker import request
from kombu.message import Message

from interlace.domain.errors import UnavailableError
from interlace_workers import broker_watch


class Server:
    """Gives prepared answers, one after another."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)

    def incarnation(self) -> str:
        answer = self._answers.pop(0)
        if not answer:
            raise UnavailableError("away")
        return answer


@pytest.mark.parametrize(
    ("answers", "same"), [(("a", "a"), True), (("a", "b"), False), (("a", "", "", "a"), False), (("a", "", "b"), False)]
)
def test_a_restart_or_an_outage_makes_another_run(
    answers: tuple[str, ...], same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_watch, "POLL_SECONDS", 0)
    server = cast("Any", Server(*answers))
    assert (broker_watch.wait_for_queue(server) == broker_watch.wait_for_queue(server)) is same


def test_a_worker_that_starts_during_an_outage_restarts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_watch, "POLL_SECONDS", 0)
    server = cast("Any", Server("", "a", "a"))
    assert broker_watch.wait_for_queue(server) != broker_watch.wait_for_queue(server)


class Channel:
    """Has lost its connection; also the server, which is there again."""

    no_ack_consumers = None

    def basic_ack(self, *_: object, **__: object) -> None:
        raise ConnectionError("cut")

    def incarnation(self) -> str:
        return "a"

    def record_worker(self, name: str, seconds: float) -> None:
        assert name
        assert seconds > broker_watch.POLL_SECONDS


def test_a_task_that_could_not_be_acknowledged_ends_the_worker_whatever_redis_says_of_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broker_watch, "POLL_SECONDS", 0.01)
    ended, over = threading.Event(), threading.Event()
    monkeypatch.setattr("interlace_workers.broker_watch.os.kill", lambda *_: ended.set())
    monkeypatch.setattr("interlace_workers.broker_watch.time.sleep", lambda _: None)
    monkeypatch.setattr("interlace_workers.broker_watch.os._exit", lambda _: over.set())
    broker_watch.watch(cast("Any", Channel()))
    assert not ended.wait(0.2)
    message = cast("Any", Message)(channel=Channel(), delivery_tag="1")
    message.ack_log_error(request.logger, (ConnectionError,))
    assert ended.wait(60)
    assert over.wait(60)
