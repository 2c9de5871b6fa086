"""Communities follow the graph, and stay where it has not changed."""

import pytest
from tests.support.memory_analytics import MemoryAnalytics

from interlace.communities.detect import Detection, Level, detect
from interlace.settings import CommunitySettings

ENTITIES = list("abcdefgh")
SETTINGS = CommunitySettings(gamma=1.0)


@pytest.fixture
def analytics() -> MemoryAnalytics:
    made = MemoryAnalytics()
    made.put("t", "abcd", "efg")
    return made


def found(
    analytics: MemoryAnalytics, history: tuple[Level, ...] = (), signature: str | None = None, **settings: float
) -> Detection:
    changed = SETTINGS.model_copy(update=settings)
    return detect(analytics, "t", ENTITIES, history=history, signature=signature, settings=changed)


def named(detection: Detection) -> list[list[str]]:
    return [["".join(sorted(group)) for group in level] for level in detection.levels]


def levels(detection: Detection) -> tuple[Level, ...]:
    return tuple({f"c{at}": group for at, group in enumerate(level)} for level in detection.levels)


def test_groups_of_two_are_no_communities() -> None:
    analytics = MemoryAnalytics()
    analytics.put("t", "abc", "de", "fgh")
    assert named(found(analytics)) == [["abc", "fgh"]]


def test_a_graph_without_ties_has_none() -> None:
    nothing = found(MemoryAnalytics())
    assert (nothing.levels, nothing.ranks, nothing.modularity) == ((), {}, 0.0)


def test_an_unchanged_graph_keeps_its_partition_as_it_is(analytics: MemoryAnalytics) -> None:
    first = found(analytics)
    odd: tuple[Level, ...] = ({"x": frozenset("abc"), "y": frozenset("defg")},)
    same = found(analytics, odd, first.signature)
    assert (named(same), same.modularity, same.signature) == ([["abc", "defg"]], None, first.signature)


def test_a_changed_graph_or_other_settings_move_it(analytics: MemoryAnalytics) -> None:
    first = found(analytics)
    analytics.put("t", "gh", "gh")
    after = found(analytics, levels(first), first.signature)
    assert after.signature != first.signature
    assert named(after) == [["abcd", "efgh"]]
    assert found(analytics, levels(after), after.signature, gamma=0.9).signature != after.signature


def test_a_much_worse_partition_is_given_up_for_a_new_one(analytics: MemoryAnalytics) -> None:
    everyone: tuple[Level, ...] = ({"all": frozenset("abcdefgh")},)
    assert named(found(analytics, everyone)) == [["abcd", "efg"]]
