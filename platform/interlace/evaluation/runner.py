"""Ask the questions of a collection, and collect the ranking and the latency of every leg."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from interlace.domain.hits import LEGS, QueryRequest, QueryResponse, Ranked
from interlace.entities.linker import keep_from_collector
from interlace.evaluation.answers import AnswerEvaluation
from interlace.evaluation.collection import Collection, corpus_id
from interlace.evaluation.intervals import Interval, mean_interval
from interlace.evaluation.measures import MEASURES, by_question, gold_ranks, measure

Ask = Callable[[QueryRequest], QueryResponse]
FUSED = "fused"
ORDINARY = QueryRequest(text="")


@dataclass(slots=True)
class Evaluation:
    """The result of an evaluation.

    Args:
        collection: name of the collection.
        qrels: question id to relevant documents with their grades.
        template: mode of the questions, and the legs and boosts that were left out.
        runs: leg name (and ``fused``) to question id to documents with scores, best first.
        measures: leg name to measures in percent.
        timings: question id to milliseconds by leg and step, ``fused`` being how long a caller waited.
        modes: answering mode to number of questions.
        ingestion: figures of the ingestion, if it was run.
        answers: how the questions were answered, if that was measured.
        agreement: share of the first ten hits of exact search that approximate search finds too, percent, if it was measured.
    """

    collection: str
    qrels: Mapping[str, Mapping[str, int]]
    template: QueryRequest = ORDINARY
    runs: dict[str, dict[str, list[tuple[str, float]]]] = field(default_factory=dict)
    measures: dict[str, dict[str, float]] = field(default_factory=dict)
    timings: dict[str, dict[str, float]] = field(default_factory=dict)
    modes: dict[str, int] = field(default_factory=dict)
    ingestion: dict[str, float] = field(default_factory=dict)
    agreement: float | None = None
    answers: AnswerEvaluation | None = None

    @property
    def questions(self) -> int:
        """Number of questions."""
        return len(self.qrels)

    def latency(self) -> dict[str, dict[str, float]]:
        """Return p50 and p95 by leg and step, milliseconds; ``fused`` first: how long a caller waits."""
        names = dict.fromkeys([FUSED, *(name for spent in self.timings.values() for name in spent)])
        return {name: percentiles([spent[name] for spent in self.timings.values() if name in spent]) for name in names}

    def intervals(self) -> dict[str, dict[str, Interval]]:
        """Return the 95 % interval of each measure, percent, leg by leg."""
        found = {leg: by_question(self.qrels, run) for leg, run in self.runs.items()}
        # Questions in the order of their ids: the same draws then give the same interval in every run.
        return {
            leg: {name: mean_interval([values[name] for _, values in sorted(questions.items())]) for name in MEASURES}
            for leg, questions in found.items()
        }

    def rows(self) -> dict[str, Mapping[str, Any]]:
        """Return the rows of ``by_question``, by question."""
        return {
            str(query): cast("Mapping[str, Any]", legs)
            for query, legs in (each.values() for each in self.by_question())
        }

    def report(self) -> dict[str, object]:
        """Return everything but rankings and single questions, as JSON values."""
        return {
            "collection": self.collection,
            "questions": self.questions,
            "asked": {"mode": self.template.mode, "without": sorted(self.template.without)},
            "measures": self.measures,
            "intervals": {
                leg: {name: list(bounds) for name, bounds in found.items()} for leg, found in self.intervals().items()
            },
            "latency_ms": self.latency(),
            "modes": self.modes,
            "ingestion": self.ingestion,
            "exact_agreement": self.agreement,
            "answers": self.answers.report() if self.answers else None,
        }

    def by_question(self) -> list[dict[str, object]]:
        """Return one row per question, as JSON values: ranks of the relevant documents, measures (0 to 1) and milliseconds, leg by leg."""
        measures = {leg: by_question(self.qrels, run) for leg, run in self.runs.items()}
        return [
            {
                "question": query,
                "legs": {
                    leg: {
                        "ranks": gold_ranks(gold, run.get(query, ())),
                        **measures[leg][query],
                        "latency_ms": self.timings.get(query, {}).get(leg),
                    }
                    for leg, run in self.runs.items()
                },
            }
            for query, gold in sorted(self.qrels.items())
        ]


def ask_questions(collection: Collection, ask: Ask, *, template: QueryRequest = ORDINARY) -> Evaluation:
    """Ask every question twice, once timed as a caller would and once for every leg's ranking, and measure."""
    result = Evaluation(collection.name, collection.qrels, template)
    legs: dict[str, dict[str, list[tuple[str, float]]]] = {name: {} for name in (*LEGS, FUSED)}
    ask(replace(template, text="warm-up"))
    keep_from_collector()  # as a service does once it has loaded its models
    for query, text in sorted(collection.queries.items()):
        started = time.perf_counter()
        answer = ask(replace(template, text=text, limit=10))
        result.timings[query] = {**answer.timings, FUSED: round((time.perf_counter() - started) * 1000, 2)}
        result.modes[answer.retrieval_mode] = result.modes.get(answer.retrieval_mode, 0) + 1
        explained = ask(replace(template, text=text, limit=10, explain=True))
        for leg, ranking in explained.rankings.items():
            legs[leg][query] = ranked_documents(ranking)
    result.runs = {leg: run for leg, run in legs.items() if any(run.values())}
    result.measures = {leg: measure(collection.qrels, run) for leg, run in result.runs.items()}
    return result


def ranked_documents(ranking: Sequence[Ranked]) -> list[tuple[str, float]]:
    """Return the documents of a ranking of chunks, best first: the first chunk of each counts."""
    best: dict[str, float] = {}
    for ranked in ranking:
        best.setdefault(corpus_id(ranked.source_uri), ranked.score)
    return list(best.items())


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Return p50 and p95 of some figures, to one decimal."""
    if not values:
        return {}
    return {f"p{share}": round(float(np.percentile(values, share)), 1) for share in (50, 95)}


def margin_over_best_leg(report: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return the points by which the fused list is above (or below) the best single leg, by measure; nothing without legs."""
    others = [values for leg, values in report.items() if leg != FUSED]
    if FUSED not in report or not others:
        return {}
    return {name: round(value - max(leg[name] for leg in others), 1) for name, value in report[FUSED].items()}
