"""Boosts of questions: dates, titles, related entities, direct matches, links of their documents, and recency.

Each adds ln(1 + scale · value) to the rerank score of a candidate, the value between 0 and 1, as link proximity does:

- *entity*: 1 / relations between an entity of the question and the nearest one that the chunk mentions, up to two; times the scale ``entity``.
- *precision*: how directly it matches: 1 for a document whose title or file name the question holds, else the share of the best BM25 score
  of the keyword leg; times 0.5 · proximity.
- *degree*: the same match · 2·incoming + 1·outgoing links of its document, as a share of the highest among the matches.
- *recency*: ½ to the power of the document's age in half-lives.
- *dates*: how near a date in its title or section, or its document's creation date, is to the time that the question names, or whether its
  text names that time (``text.dates``); times a constant. Applied without being requested wherever a question names a time.
- *title_words*: how much of the question's words the document's title holds (``search.title_words``); times a constant and
  how far the trust in the graph is below a half. Applied without being requested where an entity is linked.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from interlace.domain.hits import OPTIONAL_BOOSTS, BoostName, QueryRequest
from interlace.domain.reader import reader_groups
from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import CandidateDocumentsRow, CandidateTitlesRow, candidate_documents, candidate_titles
from interlace.queries.expansion import related_chunks, related_visible
from interlace.search.candidates import Candidate
from interlace.search.execution import Run, Task
from interlace.search.plan import WITHOUT_GRAPH_STEPS
from interlace.search.profile import RankingProfile
from interlace.search.retrieve import Retrieved
from interlace.search.title_words import title_shares
from interlace.search.understand import UnderstoodQuery
from interlace.search.weights import FusionWeights
from interlace.text.dates import CalendarDate, dates_in, names_time, nearness

_DAY: Final = 86_400.0
_MIN_NEARNESS: Final = 0.01
_FIGURES: Final[Mapping[str, str]] = {
    "entity": "relatedness", "precision": "match", "degree": "degree", "recency": "freshness", "dates": "date",
    "title_words": "title",
}  # fmt: skip


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
_BY_TITLE: Final[frozenset[BoostName]] = frozenset({"dates", "title_words"})


@dataclass(frozen=True, slots=True)
class BoostReads:
    """The started reads of a question's boosts; none where no boost needs one.

    Args:
        asked: the times that the question names.
        wanted: the boosts that may count.
        titles: of the candidates' documents.
        related: candidate to 1 / relations from an entity of the question.
        documents: links and dates of the candidates' documents.
    """

    asked: Sequence[CalendarDate]
    wanted: set[BoostName]
    titles: Task[list[CandidateTitlesRow]] | None = None
    related: Task[Mapping[str, float]] | None = None
    documents: Task[list[CandidateDocumentsRow]] | None = None


@dataclass(frozen=True, slots=True)
class BoostReader:
    """Reads what the boosts of a question need.

    Args:
        graph: the graph.
        profile: which boosts always count, and bounds.
        half_life: days, from the settings; none where age counts only if a question asks for it.
        clock: the present.
    """

    graph: GraphDatabase
    profile: RankingProfile
    half_life: float | None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def start(
        self, run: Run, query: UnderstoodQuery, retrieved: Retrieved, candidates: Sequence[str], most_doubt: float = 0.0
    ) -> BoostReads:
        """Start the reads of the boosts that may count, in parallel with what decides whether they do.

        Args:
            run: the search.
            query: what was asked.
            retrieved: the legs' lists.
            candidates: those that may be boosted.
            most_doubt: the highest doubt that ``finish`` may be called with.
        """
        asked = dates_in(query.scope.text)
        wanted = self._wanted(query.request) | self._unasked(asked, most_doubt)
        wanted = {name for name in wanted if query.weights.uses(name)}
        if not candidates or retrieved.plan.mode in WITHOUT_GRAPH_STEPS:
            wanted = set()
        return BoostReads(
            asked,
            wanted,
            titles=self._start_titles(run, query, candidates, texts="dates" in wanted) if wanted & _BY_TITLE else None,
            related=self._start_related(run, query, candidates) if "entity" in wanted else None,
            documents=self._start_documents(run, query, candidates) if wanted & {"degree", "recency"} else None,
        )

    def finish(
        self, run: Run, query: UnderstoodQuery, retrieved: Retrieved, reads: BoostReads, doubt: float = 0.0
    ) -> Boosts:
        """Return the boosts that count; one whose read fails is missing and named as degraded.

        Args:
            run: the search.
            query: what was asked.
            retrieved: the legs' lists.
            reads: what was started.
            doubt: how far the graph is doubted, 0 to 1, where it ran (``title_words``).
        """
        wanted = reads.wanted if _beyond_half(doubt) else reads.wanted - {"title_words"}
        if not wanted:
            return NO_BOOSTS
        values: dict[BoostName, Mapping[str, float]] = {}
        if reads.related:
            values["entity"] = run.wait("entity", reads.related) or {}
        values |= self._of_documents(run, query, retrieved, wanted, reads.documents)
        if reads.titles and wanted & _BY_TITLE:
            rows = run.wait("titles", reads.titles, degrades=sorted(wanted & _BY_TITLE)) or ()
            if "dates" in wanted:
                values["dates"] = _near_in_time(reads.asked, rows, self.profile.rerank.dates_in_text)
            if "title_words" in wanted:
                values["title_words"] = title_shares(query.scope.text, {row.chunk: row.title for row in rows})
        return Boosts(values, self._scales(query.weights, doubt))

    def _of_documents(
        self,
        run: Run,
        query: UnderstoodQuery,
        retrieved: Retrieved,
        wanted: set[BoostName],
        documents: Task[list[CandidateDocumentsRow]] | None,
    ) -> dict[BoostName, Mapping[str, float]]:
        """Return the values of the boosts by direct matches, links and dates of change."""
        degraded = sorted(wanted & {"degree", "recency"})
        read = run.wait("links and dates", documents, degrades=degraded) if documents else None
        rows = {row.chunk: row for row in read or ()}
        matches = direct_matches(retrieved.lists)
        half_life = query.request.recency_days or self.half_life or 0.0
        return {
            **({"precision": matches} if "precision" in wanted else {}),
            **({"degree": degrees(matches, rows, self.profile)} if "degree" in wanted else {}),
            **({"recency": freshness(rows, half_life, self.clock())} if "recency" in wanted else {}),
        }

    def _wanted(self, request: QueryRequest) -> set[BoostName]:
        chosen = request.boosts | self.profile.rerank.boosts
        wanted: set[BoostName] = {name for name in OPTIONAL_BOOSTS if name in chosen}
        if request.recency_days or self.half_life:
            wanted.add("recency")
        return wanted

    def _unasked(self, dates: Sequence[CalendarDate], doubt: float) -> set[BoostName]:
        """Return the boosts that apply without being requested: where a question names a time, and where the graph is doubted."""
        profile = self.profile.rerank
        counts: dict[BoostName, bool] = {
            "dates": bool(dates and profile.dates),
            "title_words": bool(_beyond_half(doubt) and profile.title_words),
        }
        return {name for name, is_there in counts.items() if is_there}

    def _scales(self, weights: FusionWeights, doubt: float) -> dict[BoostName, float]:
        return {
            "entity": weights.entity,
            "precision": self.profile.links.precision * weights.proximity,
            "degree": 1.0,
            "recency": 1.0,
            "dates": self.profile.rerank.dates,
            "title_words": self.profile.rerank.title_words * _beyond_half(doubt),
        }

    def _start_titles(
        self, run: Run, query: UnderstoodQuery, candidates: Sequence[str], *, texts: bool
    ) -> Task[list[CandidateTitlesRow]]:
        scope = query.scope
        return run.start(
            "titles",
            lambda: candidate_titles(
                self.graph, tenant=scope.tenant, ids=list(candidates), texts=texts, timeout=scope.timeout
            ),
        )

    def _start_related(self, run: Run, query: UnderstoodQuery, candidates: Sequence[str]) -> Task[Mapping[str, float]]:
        scope, bounds = query.scope, self.profile.graph
        return run.start(
            "entity",
            lambda: {
                row.chunk: 1 / row.hops
                for row in (related_chunks if reader_groups() is None else related_visible)(
                    self.graph,
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
            lambda: candidate_documents(self.graph, tenant=scope.tenant, ids=list(candidates), timeout=scope.timeout),
        )


def _beyond_half(doubt: float) -> float:
    """Return the doubt above one half, scaled to 0 to 1: up to there the graph counts enough, and PageRank includes titles."""
    return max(2 * doubt - 1, 0.0)


def _near_in_time(
    dates: Sequence[CalendarDate], rows: Sequence[CandidateTitlesRow], in_text: float
) -> dict[str, float]:
    """Return how near the dates in each chunk's title and section, or its document's creation date, are to the time asked about.

    Args:
        dates: the dates of the question.
        rows: what stands over each chunk, with its text.
        in_text: the least value of a chunk whose text names the time.
    """
    found = {}
    for row in rows:
        over = (row.title, row.section, (row.created or "")[:10])
        near = nearness(dates, [date for text in over for date in dates_in(text)])
        found[row.chunk] = in_text if near < in_text and names_time(dates, row.text or "") else near
    return {each: value for each, value in found.items() if value >= _MIN_NEARNESS}


def direct_matches(lists: Mapping[str, Sequence[Candidate]]) -> dict[str, float]:
    """Return how directly each candidate matches, above 0 to 1: by title or file name, or by its words.

    In the lists, by leg, those of ``paths`` have scores up to 1, those of ``keyword`` BM25 scores.
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
        profile: weights of links by direction.
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
    """Return ½ to the power of each candidate's age in half-lives; 1 for a future date, nothing without a date.

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
