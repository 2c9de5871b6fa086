"""Optional boosts on real servers: a question asks for each, sees what it is made of, and leaves it out again."""

import math

import pytest
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World

from interlace.domain.hits import BoostName, Hit, QueryRequest
from interlace.domain.instants import now
from interlace.search.searches import Searches

QUESTION = "What lifts what the winter left, by the Harbour plan?"
NOTES = {
    "plan.md": "# Harbour plan\n\n## Uses\n\n- [[Barrel Crane#product]]\n",
    "lifting.md": f"---\nmodified_at: {now()}\n---\n# Lifting\n\nThe Barrel Crane lifts what the winter left.\n",
    "shed.md": "---\nmodified_at: 2001-01-01\n---\n# Shed\n\nWhat the winter left stands there. See [lifting](lifting.md).\n",
}


def asked(world: World, tenant: str, **options: object) -> tuple[dict[str, Hit], dict[str, float]]:
    """Return the hits by title, and the weights of the question."""
    platform = world.platform
    models = {platform.embedder.model: platform.embedder} if platform.embedder else {}
    settings = waiting_for_legs(platform.settings).query
    made = Searches(platform.graph, platform.vectors, models, platform.entity_linkers, settings)
    try:
        answer = made.questions.search(tenant, QueryRequest(QUESTION, explain=True, **options))  # type: ignore[arg-type]
    finally:
        made.close()
    assert not answer.degraded
    return {hit.title: hit for hit in answer.hits}, dict(answer.weights)


def odds(hits: dict[str, Hit]) -> float:
    """Return how much likelier the chunk about lifting is than the one about the shed."""
    return hits["Lifting"].score / hits["Shed"].score


@pytest.mark.parametrize(
    ("boost", "figure", "lifting", "shed"),
    [("entity", "relatedness", 1.0, None), ("degree", "degree", None, None), ("recency", "freshness", 1.0, 0.0)],
)
def test_a_boost_is_asked_for_explained_and_left_out(
    world: World, tenant: str, boost: BoostName, figure: str, lifting: float | None, shed: float | None
) -> None:
    world.ingest(tenant, NOTES)
    wanted = {"recency_days": 30.0} if boost == "recency" else {"boosts": frozenset({boost})}
    plain, _ = asked(world, tenant)
    boosted, weights = asked(world, tenant, **wanted)
    left_out, _ = asked(world, tenant, **wanted, without=frozenset({boost}))
    assert all(boost not in hit.boosts for hits in (plain, left_out) for hit in hits.values())
    scale = weights["entity"] if boost == "entity" else 1.0
    for hit in boosted.values():
        assert hit.boosts[boost] == pytest.approx(math.log1p(scale * hit.figures.get(figure, 0.0)))
    for title, value in (("Lifting", lifting), ("Shed", shed)):
        if value is not None:
            assert boosted[title].figures[figure] == pytest.approx(value, abs=0.05)
    assert odds(boosted) > odds(plain) == pytest.approx(odds(left_out))


def test_what_is_named_in_the_question_is_a_direct_match(world: World, tenant: str) -> None:
    world.ingest(tenant, NOTES)
    boosted, weights = asked(world, tenant, boosts=frozenset({"precision"}))
    plan = boosted["Harbour plan"]
    assert plan.figures["match"] == 1.0
    assert plan.boosts["precision"] == pytest.approx(math.log1p(0.5 * weights["proximity"]))
    assert 0 < boosted["Shed"].figures["match"] < boosted["Lifting"].figures["match"] <= 1.0
