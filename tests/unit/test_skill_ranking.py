"""Ranking of tools: what the graph adds to the hybrid list, part by part."""

import math

import pytest

from interlace.ports.graph import Row
from interlace.search.tools.candidates import Candidate
from interlace.search.tools.keywords import Keyword
from interlace.search.tools.ranking import Found, Reasons, RoutingConstants, Walk, rank, walk_of
from interlace.search.weights import FusionWeights

PLAIN = FusionWeights()
ALL = RoutingConstants(associative=1.0, links=1.0, walk=1.0, speakers=5)


def tool(name: str, skill: str, *keywords: str, linked: tuple[str, ...] = ()) -> Candidate:
    return Candidate(
        chunk=f"{skill}/{name}",
        tool=name,
        name=name,
        skill=skill,
        skill_name=skill,
        document=f"doc-{skill}",
        source_uri=f"{skill}/SKILL.md",
        text=name,
        keywords={keyword: keyword for keyword in keywords},
        linked=frozenset(f"doc-{other}" for other in linked),
    )


def ranked(
    *tools: Candidate,
    hybrid: dict[str, float],
    similarity: dict[str, float] | None = None,
    walk: Walk | None = None,
    weights: FusionWeights = PLAIN,
) -> dict[str, Reasons]:
    found = Found({item.chunk: item for item in tools}, hybrid, similarity or {})
    return rank(found, walk or Walk(), weights, ALL)


def way(seed: str, tool: str, hops: int, via: str | None = None, kind: str | None = None) -> Row:
    return {"seed": seed, "tool": tool, "hops": hops, "via": via, "viaName": via, "viaType": kind}


def test_without_the_graph_the_lists_decide() -> None:
    found = ranked(tool("a", "s"), tool("b", "t"), tool("c", "u"), hybrid={"s/a": 0.01, "t/b": 0.02})
    assert list(found) == ["t/b", "s/a"]
    assert [why.parts["hybrid"] for why in found.values()] == [0.0, pytest.approx(math.log(0.5))]
    assert all(why.score == pytest.approx(sum(why.parts.values())) for why in found.values())


def test_similarity_decides_as_the_rerank_of_queries_has_it() -> None:
    tools = (tool("a", "s"), tool("b", "t"))
    hybrid, similarity = {"s/a": 0.02, "t/b": 0.02}, {"s/a": 0.2, "t/b": 0.8}
    found = ranked(*tools, hybrid=hybrid, similarity=similarity)
    assert {chunk: why.parts["similarity"] for chunk, why in found.items()} == pytest.approx({"t/b": 0.6, "s/a": -0.6})
    scaled = ranked(*tools, hybrid=hybrid, similarity=similarity, weights=FusionWeights(vector=1.2))
    assert scaled["t/b"].parts["similarity"] == pytest.approx(0.72)


def test_tools_of_one_skill_and_with_shared_keywords_speak_for_each_other() -> None:
    found = ranked(
        tool("a", "s", "x", "y"),
        tool("kin", "s", "x", "y"),
        tool("half", "t", "x", "z"),
        tool("none", "u", "w"),
        hybrid={"s/a": 1.0, "s/kin": 0.001, "t/half": 0.001, "u/none": 0.0001},
    )
    said = 1 / 1.0021  # of all that speak, nearly everything is said by the first
    shares = {chunk: why.parts["associative"] for chunk, why in found.items()}
    assert shares["s/kin"] == pytest.approx(sum(h.share * h.kinship for h in found["s/kin"].associates))
    assert shares["s/kin"] > shares["t/half"] > shares["u/none"] == 0.0
    by_name = {item.tool: item for item in found["t/half"].associates}
    assert (by_name["a"].keywords, by_name["a"].same_skill) == (("x",), False)
    assert by_name["a"].kinship == pytest.approx(1 / 6)
    assert by_name["a"].share == pytest.approx(said)
    strongest = found["s/kin"].associates[0]
    assert (strongest.tool, strongest.same_skill, strongest.kinship) == ("a", True, 1.0)


def test_links_between_documents_count_with_the_proximity_scale() -> None:
    tools = (tool("a", "s"), tool("b", "t", linked=("s",)), tool("c", "u"))
    walk = walk_of([Keyword("k", "k", "Concept")], [way("k", "b", 1), way("k", "c", 1)])
    plain = ranked(*tools, hybrid={"s/a": 1.0}, walk=walk)
    scaled = ranked(*tools, hybrid={"s/a": 1.0}, walk=walk, weights=FusionWeights(proximity=1.5))
    assert (plain["t/b"].parts["links"], plain["u/c"].parts["links"]) == (1.0, 0.0)
    assert scaled["t/b"].parts["links"] == 1.5


def test_the_walk_counts_rare_keywords_more_and_shows_the_shortest_way() -> None:
    keywords = [Keyword("rare", "rare", "Concept"), Keyword("wide", "wide", "Concept")]
    rows = [
        way("rare", "a", 1),
        way("rare", "a", 2, "s", "Skill"),
        *(way("wide", name, 2, "s", "Skill") for name in ("a", "b", "c")),
    ]
    walk = walk_of(keywords, rows)
    found = ranked(tool("a", "s"), tool("b", "s"), hybrid={}, walk=walk)
    rare, wide = 1.0, 1 / math.log(math.e + 2)
    assert walk.weights == {"rare": pytest.approx(rare), "wide": pytest.approx(wide)}
    assert found["s/b"].parts["walk"] == pytest.approx(wide / (rare + wide))
    assert found["s/a"].parts["walk"] == pytest.approx(1.0)
    assert [(step.keyword, step.via, step.hops) for step in found["s/a"].ways] == [("rare", "", 1), ("wide", "s", 2)]


def test_a_tool_of_several_skills_is_reached_through_each_of_them_alone() -> None:
    keywords = [Keyword("word", "word", "Concept"), Keyword("t", "t", "Skill")]
    walk = walk_of(keywords, [way("word", "a", 2, "s", "Skill"), way("t", "a", 1)])
    found = ranked(tool("a", "s"), tool("a", "t"), tool("a", "u"), hybrid={}, walk=walk)
    assert {chunk: [step.keyword for step in why.ways] for chunk, why in found.items()} == {
        "s/a": ["word"],
        "t/a": ["t"],
    }


def test_scales_of_the_query_weigh_the_graph() -> None:
    walk = walk_of([Keyword("k", "k", "Concept")], [way("k", "a", 1)])
    weights = FusionWeights(graph_rerank=1.3, entity=0.0)
    found = ranked(tool("a", "s"), tool("b", "s"), hybrid={"s/b": 1.0}, walk=walk, weights=weights)
    assert found["s/a"].parts["walk"] == pytest.approx(1.3)
    assert found["s/a"].parts["associative"] == 0.0


def test_of_equals_the_one_that_is_nearer_to_the_keyword_comes_first() -> None:
    walk = walk_of([Keyword("k", "k", "Concept")], [way("k", "z", 1), way("k", "a", 2, "s", "Skill")])
    assert list(ranked(tool("a", "s"), tool("z", "s"), hybrid={}, walk=walk)) == ["s/z", "s/a"]


def test_equals_stand_in_order_of_their_names() -> None:
    alone = RoutingConstants(associative=0.0, links=0.0)
    tools = {item.chunk: item for item in (tool("b", "s"), tool("a", "s"), tool("c", "a"))}
    assert list(rank(Found(tools, dict.fromkeys(tools, 1.0)), Walk(), PLAIN, alone)) == ["a/c", "s/a", "s/b"]
