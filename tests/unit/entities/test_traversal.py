"""Traversal of relations on a small graph in memory: which entities it follows, and where it stops."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.collecting_graph import CollectingGraph

from interlace.entities import traversal
from interlace.entities.traversal import EntityTraversal

Edges = Sequence[tuple[str, str, int]]


def graph_of(edges: Edges) -> CollectingGraph:
    """Return a graph that answers as the query does: relations with their weights, an entity of more than ``hub_cap`` leading nowhere."""

    def ties_of(entity: str, *, every: bool, cap: int) -> list[tuple[str, str, int]]:
        ties = [(b if a == entity else a, "out" if a == entity else "in", w) for a, b, w in edges if entity in {a, b}]
        return ties if every or len(ties) <= cap else []

    def neighbors(*, ids: Sequence[str], known: Sequence[str], start: bool, **given: Any) -> list[Mapping[str, Any]]:
        ties = [(via, *tie) for via in ids for tie in ties_of(via, every=start, cap=given["hubCap"])]
        rows = [_row(via, end, direction, weight) for via, end, direction, weight in ties if end not in known]
        return sorted(rows, key=lambda row: -row["weight"])

    return CollectingGraph({"relations/entity_neighbors": neighbors})


def _row(via: str, end: str, direction: str, weight: int) -> dict[str, Any]:
    relation = {"predicate": "KNOWS", "direction": direction, "weight": weight, "documents": 1, "confidence": 0.9}
    ends = {"via": via, "viaName": via.upper(), "id": end, "name": end.upper(), "type": "Person"}
    return {**ends, "weight": weight, "relations": [relation]}


def paths(edges: Edges, start: str, end: str) -> list[tuple[str, ...]]:
    return [path.ids for path in EntityTraversal(graph_of(edges)).paths("t", start, end)]


def test_all_shortest_paths_the_strongest_first() -> None:
    edges = [("a", "b", 1), ("b", "d", 9), ("a", "c", 5), ("c", "d", 5), ("a", "e", 9), ("e", "f", 9), ("f", "d", 9)]
    assert paths(edges, "a", "d") == [("a", "c", "d"), ("a", "b", "d")]


def test_a_path_has_at_most_four_relations() -> None:
    chain = [(str(number), str(number + 1), 1) for number in range(6)]
    assert paths(chain, "0", "4") == [("0", "1", "2", "3", "4")]
    assert paths(chain, "0", "5") == []
    assert paths(chain, "0", "0") == []


def test_names_and_directions_are_those_of_the_way_from_start_to_end() -> None:
    (path,) = EntityTraversal(graph_of([("b", "a", 1), ("b", "c", 1), ("d", "c", 1)])).paths("t", "a", "d")
    assert path.names == ("A", "B", "C", "D")
    assert [each.direction for each in path.relations] == ["in", "out", "in"]


def test_a_hub_in_between_is_met_from_both_ends() -> None:
    hub = [("hub", f"x{number}", 1) for number in range(traversal.HUB_CAP)]
    assert paths([*hub, ("a", "hub", 1), ("hub", "b", 1)], "a", "b") == [("a", "hub", "b")]
    assert paths([*hub, ("a", "hub", 1), ("hub", "b", 1), ("b", "c", 1)], "a", "c") == [("a", "hub", "b", "c")]
    # From the far end the hub is three relations away: no meeting, and it leads nowhere.
    assert paths([*hub, ("a", "hub", 1), ("hub", "b", 1), ("b", "c", 1), ("c", "d", 1)], "a", "d") == []


def test_neighbours_are_listed_once_at_their_nearest() -> None:
    found = EntityTraversal(graph_of([("a", "b", 1), ("b", "c", 1), ("a", "c", 2), ("c", "d", 1)])).neighbors(
        "t", "a", hops=3
    )
    assert [(each.id, each.hops, each.via) for each in found] == [("c", 1, "a"), ("b", 1, "a"), ("d", 2, "c")]
