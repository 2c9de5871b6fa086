"""Pictures of relations for notebooks, drawn by ``neo4j_viz``; ``viz`` is that package in every function."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def neighbor_picture(viz: Any, centre: Mapping[str, Any], neighbors: Sequence[Mapping[str, Any]]) -> Any:
    """Return an entity and its neighbours as the API gives them, with the relations by which these were reached."""
    nodes = [_node(viz, centre, size=30), *(_node(viz, neighbor, size=20) for neighbor in neighbors)]
    relationships = [
        _relationship(viz, neighbor["via"], neighbor["id"], relation)
        for neighbor in neighbors
        for relation in neighbor["relations"]
    ]
    return _colored(viz, nodes, relationships, "type")


def path_picture(viz: Any, paths: Iterable[Mapping[str, Any]]) -> Any:
    """Return the entities and relations of paths as the API gives them, each once."""
    names: dict[str, str] = {}
    found: dict[tuple[str, str, str, str], Any] = {}
    for path in paths:
        ids = path["ids"]
        names.update(zip(ids, path["names"], strict=True))
        for start, end, relation in zip(ids, ids[1:], path["relations"], strict=False):
            key = start, end, relation["predicate"], relation["direction"]
            found.setdefault(key, _relationship(viz, start, end, relation))
    nodes = [viz.Node(id=each, caption=name, size=20, properties={"name": name}) for each, name in names.items()]
    return _colored(viz, nodes, list(found.values()), "name")


def answer_picture(viz: Any, hits: Iterable[Mapping[str, Any]]) -> Any:
    """Return the entities on the paths of hits and the documents in which they end, each once; a relation's caption is a document's title."""
    nodes: dict[str, Any] = {}
    relationships: dict[tuple[str, str], Any] = {}
    for hit in hits:
        place = f"document {hit['document_id']}"
        nodes[place] = viz.Node(id=place, caption=hit["title"], size=30, properties={"kind": "document"})
        steps = hit["path"]
        for step in steps:
            entity = {"kind": "entity", "sentence": step["sentence"]}
            nodes.setdefault(
                step["entity_id"],
                viz.Node(id=step["entity_id"], caption=step["entity_name"], size=20, properties=entity),
            )
        ends = [*(step["entity_id"] for step in steps[1:]), place]
        for step, end in zip(steps, ends, strict=False):
            key = step["entity_id"], end
            if step["entity_id"] != end and key not in relationships:
                relationships[key] = viz.Relationship(source=key[0], target=end, caption=step["document_title"])
    return _colored(viz, list(nodes.values()), list(relationships.values()), "kind")


def community_picture(viz: Any, details: Iterable[Mapping[str, Any]]) -> Any:
    """Return communities as the API gives them, with their members and parents; a colour is a community."""
    nodes: dict[str, Any] = {}
    relationships: list[Any] = []
    for detail in details:
        group = _group(viz, detail["community"])
        nodes[group.id] = group
        for parent in detail["parents"]:
            nodes.setdefault(f"community {parent['id']}", _group(viz, parent))
            relationships.append(
                viz.Relationship(source=group.id, target=f"community {parent['id']}", caption="PARENT")
            )
        for member in detail["members"]:
            about = {"community": group.caption, "type": member["type"]}
            nodes.setdefault(member["id"], viz.Node(id=member["id"], caption=member["name"], size=18, properties=about))
            relationships.append(viz.Relationship(source=member["id"], target=group.id))
    return _colored(viz, list(nodes.values()), relationships, "community")


def _group(viz: Any, community: Mapping[str, Any]) -> Any:
    title = community["title"] or community["id"]
    return viz.Node(id=f"community {community['id']}", caption=title, size=36, properties={"community": title})


def _node(viz: Any, entity: Mapping[str, Any], *, size: int) -> Any:
    return viz.Node(id=entity["id"], caption=entity["name"], size=size, properties={"type": entity["type"]})


def _relationship(viz: Any, start: str, end: str, relation: Mapping[str, Any]) -> Any:
    source, target = (start, end) if relation["direction"] == "out" else (end, start)
    return viz.Relationship(source=source, target=target, caption=relation["predicate"])


def _colored(viz: Any, nodes: list[Any], relationships: list[Any], key: str) -> Any:
    picture = viz.VisualizationGraph(nodes, relationships)
    if nodes:
        picture.color_nodes(property=key)
    return picture
