"""Token budgets across worker processes: each is a process of its own that asks the same provider, which counts what it answered."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
from tests.integration.enriching_world import EnrichingWorld, with_model
from tests.integration.ingestion_world import World
from tests.support.extraction_answers import read_names, reading

from interlace.adapters.litellm.package import load_litellm
from interlace.bootstrap import Platform
from interlace.settings import Settings

WORKERS = 3
DOCUMENTS = {f"{number}.md": f"# Part {number}\n\nAda Byron met Number {number} Smith.\n" for number in range(40)}
LIMIT = 30_000
LONG = 15_000
"""Words of an answer of a provider that ignores how many it may write: more than a whole call may take."""
_together: Any = None


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessPoolExecutor]:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(WORKERS)
    with ProcessPoolExecutor(WORKERS, context, initializer=_prepare, initargs=(barrier,)) as pool:
        yield pool


def _prepare(barrier: Any) -> None:
    global _together  # noqa: PLW0603 - what a process is given at its start
    _together = barrier
    load_litellm()


def _enrich(settings: Settings, tenant: str) -> int:
    """Let a language model read what is due, as the loop of a worker does, at the same time as the other workers."""
    platform = Platform(settings)
    try:
        assert platform.enricher is not None
        _together.wait(240)
        return platform.enricher.run(tenant)
    finally:
        platform.close()


def _all_enrich(workers: ProcessPoolExecutor, settings: Settings, tenant: str) -> list[int]:
    """Return how many chunks each worker read."""
    return [each.result(280) for each in [workers.submit(_enrich, settings, tenant) for _ in range(WORKERS)]]


@pytest.mark.slow
@pytest.mark.parametrize("what", ["day", "job"])
def test_a_budget_holds_across_processes(
    stack: Settings, world: World, tenant: str, workers: ProcessPoolExecutor, what: str
) -> None:
    provider, reader = reading()
    with provider:
        limited = with_model(stack, provider, concurrency=4, **{f"max_tokens_per_{what}": LIMIT})
        enriching = EnrichingWorld(limited, world)
        try:
            enriching.ingest(tenant, DOCUMENTS, size=len(DOCUMENTS))
            read = _all_enrich(workers, limited, tenant)
            (used,) = enriching.platform.enrichment.usage(tenant)
            assert 0 < used.tokens == provider.tokens <= LIMIT
            assert used.calls == reader.texts.total() == sum(read) < len(DOCUMENTS)
            state = enriching.platform.enrichment.state(tenant)
            assert state.chunks == len(DOCUMENTS) - used.calls
            assert f"The {what}'s budget of 30,000 tokens" in state.waiting[0].reason
        finally:
            enriching.close()
        unlimited = EnrichingWorld(with_model(stack, provider), world)
        try:
            unlimited.enrich_all(tenant)
        finally:
            unlimited.close()
    assert set(reader.texts.values()) == {1}
    assert len(reader.texts) == len(DOCUMENTS)


@pytest.mark.slow
def test_a_provider_that_writes_too_much_exceeds_it_by_a_call_of_each_process_at_most(
    stack: Settings, world: World, tenant: str, workers: ProcessPoolExecutor
) -> None:
    def talkative(text: str) -> dict[str, Any]:
        found = read_names(text)
        return {**found, "facts": [{**fact, "quote": "word " * LONG} for fact in found["facts"][:1]]}

    provider, reader = reading(talkative)
    limit = 3 * LONG
    with provider:
        settings = with_model(stack, provider, max_tokens_per_day=limit)
        enriching = EnrichingWorld(settings, world)
        try:
            enriching.ingest(tenant, DOCUMENTS, size=len(DOCUMENTS))
            _all_enrich(workers, settings, tenant)
            (used,) = enriching.platform.enrichment.usage(tenant)
        finally:
            enriching.close()
    call = provider.tokens / provider.calls
    assert call > LONG
    assert limit < used.tokens == provider.tokens < limit + WORKERS * call
    assert used.calls == reader.texts.total()
