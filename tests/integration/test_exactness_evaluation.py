"""What was deleted or replaced was never there: proven on random documents of the evaluation sets, byte for byte, and by asking.

Each case prints its seed as its name. Half a minute of models, then some seconds a case.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import waiting_for_legs
from tests.integration.evaluation_documents import SETS, Pool, draw_case, load_pool, shuffled
from tests.integration.ingestion_world import World
from tests.integration.watched_models import WatchedEmbedder, WatchedExtractor

from interlace.domain.hits import QueryRequest
from interlace.settings import Settings

pytestmark = pytest.mark.evaluation

CASES = 51
UNREMEMBERED = 17
"""Every so many cases the models themselves read every text again, and communities are made and compared."""


@pytest.fixture(scope="module")
def pools(eval_root: Path) -> Mapping[str, Pool]:
    return {name: load_pool(eval_root / name) for name in SETS}


@pytest.fixture(scope="module")
def remembering(world: World, stack: Settings) -> Iterator[World]:
    """A world whose models read each text once, and whose legs are waited for."""
    assert world.platform.embedder
    made = World(waiting_for_legs(stack))
    vars(made.platform)["extractor"] = WatchedExtractor(world.platform.extractor, remember=True)
    vars(made.platform)["embedder"] = WatchedEmbedder(world.platform.embedder, remember=True)
    yield made
    made.close()


@pytest.fixture(scope="module")
def bare(remembering: World, world: World) -> Iterator[World]:
    """The same with the models as they are."""
    made = World(remembering.platform.settings)
    vars(made.platform).update(extractor=world.platform.extractor, embedder=world.platform.embedder)
    yield made
    made.close()


def ingest(world: World, tenant: str, documents: Mapping[str, str], chance: random.Random) -> None:
    """Bring documents in, in an order and in batches of any size."""
    rest = list(shuffled(documents, chance).items())
    while rest:
        size = chance.choice((1, 5, 12, 32))
        world.ingest(tenant, dict(rest[:size]))
        rest = rest[size:]


def delete(world: World, tenant: str, documents: Mapping[str, str], chance: random.Random) -> None:
    rest = list(shuffled(documents, chance))
    while rest:
        size = chance.choice((2, 8, 32))
        world.delete(tenant, *rest[:size])
        rest = rest[size:]


def answers(world: World, tenant: str, questions: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return all of each answer, every rank and score included, but how long it took and when a document was ready."""
    found = []
    for question in questions:
        answer = world.platform.questions.search(tenant, QueryRequest(question, mode="hybrid", explain=True))
        assert (answer.degraded, bool(answer.hits)) == ((), True)
        whole = asdict(answer)
        # The one thing that says when: the time at which a document became ready.
        whole["hits"] = [{name: value for name, value in hit.items() if name != "indexed_at"} for hit in whole["hits"]]
        found.append({name: value for name, value in whole.items() if name != "timings"})
    return found


def everything(world: World, tenant: str, questions: tuple[str, ...], *, communities: bool) -> list[Any]:
    """Return the graph's canonical dump, all points, and the answers; after a fresh refresh those of communities too."""
    if communities:
        world.platform.communities.refresh(tenant, fresh=True)
    return [
        world.dump(tenant, communities=communities),
        world.points(tenant),
        world.points(tenant, "communities"),
        answers(world, tenant, questions),
    ]


def assert_same(found: list[Any], expected: list[Any], seed: int) -> None:
    for what, one, other in zip(("dump", "points", "community points"), found[:-1], expected[:-1], strict=True):
        assert one == other, f"seed {seed}: {what} differ"
    for one, other in zip(found[-1], expected[-1], strict=True):
        differing = {name: (one[name], other[name]) for name in one if one[name] != other[name]}
        assert not differing, f"seed {seed}: answers to {one['query']!r} differ: {differing}"


@pytest.mark.parametrize("seed", range(CASES))
def test_what_was_deleted_or_replaced_was_never_there(
    seed: int, pools: Mapping[str, Pool], remembering: World, bare: World
) -> None:
    """``ingest(A, B); delete(A)`` is ``ingest(B)``; updating B to B' then is ``ingest(B')``."""
    chance = random.Random(seed)
    case = draw_case(pools[SETS[seed % len(SETS)]], chance)
    whole = seed % UNREMEMBERED == 0
    world = bare if whole else remembering
    with world.tenant() as tenant:
        ingest(world, tenant, {**case.gone, **case.stays}, chance)
        if whole:
            world.platform.communities.refresh(tenant)
        delete(world, tenant, case.gone, chance)
        without = everything(world, tenant, case.questions, communities=whole)
        ingest(world, tenant, case.edited, chance)
        updated = everything(world, tenant, case.questions, communities=whole)
        assert updated != without

        world.clear(tenant)
        ingest(world, tenant, case.stays, chance)
        assert_same(without, everything(world, tenant, case.questions, communities=whole), seed)
        world.clear(tenant)
        ingest(world, tenant, case.edited, chance)
        assert_same(updated, everything(world, tenant, case.questions, communities=whole), seed)
