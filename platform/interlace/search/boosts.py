"""Optional boosts of questions: related entities, direct matches, links of their documents, and recency.

Each adds ln(1 + scale · value) to the rerank score of a candidate, the value between 0 and 1, as link proximity does:

- *entity*: 1 / relations between an entity of the question and the nearest one that the chunk mentions, up to two; times the scale ``entity``.
- *precision*: how directly it matches: 1 for a document whose title or file name the question holds, else the share of the best BM25 score
  of the keyword leg; times 0.5 · proximity.
- *degree*: the same match · 2·incoming + 1·outgoing links of its document, as a share of the highest among the matches.
- *recency*: ½ to the power of the document's age in half-lives.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from interlace.domain.hits import OPTIONAL_BOOSTS, BoostName, QueryRequest
from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import CandidateDocumentsRow, candidate_documents, related_chunks
from interlace.search.candidates import Candidate
from interlace.search.execution import Run, Task
from interlace.search.plan import WITHOUT_GRAPH_STEPS
from interlace.search.profile import RankingProfile
from interlace.search.retrieve import Retrieved
from interlace.search.understand import UnderstoodQuery
from interlace.search.weights import FusionWeights

_DAY: Final = 86_400.0
_FIGURES: Final[Mapping[str, str]] = {
    "entity": "relatedness",
    "precision": "match",
    "degree": "degree",
    "recency": "freshness",
}


@dataclass(frozen=True, slots=True)
class Boosts:
    """What the boosts of a question add.

    Args:
        values: boost to candidate to value, above 0 to 1; a missing candidate gains nothing.
        scales: boost to what its values are multiplied by.
    """

    values: Mapping[BoostName, Mapping[str, float]] = field(default_factory=dict)
    scales: Mapping[BoostName, float] = field(default_factory=dict)

    def terms(self, candidate: str) -> dict[str, float]:
        """Return what each boost adds to a candidate's score; 0 where it does not gain."""
        return {name: math.log1p(self.scales[name] * found.get(candidate, 0.0)) for name, found in self.values.items()}

    def figures(self, candidate: str) -> dict[str, float]:
        """Return the values behind the terms, by the names of ``Hit.figures``."""
        return {_FIGURES[name]: found[candidate] for name, found in self.values.items() if candidate in found}


NO_BOOSTS: Final = Boosts()


class BoostReader:
    """Reads what the boosts of a question need.

    Args:
        graph: the graph.
        profile: which boosts always count, and bounds.
        half_life: days of the settings; none where age does not count unless a question says so.
        clock: the present.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        profile: RankingProfile,
        half_life: float | None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._graph = graph
        self._profile = profile
        self._half_life = half_life
        self._clock = clock

    def read(self, run: Run, query: UnderstoodQuery, found: Retrieved, candidates: Sequence[str]) -> Boosts:
        """Return the boosts that the question wants; one whose read fails is missing and named as degraded."""
        wanted = self._wanted(query.request, query.weights)
        if not wanted or not candidates or found.plan.mode in WITHOUT_GRAPH_STEPS:
            return NO_BOOSTS
        related = self._start_related(run, query, candidates) if "entity" in wanted else None
        documents = self._start_documents(run, query, candidates) if wanted & {"degree", "recency"} else None
        matches = direct_matches(found.lists)
        rows = (
            {
                row.chunk: row
                for row in (
                    run.wait("links and dates", documents, degrades=sorted(wanted & {"degree", "recency"})) or ()
                )
            }
            if documents
            else {}
        )
        values: dict[BoostName, Mapping[str, float]] = {}
        if related:
            values["entity"] = run.wait("entity", related) or {}
        if "precision" in wanted:
            values["precision"] = matches
        if "degree" in wanted:
            values["degree"] = degrees(matches, rows, self._profile)
        if "recency" in wanted:
            values["recency"] = freshness(rows, query.request.recency_days or self._half_life or 0.0, self._clock())
        return Boosts(values, self._scales(query.weights))

    def _wanted(self, request: QueryRequest, weights: FusionWeights) -> set[BoostName]:
        chosen = request.boosts | self._profile.rerank.boosts
        wanted: set[BoostName] = {name for name in OPTIONAL_BOOSTS if name in chosen}
        if request.recency_days or self._half_life:
            wanted.add("recency")
        return {name for name in wanted if weights.uses(name)}

    def _scales(self, weights: FusionWeights) -> dict[BoostName, float]:
        return {
            "entity": weights.entity,
            "precision": self._profile.links.precision * weights.proximity,
            "degree": 1.0,
            "recency": 1.0,
        }

    def _start_related(self, run: Run, query: UnderstoodQuery, candidates: Sequence[str]) -> Task[Mapping[str, float]]:
        scope, bounds = query.scope, self._profile.graph
        return run.start(
            "entity",
            lambda: {
                row.chunk: 1 / row.hops
                for row in related_chunks(
                    self._graph,
                    tenant=scope.tenant,
                    seeds=sorted(query.entities.seeds.weights),
                    chunks=list(candidates),
                    fan_out=bounds.entities_per_chunk,
                    hub_cap=bounds.hub_cap,
                    timeout=scope.timeout,
                )
            },
        )

    def _start_documents(
        self, run: Run, query: UnderstoodQuery, candidates: Sequence[str]
    ) -> Task[list[CandidateDocumentsRow]]:
        scope = query.scope
        return run.start(
            "links and dates",
            lambda: candidate_documents(self._graph, tenant=scope.tenant, ids=list(candidates), timeout=scope.timeout),
        )


def direct_matches(lists: Mapping[str, Sequence[Candidate]]) -> dict[str, float]:
    """Return how directly each candidate matches, above 0 to 1: by title or file name, or by its words.

    Args:
        lists: leg to candidates; those of ``paths`` have scores up to 1, those of ``keyword`` BM25 scores.
    """
    matches: dict[str, float] = {}
    for leg in ("paths", "keyword"):
        best = 1.0 if leg == "paths" else max((each.score for each in lists.get(leg, ())), default=0.0)
        for each in lists.get(leg, ()):
            if each.score > 0 and best > 0:
                matches[each.id] = max(matches.get(each.id, 0.0), min(each.score / best, 1.0))
    return matches


def degrees(
    matches: Mapping[str, float], rows: Mapping[str, CandidateDocumentsRow], profile: RankingProfile
) -> dict[str, float]:
    """Return the match of each candidate · its document's degree, as a share of the highest degree among the matches.

    Args:
        matches: candidate to its match.
        rows: candidate to the links of its document.
        profile: what a link counts, by direction.
    """
    links = profile.links
    degree = {
        each: links.incoming * rows[each].incoming + links.outgoing * rows[each].outgoing
        for each in matches
        if each in rows
    }
    most = max(degree.values(), default=0.0)
    return {each: matches[each] * value / most for each, value in degree.items() if value}


def freshness(rows: Mapping[str, CandidateDocumentsRow], half_life: float, now: datetime) -> dict[str, float]:
    """Return ½ to the power of each candidate's age in half-lives; 1 for what is dated in the future, nothing without a date.

    Args:
        rows: candidate to the date of its document.
        half_life: in days, above 0.
        now: the present.
    """
    found = {}
    for each, row in rows.items():
        if row.date:
            age = (now - datetime.fromisoformat(row.date)).total_seconds() / _DAY
            found[each] = 0.5 ** (max(age, 0.0) / half_life)
    return found
