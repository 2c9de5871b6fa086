"""The expansion for readers of groups chooses by visible degrees as the query for other readers chooses by stored ones."""

from dataclasses import replace
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.entities.visible_cache import VisibleEntityCache
from interlace.search.legs.protocol import Scope
from interlace.search.profile import PROFILE, GraphProfile
from interlace.search.visible_expansion import expand_visible

SCOPE = Scope("acme", "Mira Quill", None, 10, 1.0)
DEGREES = {"crane": 2, "port": 3, "oslo": 99, "gone": 0}
COUNTED_HERE = {"rope": 1}  # all of its mentions are in the chunks that are reached
MENTIONED = {
    "mira": [("c1", "ner"), ("c2", "ner")],
    "crane": [("c1", "ner")],
    "port": [("c1", "title"), ("c2", "ner")],
    "rope": [("c2", "ner")],
    "oslo": [("c1", "ner")],
    "gone": [("c2", "ner")],
}


def graph() -> CollectingGraph:
    def bridges(*, ids: list[str], **_: Any) -> list[dict[str, Any]]:
        return [{"entity": each, "mentions": [[f"far of {each}", "ner", None, 1, None]]} for each in ids]

    return CollectingGraph(
        {
            "expansion/reach_visible": [
                {
                    "entity": entity,
                    "degree": COUNTED_HERE.get(entity),
                    "mentions": [[chunk, via, None, 1, "words"] for chunk, via in mentions],
                }
                for entity, mentions in MENTIONED.items()
            ],
            "visibility/visible_degrees": lambda *, ids, **_: [{"id": each, "degree": DEGREES[each]} for each in ids],
            "expansion/bridge_visible": bridges,
        }
    )


def reached(asked: CollectingGraph, **bounds: Any) -> dict[str, set[str]]:
    """Return the chunks by entity that an expansion from one seed reaches."""
    profile: GraphProfile = replace(PROFILE.graph, **{"hub_cap": 10, "title": 4.0, **bounds})
    rows = expand_visible(VisibleEntityCache(asked).view_at("acme", None), SCOPE, {"mira": 5}, [], profile)
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row.entity, set()).update(chunk for chunk, *_ in row.mentions)
    return found


def test_hubs_and_what_has_no_visible_mention_lead_nowhere() -> None:
    found = reached(graph())
    assert found.keys() == {"mira", "crane", "port", "rope"}
    assert found["crane"] == {"c1", "far of crane"}
    # A name whose mentions are all here leads nowhere else, nor does a seed that is a hub.
    assert found["rope"] == {"c2"}
    assert reached(graph(), hub_cap=4)["mira"] == {"c1", "c2"}


def test_of_a_chunk_seeds_are_taken_first_and_then_the_rarest() -> None:
    found = reached(graph(), entities_per_chunk=2)
    assert {each: chunks & {"c1", "c2"} for each, chunks in found.items()} == {
        "mira": {"c1", "c2"},
        "crane": {"c1"},
        "rope": {"c2"},
    }


@pytest.mark.parametrize(("title", "first"), [(4.0, "port"), (1.0, "port"), (0.1, "crane")])
def test_bridges_are_mentioned_most_here_and_least_elsewhere(title: float, first: str) -> None:
    asked = graph()
    reached(asked, bridges=1, title=title)
    assert [each["ids"] for each in asked.params_of("expansion/bridge_visible")] == [[first]]


def test_degrees_are_counted_no_further_than_a_hub() -> None:
    asked = graph()
    reached(asked)
    assert [each["maxDegree"] for each in asked.params_of("visibility/visible_degrees")] == [11]
