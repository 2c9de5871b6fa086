"""Rerank of tools: the features that all queries have, supporting tools, and paths from the request's keywords.

score(t) = ln(R(t) / R of the first) + s · 0.6 · z(cosine) + a · e · associative(t) + l · p · links(t) + w · g · graph(t)

R is the score by reciprocal rank fusion; it and the standardised cosine are weighed as ``search.scoring`` weighs chunks. s, e, p and g
are the scales ``vector``, ``entity``, ``proximity`` and ``graph_rerank`` of the query's ``FusionWeights``; a, l and w are constants.

- associative(t) = Σ_u h(u) · (keywords(t, u) + same skill(t, u)) / 2 over the first tools u so far, other than t; h is the softmax of their
  scores so far, and ``keywords`` is the Jaccard index of their concepts.
- links(t) = Σ_u h(u) over those u of other skills whose files or documenting notes link to, or from, such a document of t's skill.
- graph(t) = Σ_k v(k) / Σ v over the request's keywords, in the numerator those from which t is reached in at most two hops;
  v(k) = 1 / ln(e - 1 + tools reached), because a keyword that leads everywhere says little.

At most two hops are followed and every path is kept for the explanation, so paths are counted.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from interlace.domain.tools import KeywordPath, SupportingTool
from interlace.queries.tools import DescribeToolsRow, ExpandToToolsRow
from interlace.search.candidates import Features
from interlace.search.profile import ToolProfile
from interlace.search.scoring import Scales, rerank_features, softmax
from interlace.search.tools.candidates import keywords_of
from interlace.search.tools.keywords import Keyword
from interlace.search.weights import FusionWeights


@dataclass(frozen=True, slots=True)
class Reasons:
    """The scaled parts of a tool's score, and the evidence behind those of the graph."""

    parts: Mapping[str, float]
    supporters: tuple[SupportingTool, ...] = ()
    paths: tuple[KeywordPath, ...] = ()

    @property
    def score(self) -> float:
        """The sum that orders tools."""
        return math.fsum(self.parts.values())


@dataclass(frozen=True, slots=True)
class FoundTools:
    """What the legs found.

    Args:
        candidates: tools by the chunk that declares them.
        hybrid: chunk to its score by reciprocal rank fusion; tools that only the graph found have none.
        similarity: chunk to cosine with the request; empty without embeddings.
    """

    candidates: Mapping[str, DescribeToolsRow]
    hybrid: Mapping[str, float]
    similarity: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeywordExpansion:
    """Where keywords lead: rows of ``tools/expand_to_tools``, the keywords they begin at, and each keyword's weight."""

    rows: Sequence[ExpandToToolsRow] = ()
    keywords: Mapping[str, Keyword] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)

    def tools(self) -> dict[str, float]:
        """Return each tool reached (its entity) with the share of the keywords' weights that lead to it, above 0 to 1."""
        total = math.fsum(self.weights.values())
        seeds: dict[str, set[str]] = {}
        for row in self.rows:
            seeds.setdefault(row.tool, set()).add(row.seed)
        return {tool: math.fsum(self.weights[seed] for seed in found) / total for tool, found in seeds.items()}


def weigh_keywords(keywords: Sequence[Keyword], rows: Sequence[ExpandToToolsRow]) -> KeywordExpansion:
    """Return the expansion with the weights of those keywords that lead to a tool."""
    reached: dict[str, set[str]] = {}
    for row in rows:
        reached.setdefault(row.seed, set()).add(row.tool)
    weights = {seed: 1 / math.log(math.e - 1 + len(tools)) for seed, tools in reached.items()}
    return KeywordExpansion(rows, {keyword.id: keyword for keyword in keywords}, weights)


def rank_tools(
    found: FoundTools, expansion: KeywordExpansion, weights: FusionWeights, profile: ToolProfile
) -> dict[str, Reasons]:
    """Return the reasons for each candidate, best first; ties go to the one that keywords reach in fewer hops, then by name.

    Args:
        found: the candidates and their scores in the legs; one that neither a leg nor the graph found is left out.
        expansion: where the request's keywords lead.
        weights: the query's; their scales weigh the features.
        profile: base weights of the graph's features; 0 leaves one out.
    """
    listed = _listed(found, weights)
    supporting = _supporting(found, listed, profile.supporters)
    highest = max((features.graph for features in listed.values()), default=0.0)
    reasons: dict[str, Reasons] = {}
    for chunk, candidate in found.candidates.items():
        supporters, paths = _supporters(candidate, supporting), _paths(candidate, expansion)
        if chunk not in found.hybrid and not paths:
            continue
        support = math.fsum(item.weight * item.similarity for item in supporters)
        linked = math.fsum(item.weight for item in supporters if item.linked)
        parts = {
            "hybrid": listed[chunk].graph - highest,
            "similarity": listed[chunk].similarity,
            "associative": profile.associative * weights.entity * support,
            "links": profile.links * weights.proximity * linked,
            "graph": profile.graph * weights.graph_rerank * math.fsum(path.weight for path in paths),
        }
        reasons[chunk] = Reasons(parts, supporters, paths)
    return dict(sorted(reasons.items(), key=lambda item: _order(found.candidates[item[0]], item[1])))


def _listed(found: FoundTools, weights: FusionWeights) -> dict[str, Features]:
    """Return the features of the fused list; a tool that only the graph found counts half of the last one listed."""
    last = min(found.hybrid.values(), default=1.0)
    scores = {chunk: found.hybrid.get(chunk, last / 2) for chunk in found.candidates}
    # Without PageRank, ``Features.graph`` is the logarithm of the share of the fused score.
    return rerank_features(scores, {}, found.similarity, fused_weight=1.0, scales=Scales(similarity=weights.vector))


def _order(candidate: DescribeToolsRow, reasons: Reasons) -> tuple[float, int, str, str, str]:
    nearest = min((path.hops for path in reasons.paths), default=0)
    return -reasons.score, nearest, candidate.skill_name, candidate.name, candidate.chunk


def _supporting(found: FoundTools, listed: Mapping[str, Features], limit: int) -> list[tuple[DescribeToolsRow, float]]:
    """Return the first tools of the fused list, each with its probability among them."""
    first = sorted(found.hybrid.keys() & listed.keys(), key=lambda chunk: (-listed[chunk].score, chunk))[:limit]
    probability = softmax({chunk: listed[chunk].score for chunk in first})
    return [(found.candidates[chunk], probability[chunk]) for chunk in first]


def _supporters(
    candidate: DescribeToolsRow, supporting: Sequence[tuple[DescribeToolsRow, float]]
) -> tuple[SupportingTool, ...]:
    """Return the tools that support a candidate, the strongest first."""
    found, own = [], keywords_of(candidate)
    for tool, weight in supporting:
        if tool.chunk == candidate.chunk:
            continue
        theirs = keywords_of(tool)
        shared = own.keys() & theirs.keys()
        same = tool.skill == candidate.skill
        linked = not same and not set(candidate.linked).isdisjoint(tool.documents)
        if not (shared or same or linked):
            continue
        jaccard = len(shared) / len(own.keys() | theirs.keys()) if shared else 0.0
        names = tuple(sorted(own[keyword] for keyword in shared))
        found.append(
            SupportingTool(
                tool.name, tool.skill_name, weight, (jaccard + same) / 2, names, same_skill=same, linked=linked
            )
        )
    return tuple(sorted(found, key=lambda item: (-item.weight * item.similarity, item.skill, item.tool)))


def _paths(candidate: DescribeToolsRow, expansion: KeywordExpansion) -> tuple[KeywordPath, ...]:
    """Return the shortest path from each keyword to a candidate, the heaviest first."""
    total = math.fsum(expansion.weights.values())
    best: dict[str, ExpandToToolsRow] = {}
    for row in expansion.rows:
        if row.tool == candidate.tool and _leads_to(row, candidate, expansion.keywords[row.seed]):
            known = best.get(row.seed)
            if known is None or (row.hops, row.via_name or "") < (known.hops, known.via_name or ""):
                best[row.seed] = row
    paths = [
        KeywordPath(expansion.keywords[seed].name, row.via_name or "", row.hops, expansion.weights[seed] / total)
        for seed, row in best.items()
    ]
    return tuple(sorted(paths, key=lambda path: (-path.weight, path.keyword)))


def _leads_to(row: ExpandToToolsRow, candidate: DescribeToolsRow, keyword: Keyword) -> bool:
    """Return whether a path leads to the tool as one of this skill: a tool of several skills is reached through each of them."""
    if row.via_type == "Skill":
        return row.via == candidate.skill
    # A skill that the request names contains the tool itself.
    direct = row.hops == 1 and keyword.type == "Skill"
    return not direct or keyword.id == candidate.skill
