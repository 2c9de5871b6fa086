"""Token budgets that hold across workers: what a call may take is reserved in the graph before it is made.

A reservation counts as spent until it is settled. That of a process that died stays: its call was most likely paid for.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from interlace.domain.ids import stable_id
from interlace.ports.graph import GraphDatabase, QueryRunner
from interlace.queries import extractions as queries

_NO_LIMIT = 2**62
_LOOK_AGAIN_SECONDS = 3600.0
_MIDNIGHT_SECONDS = 5.0  # past midnight, in case the clocks of two machines differ


@dataclass(frozen=True, slots=True)
class Reservation:
    """Tokens set apart for one call."""

    id: str
    job: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was reserved.

    Args:
        reason: a sentence for people.
        seconds: after which to look again.
        job: whether only the job's budget is spent.
    """

    reason: str
    seconds: float
    job: bool


class TokenBudget:
    """The budgets of a tenant's day and of each job.

    Args:
        graph: where they are counted.
        model: the model's name.
        per_day: tokens of a tenant in a day (UTC); 0 for no limit.
        per_job: tokens of a job; 0 for no limit.
    """

    def __init__(self, graph: GraphDatabase, model: str, *, per_day: int, per_job: int) -> None:
        self._graph = graph
        self._model = model
        self._per_day = per_day
        self._per_job = per_job

    def reserve(self, tenant: str, job: str, tokens: int) -> Reservation | Refusal:
        """Reserve tokens for one call, or say why not."""
        now = datetime.now(UTC)
        day = now.date().isoformat()
        identity = stable_id("token-usage", tenant, day, self._model)
        row = queries.reserve_tokens(
            self._graph,
            tenant=tenant,
            id=identity,
            day=day,
            model=self._model,
            job=job,
            tokens=tokens,
            per_day=self._per_day or _NO_LIMIT,
            per_job=self._per_job or _NO_LIMIT,
        )
        if row.reserved:
            return Reservation(identity, job, tokens)
        if row.job_left < tokens:
            return Refusal(_spent("job", "JOB", self._per_job, row.job_left, tokens), _LOOK_AGAIN_SECONDS, job=True)
        midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
        seconds = (midnight - now).total_seconds() + _MIDNIGHT_SECONDS
        return Refusal(_spent("day", "DAY", self._per_day, row.day_left, tokens), seconds, job=False)

    def settle(
        self, runner: QueryRunner, tenant: str, reservation: Reservation, *, tokens: int, cost: float, calls: int
    ) -> None:
        """Replace a reservation by what its call took, in the given transaction or one of its own."""
        queries.settle_tokens(
            runner,
            tenant=tenant,
            id=reservation.id,
            job=reservation.job,
            reserved=reservation.tokens,
            tokens=tokens,
            cost=float(cost),
            calls=calls,
        )


def _spent(what: str, setting: str, limit: int, left: int, tokens: int) -> str:
    # Without the tokens that are left: reasons that are equal are counted together.
    del left, tokens
    again = "It goes on after midnight UTC, or" if what == "day" else "It goes on"
    return (
        f"The {what}'s budget of {limit:,} tokens does not allow another call. {again} with a higher "
        f"INTERLACE_LLM__MAX_TOKENS_PER_{setting} and `interlace documents enrich`."
    )
