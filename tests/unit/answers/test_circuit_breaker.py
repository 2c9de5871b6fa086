"""Patience with a provider: time limits, and rest after failures."""

import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from tests.support.clock import Clock

from interlace.answers.patience import Give, Patience
from interlace.domain.errors import InvalidOutputError, RateLimitedError, UnavailableError


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """A gate that calls wait at; it opens at the end, so that no thread is left."""
    opened = threading.Event()
    yield opened
    opened.set()


def raising(error: Exception) -> Callable[[Give[int]], None]:
    def work(_: Give[int]) -> None:
        raise error

    return work


def fail(patience: Patience, error: Exception) -> None:
    with pytest.raises(type(error)):
        list(patience.call(raising(error), 5))


def seven(give: Give[int]) -> None:
    give(7)


def test_a_call_returns_what_it_found_or_raises() -> None:
    patience = Patience()
    assert list(patience.call(seven, 5)) == [7]
    with pytest.raises(ZeroDivisionError):
        list(patience.call(raising(ZeroDivisionError()), 5))


def test_what_a_call_gives_is_there_before_it_ends(gate: threading.Event) -> None:
    def work(give: Give[int]) -> None:
        give(1)
        gate.wait()
        give(2)

    given = Patience().call(work, 60)
    assert next(given) == 1
    gate.set()
    assert list(given) == [2]


def test_what_a_late_call_gave_in_time_is_kept(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("interlace.answers.patience.time", SimpleNamespace(monotonic=clock))

    def work(give: Give[int]) -> None:
        give(1)
        gate.wait()

    given = Patience().call(work, 60)
    assert next(given) == 1
    clock.now += 61
    with pytest.raises(UnavailableError, match="did not answer"):
        next(given)


def test_a_late_call_is_not_waited_for(gate: threading.Event) -> None:
    with pytest.raises(UnavailableError, match=r"did not answer within 0\.01 s"):
        list(Patience().call(lambda _: gate.wait(), 0.01))


def test_a_call_too_many_is_refused_and_not_made_to_wait(gate: threading.Event) -> None:
    patience = Patience(calls=1)
    with pytest.raises(UnavailableError, match="did not answer"):
        list(patience.call(lambda _: gate.wait(), 0.01))
    with pytest.raises(UnavailableError, match="busy"):
        list(patience.call(seven, 5))


def test_after_two_failures_the_provider_is_left_alone_ever_longer() -> None:
    clock = Clock()
    patience = Patience(clock)
    fail(patience, UnavailableError("down"))
    fail(patience, InvalidOutputError("nonsense"))
    with pytest.raises(UnavailableError, match="left alone for another 5 s"):
        list(patience.call(seven, 5))
    clock.now += 5
    fail(patience, UnavailableError("down"))
    with pytest.raises(UnavailableError, match="left alone for another 10 s"):
        list(patience.call(seven, 5))
    clock.now += 10
    assert list(patience.call(seven, 5)) == [7]
    fail(patience, UnavailableError("down"))
    assert list(patience.call(seven, 5)) == [7], "one failure after a success is no pattern"


def test_a_rate_limit_is_honoured_at_once() -> None:
    clock = Clock()
    patience = Patience(clock)
    fail(patience, RateLimitedError("slower", retry_after=30))
    with pytest.raises(UnavailableError, match="another 30 s"):
        list(patience.call(seven, 5))
    clock.now += 30
    assert list(patience.call(seven, 5)) == [7]
