"""Keywords of a request that the graph knows."""

from typing import Any

from tests.support.collecting_graph import CollectingGraph

from interlace.search.tools.keywords import linked_keywords


def concept(name: str) -> dict[str, Any]:
    return {
        "id": f"e-{name}",
        "name": name,
        "type": "Concept",
        "aliases": [],
        "keys": [name],
        "confidence": 1.0,
        "mentions": 1,
    }


def test_keywords_are_sought_in_names_and_aliases_of_the_tenant_only() -> None:
    graph = CollectingGraph({"entities/entity_search": [concept("default"), concept("editor")]})
    found = linked_keywords(graph, "default", "the default values", ["default", "values"])
    assert [keyword.name for keyword in found] == ["default"]
    (params,) = graph.params_of("entities/entity_search")
    assert params["search"] == '+tenant:"default" +(name:(default* valu*) aliases:(default* valu*))'


def test_a_request_without_words_seeks_nothing() -> None:
    graph = CollectingGraph()
    assert linked_keywords(graph, "default", "?!", []) == []
    assert graph.ran == []
