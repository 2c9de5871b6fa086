"""Pauses of a failing provider: how long, and from which failure on."""

import math

import pytest
from tests.support.clock import Clock

from interlace.domain.errors import InvalidOutputError, RateLimitedError, UnavailableError
from interlace.language_models.pauses import UNUSABLE_IN_A_ROW, Backoff, Pause, ProviderPauses

DOWN = UnavailableError("down")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pauses(clock: Clock) -> ProviderPauses:
    return ProviderPauses(Backoff(10.0, 80.0), clock)


def test_pauses_double_up_to_the_longest(clock: Clock, pauses: ProviderPauses) -> None:
    for expected in (10, 20, 40, 80, 80, 80):
        seconds = pauses.after(DOWN)
        assert expected / 2 <= seconds <= expected * 1.5
        assert pauses.left == seconds
        clock.now += seconds
        assert pauses.left == 0
    pauses.reset()
    assert pauses.after(DOWN) <= 15


def test_an_outage_may_last_for_thousands_of_failures() -> None:
    assert Backoff(2.0, 600.0).after(5000) <= 900


def test_tolerated_failures_cause_no_pause(clock: Clock) -> None:
    pauses = ProviderPauses(Backoff(10.0, 80.0, tolerated=1), clock)
    assert pauses.after(DOWN) == 0
    assert pauses.after(DOWN) >= 5


def test_a_wait_that_the_provider_asks_for_is_kept_in_full(clock: Clock, pauses: ProviderPauses) -> None:
    assert 1000 <= pauses.after(RateLimitedError("slower", retry_after=1000)) <= 1200
    clock.now += 500
    assert pauses.after(DOWN) >= 500, "a failure in the meantime does not shorten it"
    assert pauses.after(RateLimitedError("slower", retry_after=5000)) >= 5000


def test_a_wait_of_no_time_is_no_answer_to_how_long(pauses: ProviderPauses) -> None:
    assert pauses.after(RateLimitedError("slower", retry_after=0)) > 0


def test_failures_during_a_pause_do_not_double_the_next(clock: Clock, pauses: ProviderPauses) -> None:
    first = pauses.after(DOWN)
    assert [pauses.after(DOWN) for _ in range(5)] == [first] * 5
    clock.now += math.ceil(first)
    assert pauses.after(DOWN) <= 30


def test_a_run_of_unusable_answers_is_a_failure_and_one_usable_answer_ends_it(pauses: ProviderPauses) -> None:
    fault = InvalidOutputError("nonsense")
    for _ in range(2):
        assert [pauses.unusable(fault) for _ in range(UNUSABLE_IN_A_ROW - 1)] == [None] * (UNUSABLE_IN_A_ROW - 1)
        assert pauses.left == 0
        pauses.reset()
    *_, last = (pauses.unusable(fault) for _ in range(UNUSABLE_IN_A_ROW))
    assert last == Pause("5 answers in a row could not be used. nonsense", pauses.left)
