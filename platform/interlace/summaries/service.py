"""Goes over a tenant's communities and entities and has those described whose evidence changed."""

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field

from interlace.domain.errors import ConflictError, UnavailableError
from interlace.enrichment.background import TenantLoop
from interlace.enrichment.budget import Refusal
from interlace.enrichment.pauses import ProviderPauses
from interlace.leases.lease import Lease, acquired
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries import summaries as queries
from interlace.queries.tenants import lock_writers
from interlace.summaries.author import TextAuthor
from interlace.summaries.subjects import Subject, read_subjects

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Pass:
    """A pass over a tenant: how many texts were written, and why it ended early."""

    written: int = 0
    halted: Refusal | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class SummaryWriter:
    """Has a language model write summaries of communities and descriptions of entities.

    Args:
        graph: the graph.
        author: asks the model.
        key: of model and prompt.
        most: communities and entities of each tenant.
        concurrency: calls at once.
        timeout: seconds that one request may take.
    """

    def __init__(
        self, graph: GraphDatabase, author: TextAuthor, key: str, *, most: int, concurrency: int, timeout: float
    ) -> None:
        self._graph = graph
        self._author = author
        self._key = key
        self._most = most
        self._concurrency = concurrency
        # A call and its repair, and what the graph takes.
        self._lease_seconds = int(2 * timeout + 60)
        self._pauses = ProviderPauses()
        self._not_before = 0.0
        self._loop = TenantLoop(
            "summaries", self.run, "A language model wrote %d summaries and descriptions of tenant %s"
        )

    def begin(self, tenant: str) -> None:
        """Go over a tenant in the background; return at once."""
        self._loop.begin(tenant)

    def close(self) -> None:
        """Begin no further call, and wait for those under way: they are paid for."""
        self._loop.close()

    def run(self, tenant: str) -> int:
        """Have written what is wanted and not written yet; return how many texts were.

        One process at a time does it for a tenant. It ends early where the provider does not answer or the budget is spent, notes why, and
        the sweeper takes it up again.

        Raises:
            UnavailableError: the graph does not answer; what was written stays.
        """
        state = queries.summary_pass(self._graph, tenant=tenant)
        if state is None or not state.due or time.monotonic() < self._not_before:
            return 0
        try:
            with acquired(
                self._graph, tenant, "summaries", seconds=self._lease_seconds, busy="Summaries are being written"
            ) as lease:
                return self._write(lease, state.version)
        except ConflictError:
            return 0

    def _write(self, lease: Lease, version: int) -> int:
        subjects = read_subjects(self._graph, lease.tenant, self._key, self._most)
        rows = queries.known_texts(self._graph, tenant=lease.tenant, ids=[each.id for each in subjects])
        known = {row.id for row in rows}
        self._settle(lease, subjects, known)
        wanted = [each for each in subjects if each.id not in known]
        done = self._ask(lease, wanted)
        if (halted := done.halted) is not None:
            _log.warning("Summaries of tenant %s wait: %s", lease.tenant, halted.reason)
            delay = int(halted.seconds * 1000)
            left = len(wanted) - done.written
            queries.delay_summaries(self._graph, tenant=lease.tenant, delay_ms=delay, reason=halted.reason, left=left)
        elif not self._loop.closing.is_set():
            queries.conclude_summaries(self._graph, tenant=lease.tenant, version=version, key=self._key)
        return done.written

    def _settle(self, lease: Lease, subjects: Sequence[Subject], known: set[str]) -> None:
        """Remove texts that are not wanted any more, and tie those that are known to what they describe."""
        links = [{"text": each.id, "subject": about} for each in subjects for about in each.about if each.id in known]
        pairs = [f"{link['text']} {link['subject']}" for link in links]

        def work(tx: Transaction) -> None:
            lease.renew(tx)
            lock_writers(tx, tenant=lease.tenant)
            queries.forget_texts(tx, tenant=lease.tenant, keep=sorted(known), pairs=pairs)
            queries.link_texts(tx, tenant=lease.tenant, rows=links)

        self._graph.transact(work)

    def _ask(self, lease: Lease, subjects: Sequence[Subject]) -> _Pass:
        done = _Pass()

        def one(subject: Subject) -> None:
            if done.halted is not None or self._loop.closing.is_set():
                return
            try:
                halted = self._author.write(lease, subject)
                self._pauses.reset()
            except UnavailableError as error:
                halted = Refusal(error.message, self._pauses.after(error), job=False)
                self._not_before = time.monotonic() + halted.seconds
            with done.lock:
                done.written += halted is None
                done.halted = done.halted or halted

        if self._concurrency == 1:
            for subject in subjects:
                one(subject)
            return done
        with ThreadPoolExecutor(self._concurrency, thread_name_prefix="writing") as threads:
            for begun in [threads.submit(copy_context().run, one, subject) for subject in subjects]:
                begun.result()
        return done
