"""Several calls of a language model, and what stops them."""

import threading

import pytest

from interlace.language_models.calls import call_for_each
from interlace.language_models.pauses import Pause


def test_a_pause_of_one_job_leaves_the_others_and_one_of_all_ends_the_calls() -> None:
    asked = []

    def call(item: str) -> Pause | None:
        asked.append(item)
        return {"a1": Pause("spent", 9.0, "a"), "b2": Pause("down", 1.0)}.get(item)

    pauses = call_for_each(
        ["a1", "a2", "b1", "b2", "c1"], call, concurrency=1, closing=threading.Event(), job=lambda item: item[0]
    )
    assert asked == ["a1", "b1", "b2"]
    assert pauses == [Pause("spent", 9.0, "a"), Pause("down", 1.0)]


def test_of_pauses_found_at_once_the_longest_counts() -> None:
    together = threading.Barrier(3, timeout=10)

    def call(seconds: float) -> Pause:
        together.wait()
        return Pause(f"{seconds}", seconds)

    assert call_for_each([1.0, 3.0, 2.0], call, concurrency=3, closing=threading.Event()) == [Pause("3.0", 3.0)]


@pytest.mark.parametrize("concurrency", [1, 2])
def test_nothing_is_called_while_closing(concurrency: int) -> None:
    closing = threading.Event()
    closing.set()
    assert call_for_each([1], lambda _: Pause("called", 1.0), concurrency=concurrency, closing=closing) == []
