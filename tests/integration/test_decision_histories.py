"""The graph is a function of documents and decisions: any history of both, with undo and deaths, ends in the graph made in order."""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from tests.contract.fakes_vectors import FakeVectorIndex
from tests.integration.decision_histories import PERSON, URIS, any_decision, any_document
from tests.integration.ingestion_world import World, source
from tests.integration.mortal_world import Mortal, MortalWorld
from tests.integration.watched_models import WatchedExtractor

from interlace.domain.decisions import Decision
from interlace.domain.errors import NotFoundError
from interlace.domain.ids import document_id
from interlace.settings import IngestSettings, Settings

HISTORIES = int(os.environ.get("INTERLACE_TEST_HISTORIES", "210"))
PARTS = 10
WAYS = {"one transaction": (1000, 1000), "a transaction of its own": (2, 1000), "batches": (2, 2)}
STEPS = 6
CALLS = 60


@pytest.fixture(scope="module", params=list(WAYS.values()), ids=list(WAYS))
def quick(world: World, stack: Settings, request: pytest.FixtureRequest) -> Iterator[MortalWorld]:
    """A world that reads each text once, may die, and moves all mentions at once, with the request or after it, or two at a time.

    Its vector index is in memory, where collections come and go at once: what is compared is the graph, and calls to the index stay moments to die at.
    """
    made = MortalWorld(stack.model_copy(update={"ingest": IngestSettings(max_attempts=20)}), world, *request.param)
    vars(made.platform).update(
        extractor=WatchedExtractor(world.platform.extractor, remember=True),
        embedders={},
        vectors=Mortal(FakeVectorIndex(), made.fate),
    )
    yield made
    made.close()


@dataclass
class History:
    """What a tenant should hold, and the chance that decides what happens next."""

    world: MortalWorld
    tenant: str
    chance: random.Random
    documents: dict[str, str] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)

    def step(self) -> None:
        """Upload, delete, decide or undo; perhaps die on the way, and do it again."""
        kind = self.chance.choice(["upload", "upload", "delete", "decide", "decide", "undo"])
        if kind == "upload":
            uri = self.chance.choice(URIS)
            self.documents[uri] = any_document(self.chance)
            self.world.receive(self.tenant, [source(uri, self.documents[uri])])
            self._work()
        elif kind == "delete" and self.documents:
            uri = self.chance.choice(sorted(self.documents))
            del self.documents[uri]
            self.world.platform.receiver.delete(self.tenant, ids=[document_id(self.tenant, uri)])
            self._work()
        elif kind == "decide":
            decision = any_decision(self.chance, self.tenant)
            self.decisions[decision.id(self.tenant)] = decision
            self._mortally(lambda: self.world.platform.decisions.record(self.tenant, decision))
        elif kind == "undo" and self.decisions:
            self.undo(self.chance.choice(sorted(self.decisions)))

    def undo(self, identity: str) -> None:
        """Undo a decision, perhaps more than once because the first to do so died."""
        del self.decisions[identity]
        attempts: list[str] = []

        def undo() -> None:
            attempts.append(identity)
            try:
                self.world.platform.decisions.undo(self.tenant, identity, PERSON)
            except NotFoundError:
                assert len(attempts) > 1, "an undone decision was not there"

        self._mortally(undo)

    def _work(self) -> None:
        for batch in list(self.world.tasks.batches):
            self._mortally(lambda batch=batch: self.world.platform.processor.process(*batch))  # type: ignore[misc]
        self.world.settle(self.tenant)

    def _mortally(self, work: Callable[[], object]) -> str:
        """Do something; a third of the times die at some call, then do it again when the dead one's leases are over."""
        if self.chance.random() > 1 / 3:
            work()
            return ""
        death = self.world.die_at(self.chance.randint(1, CALLS), work)
        if death:
            self.world.pass_time(self.tenant)
            work()
        return death


def calm(
    world: World, tenant: str, documents: dict[str, str], decisions: list[Decision]
) -> tuple[list[str], list[str]]:
    """Return the dump of documents alone, and with decisions after them, made calmly and in order."""
    world.clear(tenant)
    world.ingest(tenant, dict(sorted(documents.items())))
    alone = world.dump(tenant)
    for decision in decisions:
        world.platform.decisions.record(tenant, decision)
    made = world.dump(tenant) if decisions else alone
    world.clear(tenant)
    return alone, made


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_history_ends_in_the_graph_made_in_order(quick: MortalWorld, part: int) -> None:
    seed = int(os.environ.get("INTERLACE_TEST_SEED", "1"))
    with quick.tenant() as tenant:
        for number in range(part, HISTORIES // len(WAYS), PARTS):
            history = History(quick, tenant, random.Random(f"{seed} {number}"))
            for _ in range(STEPS):
                history.step()
            quick.settle(tenant)
            found = quick.dump(tenant)
            standing = dict(history.decisions)
            for identity in sorted(standing):
                history.undo(identity)
            quick.settle(tenant)
            undone = quick.dump(tenant)
            alone, made = calm(quick, tenant, history.documents, list(standing.values()))
            assert found == made, f"history {number} of seed {seed}"
            assert undone == alone, f"history {number} of seed {seed}, all decisions undone"
