"""Pairs that may be one entity, decided one after the other at a terminal."""

import sys
from typing import Any

import pytest
import typer

from interlace.cli.commands import decisions
from interlace.entities.candidates import MergeCandidate, Side

PAIRS = [
    MergeCandidate(Side(f"{name}1", name, "Person", (), 1), Side(f"{name}2", name, "Person", (), 1), 0.9, {})
    for name in ("ada", "bob", "cyd")
]


class DecisionLog:
    """Records what is decided and undone."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.gone: set[str] = set()

    def decide(self, _: str, request: Any) -> str:
        self.log.append(f"{request.kind} {request.names[0]}")
        if request.kind == "same":
            self.gone.add(request.names[1])
        return f"of {request.names[0]}"

    def undo(self, _: str, identity: str) -> None:
        self.log.append(f"undo {identity}")
        self.gone.clear()

    def standing(self, _: str, __: str) -> None:
        return None


class Queue:
    """Has every entity but those that a recorded merge took away."""

    def __init__(self, made: DecisionLog) -> None:
        self._made = made

    def exist(self, pair: MergeCandidate) -> bool:
        return not {pair.one.id, pair.other.id} & self._made.gone


def decide(monkeypatch: pytest.MonkeyPatch, keys: str, made: DecisionLog, pairs: list[MergeCandidate]) -> None:
    """Offer pairs to somebody who presses these keys."""
    pressed = iter(keys)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(typer, "getchar", lambda: next(pressed))
    decisions._decide_all(made, "t", Queue(made), pairs)  # type: ignore[arg-type]


def test_an_undone_pair_is_offered_again(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made = DecisionLog()
    with pytest.raises(StopIteration):
        decide(monkeypatch, "uysuny", made, PAIRS)
    # The first `u` has nothing to undo; the second one is pressed at the third pair, after the second was skipped.
    assert made.log == ["same ada1", "undo of ada1", "different ada1", "same bob1"]
    shown = capsys.readouterr()
    offered = [line.split()[1] for line in shown.out.splitlines() if line.startswith("name")]
    assert offered == ["ada", "bob", "cyd", "ada", "bob", "cyd"]
    assert "[u]ndo" not in shown.err.splitlines()[0]
    assert "[u]ndo" in shown.err


def test_a_pair_is_passed_over_while_a_merge_has_taken_one_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, _ = PAIRS
    overlapping = [first, MergeCandidate(first.other, second.one, 0.8, {}), second]
    made = DecisionLog()
    decide(monkeypatch, "yunny", made, overlapping)
    # After the merge the second pair is passed over; after its undoing it is there again.
    assert made.log == ["same ada1", "undo of ada1", "different ada1", "different ada2", "same bob1"]
    shown = capsys.readouterr()
    assert [line.split()[1] for line in shown.out.splitlines() if line.startswith("name")] == [
        "ada", "bob", "ada", "ada", "bob",
    ]  # fmt: skip
    assert shown.err.count("passed over: ada and bob") == 1
