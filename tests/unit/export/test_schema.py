"""The schema of the export: Cypher and Python name the same labels, and pages follow each other by key."""

import re

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.cypher_files import query
from interlace.export.schema import DOCUMENT, KINDS, LABELS, REMOVAL

BY_NAME = {"Tag", "Reference"}


@pytest.mark.parametrize("name", ["page_nodes", "write_nodes", "write_relationships", "remove_nodes"])
def test_queries_know_every_label(name: str) -> None:
    text = query(f"export/{name}").text
    assert set(LABELS) - set(re.findall(r"\b[A-Z][A-Za-z]+\b", text)) == set()
    for labels in re.findall(r"\(n:((?:\w+\|)+\w+)", text):
        assert labels.split("|") == [label for label in LABELS if label not in BY_NAME]


def test_every_kind_is_removed_before_a_restore() -> None:
    assert sorted(kind.label for kind in REMOVAL) == sorted(kind.label for kind in KINDS)


def test_pages_follow_each_other_by_key() -> None:
    def page(*, after: str, **_: object) -> list[dict[str, object]]:
        keys = [key for key in ("a", "b", "c") if key > after][:2]
        return [{"key": key, "labels": ["Document"], "properties": {}, "relationships": []} for key in keys]

    graph = CollectingGraph({"export/page_nodes": page})
    assert [node.key for node in DOCUMENT.nodes(graph, "t")] == ["a", "b", "c"]
    assert [params["after"] for params in graph.params_of("export/page_nodes")] == ["", "b", "c"]
