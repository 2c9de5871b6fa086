"""The thread that renews leases, with an event in place of the graph."""

import threading

import pytest

from interlace.domain.errors import UnavailableError
from interlace.leases.heartbeat import Heartbeat

PATIENCE_SECONDS = 60.0


@pytest.mark.parametrize("failure", [UnavailableError("Neo4j does not answer."), ZeroDivisionError()])
def test_it_renews_again_after_a_renewal_that_failed(failure: Exception) -> None:
    heartbeat, renewed, seen = Heartbeat(0.001), threading.Event(), list[None]()

    def renew() -> None:
        seen.append(None)
        if len(seen) == 1:
            raise failure
        renewed.set()

    heartbeat.start(renew)
    assert renewed.wait(PATIENCE_SECONDS)
    heartbeat.close()


def test_what_is_stopped_is_not_renewed_while_others_are() -> None:
    heartbeat, others, seen = Heartbeat(0.001), threading.Event(), list[None]()

    def renew() -> None:
        seen.append(None)

    heartbeat.start(renew)
    heartbeat.stop(renew)
    before = len(seen)
    rounds: list[None] = []

    def other() -> None:
        rounds.append(None)
        if len(rounds) > 2:
            others.set()

    heartbeat.start(other)
    assert others.wait(PATIENCE_SECONDS)
    heartbeat.close()
    # A renewal that had begun when it was stopped may still end.
    assert len(seen) <= before + 1


def test_an_error_stops_the_renewal_and_success_does_not() -> None:
    heartbeat, renewed = Heartbeat(0.001), threading.Event()
    with heartbeat.stopped_on_error(renewed.set):
        heartbeat.start(renewed.set)
    assert renewed.wait(PATIENCE_SECONDS)
    heartbeat.close()
    other, seen = Heartbeat(3600), list[None]()

    def renew() -> None:
        seen.append(None)

    other.start(renew)
    with pytest.raises(ZeroDivisionError), other.stopped_on_error(renew):
        raise ZeroDivisionError
    assert renew not in other._renewals
    other.close()
