"""The worker's watch over its queue: what counts as the same run of the server, and what as another."""

from typing import Any, cast

import pytest

from interlace.domain.errors import UnavailableError
from interlace_workers import broker_watch


class Server:
    """Answers as told, one after another."""

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
    monkeypatch.setattr(broker_watch, "LOOK_SECONDS", 0)
    server = cast("Any", Server(*answers))
    assert (broker_watch.wait_for_queue(server) == broker_watch.wait_for_queue(server)) is same


def test_a_worker_that_starts_during_an_outage_begins_anew_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_watch, "LOOK_SECONDS", 0)
    server = cast("Any", Server("", "a", "a"))
    assert broker_watch.wait_for_queue(server) != broker_watch.wait_for_queue(server)
