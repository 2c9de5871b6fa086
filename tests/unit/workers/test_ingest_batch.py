"""What follows a batch: the last one of a tenant asks for communities and embeddings of entities."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from interlace.domain.errors import UnavailableError
from interlace.ingestion.versions import Outcome
from interlace_workers import tasks


class FakePlatform:
    """Writes a batch at once, and records what is asked for."""

    def __init__(self, outcome: Outcome, *, done: bool) -> None:
        self.asked: list[str] = []
        self.extraction_setup, self.embedders = None, {"m": object()}
        self.processor = SimpleNamespace(begin=self.begin, is_done=lambda _: done)
        self.queue = SimpleNamespace(enqueue=lambda task, _: self.asked.append(task))
        self.outcome = outcome

    def begin(self, _: str, __: list[str], written: Callable[[Outcome], None]) -> None:
        written(self.outcome)


@pytest.mark.parametrize(
    ("outcome", "done", "asked"),
    [
        (Outcome(written=("d",)), True, ["refresh_communities", "embed_entities"]),
        (Outcome(deleted=("d",)), True, ["refresh_communities", "embed_entities"]),
        (Outcome(written=("d",)), False, []),
        (Outcome(), True, []),
    ],
)
def test_only_the_batch_that_is_written_last_asks_for_communities(
    monkeypatch: pytest.MonkeyPatch, outcome: Any, done: bool, asked: list[str]
) -> None:
    fake = FakePlatform(outcome, done=done)
    monkeypatch.setattr(tasks, "platform", lambda: fake)
    tasks.ingest_batch.run(tenant="t", ids=["d"])
    assert fake.asked == asked


def test_an_outage_after_a_batch_fails_no_document(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> bool:
        raise UnavailableError("Neo4j does not answer.")

    fake = FakePlatform(Outcome(written=("d",)), done=True)
    fake.processor.is_done = fail
    monkeypatch.setattr(tasks, "platform", lambda: fake)
    tasks.ingest_batch.run(tenant="t", ids=["d"])
    assert fake.asked == []
