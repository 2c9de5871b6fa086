"""What a process relies on for a moment: never too old, never too much."""

import time

import pytest
from tests.support.clock import Clock

from interlace.access.recent import MAX_KEYS, Recent


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "monotonic", made)
    return made


def test_an_answer_ages_from_the_question_on(clock: Clock) -> None:
    kept = Recent[str](5.0)
    asked = clock.now
    clock.now += 4.0
    kept.put("a", "yes", asked)
    assert kept.get("a") == "yes"
    clock.now += 1.0
    assert kept.get("a") is None


def test_an_answer_can_be_forgotten(clock: Clock) -> None:
    kept = Recent[str](5.0)
    kept.put("a", "yes", clock.now)
    kept.forget("a")
    kept.forget("b")
    assert kept.get("a") is None


def test_callers_cannot_fill_the_memory(clock: Clock) -> None:
    kept = Recent[str](5.0)
    for each in range(3 * MAX_KEYS):
        kept.put(str(each), "yes", clock.now)
    assert sum(kept.get(str(each)) is not None for each in range(3 * MAX_KEYS)) <= MAX_KEYS
