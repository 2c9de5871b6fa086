"""Asks a language model about texts, each once: the answer is recorded in the graph before it is used."""

import logging
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

import orjson

from interlace.domain.errors import InvalidOutputError, UnavailableError
from interlace.domain.instants import now
from interlace.domain.usage import CallUsage
from interlace.enrichment.setup import ExtractionSetup
from interlace.extraction.prompt import MAX_OUTPUT_TOKENS, PROMPT_VERSION
from interlace.language_models.budget import Reservation, TokenBudget
from interlace.language_models.calls import call_for_each, lease_seconds, max_tokens_of
from interlace.language_models.pauses import Pause, ProviderPauses
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.ports.language_model import LanguageModel, Message
from interlace.queries.extraction_records import (
    claim_extraction_record,
    read_extraction_records,
    release_extraction_record,
    remove_unused_records,
    write_extraction_record,
)
from interlace.queries.tenants import lock_writers
from interlace.text.excerpts import shortened

_NAME = 60
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Text:
    """A text to ask about: its digest, the text itself, and the job that pays."""

    checksum: str
    content: str
    job: str


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is recorded of a call: for an answer that broke the schema, its fault instead of the output."""

    output: object
    usage: CallUsage
    fault: InvalidOutputError | None = None

    def properties(self) -> dict[str, object]:
        return {
            "output": orjson.dumps(self.output, option=orjson.OPT_SORT_KEYS).decode(),
            "promptTokens": self.usage.prompt_tokens,
            "completionTokens": self.usage.completion_tokens,
            "cost": float(self.usage.cost),
            "calls": self.usage.calls,
            "createdAt": now(),
        }


class TextReader:
    """Asks about several texts at once; may be called from one thread at a time.

    Args:
        graph: where the records are.
        model: the model to ask.
        setup: what to ask.
        budget: what it may cost.
        concurrency: number of concurrent calls.
        timeout: seconds that one request may take.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        model: LanguageModel,
        setup: ExtractionSetup,
        budget: TokenBudget,
        *,
        concurrency: int,
        timeout: float,
    ) -> None:
        self._graph = graph
        self._model = model
        self._setup = setup
        self._budget = budget
        self._concurrency = concurrency
        self._lease_ms = int(lease_seconds(timeout) * 1000)
        self._pauses = ProviderPauses()

    @property
    def paused(self) -> bool:
        """Whether no calls are made to the provider for now, for any tenant."""
        return self._pauses.left > 0

    def read(self, tenant: str, reader: str, texts: Sequence[Text], stop: threading.Event) -> list[Pause]:
        """Ask about those texts that have no record yet, that no other process is asking about, and that are still to be read.

        Args:
            tenant: whose texts.
            reader: owner of the leases of their documents, without which nothing is asked.
            texts: each once.
            stop: set when no further call may be started.

        Returns:
            Why some were not asked about; empty if all are recorded, claimed by other processes, or no longer to be read.
        """
        return call_for_each(
            self._unrecorded(tenant, texts),
            partial(self._ask, tenant, reader),
            concurrency=self._concurrency,
            closing=stop,
            job=attrgetter("job"),
        )

    def _unrecorded(self, tenant: str, texts: Sequence[Text]) -> list[Text]:
        by_record = {self._setup.record_id(tenant, text.checksum): text for text in texts}
        known = {row.id for row in read_extraction_records(self._graph, tenant=tenant, ids=list(by_record))}
        return [text for record, text in by_record.items() if record not in known]

    def _ask(self, tenant: str, reader: str, text: Text) -> Pause | None:
        record, owner = self._setup.record_id(tenant, text.checksum), uuid.uuid4().hex
        if not self._claim(tenant, record, owner, reader, text):
            return None
        messages = self._setup.messages(text.content)
        tokens = max_tokens_of(self._model.count_tokens(messages), MAX_OUTPUT_TOKENS)
        reserved = self._budget.reserve(tenant, text.job, tokens)
        if isinstance(reserved, Pause):
            release_extraction_record(self._graph, tenant=tenant, id=record, owner=owner)
            return reserved
        try:
            answer = self._complete(messages)
        except UnavailableError as error:
            self._budget.settle(self._graph, tenant, reserved, error.usage)
            release_extraction_record(self._graph, tenant=tenant, id=record, owner=owner)
            return Pause(error.message, self._pauses.after(error))
        self._record(tenant, record, owner, text, reserved, answer)
        return self._weigh(answer.fault)

    def _weigh(self, fault: InvalidOutputError | None) -> Pause | None:
        """Return why to pause calls to the provider, if too many answers in a row were unusable."""
        if fault is not None:
            return self._pauses.unusable(fault)
        self._pauses.reset()
        return None

    def _claim(self, tenant: str, record: str, owner: str, reader: str, text: Text) -> bool:
        properties = {
            "name": shortened(text.content, _NAME),
            "checksum": text.checksum,
            "key": self._setup.key,
            "model": self._setup.model,
            "promptVersion": PROMPT_VERSION,
            "schemaDigest": self._setup.schema.digest,
        }
        row = claim_extraction_record(
            self._graph,
            tenant=tenant,
            id=record,
            properties=properties,
            owner=owner,
            reader=reader,
            lease_ms=self._lease_ms,
        )
        return row is not None

    def _complete(self, messages: Sequence[Message]) -> _Reading:
        try:
            answer = self._model.complete(messages, self._setup.output_schema, max_tokens=MAX_OUTPUT_TOKENS)
        except InvalidOutputError as error:
            _logger.warning("A chunk stays without a model's extraction: %s", error.message)
            return _Reading({"error": error.message}, error.usage, error)
        return _Reading(answer.output, answer.usage)

    def _record(
        self, tenant: str, record: str, owner: str, text: Text, reserved: Reservation, answer: _Reading
    ) -> None:
        properties = answer.properties()

        def work(transaction: Transaction) -> None:
            # So that no writer concurrently removes the last chunk with this text.
            lock_writers(transaction, tenant=tenant)
            write_extraction_record(transaction, tenant=tenant, id=record, owner=owner, properties=properties)
            remove_unused_records(transaction, tenant=tenant, checksums=[text.checksum])
            self._budget.settle(transaction, tenant, reserved, answer.usage)

        self._graph.transact(work)
