"""Relations for networkx: from neighbours and paths as the API gives them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two entities.

    Args:
        source: id of the entity that it starts from.
        target: id of the entity that it leads to.
        names: names of entities by id, of these two at least.
        relation: the relation as the API gives it.
    """

    source: str
    target: str
    names: Mapping[str, str]
    relation: Mapping[str, Any]


def neighbor_relations(centre: Mapping[str, Any], neighbors: Iterable[Mapping[str, Any]]) -> Iterator[Edge]:
    """Yield the relations by which neighbours were reached from an entity."""
    names = {centre["id"]: centre["name"]}
    for neighbor in neighbors:
        names |= {neighbor["id"]: neighbor["name"], neighbor["via"]: neighbor["via_name"]}
        for relation in neighbor["relations"]:
            yield _edge(neighbor["via"], neighbor["id"], names, relation)


def path_relations(paths: Iterable[Mapping[str, Any]]) -> Iterator[Edge]:
    """Yield the relations of paths."""
    for path in paths:
        ids = path["ids"]
        names = dict(zip(ids, path["names"], strict=True))
        for start, end, relation in zip(ids, ids[1:], path["relations"], strict=False):
            yield _edge(start, end, names, relation)


def to_networkx(networkx: Any, edges: Iterable[Edge]) -> Any:
    """Return a directed graph with one edge for each predicate between two entities; ``networkx`` is that package."""
    graph = networkx.MultiDiGraph()
    for edge in edges:
        for each in (edge.source, edge.target):
            graph.add_node(each, name=edge.names[each])
        relation = edge.relation
        attributes = {name: relation[name] for name in ("predicate", "sentence", "confidence") if name in relation}
        graph.add_edge(edge.source, edge.target, key=relation["predicate"], **attributes)
    return graph


def _edge(start: str, end: str, names: Mapping[str, str], relation: Mapping[str, Any]) -> Edge:
    source, target = (start, end) if relation["direction"] == "out" else (end, start)
    return Edge(source, target, names, relation)
