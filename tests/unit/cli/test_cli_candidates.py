"""Pairs that may be one entity, decided one after the other at a terminal."""

import sys
from typing import Any

import pytest
import typer

from interlace.cli import decisions
from interlace.entities.candidates import MergeCandidate, Side

PAIRS = [
    MergeCandidate(Side(f"{name}1", name, "Person", (), 1), Side(f"{name}2", name, "Person", (), 1), 0.9, {})
    for name in ("ada", "bob", "cyd")
]


class DecisionLog:
    """Records what is decided and undone."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def decide(self, _: str, request: Any) -> str:
        self.log.append(f"{request.kind} {request.names[0]}")
        return f"of {request.names[0]}"

    def undo(self, _: str, identity: str) -> None:
        self.log.append(f"undo {identity}")

    def overruled(self, _: str, __: str) -> bool:
        return False


def test_an_undone_pair_is_offered_again(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made, keys = DecisionLog(), iter("uysuny")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(typer, "getchar", lambda: next(keys))
    with pytest.raises(StopIteration):
        decisions._decide_all(made, "t", PAIRS)  # type: ignore[arg-type]
    # The first `u` has nothing to undo; the second one is pressed at the third pair, after the second was skipped.
    assert made.log == ["same ada1", "undo of ada1", "different ada1", "same bob1"]
    shown = capsys.readouterr()
    offered = [line.split()[1] for line in shown.out.splitlines() if line.startswith("name")]
    assert offered == ["ada", "bob", "cyd", "ada", "bob", "cyd"]
    assert "[u]ndo" not in shown.err.splitlines()[0]
    assert "[u]ndo" in shown.err
