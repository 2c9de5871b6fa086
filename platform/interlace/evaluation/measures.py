"""Measures of rankings, by ``ir_measures``: recall@k, and the share of questions whose every gold chunk is in the top k."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import ir_measures
from ir_measures import R

RECALL_AT = (2, 5, 10)
ALL_GOLD_AT = (2, 5, 8)
RECALLS = tuple(f"recall@{cutoff}" for cutoff in RECALL_AT)
MEASURES = (*RECALLS, *(f"all-gold@{cutoff}" for cutoff in ALL_GOLD_AT))

Run = Mapping[str, Sequence[tuple[str, float]]]
"""Question id to chunks, best first, with their scores."""


def measure(qrels: Mapping[str, Mapping[str, int]], run: Run) -> dict[str, float]:
    """Return the mean of each of ``MEASURES`` over all questions, in percent."""
    questions = by_question(qrels, run)
    return {
        name: round(100 * sum(values[name] for values in questions.values()) / len(questions), 1) for name in MEASURES
    }


def by_question(qrels: Mapping[str, Mapping[str, int]], run: Run) -> dict[str, dict[str, float]]:
    """Return each of ``MEASURES`` (0 to 1; all-gold is 0 or 1) by question; those without an answer count as zero."""
    cutoffs = sorted({*RECALL_AT, *ALL_GOLD_AT})
    judgements = [
        ir_measures.Qrel(query, chunk, grade) for query, grades in qrels.items() for chunk, grade in grades.items()
    ]
    recall = {query: dict.fromkeys(cutoffs, 0.0) for query in qrels}
    for metric in ir_measures.iter_calc([R @ cutoff for cutoff in cutoffs], judgements, _scored(run)):
        recall[metric.query_id][metric.measure["cutoff"]] = metric.value
    # A recall is a quotient of small integers, so 1 is exact when every gold chunk is there.
    return {
        query: {f"recall@{cutoff}": values[cutoff] for cutoff in RECALL_AT}
        | {f"all-gold@{cutoff}": float(values[cutoff] == 1) for cutoff in ALL_GOLD_AT}
        for query, values in recall.items()
    }


def gold_ranks(gold: Mapping[str, int], ranking: Sequence[tuple[str, float]]) -> dict[str, int | None]:
    """Return the rank, from 1, of each gold chunk; None for those that the ranking does not hold."""
    places = {chunk: rank for rank, (chunk, _) in enumerate(ranking, start=1)}
    return {chunk: places.get(chunk) for chunk in sorted(gold)}


def _scored(run: Run) -> list[ir_measures.ScoredDoc]:
    # Scores are replaced by ranks: a leg's list is in order, and tools that sort by score must not break its ties otherwise.
    return [
        ir_measures.ScoredDoc(query, chunk, float(len(ranking) - at))
        for query, ranking in run.items()
        for at, (chunk, _) in enumerate(ranking)
    ]


def write_trec(path: Path, name: str, run: Run) -> None:
    """Write a run in the TREC format: ``query Q0 chunk rank score name``."""
    with path.open("w", encoding="utf-8") as file:
        for query, ranking in sorted(run.items()):
            for rank, (chunk, _) in enumerate(ranking, start=1):
                file.write(f"{query} Q0 {chunk} {rank} {1 / rank:.6f} {name}\n")
