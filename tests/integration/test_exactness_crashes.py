"""Whatever happens to workers between two calls of a server, what is left is what calm work would have left."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as examples
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from tests.integration.ingestion_world import World, source
from tests.integration.mortal_world import MortalWorld
from tests.integration.written_documents import documents

from interlace.domain.ids import document_id
from interlace.ingestion.older_chunks import CHUNK_BATCH
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.settings import IngestSettings, Settings

CALLS = 30
"""More calls of one method than a batch makes."""
METHODS = ("run", "begin", "commit", "ping", "ensure", "upsert", "delete", "existing_ids", "set_payloads", "retrieve")
"""Of the servers' ports, all that a batch calls."""


def test_each_method_is_one_of_a_port() -> None:
    steps = {"begin", "commit"}  # of a transaction, which `Mortal` counts itself
    assert all(hasattr(GraphDatabase, name) or hasattr(VectorIndex, name) for name in set(METHODS) - steps)


@pytest.fixture(scope="module", params=[CHUNK_BATCH, 1], ids=["usual", "one chunk at once"])
def mortal(world: World, stack: Settings, request: pytest.FixtureRequest) -> Iterator[MortalWorld]:
    # One batch may meet its end so often in these tests that the usual attempts would not do.
    settings = stack.model_copy(update={"ingest": IngestSettings(max_attempts=20)})
    made = MortalWorld(settings, world, request.param)
    yield made
    made.close()


BEFORE = {
    "a.md": "---\naliases: [Old Mill Zorg]\ntags: [film]\n---\n# Vienna\n\nZorg saw the Old Mill.\n\n## Part\n\nFritz Lang stays.",
    "b.md": "# Fritz Lang\n\nThe Old Mill Zorg stands in Vienna.",
}
AFTER = {
    "a.md": "# Vienna\n\nZorg built the Old Mill.\n\n## Part\n\nFritz Lang stays.",
    "c.md": "---\naliases: [Zorg]\n---\n# Old Mill\n\nFritz Lang saw Vienna.",
}


@pytest.mark.slow
def test_a_worker_may_die_before_any_call_of_a_server(mortal: MortalWorld) -> None:
    """A batch that changes one document, deletes one and adds one, killed at its first call of a method, at its second, and so on.

    By method, because outbox entries that are due at once are applied in any order.
    """
    with mortal.tenant() as tenant:
        mortal.ingest(tenant, AFTER)
        expected = mortal.state(tenant)
        mortal.clear(tenant)
        deaths: Counter[str] = Counter()
        for method in METHODS:
            for call in range(1, CALLS + 1):
                mortal.ingest(tenant, BEFORE)
                mortal.receive(tenant, [source(uri, content) for uri, content in AFTER.items()])
                mortal.platform.receiver.delete(tenant, ids=[document_id(tenant, "b.md")])
                ids = [identity for _, batch in mortal.tasks.batches for identity in batch]
                mortal.tasks.batches.clear()
                death = mortal.die_working((tenant, ids), call, method)
                made = frozenset(mortal.fate.made)
                mortal.settle(tenant)
                assert mortal.state(tenant) == expected, f"killed before call {call} of {method}"
                mortal.delete(tenant, "c.md")
                if not death:
                    assert made == set(METHODS)
                    break
                deaths[death] += 1
    assert set(deaths) == set(METHODS)
    assert max(deaths.values()) < CALLS


class Lifecycle(RuleBasedStateMachine):
    """Uploads, deletions and all that can happen to workers; the model is what each URI should hold."""

    def __init__(self, world: MortalWorld) -> None:
        super().__init__()
        self.world = world
        self.model: dict[str, str] = {}
        self.delivered: list[tuple[str, list[str]]] = []
        self.tenants = world.tenant()

    @initialize()
    def begin(self) -> None:
        self.tenant = self.tenants.__enter__()

    @rule(texts=st.dictionaries(st.sampled_from(["a.md", "b.md", "c.md", "d.md"]), documents(), min_size=1, max_size=3))
    def upload(self, texts: dict[str, str]) -> None:
        self.model.update(texts)
        self.world.receive(self.tenant, [source(uri, content) for uri, content in texts.items()])

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        uri = data.draw(st.sampled_from(sorted(self.model)))
        del self.model[uri]
        self.world.platform.receiver.delete(self.tenant, ids=[document_id(self.tenant, uri)])

    @precondition(lambda self: self.world.tasks.batches)
    @rule()
    def work(self) -> None:
        self.delivered.append(self.world.tasks.batches[0])
        self.world.platform.processor.process(*self.world.tasks.batches.pop(0))

    @precondition(lambda self: self.world.tasks.batches)
    @rule(call=st.integers(1, CALLS), redelivered=st.booleans())
    def crash(self, call: int, *, redelivered: bool) -> None:
        batch = self.world.tasks.batches.pop(0)
        self.delivered.append(batch)
        self.world.die_working(batch, call)
        if redelivered:
            self.world.tasks.batches.append(batch)

    @precondition(lambda self: self.delivered)
    @rule(data=st.data())
    def deliver_again(self, data: st.DataObject) -> None:
        self.world.platform.processor.process(*data.draw(st.sampled_from(self.delivered)))

    @rule()
    def lose_the_queue(self) -> None:
        self.world.tasks.batches.clear()

    @rule()
    def pass_time(self) -> None:
        self.world.pass_time(self.tenant)

    @rule()
    def sweep(self) -> None:
        self.world.swept(self.tenant)

    @rule()
    def reconcile(self) -> None:
        self.world.platform.reconciler.repair(self.tenant)

    @rule()
    def dispatch(self) -> None:
        self.world.platform.outbox.dispatch(self.tenant)

    def teardown(self) -> None:
        if not hasattr(self, "tenant"):
            return
        try:
            self._compare()
        finally:
            self.tenants.__exit__(None, None, None)

    def _compare(self) -> None:
        self.world.settle(self.tenant)
        assert self.world.platform.reconciler.check(self.tenant) == []
        found: Any = self.world.state(self.tenant)
        self.world.clear(self.tenant)
        self.world.ingest(self.tenant, self.model)
        assert found == self.world.state(self.tenant)


@pytest.mark.slow
def test_any_history_of_uploads_and_deaths_gives_what_calm_work_gives(mortal: MortalWorld) -> None:
    run_state_machine_as_test(
        lambda: Lifecycle(mortal),  # type: ignore[arg-type]  # any maker of a machine will do
        settings=examples(
            max_examples=8,
            stateful_step_count=12,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
