"""What was deleted or replaced was never there: proven on random documents of the evaluation sets, byte for byte, and by asking.

Each case prints its seed as its name. Half a minute of models, then some seconds a case.
"""

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.integration.evaluation_documents import SETS, Pool, draw_case, load_pool, shuffled
from tests.integration.ingestion_world import World
from tests.integration.watched_models import WatchedEmbedder, WatchedExtractor

from interlace.domain.hits import QueryRequest
from interlace.settings import QuerySettings, Settings

pytestmark = pytest.mark.evaluation

CASES = 51
BY_RANK = frozenset({"graph", "fused"})
"""Legs whose scores follow from ranks."""
UNREMEMBERED = 17
"""Every so many cases the models themselves read every text again, and communities are made and compared."""


@pytest.fixture(scope="module")
def pools(eval_root: Path) -> Mapping[str, Pool]:
    return {name: load_pool(eval_root / name) for name in SETS}


@pytest.fixture(scope="module")
def remembering(world: World, stack: Settings) -> Iterator[World]:
    """A world whose models read each text once, and whose legs are waited for: a busy machine changes no answer."""
    assert world.platform.embedder
    made = World(stack.model_copy(update={"query": QuerySettings(leg_timeout=60)}))
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


def answers(world: World, tenant: str, questions: tuple[str, ...]) -> list[Any]:
    """Return the names found, the weights, what each leg says of every document, and which documents the walk reaches.

    Not the order: two passages whose keyword scores differ in the seventh digit may change places, and the walk starts on the first
    ones by rank.
    """
    found = []
    for question in questions:
        answer = world.platform.coordinator.query(tenant, QueryRequest(question, mode="hybrid", explain=True))
        assert (answer.degraded, bool(answer.hits)) == ((), True)
        legs = {
            leg: sorted((hit.source_uri, hit.score if leg not in BY_RANK else 0.0) for hit in ranking)
            for leg, ranking in answer.rankings.items()
        }
        found.append((answer.names, answer.weights, legs))
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
    assert alike(found[-1], expected[-1]), f"seed {seed}: answers differ: {found[-1]} and {expected[-1]}"


def alike(one: Any, other: Any) -> bool:
    """Tell whether two values are the same, but for what float32 sums in another order make of a score."""
    if is_dataclass(one) and type(one) is type(other):
        return all(alike(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-9)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and type(one) is type(other):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


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
