"""Routes a request to tools: hybrid search over the chunks that declare tools, then what the graph says of them.

Intent and weights are those of any query (``retrieval.intent``, ``retrieval.weights``), found once; the hybrid list is made by the legs and
the fusion of any query, with a filter for sections of type ``Tool``. Without embeddings the keyword leg and the graph answer; without the
vector index the graph alone.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal

from interlace.cypher_files import query
from interlace.domain.effort import Work, reported
from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import LegRank, QueryRequest, Signal
from interlace.domain.tools import RouteRequest, RouteResponse, RouteSignal, SkillSummary, ToolHit
from interlace.entities.linker import EntityLinkers
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.search.embedding_choice import choose_embedder
from interlace.search.execution import Run
from interlace.search.fusion import LegHit, ListedHit, reciprocal_ranks
from interlace.search.intent import Intent, analyse
from interlace.search.legs import vectors as legs
from interlace.search.legs.graph import known_names
from interlace.search.legs.vectors import Scope
from interlace.search.limits import check_limit
from interlace.search.tools.candidates import Candidate, Candidates, read_candidates
from interlace.search.tools.keywords import known_keywords
from interlace.search.tools.ranking import DEFAULT, Found, Reasons, RoutingConstants, Walk, rank, walk_of
from interlace.search.weights import FusionWeights, weights_for
from interlace.settings import QuerySettings

_WALK = query("tools/expand_to_tools")
_SKILLS = query("tools/skill_list")
_SHOW = query("tools/show_tool")
_TOOLS = Filter(must=(Condition("section_type", "eq", "Tool"),))
_LONGEST = 2000
_THREADS = 4
# As the query that walks from names to tools: at most two.
_STEPS = 2
_LEGS: tuple[Literal["vector", "keyword"], ...] = ("vector", "keyword")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is settled about a request before anything is searched."""

    request: RouteRequest
    intent: Intent
    weights: FusionWeights
    scope: Scope
    embedder: Embedder | None


class ToolRouter:
    """Finds tools. One instance a process; safe for use by several threads.

    Args:
        graph: the graph.
        vectors: the vector index.
        embedders: by model, the first one first; none when embeddings are off.
        registries: all names.
        settings: weights, bounds and deadlines of queries.
        constants: base weights of what the graph adds.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        embedders: Mapping[str, Embedder],
        registries: EntityLinkers,
        settings: QuerySettings,
        constants: RoutingConstants = DEFAULT,
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._embedders = embedders
        self._registries = registries
        self._settings = settings
        self._constants = constants
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="route")

    def close(self) -> None:
        """Let running searches end and stop the threads."""
        self._pool.shutdown(cancel_futures=True)

    def skills(self, tenant: str, *, limit: int, after: str | None = None) -> list[SkillSummary]:
        """Return registered skills by the id of their document, those after a given one."""
        rows = self._graph.run(_SKILLS, tenant=tenant, limit=limit, after=after)
        return [
            SkillSummary(**{**row, "keywords": tuple(row["keywords"]), "tools": tuple(row["tools"])}) for row in rows
        ]

    def route(self, tenant: str, request: RouteRequest) -> RouteResponse:
        """Return the tools that fit a request, best first.

        A leg that fails or is late is named in ``degraded``.

        Raises:
            InvalidInputError: the request is empty or too long, or the limit too high.
            UnavailableError: the graph does not answer.
        """
        self._check(request)
        run = Run(self._pool, self._settings.leg_timeout)
        asked = run.timed("names", lambda: self._understand(tenant, request))
        self._search(run, asked)
        walk = run.timed("walk", lambda: self._walk(asked)) if "walk" not in request.without else Walk()
        listed = {hit.chunk: hit for hit in self._fuse(run, asked.weights)}
        found = run.timed("tools", lambda: self._candidates(tenant, listed, walk))
        legs_of = _first_chunks(listed, found)
        hybrid = {chunk: hit.score for chunk, hit in legs_of.items()}
        similarity = _similarity(run.lists.get("vector", ()), found)
        reasons = rank(Found(found.tools, hybrid, similarity), walk, asked.weights, self._without(request.without))
        first = list(reasons)[: request.limit]
        hits = tuple(
            _hit(tenant, place, found.tools[chunk], reasons[chunk], legs_of.get(chunk))
            for place, chunk in enumerate(first, start=1)
        )
        run.timings["total"] = run.elapsed()
        return _response(asked, run, hits, walk, candidates=len(found.tools))

    def _check(self, request: RouteRequest) -> None:
        if not request.text.strip():
            raise InvalidInputError("The request is empty; say what is to be done.")
        if len(request.text) > _LONGEST:
            raise InvalidInputError(f"The request has {len(request.text)} characters; at most {_LONGEST} are read.")
        check_limit(request.limit, self._settings)

    def _understand(self, tenant: str, request: RouteRequest) -> _Asked:
        registry = self._registries.current(tenant)
        known = known_names(self._graph, registry, request.text, self._settings)
        intent = analyse(request.text, tuple(known.seeds.weights))
        left_out: frozenset[Signal] = frozenset(leg for leg in _LEGS if leg in request.without)
        weights = weights_for(intent, self._settings, without=left_out)
        scope = Scope(tenant, request.text, _TOOLS, None, self._settings.candidates, self._settings.leg_timeout)
        asking = QueryRequest(request.text, model=request.model)
        embedder = choose_embedder(asking, registry, self._embedders)
        return _Asked(request, intent, weights, scope, embedder)

    def _search(self, run: Run, asked: _Asked) -> None:
        """Run the legs side by side."""
        started = {}
        embedder = asked.embedder
        if embedder is not None and asked.weights.uses("vector"):
            chosen = embedder
            started["vector"] = run.start_timed("vector", lambda: self._dense(asked.scope, chosen))
        if asked.weights.uses("keyword"):
            started["keyword"] = run.start_timed("keyword", lambda: legs.keyword(self._vectors, asked.scope))
        for leg, future in started.items():
            run.collect(leg, future)

    def _dense(self, scope: Scope, embedder: Embedder) -> list[LegHit]:
        return legs.dense(self._vectors, scope, embedder.embed_query(scope.text), embedder.model)

    def _walk(self, asked: _Asked) -> Walk:
        tenant = asked.scope.tenant
        keywords = known_keywords(self._graph, tenant, asked.scope.text, asked.intent.keywords)
        if not keywords:
            return Walk()
        rows = self._graph.run(
            _WALK,
            timeout=asked.scope.timeout,
            tenant=tenant,
            seeds=[keyword.id for keyword in keywords],
            hubCap=self._settings.hub_cap,
            limit=self._settings.candidates,
        )
        return walk_of(keywords, rows)

    def _fuse(self, run: Run, weights: FusionWeights) -> list[ListedHit]:
        return reciprocal_ranks(run.lists, {leg: weights.of_leg(leg) for leg in _LEGS}, k=self._settings.rrf_k)

    def _candidates(self, tenant: str, listed: Mapping[str, ListedHit], walk: Walk) -> Candidates:
        tools = {row["tool"] for row in walk.rows}
        return read_candidates(self._graph, tenant, texts=list(listed), tools=tools)

    def _without(self, left_out: frozenset[RouteSignal]) -> RoutingConstants:
        constants = self._constants
        return replace(
            constants,
            associative=0.0 if "associative" in left_out else constants.associative,
            links=0.0 if "links" in left_out else constants.links,
            walk=0.0 if "walk" in left_out else constants.walk,
        )


def _first_chunks(listed: Mapping[str, ListedHit], found: Candidates) -> dict[str, ListedHit]:
    """Return for each tool the best listed chunk of the section that declares it."""
    first: dict[str, ListedHit] = {}
    for chunk, hit in listed.items():
        if chunk in found.declared_in:
            first.setdefault(found.declared_in[chunk], hit)
    return first


def _similarity(dense: Sequence[LegHit], found: Candidates) -> dict[str, float]:
    """Return for each tool the best cosine among the chunks of the section that declares it."""
    best: dict[str, float] = {}
    for hit in dense:
        tool = found.declared_in.get(hit.chunk)
        if tool is not None:
            best[tool] = max(hit.score, best.get(tool, hit.score))
    return best


def _hit(tenant: str, place: int, tool: Candidate, why: Reasons, listed: ListedHit | None) -> ToolHit:
    parts = listed.legs if listed else {}
    return ToolHit(
        rank=place,
        score=why.score,
        tool_id=tool.tool,
        tool=tool.name,
        skill_id=tool.skill,
        skill=tool.skill_name,
        description=tool.text,
        keywords=tuple(sorted(tool.keywords.values())),
        chunk_id=tool.chunk,
        document_id=tool.document,
        source_uri=tool.source_uri,
        parts=why.parts,
        legs=tuple(LegRank(leg, part.rank, part.score, part.weight, part.share) for leg, part in sorted(parts.items())),
        associates=why.associates,
        ways=why.ways,
        cypher=_SHOW.text.replace("$tool", f"'{tool.tool}'").replace("$tenant", f"'{tenant}'"),
    )


def _response(asked: _Asked, run: Run, hits: Sequence[ToolHit], walk: Walk, *, candidates: int) -> RouteResponse:
    return RouteResponse(
        query=asked.request.text,
        tools=tuple(hits),
        intent=asked.intent.shown(),
        weights=asked.weights.shown(_LEGS),
        keywords={walk.keywords[seed].name: round(weight, 4) for seed, weight in sorted(walk.weights.items())},
        retrieval_path=(*run.answered(_LEGS), *(("walk",) if walk.rows else ())),
        degraded=tuple(dict.fromkeys(run.degraded)),
        timings=dict(run.timings),
        effort=reported(
            Work(len(run.lists), _STEPS if walk.rows else 0, candidates + len(walk.rows)),
            tools=candidates,
            keywords=len(walk.weights),
            ways=len(walk.rows),
        ),
    )
