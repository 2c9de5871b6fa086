"""Tool routing: the search pipeline over the chunks that declare tools, reranked by what the graph says about the tools.

Intent, weights, legs and fusion are those of questions, with a filter for sections of type ``Tool``. Without embeddings the keyword leg
and the graph answer; without the vector index the graph alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from interlace.cypher_files import query as cypher
from interlace.domain.effort import Work, effort_report
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import LegName, LegRank, QueryRequest, Signal
from interlace.domain.reader import reader_groups
from interlace.domain.tools import RouteRequest, RouteResponse, RouteSignal, ToolHit
from interlace.ports.graph import GraphDatabase
from interlace.queries.tools import DescribeToolsRow, expand_to_tools
from interlace.search.candidates import Candidate, FusedCandidate
from interlace.search.execution import Run, answered
from interlace.search.fuse import fuse_legs
from interlace.search.legs.protocol import Leg
from interlace.search.pipeline import SearchPipeline
from interlace.search.plan import GraphEvidence, enough, escalated, triggers, with_policy
from interlace.search.profile import RankingProfile, ToolProfile
from interlace.search.retrieve import run_legs
from interlace.search.tools.candidates import ToolCandidates, keywords_of, read_candidates
from interlace.search.tools.keywords import linked_keywords
from interlace.search.tools.ranking import FoundTools, KeywordExpansion, Reasons, rank_tools, weigh_keywords
from interlace.search.tools.visible import expand_to_visible_tools
from interlace.search.understand import Understanding, UnderstoodQuery
from interlace.settings_objects import DefaultPolicy
from interlace.text.tokenizer import content_words

_SHOW = cypher("tools/show_tool")
_TOOLS = Filter(must=(Condition("section_type", "eq", "Tool"),))
# The most hops of the query that expands from keywords to tools.
_HOPS = 2
_LEGS: tuple[LegName, ...] = ("vector", "keyword")
_FIRST = 10
_TOGETHER = "The legs and the graph answered together."


@dataclass(frozen=True, slots=True)
class UnderstoodRequest:
    """A request for tools: as asked, and as a query over chunks."""

    request: RouteRequest
    query: UnderstoodQuery


@dataclass(frozen=True, slots=True)
class RetrievedTools:
    """What legs and graph returned: leg to chunks, the expansion from the request's keywords, and why these answered."""

    lists: Mapping[str, list[Candidate]]
    expansion: KeywordExpansion
    mode: Literal["graph_only", "hybrid"]
    why: str


@dataclass(frozen=True, slots=True)
class RankedTools:
    """Tools by the chunk that declares them: reasons, best first, the tools, and the fused candidate of each that a leg found."""

    reasons: Mapping[str, Reasons]
    tools: Mapping[str, DescribeToolsRow]
    fused: Mapping[str, FusedCandidate]


@dataclass(frozen=True, slots=True)
class ToolStages:
    """The stages of tool routing.

    Args:
        graph: the graph.
        legs: the registry of legs.
        understanding: understands questions.
        policy: whether the graph goes first, and the triggers.
        profile: ranking constants.
    """

    graph: GraphDatabase
    legs: Mapping[str, Leg]
    understanding: Understanding
    policy: DefaultPolicy
    profile: RankingProfile

    def understand(self, run: Run, tenant: str, request: RouteRequest) -> UnderstoodRequest:
        """Understand the request as a question that only tools answer."""
        without: frozenset[Signal] = frozenset(leg for leg in _LEGS if leg in request.without)
        asked = QueryRequest(request.text, limit=request.limit, legs=_LEGS, without=without, model=request.model)
        query = self.understanding.understand(run, tenant, asked)
        # Only the vector index applies this filter: sections of type Tool need no list of documents.
        return UnderstoodRequest(request, replace(query, scope=replace(query.scope, where=_TOOLS)))

    def plan(self, query: UnderstoodRequest) -> tuple[str, ...]:
        """Choose the legs that are not left out."""
        dense = query.query.embedder is not None
        return tuple(leg for leg in _LEGS if query.query.weights.uses(leg) and (dense or leg != "vector"))

    def retrieve(self, run: Run, query: UnderstoodRequest, plan: tuple[str, ...]) -> RetrievedTools:
        """Expand from the request's keywords and run the legs; where the graph goes first, only if it is not enough."""
        asked = query.query
        policy = with_policy(self.policy, query.request.policy)
        known = "graph" not in query.request.without
        expansion = run.timed("graph", lambda: self._expand(asked)) if known else KeywordExpansion()
        why = _TOGETHER
        if known and plan and policy.first == "graph":
            evidence = self._evidence(asked.scope.tenant, expansion)
            found = [*abstract_request(query.request.text, expansion, policy), *triggers(evidence, policy)]
            if not found:
                return RetrievedTools({}, expansion, "graph_only", enough(evidence))
            why = escalated(found)
        lists = run_legs(run, [self.legs[name] for name in plan], asked.context(), asked.embedding)
        return RetrievedTools(lists, expansion, "hybrid" if plan else "graph_only", why)

    def fuse(self, query: UnderstoodRequest, found: RetrievedTools) -> list[FusedCandidate]:
        """Fuse by rank."""
        return fuse_legs(found.lists, query.query.weights)

    def rerank(
        self, run: Run, query: UnderstoodRequest, found: RetrievedTools, fused: list[FusedCandidate]
    ) -> RankedTools:
        """Order tools by the fused list, similarity, supporting tools, links and paths from keywords."""
        tenant, reached = query.query.scope.tenant, {row.tool for row in found.expansion.rows}
        chunks = [each.id for each in fused]
        tools = run.timed("tools", lambda: read_candidates(self.graph, tenant, chunks=chunks, tools=reached))
        best = _best_chunks(fused, tools)
        hybrid = {chunk: each.score for chunk, each in best.items()}
        similarity = _similarity(found.lists.get("vector", ()), tools)
        profile = _without(self.profile.tools, query.request.without)
        reasons = rank_tools(FoundTools(tools.tools, hybrid, similarity), found.expansion, query.query.weights, profile)
        return RankedTools(reasons, tools.tools, best)

    def present(self, run: Run, query: UnderstoodRequest, found: RetrievedTools, ranked: RankedTools) -> RouteResponse:
        """Describe the first tools, and how they were found."""
        asked, expansion = query.query, found.expansion
        first = list(ranked.reasons)[: query.request.limit]
        run.timings["total"] = run.elapsed()
        work = Work(
            len(found.lists), _HOPS if expansion.rows else 0, candidates=len(ranked.tools) + len(expansion.rows)
        )
        return RouteResponse(
            query=query.request.text,
            tools=tuple(_hit(asked.scope.tenant, place, chunk, ranked) for place, chunk in enumerate(first, start=1)),
            intent=asked.intent.to_dict(),
            weights=asked.weights.to_dict(_LEGS),
            keywords={
                expansion.keywords[seed].name: round(weight, 4) for seed, weight in sorted(expansion.weights.items())
            },
            retrieval_mode=found.mode,
            retrieval_path=(*answered(found.lists, _LEGS), *(("graph",) if expansion.rows else ())),
            retrieval_reason=found.why,
            degraded=tuple(dict.fromkeys(run.degraded)),
            timings=dict(run.timings),
            effort=effort_report(
                work, tools=len(ranked.tools), keywords=len(expansion.weights), paths=len(expansion.rows)
            ),
        )

    def _evidence(self, tenant: str, expansion: KeywordExpansion) -> GraphEvidence:
        """Return the evidence of the graph alone: tools, the best one's share of the keywords' weights, and their source coverage."""
        reached = expansion.tools()
        tools = read_candidates(self.graph, tenant, chunks=(), tools=reached).tools.values()
        of = {tool.tool: tool.document for tool in tools}
        first = sorted(of, key=lambda tool: (-reached[tool], tool))[:_FIRST]
        coverage = len({of[tool] for tool in first}) / len(first) if first else 0.0
        return GraphEvidence(len(reached), max(reached.values(), default=0.0), coverage, ("tools", "tool"))

    def _expand(self, query: UnderstoodQuery) -> KeywordExpansion:
        tenant = query.scope.tenant
        keywords = linked_keywords(self.graph, tenant, query.scope.text, query.intent.keywords)
        if not keywords:
            return KeywordExpansion()
        expand = expand_to_tools if reader_groups() is None else expand_to_visible_tools
        rows = expand(
            self.graph,
            tenant=tenant,
            seeds=[keyword.id for keyword in keywords],
            hub_cap=self.profile.graph.hub_cap,
            limit=self.profile.candidates,
            timeout=query.scope.timeout,
        )
        return weigh_keywords(keywords, rows)


ToolSearch: TypeAlias = SearchPipeline[
    RouteRequest, UnderstoodRequest, tuple[str, ...], RetrievedTools, RankedTools, RouteResponse
]
"""Routes requests to tools."""


def abstract_request(text: str, expansion: KeywordExpansion, policy: DefaultPolicy) -> list[str]:
    """Return why a request is not for the graph alone, as a clause; none if a large enough share of its words names keywords."""
    words = content_words(text)
    named = {word for seed in expansion.weights for word in content_words(expansion.keywords[seed].name)}
    share = sum(word in named for word in words) / len(words) if words else 0.0
    if not expansion.weights:
        return ["the request names no keyword, skill or tool that leads to a tool"]
    if share < policy.min_overlap:
        return [f"{share:.0%} of the request's words name known entities, less than {policy.min_overlap:.0%}"]
    return []


def _without(profile: ToolProfile, left_out: frozenset[RouteSignal]) -> ToolProfile:
    return replace(
        profile,
        associative=0.0 if "associative" in left_out else profile.associative,
        links=0.0 if "links" in left_out else profile.links,
        graph=0.0 if "graph" in left_out else profile.graph,
    )


def _best_chunks(fused: Sequence[FusedCandidate], found: ToolCandidates) -> dict[str, FusedCandidate]:
    """Return for each tool the best fused chunk of the section that declares it."""
    best: dict[str, FusedCandidate] = {}
    for each in fused:
        if each.id in found.declared_in:
            best.setdefault(found.declared_in[each.id], each)
    return best


def _similarity(dense: Sequence[Candidate], found: ToolCandidates) -> dict[str, float]:
    """Return for each tool the best cosine among the chunks of the section that declares it."""
    best: dict[str, float] = {}
    for each in dense:
        tool = found.declared_in.get(each.id)
        if tool is not None:
            best[tool] = max(each.score, best.get(tool, each.score))
    return best


def _hit(tenant: str, place: int, chunk: str, ranked: RankedTools) -> ToolHit:
    tool, why, fused = ranked.tools[chunk], ranked.reasons[chunk], ranked.fused.get(chunk)
    legs = sorted(fused.legs.items()) if fused else []
    return ToolHit(
        rank=place,
        score=why.score,
        tool_id=tool.tool,
        tool=tool.name,
        skill_id=tool.skill,
        skill=tool.skill_name,
        description=tool.text,
        keywords=tuple(sorted(keywords_of(tool).values())),
        chunk_id=tool.chunk,
        document_id=tool.document,
        source_uri=tool.source_uri,
        parts=why.parts,
        legs=tuple(LegRank(leg, part.rank, part.score, part.weight, part.share) for leg, part in legs),
        supporters=why.supporters,
        paths=why.paths,
        cypher=_SHOW.text.replace("$tool", f"'{tool.tool}'").replace("$tenant", f"'{tenant}'"),
    )
