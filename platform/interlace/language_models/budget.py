"""Token budgets shared by all workers: the most that a call may use is reserved in the graph before the call.

A reservation counts as spent until it is settled. That of a process that died stays: its call was most likely paid for.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from interlace.domain.errors import InterlaceError, InvalidOutputError, UnavailableError
from interlace.domain.ids import stable_id
from interlace.domain.usage import NO_USAGE, CallUsage
from interlace.language_models.pauses import Pause
from interlace.ports.graph import GraphDatabase, QueryRunner
from interlace.ports.language_model import ModelOutput
from interlace.queries import tokens as queries

_NO_LIMIT = 2**62
_LOOK_AGAIN_SECONDS = 3600.0
_MIDNIGHT_SECONDS = 5.0  # past midnight, in case the clocks of two machines differ
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reservation:
    """Tokens reserved for one call."""

    id: str
    job: str
    tokens: int


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """The budgets of a tenant's day and of each job.

    Args:
        graph: where the usage is counted.
        model: the model's name.
        per_day: tokens per tenant and day (UTC); 0 for no limit.
        per_job: tokens per job; 0 for no limit.
    """

    graph: GraphDatabase
    model: str
    per_day: int
    per_job: int

    def reserve(self, tenant: str, job_id: str, tokens: int) -> Reservation | Pause:
        """Reserve tokens for one call, or return why not."""
        now = datetime.now(UTC)
        day = now.date().isoformat()
        usage_id = stable_id("token-usage", tenant, day, self.model)
        row = queries.reserve_tokens(
            self.graph,
            tenant=tenant,
            id=usage_id,
            day=day,
            model=self.model,
            job=job_id,
            tokens=tokens,
            per_day=self.per_day or _NO_LIMIT,
            per_job=self.per_job or _NO_LIMIT,
        )
        if row is None:
            return Pause(f"Tenant {tenant} does not exist, or is being removed.", 0.0)
        if row.reserved:
            return Reservation(usage_id, job_id, tokens)
        if row.job_left < tokens:
            return Pause(_spent("job", "JOB", self.per_job), _LOOK_AGAIN_SECONDS, job_id)
        midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
        seconds = (midnight - now).total_seconds() + _MIDNIGHT_SECONDS
        return Pause(_spent("day", "DAY", self.per_day), seconds)

    def settle(self, runner: QueryRunner, tenant: str, reservation: Reservation, usage: CallUsage) -> None:
        """Replace a reservation with the actual usage, in the given transaction or one of its own."""
        queries.settle_tokens(
            runner,
            tenant=tenant,
            id=reservation.id,
            job=reservation.job,
            reserved=reservation.tokens,
            tokens=usage.tokens,
            cost=float(usage.cost),
            calls=usage.calls,
        )

    def spend(self, tenant: str, tokens: int, call: Callable[[], ModelOutput]) -> ModelOutput | Pause:
        """Make a call that has no other record, within the day's budget, or return why not.

        Raises:
            UnavailableError: the provider does not answer; only what it had answered before is charged.
            InvalidOutputError: the answer cannot be used; it is charged.
        """
        try:
            reserved = self.reserve(tenant, "", tokens)
        except UnavailableError as error:
            # A pause, because the graph's failure is not the provider's.
            return Pause(f"No tokens could be reserved for a call. {error.message}", 0.0)
        if isinstance(reserved, Pause):
            if not reserved.seconds:
                return reserved
            reason = f"{_refused('day', self.per_day)} It resets at midnight UTC; INTERLACE_LLM__MAX_TOKENS_PER_DAY raises it."
            return replace(reserved, reason=reason)
        usage = NO_USAGE
        try:
            made = call()
            usage = made.usage
        except (UnavailableError, InvalidOutputError) as error:
            usage = error.usage
            raise
        finally:
            self._settle_or_keep(tenant, reserved, usage)
        return made

    def _settle_or_keep(self, tenant: str, reserved: Reservation, usage: CallUsage) -> None:
        """Settle a reservation; if the graph fails, the answer is worth more than the exact count, and the reservation stays."""
        try:
            self.settle(self.graph, tenant, reserved, usage)
        except InterlaceError as error:
            _logger.warning("A call is counted as the most that it might have used: %s", error.message)


def _refused(what: str, limit: int) -> str:
    # Without the tokens that are left, so that equal reasons are counted together.
    return f"The {what}'s budget of {limit:,} tokens does not allow another call."


def _spent(what: str, setting: str, limit: int) -> str:
    again = "It continues after midnight UTC, or" if what == "day" else "It continues"
    return f"{_refused(what, limit)} {again} with a higher INTERLACE_LLM__MAX_TOKENS_PER_{setting} and `interlace documents enrich`."
