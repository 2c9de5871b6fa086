"""A copy of the gazetteer that is read beside writers: a version may be visible before the entities that it changed."""

from collections.abc import Sequence

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.entities.linker import EntityLinker
from interlace.ports.graph import Row


class HalfCommitted(CollectingGraph):
    """Shows a new version at once, and the alias that it brought after all commits have been waited for."""

    def __init__(self) -> None:
        super().__init__(
            {
                "gazetteer/gazetteer_version": self.version,
                "gazetteer/gazetteer_changes": [{"version": 2, "entityIds": ["e1"]}],
                "gazetteer/entity_keys": self.keys,
                "gazetteer/all_entity_keys": self.keys,
            }
        )
        self.at = 1

    def version(self, **_: object) -> Sequence[Row]:
        return [{"version": self.at, "revision": f"e:{self.at}", "chunks": 1, "models": [], "model": None}]

    def keys(self, **_: object) -> Sequence[Row]:
        whole = self.at == 2 and ("wait_for_commits", {}) in self.ran[-3:]
        return [{"id": "e1", "keys": ["ada", "ada lovelace"] if whole else ["ada"]}]


def test_a_new_version_is_read_when_its_commit_is_visible_whole() -> None:
    graph, linker = HalfCommitted(), EntityLinker("t")
    linker.refresh(graph)
    assert linker.forms_of("e1") == ("ada",)
    graph.at = 2
    assert linker.refresh(graph) == "e:2"
    assert set(linker.forms_of("e1")) == {"ada", "ada lovelace"}


def test_an_unchanged_version_costs_one_read() -> None:
    graph, linker = HalfCommitted(), EntityLinker("t")
    linker.refresh(graph)
    graph.ran.clear()
    linker.refresh(graph)
    assert [name for name, _ in graph.ran] == ["gazetteer/gazetteer_version"]


def test_a_copy_that_was_loaded_in_part_is_loaded_again() -> None:
    graph, linker = HalfCommitted(), EntityLinker("t")
    linker.refresh(graph)
    graph.at = 3  # the log lacks a version, so the copy is loaded from scratch
    graph.answers["gazetteer/all_entity_keys"] = [{"id": "e0", "keys": ["bob"]}, {"id": "e1", "keys": None}]
    with pytest.raises(TypeError):
        linker.refresh(graph)
    graph.at = 2
    graph.answers["gazetteer/all_entity_keys"] = graph.keys
    linker.refresh(graph)
    assert set(linker.forms_of("e1")) == {"ada", "ada lovelace"}
    assert linker.forms_of("e0") == ()
