"""How long a read may take on the server: a plan that is given up is not kept, so the next such read would wait for it, too, and be given up."""

import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, TypeVar

from interlace.domain.errors import QueryRefusedError, UnavailableError
from interlace.ports.graph import Query

T = TypeVar("T")
PLAN_SECONDS: Final = 15.0
"""For a read with its plan: the longest took 4 s on two idle cores, on a server just started."""
REPLAN_SECONDS: Final = 600.0
"""The server keeps a plan at least so long (``dbms.cypher.min_replan_interval``)."""
DOUBT_SECONDS: Final = 60.0
"""After so long a read that was late even with the time for a plan is given it again: a very busy server may not have finished one."""


class KnownPlans:
    """Which reads the server has planned, as far as this process knows; safe to share between threads."""

    def __init__(self) -> None:
        self._trusted_until: dict[Hashable, float] = {}

    def within(self, timeout: float, query: Query, params: Mapping[str, Any], read: Callable[[float], T]) -> T:
        """Return what ``read`` returns for the seconds that the server may take: the timeout, or longer if it may have to plan first.

        A caller that cannot wait longer leaves the read to its thread, which finishes the plan for the next one.

        Raises:
            InterlaceError: what ``read`` raises.
        """
        # Nulls and empty lists are types of their own to the planner.
        empty = ((name, value is None) for name, value in params.items() if value is None or value == [])
        plan = (query.name, frozenset(empty))
        trusted = self._trusted_until.get(plan)
        try:
            result = read(max(timeout, PLAN_SECONDS) if trusted is None else timeout)
        except UnavailableError:
            self._trusted_until.clear()  # a server that was restarted has no plans
            raise
        except QueryRefusedError:
            if trusted is None:  # most likely it is slow with its plan, too
                self._trusted_until[plan] = time.monotonic() + DOUBT_SECONDS
            elif time.monotonic() > trusted:
                self._trusted_until.pop(plan, None)
            raise
        self._trusted_until.setdefault(plan, time.monotonic() + REPLAN_SECONDS)
        return result
