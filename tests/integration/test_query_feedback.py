"""A chunk about the same thing as the first ones, in other words than the question, is found where no entity is linked."""

import pytest
from tests.integration.ingestion_world import World

from interlace.domain.hits import Hit, QueryRequest

QUESTION = "how do i keep the dough from going flat overnight"
DOCUMENTS = {
    "dough.md": "overnight the dough goes flat if the starter is tired. a lively starter and a cool cellar keep the dough from going flat.",
    "flat.md": "to keep dough from going flat, feed the starter twice and let the dough rest in a cool cellar overnight.",
    "starter.md": "a tired starter is fed twice with rye, and a cool cellar slows a lively starter down.",
    "tyre.md": "a tyre that keeps going flat overnight has a slow leak at the valve.",
    **{
        f"shed{number}.md": f"in shed {number} the {thing} is kept from the rain overnight."
        for number, thing in enumerate(
            ("ladder", "rake", "mower", "barrow", "spade", "hose", "bench", "saw", "kettle", "grill")
        )
    },
}


def ask(world: World, tenant: str, *without: str) -> dict[str, Hit]:
    asked = QueryRequest(QUESTION, limit=20, explain=True, without=frozenset(without))  # type: ignore[arg-type]
    answer = world.platform.questions.search(tenant, asked)
    assert not answer.degraded
    return {hit.source_uri: hit for hit in answer.hits}


@pytest.mark.vectors
def test_what_shares_the_terms_of_the_first_hits_gains(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    hits, before = ask(world, tenant), ask(world, tenant, "feedback")
    assert list(hits)[:2] == list(before)[:2]
    assert set(list(hits)[:2]) == {"dough.md", "flat.md"}
    gains = {uri: hit.boosts["feedback"] for uri, hit in hits.items() if "feedback" in hit.boosts}
    assert set(gains) == set(list(hits)[2:])
    assert gains["starter.md"] > 0 > max(gain for uri, gain in gains.items() if uri.startswith("shed"))
    assert list(hits).index("starter.md") <= list(before).index("starter.md")
    assert hits["starter.md"].figures["shared_terms"] > 0
    assert not any("feedback" in hit.boosts or "shared_terms" in hit.figures for hit in before.values())
