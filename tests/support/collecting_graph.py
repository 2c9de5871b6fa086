"""A graph database that answers from prepared rows and records every query with its parameters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from interlace.domain.errors import InterlaceError
from interlace.ports.graph import Query, Row, Transaction

T = TypeVar("T")
Answer = Sequence[Row] | InterlaceError | Callable[..., Sequence[Row]]


@dataclass(slots=True)
class CollectingGraph:
    """Implements ``GraphDatabase`` and ``Transaction`` in memory.

    Args:
        answers: by query name its rows, an error to raise, or a function of the parameters; what has no answer returns no rows.
        ran: (query name, parameters) in the order in which the queries ran.
        timeouts: by query name how long it might run, in seconds, as it was last asked.
    """

    answers: dict[str, Answer] = field(default_factory=dict)
    ran: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    timeouts: dict[str, float | None] = field(default_factory=dict)

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        """Record the query and return its prepared answer; parameters must be those that the query declares, as on a real server."""
        assert params.keys() == query.params.keys(), (
            f"{query.name}: {sorted(params)} given, {sorted(query.params)} declared"
        )
        self.ran.append((query.name, params))
        self.timeouts[query.name] = timeout
        answer = self.answers.get(query.name, ())
        if isinstance(answer, InterlaceError):
            raise answer
        return list(answer(**params) if callable(answer) else answer)

    def transact(self, work: Callable[[Transaction], T]) -> T:
        """Run the work once, with this graph as its transaction."""
        return work(self)

    def params_of(self, name: str) -> list[dict[str, Any]]:
        """Return the parameters of each run of a query."""
        return [params for ran, params in self.ran if ran == name]

    def wait_for_commits(self) -> None:
        """Record the wait as a query without parameters."""
        self.ran.append(("wait_for_commits", {}))

    def ping(self) -> float:
        """Return at once."""
        return 0.0

    def close(self) -> None:
        """Nothing is open."""
