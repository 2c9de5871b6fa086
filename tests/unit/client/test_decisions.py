"""Decisions about entities from Python."""

from typing import Any

import pytest

from interlace.client.decisions import DecisionClient


class OneAnswer:
    """Answers every POST alike."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.answer = answer

    def post(self, _: str, __: dict[str, Any]) -> dict[str, Any]:
        return self.answer


def client(*, overruled: bool, passed_over: tuple[str, ...] = ()) -> DecisionClient:
    http: Any = OneAnswer({"id": "d1", "overruled": overruled, "passed_over": list(passed_over)})
    return DecisionClient(http)


def test_a_decision_returns_its_id() -> None:
    assert client(overruled=False).merge("NYC", "New York") == "d1"


def test_a_decision_without_effect_warns_the_caller() -> None:
    with pytest.warns(UserWarning, match="no effect") as warned:
        assert client(overruled=True).different("NYC", "New York") == "d1"
    assert warned[0].filename == __file__


def test_a_split_that_another_one_limits_warns_the_caller() -> None:
    with pytest.warns(UserWarning, match="In 1 of the documents another split decides") as warned:
        assert client(overruled=False, passed_over=("d2",)).split("Mercury", "Mercury (planet)", ["d1", "d2"]) == "d1"
    assert warned[0].filename == __file__
