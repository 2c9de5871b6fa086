"""Ranking of tools: what the graph adds to the hybrid list, part by part."""

import math

import pytest

from interlace.queries.tools import DescribeToolsKeyword, DescribeToolsRow, ExpandToToolsRow
from interlace.search.profile import ToolProfile
from interlace.search.tools.keywords import Keyword
from interlace.search.tools.ranking import FoundTools, KeywordExpansion, Reasons, rank_tools, weigh_keywords
from interlace.search.weights import FusionWeights

PLAIN = FusionWeights()
ALL = ToolProfile(associative=1.0, links=1.0, graph=1.0, supporters=5)


def tool(name: str, skill: str, *keywords: str, linked: tuple[str, ...] = ()) -> DescribeToolsRow:
    return DescribeToolsRow(
        hit=None,
        skill_keywords=[],
        chunk=f"{skill}/{name}",
        tool=name,
        name=name,
        skill=skill,
        skill_name=skill,
        document=f"doc-{skill}",
        source_uri=f"{skill}/SKILL.md",
        text=name,
        keywords=[DescribeToolsKeyword(keyword, keyword) for keyword in keywords],
        documents=[f"doc-{skill}"],
        linked=[f"doc-{other}" for other in linked],
    )


def ranked(
    *tools: DescribeToolsRow,
    hybrid: dict[str, float],
    similarity: dict[str, float] | None = None,
    expansion: KeywordExpansion | None = None,
    weights: FusionWeights = PLAIN,
) -> dict[str, Reasons]:
    found = FoundTools({item.chunk: item for item in tools}, hybrid, similarity or {})
    return rank_tools(found, expansion or KeywordExpansion(), weights, ALL)


def path(seed: str, tool: str, hops: int, via: str | None = None, kind: str | None = None) -> ExpandToToolsRow:
    return ExpandToToolsRow(seed=seed, tool=tool, hops=hops, via=via, via_name=via, via_type=kind)


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


def test_tools_of_one_skill_and_with_shared_keywords_support_each_other() -> None:
    found = ranked(
        tool("a", "s", "x", "y"),
        tool("kin", "s", "x", "y"),
        tool("half", "t", "x", "z"),
        tool("none", "u", "w"),
        hybrid={"s/a": 1.0, "s/kin": 0.001, "t/half": 0.001, "u/none": 0.0001},
    )
    first = 1 / 1.0021  # nearly all of the probability is the first tool's
    shares = {chunk: why.parts["associative"] for chunk, why in found.items()}
    assert shares["s/kin"] == pytest.approx(sum(h.weight * h.similarity for h in found["s/kin"].supporters))
    assert shares["s/kin"] > shares["t/half"] > shares["u/none"] == 0.0
    by_name = {item.tool: item for item in found["t/half"].supporters}
    assert (by_name["a"].keywords, by_name["a"].same_skill) == (("x",), False)
    assert by_name["a"].similarity == pytest.approx(1 / 6)
    assert by_name["a"].weight == pytest.approx(first)
    strongest = found["s/kin"].supporters[0]
    assert (strongest.tool, strongest.same_skill, strongest.similarity) == ("a", True, 1.0)


def test_links_between_documents_count_with_the_proximity_scale() -> None:
    tools = (tool("a", "s"), tool("b", "t", linked=("s",)), tool("c", "u"))
    expansion = weigh_keywords([Keyword("k", "k", "Concept")], [path("k", "b", 1), path("k", "c", 1)])
    plain = ranked(*tools, hybrid={"s/a": 1.0}, expansion=expansion)
    scaled = ranked(*tools, hybrid={"s/a": 1.0}, expansion=expansion, weights=FusionWeights(proximity=1.5))
    assert (plain["t/b"].parts["links"], plain["u/c"].parts["links"]) == (1.0, 0.0)
    assert scaled["t/b"].parts["links"] == 1.5


def test_rare_keywords_count_more_and_the_shortest_path_is_shown() -> None:
    keywords = [Keyword("rare", "rare", "Concept"), Keyword("wide", "wide", "Concept")]
    rows = [
        path("rare", "a", 1),
        path("rare", "a", 2, "s", "Skill"),
        *(path("wide", name, 2, "s", "Skill") for name in ("a", "b", "c")),
    ]
    expansion = weigh_keywords(keywords, rows)
    found = ranked(tool("a", "s"), tool("b", "s"), hybrid={}, expansion=expansion)
    rare, wide = 1.0, 1 / math.log(math.e + 2)
    assert expansion.weights == {"rare": pytest.approx(rare), "wide": pytest.approx(wide)}
    assert found["s/b"].parts["graph"] == pytest.approx(wide / (rare + wide))
    assert found["s/a"].parts["graph"] == pytest.approx(1.0)
    assert [(step.keyword, step.via, step.hops) for step in found["s/a"].paths] == [("rare", "", 1), ("wide", "s", 2)]


def test_a_tool_of_several_skills_is_reached_through_each_of_them_alone() -> None:
    keywords = [Keyword("word", "word", "Concept"), Keyword("t", "t", "Skill")]
    expansion = weigh_keywords(keywords, [path("word", "a", 2, "s", "Skill"), path("t", "a", 1)])
    found = ranked(tool("a", "s"), tool("a", "t"), tool("a", "u"), hybrid={}, expansion=expansion)
    assert {chunk: [step.keyword for step in why.paths] for chunk, why in found.items()} == {
        "s/a": ["word"],
        "t/a": ["t"],
    }


def test_scales_of_the_query_weigh_the_graph() -> None:
    expansion = weigh_keywords([Keyword("k", "k", "Concept")], [path("k", "a", 1)])
    weights = FusionWeights(graph_rerank=1.3, entity=0.0)
    found = ranked(tool("a", "s"), tool("b", "s"), hybrid={"s/b": 1.0}, expansion=expansion, weights=weights)
    assert found["s/a"].parts["graph"] == pytest.approx(1.3)
    assert found["s/a"].parts["associative"] == 0.0


def test_of_equals_the_one_that_is_nearer_to_the_keyword_comes_first() -> None:
    expansion = weigh_keywords([Keyword("k", "k", "Concept")], [path("k", "z", 1), path("k", "a", 2, "s", "Skill")])
    assert list(ranked(tool("a", "s"), tool("z", "s"), hybrid={}, expansion=expansion)) == ["s/z", "s/a"]


def test_equals_stand_in_order_of_their_names() -> None:
    alone = ToolProfile(associative=0.0, links=0.0)
    tools = {item.chunk: item for item in (tool("b", "s"), tool("a", "s"), tool("c", "a"))}
    assert list(rank_tools(FoundTools(tools, dict.fromkeys(tools, 1.0)), KeywordExpansion(), PLAIN, alone)) == [
        "a/c",
        "s/a",
        "s/b",
    ]
