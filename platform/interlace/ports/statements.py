"""Statements that callers wrote, as the guard sees them: a plan first, then rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of an execution plan.

    Args:
        name: for example ``NodeIndexSeek``, without the name of the database.
        details: what it works on, as the planner writes it.
        children: the operators that feed it.
    """

    name: str
    details: str
    children: "tuple[Operator, ...]" = ()


@dataclass(frozen=True, slots=True)
class StatementPlan:
    """What the database would do: ``r``, ``rw``, ``w`` or ``s``, and by which operators."""

    kind: str
    root: Operator


@dataclass(frozen=True, slots=True)
class Limits:
    """What one statement may take: a timeout in seconds, rows and bytes of its answer."""

    timeout: float
    rows: int
    size: int


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a statement in plain Python, and whether a limit cut them off."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    truncated: bool


class StatementRunner(Protocol):
    """Plans and runs statements that others wrote, in read transactions that are never repeated.

    Both raise ``InvalidInputError`` for a statement that the database refuses or that reaches a limit, and ``UnavailableError`` when it
    does not answer.
    """

    def plan(self, text: str, params: Mapping[str, Any]) -> StatementPlan:
        """Return the plan of a statement without running it."""
        ...

    def rows(self, text: str, params: Mapping[str, Any], limits: Limits) -> Table:
        """Run a statement and return its rows."""
        ...
