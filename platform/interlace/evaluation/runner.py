"""Runs a collection through the coordinator and gathers every leg's ranking."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from interlace.domain.hits import LEGS, QueryRequest, QueryResponse, Ranked
from interlace.evaluation.collection import Collection
from interlace.evaluation.measures import measure

Ask = Callable[[QueryRequest], QueryResponse]
FUSED = "fused"


@dataclass(slots=True)
class Evaluation:
    """What an evaluation found.

    Args:
        collection: name of the collection.
        questions: number of questions.
        runs: leg name (and ``fused``) to question id to passages with scores, best first.
        measures: leg name to measures in percent.
        latency_ms: one figure a question, as a caller saw it.
        ingestion: figures of the ingestion, if it was run.
    """

    collection: str
    questions: int
    runs: dict[str, dict[str, list[tuple[str, float]]]] = field(default_factory=dict)
    measures: dict[str, dict[str, float]] = field(default_factory=dict)
    latency_ms: list[float] = field(default_factory=list)
    ingestion: dict[str, float] = field(default_factory=dict)

    @property
    def p50(self) -> float:
        """Median latency, milliseconds."""
        return round(float(np.percentile(self.latency_ms, 50)), 1)

    @property
    def p95(self) -> float:
        """95th percentile of latency, milliseconds."""
        return round(float(np.percentile(self.latency_ms, 95)), 1)

    def report(self) -> dict[str, object]:
        """Return everything but the runs, as JSON values."""
        return {
            "collection": self.collection,
            "questions": self.questions,
            "measures": self.measures,
            "latency_ms": {"p50": self.p50, "p95": self.p95},
            "ingestion": self.ingestion,
        }


def evaluate(collection: Collection, ask: Ask, progress: Callable[[int], None] = lambda _: None) -> Evaluation:
    """Ask every question twice, once timed as a caller would and once for every leg's ranking, and measure.

    Args:
        collection: questions and judgements.
        ask: the coordinator, for the collection's tenant.
        progress: told the number of questions done.
    """
    result = Evaluation(collection.name, len(collection.queries))
    legs: dict[str, dict[str, list[tuple[str, float]]]] = {name: {} for name in (*LEGS, FUSED)}
    ask(QueryRequest(text="warm-up"))
    for done, (query, text) in enumerate(sorted(collection.queries.items()), start=1):
        started = time.perf_counter()
        ask(QueryRequest(text=text, limit=10))
        result.latency_ms.append((time.perf_counter() - started) * 1000)
        explained = ask(QueryRequest(text=text, limit=10, explain=True))
        for leg, ranking in explained.rankings.items():
            legs[leg][query] = passages(ranking)
        progress(done)
    result.runs = {leg: run for leg, run in legs.items() if any(run.values())}
    result.measures = {leg: measure(collection.qrels, run) for leg, run in result.runs.items()}
    return result


def passages(ranking: Sequence[Ranked]) -> list[tuple[str, float]]:
    """Return the corpus ids of a ranking, best first, each once: the first of a document's chunks counts."""
    best: dict[str, float] = {}
    for ranked in ranking:
        best.setdefault(ranked.source_uri.rpartition("#")[2], ranked.score)
    return list(best.items())


def compare(report: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return by how many points the fused list is above (or below) the best single leg, for each measure."""
    fused = report[FUSED]
    others = [measures for leg, measures in report.items() if leg != FUSED]
    return {name: round(value - max(leg[name] for leg in others), 1) for name, value in fused.items()}
