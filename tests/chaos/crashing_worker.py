"""A worker that is killed at a named boundary of its work: ``python -m tests.chaos.crashing_worker BOUNDARY``.

The product knows nothing of this: the named method is wrapped from outside, and the first call that matches ends the process by
SIGKILL, just before or just after it. A worker that never comes to its boundary goes on working until it is stopped.
"""

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.adapters.qdrant.index import QdrantVectorIndex
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.writer import GraphWriter


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where a worker dies.

    Args:
        owner: the class whose method is wrapped.
        method: the method's name.
        before: die instead of the call; else right after it.
        word: a string that must be among the call's arguments; none for any call.
    """

    owner: type
    method: str
    before: bool = False
    word: str | None = None


BOUNDARIES = {
    "received": Boundary(Ledger, "claim", before=True),
    "claimed": Boundary(Ledger, "claim"),
    "parsed": Boundary(Ledger, "advance", word="parsed"),
    "extracted": Boundary(Ledger, "advance", word="extracted"),
    "entering": Boundary(Outbox, "enter", before=True),
    "entered": Boundary(Outbox, "enter"),
    "upserted": Boundary(QdrantVectorIndex, "upsert"),
    "projected": Boundary(Ledger, "advance", word="projected"),
    "writing": Boundary(GraphWriter, "write", before=True),
    "committing": Boundary(Neo4jDatabase, "transact"),
    "committed": Boundary(GraphWriter, "write"),
    "dispatching": Boundary(QdrantVectorIndex, "delete"),
    "resynced": Boundary(QdrantVectorIndex, "set_payloads"),
    "applied": Boundary(Outbox, "apply"),
    "dispatched": Boundary(Outbox, "dispatch"),
}
"""In the order in which a batch that adds, changes and deletes comes to them."""

DURABLE = tuple(BOUNDARIES)[tuple(BOUNDARIES).index("committed") :]
"""Those behind the commit: what is finished there must never be extracted again."""


def arm(boundary: Boundary) -> None:
    """Wrap the boundary's method."""
    real: Callable[..., Any] = getattr(boundary.owner, boundary.method)

    @wraps(real)
    def fatal(*args: Any, **kwargs: Any) -> Any:
        matches = boundary.word is None or boundary.word in args
        if matches and boundary.before:
            _die()
        result = real(*args, **kwargs)
        if matches:
            _die()
        return result

    setattr(boundary.owner, boundary.method, fatal)


def arm_commit() -> None:
    """Die with all of the transaction's work done and none of it committed."""
    real = Neo4jDatabase.transact

    def uncommitted(self: Neo4jDatabase, work: Callable[[Any], Any]) -> Any:
        def fatal(transaction: Any) -> Any:
            work(transaction)
            _die()

        return real(self, fatal)

    setattr(Neo4jDatabase, "transact", uncommitted)  # noqa: B010 - the type checker refuses an assignment to a method


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(name: str) -> None:
    """Work like ``interlace worker``, in one process without a pool, until the boundary."""
    if name == "committing":
        arm_commit()
    else:
        arm(BOUNDARIES[name])
    from interlace_workers.app import app

    app.worker_main(
        [
            "worker",
            "--queues=ingest",
            "--pool=solo",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
            "--loglevel=info",
        ]
    )


if __name__ == "__main__":
    main(sys.argv[1])
