"""A provider that fails in every way for a long time: documents come in, questions are answered, and afterwards all finishes by itself."""

import threading
from collections.abc import Iterator
from functools import partial

import pytest
from tests.conftest import waiting_for_legs
from tests.integration.enriching_world import EnrichingWorld, with_model
from tests.integration.ingestion_world import World
from tests.support.extraction_answers import Reader
from tests.support.recorded_provider import CUT, DOWN, NONSENSE, OUT_OF_QUOTA, Fault, RecordedProvider
from tests.support.waiting import until

from interlace.adapters.litellm.package import load_litellm
from interlace.domain.answers import AnswerRequest
from interlace.domain.hits import QueryRequest
from interlace.language_models.pauses import UNUSABLE_IN_A_ROW, Backoff
from interlace.settings import Settings

FAULTS = {
    "slow": Fault(slow=1.3),
    "down": DOWN,
    "cut": CUT,
    "limited": Fault(429, retry_after="0.01", kind="rate_limit_exceeded"),
    "quota": OUT_OF_QUOTA,
    "nonsense": NONSENSE,
}
PATIENCE = 1
"""Seconds that a call may take, in which the slow provider does not answer."""
REQUESTS = 2
"""Failures of each kind that are waited for: with pauses that double from two seconds to ten minutes, twelve are an outage of three quarters of an hour."""
SECONDS = 240
"""Seconds within which what is waited for happens."""
COMPRESSION = 1000
DOCUMENTS = 3
QUESTION = QueryRequest("Whom did Orla Venning marry?")


class Worker:
    """Sweeps, and lets the language model read what is due, as scheduler and worker process do."""

    def __init__(self, world: EnrichingWorld) -> None:
        self._world = world
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="worker")
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        enricher = self._world.platform.enricher
        assert enricher is not None
        while not self._ended.wait(0.02):
            self._world.platform.sweeper.sweep()
            while self._world.tasks.enrichments:
                enricher.begin(self._world.tasks.enrichments.pop())


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordedProvider]:
    load_litellm()
    backoff = Backoff(2.0 / COMPRESSION, 600.0 / COMPRESSION)
    monkeypatch.setattr("interlace.language_models.pauses._IN_BACKGROUND", backoff)
    reader = Reader()
    # Whoever asks for an answer gets none, as from a provider that is down for answers too.
    with RecordedProvider(
        lambda body: reader(body) if body["messages"][1]["content"].startswith("{") else ""
    ) as started:
        yield started


@pytest.mark.slow
def test_a_long_outage_loses_and_blocks_nothing(
    stack: Settings, world: World, provider: RecordedProvider, tenant: str
) -> None:
    settings = with_model(waiting_for_legs(stack), provider, timeout=PATIENCE, answer_seconds=0.5)
    enriching = EnrichingWorld(settings, world)
    worker = Worker(enriching)
    state = enriching.platform.enrichment.state
    try:
        for name, fault in FAULTS.items():
            provider.always = fault
            enough = provider.requests + REQUESTS
            enriching.ingest(tenant, documents(name), size=DOCUMENTS)
            until(partial(requested, provider, enough), SECONDS, partial(str, name))
            found = enriching.platform.questions.search(tenant, QUESTION)
            assert (bool(found.hits), found.degraded) == (True, ()), name
            answer = enriching.platform.answers.answer(tenant, AnswerRequest(QUESTION, insist=True))
            assert (answer.mode, bool(answer.sentences), answer.degraded) == ("extractive", True, ("language_model",))
        until(lambda: any("could not be used" in each.reason for each in state(tenant).waiting), SECONDS)
        ready = "MATCH (r:IngestionRecord {tenant: $tenant}) WHERE r.stage <> 'ready' RETURN r.stage AS stage"
        assert enriching.rows(ready, tenant) == []
        provider.always = None
        until(lambda: not state(tenant).documents, SECONDS)
    finally:
        worker.end()
        enriching.close()
    outputs = "MATCH (r:ExtractionRecord {tenant: $tenant}) RETURN r.output STARTS WITH '{\"error\"' AS failed"
    failed = [row["failed"] for row in world.rows(outputs, tenant)]
    assert len(failed) == len(FAULTS) * DOCUMENTS
    assert UNUSABLE_IN_A_ROW <= sum(failed) < len(failed)
    assert world.platform.reconciler.check(tenant) == []


def requested(provider: RecordedProvider, times: int) -> bool:
    return provider.requests >= times


def documents(name: str) -> dict[str, str]:
    """Return documents with a text of their own each."""
    return {
        f"{name}{number}.md": f"# {name} {number}\n\nOrla Venning married Knud Strand in the year {number} of {name}.\n"
        for number in range(DOCUMENTS)
    }
