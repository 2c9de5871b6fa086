"""Runs a collection through the coordinator and gathers every leg's ranking."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from interlace.domain.hits import LEGS, QueryRequest, QueryResponse, Ranked
from interlace.entities.linker import keep_from_collector
from interlace.evaluation.collection import Collection
from interlace.evaluation.measures import RECALLS, by_question, gold_ranks, measure

Ask = Callable[[QueryRequest], QueryResponse]
FUSED = "fused"
ORDINARY = QueryRequest(text="")


@dataclass(slots=True)
class Evaluation:
    """What an evaluation found.

    Args:
        collection: name of the collection.
        qrels: question id to relevant chunk ids with their grade.
        like: how the questions were asked: mode, legs, what was left out.
        runs: leg name (and ``fused``) to question id to chunks with scores, best first.
        measures: leg name to measures in percent.
        timings: question id to milliseconds by leg and step, ``fused`` being what a caller waited.
        modes: the mode that answered to the number of questions.
        ingestion: figures of the ingestion, if it was run.
        agreement: share of approximate search's first ten that exact search has too, in percent, if it was measured.
    """

    collection: str
    qrels: Mapping[str, Mapping[str, int]]
    like: QueryRequest = ORDINARY
    runs: dict[str, dict[str, list[tuple[str, float]]]] = field(default_factory=dict)
    measures: dict[str, dict[str, float]] = field(default_factory=dict)
    timings: dict[str, dict[str, float]] = field(default_factory=dict)
    modes: dict[str, int] = field(default_factory=dict)
    ingestion: dict[str, float] = field(default_factory=dict)
    agreement: float | None = None

    @property
    def questions(self) -> int:
        """Number of questions."""
        return len(self.qrels)

    def latency(self) -> dict[str, dict[str, float]]:
        """Return p50 and p95 by leg and step, milliseconds; ``fused`` first: what a caller waits."""
        names = dict.fromkeys([FUSED, *(name for spent in self.timings.values() for name in spent)])
        return {name: percentiles([spent[name] for spent in self.timings.values() if name in spent]) for name in names}

    def report(self) -> dict[str, object]:
        """Return everything but rankings and single questions, as JSON values."""
        return {
            "collection": self.collection,
            "questions": self.questions,
            "asked": {"mode": self.like.mode, "without": sorted(self.like.without)},
            "measures": self.measures,
            "latency_ms": self.latency(),
            "modes": self.modes,
            "ingestion": self.ingestion,
            "exact_agreement": self.agreement,
        }

    def by_question(self) -> list[dict[str, object]]:
        """Return a row a question, as JSON values: ranks of the gold chunks, recall (0 to 1) and milliseconds, leg by leg."""
        recalls = {leg: by_question(self.qrels, run) for leg, run in self.runs.items()}
        return [
            {
                "question": query,
                "legs": {
                    leg: {
                        "ranks": gold_ranks(gold, run.get(query, ())),
                        **{name: recalls[leg][query][name] for name in RECALLS},
                        "latency_ms": self.timings.get(query, {}).get(leg),
                    }
                    for leg, run in self.runs.items()
                },
            }
            for query, gold in sorted(self.qrels.items())
        ]


def evaluate(
    collection: Collection, ask: Ask, progress: Callable[[int], None] = lambda _: None, *, like: QueryRequest = ORDINARY
) -> Evaluation:
    """Ask every question twice, once timed as a caller would and once for every leg's ranking, and measure.

    Args:
        collection: questions and judgements.
        ask: the coordinator, for the collection's tenant.
        progress: told the number of questions done.
        like: mode, legs and what is left out, as in this request.
    """
    result = Evaluation(collection.name, collection.qrels, like)
    legs: dict[str, dict[str, list[tuple[str, float]]]] = {name: {} for name in (*LEGS, FUSED)}
    ask(replace(like, text="warm-up"))
    keep_from_collector()  # what the command itself has loaded since the names; a service has that before it loads them
    for done, (query, text) in enumerate(sorted(collection.queries.items()), start=1):
        started = time.perf_counter()
        answer = ask(replace(like, text=text, limit=10))
        result.timings[query] = {**answer.timings, FUSED: round((time.perf_counter() - started) * 1000, 2)}
        result.modes[answer.retrieval_mode] = result.modes.get(answer.retrieval_mode, 0) + 1
        explained = ask(replace(like, text=text, limit=10, explain=True))
        for leg, ranking in explained.rankings.items():
            legs[leg][query] = chunks(ranking)
        progress(done)
    result.runs = {leg: run for leg, run in legs.items() if any(run.values())}
    result.measures = {leg: measure(collection.qrels, run) for leg, run in result.runs.items()}
    return result


def chunks(ranking: Sequence[Ranked]) -> list[tuple[str, float]]:
    """Return the corpus ids of a ranking, best first, each once: the first of a document's chunks counts."""
    best: dict[str, float] = {}
    for ranked in ranking:
        best.setdefault(ranked.source_uri.rpartition("#")[2], ranked.score)
    return list(best.items())


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Return p50 and p95 of some figures, to one decimal."""
    if not values:
        return {}
    return {f"p{share}": round(float(np.percentile(values, share)), 1) for share in (50, 95)}


def ahead(report: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return by how many points the fused list is above (or below) the best single leg, for each measure; nothing without legs."""
    others = [measures for leg, measures in report.items() if leg != FUSED]
    if FUSED not in report or not others:
        return {}
    return {name: round(value - max(leg[name] for leg in others), 1) for name, value in report[FUSED].items()}
