"""A world whose process dies at a chosen call to a server, and what the next process does about it."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from tests.integration.ingestion_world import World

from interlace.decisions.writer import DecisionWriter
from interlace.ingestion.older_chunks import CHUNK_BATCH, OlderChunks
from interlace.ports.graph import Transaction
from interlace.settings import Settings

T = TypeVar("T")
_LATER = """
MATCH (n:IngestionRecord|Outbox|Lease|PendingExtraction|ExtractionRecord|GeneratedText {tenant: $tenant})
WHERE n.output IS NULL OR n.retryAt IS NOT NULL
SET n += CASE
  WHEN n:ExtractionRecord THEN {leaseUntil: 0}
  WHEN n:GeneratedText THEN {retryAt: 0}
  ELSE {leaseUntil: 0, retryAt: 0, dueAt: 0, expiresAt: 0}
END
WITH DISTINCT 1 AS done
MATCH (t:Tenant {tenant: $tenant})
SET t.summariesDueAt = null
"""
_LEFT = """
MATCH (n:IngestionRecord|Outbox|PendingRelink|RetiredEntity|PendingDecision {tenant: $tenant})
RETURN labels(n)[0] AS label, n.stage AS stage, n.error AS error
"""
_ROUNDS = 6
_SERVICES = (
    *("processor", "entity_linkers", "outbox", "sweeper", "reconciler", "graph_writer"),
    *("enricher", "summary_writer", "decisions", "entity_vectors"),
)


class Killed(BaseException):
    """Passes through every handler of exceptions, as the end of a process does."""


class Fate:
    """Counts calls, and ends the process that makes a chosen one before it reaches the server: no thread of it makes another.

    Attributes:
        made: names of the methods called since it was armed.

    The thread that renews leases is passed over: it comes when it likes, and has none to renew once the others are dead.
    """

    def __init__(self) -> None:
        self.made: set[str] = set()
        self._left = 0
        self._method = ""
        self._dead = ""
        self._lock = threading.Lock()

    def arm(self, call: int, method: str = "") -> None:
        """Let the ``call``-th call (from 1; 0 for none) from now on, of one method or of any, be the one that is never made."""
        with self._lock:
            self.made = set()
            self._left, self._method, self._dead = call, method, ""

    def spare(self) -> None:
        """Let no call be the last one."""
        with self._lock:
            self._left, self._dead = 0, ""

    def step(self, name: str) -> None:
        """Note that a call is about to be made."""
        if threading.current_thread().name == "heartbeat":
            return
        with self._lock:
            self.made.add(name)
            if self._method in ("", name):
                self._left -= 1
                if self._left == 0:
                    self._dead = name
            if self._dead:
                raise Killed(self._dead)


class Mortal:
    """A port to a server; each call is a step of fate, and so is the commit of a transaction."""

    def __init__(self, inner: Any, fate: Fate) -> None:
        self._inner, self._fate = inner, fate

    def __getattr__(self, name: str) -> Any:
        """Return the port's method, as a step."""
        found = getattr(self._inner, name)

        def step(*args: Any, **params: Any) -> Any:
            self._fate.step(name)
            return found(*args, **params)

        return step

    def transact(self, work: Callable[[Transaction], T]) -> T:
        """Run a transaction; one that dies before its commit leaves nothing."""
        self._fate.step("begin")
        return self._inner.transact(partial(self._whole, work))  # type: ignore[no-any-return]

    def _whole(self, work: Callable[[Transaction], T], transaction: Transaction) -> T:
        done = work(transaction)
        self._fate.step("commit")
        return done


class MortalWorld(World):
    """A world that may die at any call of its servers.

    Args:
        settings: of the servers.
        models: a world that has loaded them.
        batch_size: older chunks that a transaction links, and mentions that a decision moves in one.
        max_atomic_mentions: mentions that a decision moves in a transaction of its own.
    """

    def __init__(
        self, settings: Settings, models: World, batch_size: int = CHUNK_BATCH, max_atomic_mentions: int = CHUNK_BATCH
    ) -> None:
        super().__init__(settings)
        self._batch_size, self._max_atomic_mentions = batch_size, max_atomic_mentions
        self.fate = Fate()
        platform = self.platform
        vars(platform).update(
            graph=Mortal(platform.graph, self.fate),
            vectors=Mortal(platform.vectors, self.fate),
            extractor=models.platform.extractor,
            embedder=models.platform.embedder,
        )
        self._begin()

    def die_working(self, batch: tuple[str, list[str]], call: int, method: str = "") -> str:
        """Process a batch and die as by ``die_at``."""
        return self.die_at(call, lambda: self.platform.processor.process(*batch), method)

    def die_at(self, call: int, work: Callable[[], object], method: str = "") -> str:
        """Do work and die at the ``call``-th call (of a method); return which one it was, or an empty text if there were fewer."""
        self.fate.arm(call, method)
        try:
            work()
        except Killed as death:
            return str(death)
        finally:
            self._restart()
        return ""

    def _restart(self) -> None:
        """Forget what a process remembers besides its models."""
        self.platform.processor.close()
        self.fate.spare()
        for name in _SERVICES:
            vars(self.platform).pop(name, None)
        self._begin()

    def _begin(self) -> None:
        platform = self.platform
        older = OlderChunks(platform.graph, platform.entity_linkers, self._batch_size)
        vars(platform)["older_chunks"] = older
        vars(platform)["decisions"] = DecisionWriter(platform.graph, older, self._max_atomic_mentions, self._batch_size)

    def pass_time(self, tenant: str) -> None:
        """Let leases end, pauses be over and outbox entries fall due."""
        self.run(_LATER, tenant)

    def settle(self, tenant: str) -> None:
        """Let time pass and the sweeper run until nothing is left to do.

        Raises:
            AssertionError: something is left for good.
        """
        for _ in range(_ROUNDS):
            self.pass_time(tenant)
            self.swept(tenant)
            self.work()
            if not self.rows(_LEFT, tenant):
                return
        raise AssertionError(f"work is left after {_ROUNDS} sweeps: {self.rows(_LEFT, tenant)}")
