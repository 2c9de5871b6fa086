"""Asks a language model for a text and stores the verified part, in the transaction that records its usage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from interlace.answers.verification import verify_answer
from interlace.domain.errors import InvalidOutputError, UnavailableError
from interlace.domain.hits import Hit
from interlace.domain.instants import now
from interlace.domain.usage import CallUsage
from interlace.language_models.budget import Reservation, TokenBudget
from interlace.language_models.calls import max_tokens_of
from interlace.language_models.pauses import Pause
from interlace.leases.lease import Lease
from interlace.ports.graph import Transaction
from interlace.ports.language_model import LanguageModel, Message
from interlace.queries import summaries as queries
from interlace.queries.tenants import lock_writers
from interlace.summaries.prompt import OUTPUT_TOKENS, SCHEMA, VERSION, write_prompt
from interlace.summaries.subjects import SENTENCES, Subject

ASKED_AGAIN_SECONDS: Final = (600, 3600, 6 * 3600)
"""How long after an unusable answer a text is requested again, and how often: a provider that returns nonsense has mostly recovered an hour later."""
_NAME = 60


@dataclass(frozen=True, slots=True)
class _Written:
    """The result of a call: verified sentences with the chunks that they cite, and what it took; or why it is unusable."""

    sentences: list[dict[str, Any]]
    usage: CallUsage
    fault: InvalidOutputError | None = None


@dataclass(frozen=True, slots=True)
class TextAuthor:
    """Writes one text at a time; safe for use by several threads."""

    model: LanguageModel
    budget: TokenBudget

    def write(self, lease: Lease, subject: Subject, attempts: int = 0) -> Pause | InvalidOutputError | None:
        """Write one text, or return why not.

        Args:
            lease: this pass's lease on the tenant.
            subject: what to write about.
            attempts: number of unusable answers so far.

        Raises:
            UnavailableError: provider or graph do not answer; only what the provider had answered before is charged.
            ConflictError: another run has the lease.
        """
        lease.renew()
        evidence = [source.hit for source in subject.sources]
        messages = write_prompt(subject.kind, subject.name, evidence)
        tokens = max_tokens_of(self.model.count_tokens(messages), OUTPUT_TOKENS)
        reserved = self.budget.reserve(lease.tenant, "", tokens)
        if isinstance(reserved, Pause):
            return reserved
        try:
            written = self._complete(subject, evidence, messages)
        except UnavailableError as error:
            self.budget.settle(lease.graph, lease.tenant, reserved, error.usage)
            raise
        self._record(lease, subject, reserved, written, attempts)
        return written.fault

    def _complete(self, subject: Subject, evidence: Sequence[Hit], messages: Sequence[Message]) -> _Written:
        try:
            made = self.model.complete(messages, SCHEMA, max_tokens=OUTPUT_TOKENS)
        except InvalidOutputError as error:
            # Kept as a text without sentences: it is requested again later, but not for ever.
            return _Written([], error.usage, error)
        output = {**made.output, "short": ""}
        verified = verify_answer(output, evidence, subject.name, SENTENCES[subject.kind])
        cited = {each.number: each.chunk_id for each in verified.citations}
        sentences = [
            {"text": each.text, "chunks": list(dict.fromkeys(cited[number] for number in each.citations))}
            for each in verified.sentences
        ]
        return _Written(sentences, made.usage)

    def _record(self, lease: Lease, subject: Subject, reserved: Reservation, written: _Written, attempts: int) -> None:
        properties = {
            "name": subject.name[:_NAME],
            "kind": subject.kind,
            "model": self.model.model,
            "promptVersion": VERSION,
            "output": orjson.dumps(written.sentences).decode(),
            "sources": [source.hit.chunk_id for source in subject.sources],
            "checksums": [source.checksum for source in subject.sources],
            "titles": [source.hit.title for source in subject.sources],
            "tokens": written.usage.tokens,
            "cost": float(written.usage.cost),
            "createdAt": now(),
        }
        retry_ms = None
        if written.fault is not None:
            properties |= {"attempts": attempts + 1, "fault": written.fault.message}
            retry_ms = next((seconds * 1000 for seconds in ASKED_AGAIN_SECONDS[attempts:]), None)
        links = [{"text": subject.id, "subject": about} for about in subject.about]

        def work(tx: Transaction) -> None:
            # So that no writer concurrently removes a source; a text whose source is already gone is removed at once.
            lock_writers(tx, tenant=lease.tenant)
            queries.write_text(tx, tenant=lease.tenant, id=subject.id, properties=properties, retry_ms=retry_ms)
            queries.renew_texts(tx, tenant=lease.tenant, ids=[subject.id])
            queries.link_texts(tx, tenant=lease.tenant, rows=links)
            self.budget.settle(tx, lease.tenant, reserved, written.usage)

        lease.graph.transact(work)
