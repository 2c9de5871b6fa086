"""What every implementation of the port ``GraphAnalytics`` promises: Graph Data Science, fed by ordinary ingestion, and that in memory."""

from collections.abc import Sequence
from typing import Protocol

import pytest
from tests.integration.ingestion_world import World
from tests.support.memory_analytics import MemoryAnalytics

from interlace.domain.ids import entity_id
from interlace.entities.normalization import normalize_name
from interlace.ports.analytics import GraphAnalytics

GAMMA = 1.0
# Two groups of four that nothing ties together.
NEAR = ("Zorg", "Bork", "Frob", "Quux")
FAR = ("Blek", "Vlim", "Drob", "Snaf")
STAR = (("Hubb", "Zorg"), ("Hubb", "Bork"), ("Hubb", "Frob"))


class Backend(Protocol):
    """An implementation, and how names come together in it."""

    @property
    def analytics(self) -> GraphAnalytics:
        """The implementation."""
        ...

    def put(self, tenant: str, *chunks: Sequence[str]) -> None:
        """Let the names of each group stand in one chunk."""
        ...


class InMemory:
    def __init__(self) -> None:
        self.analytics = MemoryAnalytics()

    def put(self, tenant: str, *chunks: Sequence[str]) -> None:
        self.analytics.put(tenant, *(ids(tenant, chunk) for chunk in chunks))


class InGraph:
    def __init__(self, world: World) -> None:
        self._world = world
        self.analytics: GraphAnalytics = world.platform.analytics

    def put(self, tenant: str, *chunks: Sequence[str]) -> None:
        texts = (
            f"# {chunk[0]}\n\n" + "\n\n".join(f"[[{name}]]." for name in chunk[1:]) + f"\n\nnumber {at}"
            for at, chunk in enumerate(chunks)
        )
        self._world.ingest(tenant, {f"{at}.md": text for at, text in enumerate(texts)})


def ids(tenant: str, names: Sequence[str]) -> list[str]:
    return sorted(entity_id(tenant, normalize_name(name)) for name in names)


def groups(labels: Sequence[int]) -> set[frozenset[int]]:
    """Return a level as sets of places: labels mean nothing beyond being equal or not."""
    return {frozenset(at for at, label in enumerate(labels) if label == one) for one in labels}


@pytest.fixture(params=["memory", pytest.param("neo4j", marks=pytest.mark.stack)])
def backend(request: pytest.FixtureRequest, worlds: list[World]) -> Backend:
    if request.param == "memory":
        return InMemory()
    if not worlds:
        worlds.append(World(request.getfixturevalue("stack")))
    return InGraph(worlds[0])


def test_without_names_there_is_nothing_to_cluster(backend: Backend, tenant: str) -> None:
    backend.put(tenant, NEAR)
    for name, names in ((tenant, []), ("another", ids("another", NEAR)), (tenant, ids(tenant, NEAR[:1]))):
        with backend.analytics.project(name, names, []) as projection:
            assert projection.relationships == 0


def test_only_the_names_given_are_projected_each_pair_in_both_directions(backend: Backend, tenant: str) -> None:
    backend.put(tenant, NEAR, FAR)
    for names, pairs in ((NEAR, 6), (NEAR[:3], 3), ((*NEAR, *FAR), 12)):
        with backend.analytics.project(tenant, ids(tenant, names), []) as projection:
            assert projection.relationships == 2 * pairs


def test_ranks_stand_in_the_order_of_the_names(backend: Backend, tenant: str) -> None:
    backend.put(tenant, *STAR)
    names = ids(tenant, ["Hubb", "Zorg", "Bork", "Frob"])
    with backend.analytics.project(tenant, names, []) as projection:
        ranks = dict(zip(names, projection.ranks(), strict=True))
    (hub,) = ids(tenant, ["Hubb"])
    leaf = ranks.pop(ids(tenant, ["Zorg"])[0])
    assert ranks.pop(hub) > leaf
    assert set(ranks.values()) == {leaf}


def test_groups_that_nothing_ties_together_are_found(backend: Backend, tenant: str) -> None:
    backend.put(tenant, NEAR, FAR)
    names = ids(tenant, (*NEAR, *FAR))
    near = frozenset(names.index(name) for name in ids(tenant, NEAR))
    partitions = []
    for _ in range(2):
        with backend.analytics.project(tenant, names, []) as projection:
            partitions.append(projection.leiden(gamma=GAMMA, max_levels=4, seed=19))
    found, again = partitions
    assert groups(found.levels[-1]) == {near, frozenset(range(len(names))) - near}
    assert all(len(level) == len(names) for level in found.levels)
    assert found.modularity == pytest.approx(0.5)
    assert (again.levels, again.modularity) == (found.levels, found.modularity)


def test_a_start_is_improved_and_one_that_cannot_be_is_kept(backend: Backend, tenant: str) -> None:
    backend.put(tenant, NEAR, FAR)
    names = ids(tenant, (*NEAR, *FAR))
    ideal = [int(name in ids(tenant, FAR)) for name in names]
    strangers = list(range(len(names)))
    with backend.analytics.project(tenant, names, [strangers, ideal]) as projection:
        moved = projection.improve(0, gamma=GAMMA, seed=19)
        kept = projection.improve(1, gamma=GAMMA, seed=19)
    assert groups(kept.levels[0]) == groups(ideal)
    assert kept.modularity == pytest.approx(0.5)
    # Eight strangers have a modularity of -1/8.
    assert 0 < moved.modularity <= 0.5
    assert len(groups(moved.levels[0])) < len(names)


def test_tenants_do_not_see_each_other(backend: Backend, tenant: str) -> None:
    backend.put(tenant, NEAR)
    with (
        backend.analytics.project("another", ids(tenant, NEAR), []) as other,
        backend.analytics.project(tenant, ids(tenant, NEAR), []) as own,
    ):
        assert (other.relationships, own.relationships) == (0, 12)
