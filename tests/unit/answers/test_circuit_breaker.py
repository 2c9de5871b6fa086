"""The circuit breaker of answers: time limits, and suspended calls after failures."""

import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from tests.support.clock import Clock

from interlace.answers.circuit_breaker import CircuitBreaker, Emit
from interlace.domain.errors import InvalidOutputError, NoProviderError, RateLimitedError, UnavailableError
from interlace.language_models.pauses import UNUSABLE_IN_A_ROW


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """A gate that calls wait at; it opens at the end, so that no thread is left."""
    opened = threading.Event()
    yield opened
    opened.set()


@pytest.fixture(autouse=True)
def _without_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlace.language_models.pauses.random", SimpleNamespace(uniform=lambda *_: 1.0))


def raising(error: Exception) -> Callable[[Emit[int]], bool]:
    def work(_: Emit[int]) -> bool:
        raise error

    return work


def fail(breaker: CircuitBreaker, error: Exception) -> None:
    with pytest.raises(type(error)):
        list(breaker.call(raising(error), 5))


def seven(emit: Emit[int]) -> bool:
    emit(7)
    return True


def test_a_call_returns_what_it_found_or_raises() -> None:
    breaker = CircuitBreaker()
    assert list(breaker.call(seven, 5)) == [7]
    with pytest.raises(ZeroDivisionError):
        list(breaker.call(raising(ZeroDivisionError()), 5))


def test_what_a_call_emits_is_there_before_it_ends(gate: threading.Event) -> None:
    def work(emit: Emit[int]) -> bool:
        emit(1)
        gate.wait()
        emit(2)
        return True

    emitted = CircuitBreaker().call(work, 60)
    assert next(emitted) == 1
    gate.set()
    assert list(emitted) == [2]


def test_what_a_late_call_emitted_in_time_is_kept(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("interlace.answers.circuit_breaker.time", SimpleNamespace(monotonic=clock))

    def work(emit: Emit[int]) -> bool:
        emit(1)
        return gate.wait()

    emitted = CircuitBreaker().call(work, 60)
    assert next(emitted) == 1
    clock.now += 61
    with pytest.raises(UnavailableError, match="did not answer"):
        next(emitted)


def test_a_late_call_is_not_waited_for(gate: threading.Event) -> None:
    with pytest.raises(UnavailableError, match=r"did not answer within 0\.01 s"):
        list(CircuitBreaker().call(lambda _: gate.wait(), 0.01))


def test_a_call_too_many_is_refused_and_not_made_to_wait(gate: threading.Event) -> None:
    breaker = CircuitBreaker(calls=1)
    with pytest.raises(UnavailableError, match="did not answer"):
        list(breaker.call(lambda _: gate.wait(), 0.01))
    with pytest.raises(UnavailableError, match="busy"):
        list(breaker.call(seven, 5))


def test_after_two_failures_calls_are_suspended_ever_longer() -> None:
    clock = Clock()
    breaker = CircuitBreaker(clock)
    fail(breaker, UnavailableError("down"))
    fail(breaker, UnavailableError("down"))
    with pytest.raises(UnavailableError, match="calls to it are suspended for 5 s"):
        list(breaker.call(seven, 5))
    clock.now += 5
    fail(breaker, UnavailableError("down"))
    with pytest.raises(UnavailableError, match="suspended for 10 s"):
        list(breaker.call(seven, 5))
    clock.now += 10
    assert list(breaker.call(seven, 5)) == [7]
    fail(breaker, UnavailableError("down"))
    assert list(breaker.call(seven, 5)) == [7], "one failure after a success is no pattern"


def test_a_rate_limit_is_honoured_at_once_and_in_full() -> None:
    clock = Clock()
    breaker = CircuitBreaker(clock)
    fail(breaker, RateLimitedError("slower", retry_after=300))
    with pytest.raises(UnavailableError, match="suspended for 300 s"):
        list(breaker.call(seven, 5))
    clock.now += 300
    assert list(breaker.call(seven, 5)) == [7]


def test_a_failure_of_a_call_in_progress_ends_no_wait_that_the_provider_asked_for() -> None:
    breaker = CircuitBreaker(Clock())
    begun = threading.Event()
    limited = threading.Event()

    def late(emit: Emit[int]) -> bool:
        emit(1)
        begun.set()
        limited.wait()
        raise UnavailableError("down")

    emitted = breaker.call(late, 60)
    assert next(emitted) == 1
    fail(breaker, RateLimitedError("slower", retry_after=60))
    limited.set()
    with pytest.raises(UnavailableError, match="down"):
        next(emitted)
    with pytest.raises(UnavailableError, match="suspended for 60 s"):
        list(breaker.call(seven, 5))


def test_unusable_outputs_suspend_calls_only_after_a_run_of_them() -> None:
    breaker = CircuitBreaker(Clock())
    for _ in range(UNUSABLE_IN_A_ROW - 1):
        fail(breaker, InvalidOutputError("nonsense"))
    assert list(breaker.call(seven, 5)) == [7]
    for _ in range(UNUSABLE_IN_A_ROW):
        fail(breaker, InvalidOutputError("nonsense"))
    with pytest.raises(UnavailableError, match="suspended"):
        list(breaker.call(seven, 5))


def test_a_missing_provider_suspends_nothing() -> None:
    breaker = CircuitBreaker(Clock())
    for _ in range(3):
        fail(breaker, NoProviderError("no provider"))
    assert list(breaker.call(seven, 5)) == [7]


def test_what_ends_without_a_call_is_no_success_of_the_provider() -> None:
    breaker = CircuitBreaker(Clock())
    fail(breaker, UnavailableError("down"))
    assert list(breaker.call(lambda _: False, 5)) == []
    fail(breaker, UnavailableError("down"))
    with pytest.raises(UnavailableError, match="suspended"):
        list(breaker.call(seven, 5))
