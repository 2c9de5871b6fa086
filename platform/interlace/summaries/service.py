"""Finds a tenant's communities and entities whose evidence has changed and has them described."""

import logging
from collections.abc import Mapping, Sequence

from interlace.domain.errors import ConflictError, InvalidOutputError, UnavailableError
from interlace.language_models.background import TenantLoop
from interlace.language_models.calls import call_for_each, lease_seconds
from interlace.language_models.pauses import Pause, ProviderPauses
from interlace.leases.lease import Lease, acquired
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries import summaries as queries
from interlace.queries.extractions import extraction_paused
from interlace.queries.tenants import lock_writers
from interlace.summaries.author import TextAuthor
from interlace.summaries.subjects import Subject, read_subjects

_logger = logging.getLogger(__name__)
_PAUSED = "Language models are paused; `interlace documents enrich --resume` resumes them."


class SummaryWriter(TenantLoop):
    """Has a language model write summaries of communities and descriptions of entities.

    Args:
        graph: the graph.
        author: asks the model.
        key: of model and prompt.
        limit: communities, and entities, of each tenant.
        concurrency: number of concurrent calls.
        timeout: seconds that one request may take.
    """

    def __init__(
        self, graph: GraphDatabase, author: TextAuthor, key: str, *, limit: int, concurrency: int, timeout: float
    ) -> None:
        self._graph = graph
        self._author = author
        self._key = key
        self._limit = limit
        self._concurrency = concurrency
        self._lease_seconds = int(lease_seconds(timeout))
        self._pauses = ProviderPauses()
        super().__init__("summaries", self.run, "A language model wrote %d summaries and descriptions of tenant %s")

    def run(self, tenant: str) -> int:
        """Have all missing texts written; return how many were.

        One process at a time does this for a tenant. It ends early if the provider does not answer or the budget is spent, records why, and
        the sweeper resumes it.

        Raises:
            UnavailableError: the graph does not answer; finished texts are kept.
        """
        state = queries.summary_pass(self._graph, tenant=tenant)
        if state is None or not state.due or self._pauses.left > 0:
            return 0
        try:
            with acquired(
                self._graph, tenant, "summaries", seconds=self._lease_seconds, busy="Summaries are being written"
            ) as lease:
                return self._write(lease, state.version)
        except ConflictError:
            return 0

    def _write(self, lease: Lease, version: int) -> int:
        subjects = read_subjects(self._graph, lease.tenant, self._key, self._limit)
        known = self._known(lease.tenant, subjects)
        self._settle(lease, subjects, set(known))
        wanted = [each for each in subjects if each.id not in known or _due(known[each.id])]
        later = sum(row.wait_ms is not None and not _due(row) for row in known.values())
        written, pause = self._ask(lease, wanted, {row.id: row.attempts for row in known.values()})
        left = len(wanted) + later - written
        pause = pause or (self._unusable(lease.tenant, subjects) if left else None)
        if pause is not None:
            _logger.warning("Summaries of tenant %s wait: %s", lease.tenant, pause.reason)
            delay = int(pause.seconds * 1000)
            queries.delay_summaries(self._graph, tenant=lease.tenant, delay_ms=delay, reason=pause.reason, left=left)
        elif not self.closing.is_set():
            queries.conclude_summaries(self._graph, tenant=lease.tenant, version=version, key=self._key)
        return written

    def _known(self, tenant: str, subjects: Sequence[Subject]) -> dict[str, queries.KnownTextsRow]:
        rows = queries.known_texts(self._graph, tenant=tenant, ids=[each.id for each in subjects])
        return {row.id: row for row in rows}

    def _unusable(self, tenant: str, subjects: Sequence[Subject]) -> Pause | None:
        """Return when texts with unusable answers are requested again, and why; None if there are none."""
        rows = [row for row in self._known(tenant, subjects).values() if row.wait_ms is not None]
        if not rows:
            return None
        count = "One answer" if len(rows) == 1 else f"{len(rows)} answers"
        first = min(rows, key=lambda row: (row.wait_ms or 0, row.id))
        reason = f"{count} could not be used and will be asked for again. {first.fault}"
        return Pause(reason, max(0, first.wait_ms or 0) / 1000)

    def _settle(self, lease: Lease, subjects: Sequence[Subject], known: set[str]) -> None:
        """Remove texts that are no longer wanted, and link known ones to their subjects."""
        links = [{"text": each.id, "subject": about} for each in subjects for about in each.about if each.id in known]
        pairs = [f"{link['text']} {link['subject']}" for link in links]

        def work(tx: Transaction) -> None:
            lease.renew(tx)
            lock_writers(tx, tenant=lease.tenant)
            queries.forget_texts(tx, tenant=lease.tenant, keep=sorted(known), pairs=pairs)
            queries.link_texts(tx, tenant=lease.tenant, rows=links)

        self._graph.transact(work)

    def _ask(self, lease: Lease, subjects: Sequence[Subject], attempts: Mapping[str, int]) -> tuple[int, Pause | None]:
        """Have texts written; return how many were, and why the others were left out."""
        written: list[str] = []

        def one(subject: Subject) -> Pause | None:
            if extraction_paused(self._graph, tenant=lease.tenant):
                return Pause(_PAUSED, 0.0)
            try:
                found = self._author.write(lease, subject, attempts.get(subject.id, 0))
            except UnavailableError as error:
                return Pause(error.message, self._pauses.after(error))
            if isinstance(found, InvalidOutputError):
                return self._pauses.unusable(found)
            if found is None:
                self._pauses.reset()
                written.append(subject.id)
            return found

        pauses = call_for_each(subjects, one, concurrency=self._concurrency, closing=self.closing)
        return len(written), next(iter(pauses), None)


def _due(row: queries.KnownTextsRow) -> bool:
    """Return whether a text is to be requested again now."""
    return row.wait_ms is not None and row.wait_ms <= 0
