"""Measures of rankings, by ``ir_measures``: recall@k, and the share of questions whose every gold passage is in the top k."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import ir_measures
from ir_measures import R

RECALL_AT = (2, 5, 10)
ALL_GOLD_AT = (2, 5, 8)

Run = Mapping[str, Sequence[tuple[str, float]]]
"""Question id to passages, best first, with their scores."""


def measure(qrels: Mapping[str, Mapping[str, int]], run: Run) -> dict[str, float]:
    """Return ``recall@2/5/10`` and ``all-gold@2/5/8`` in percent; questions without an answer count as zero."""
    cutoffs = sorted({*RECALL_AT, *ALL_GOLD_AT})
    judgements = [
        ir_measures.Qrel(query, passage, grade) for query, grades in qrels.items() for passage, grade in grades.items()
    ]
    by_cutoff: dict[int, list[float]] = {cutoff: [] for cutoff in cutoffs}
    for metric in ir_measures.iter_calc([R @ cutoff for cutoff in cutoffs], judgements, _scored(run)):
        by_cutoff[metric.measure["cutoff"]].append(metric.value)
    questions = len(qrels)
    result = {f"recall@{cutoff}": 100 * sum(by_cutoff[cutoff]) / questions for cutoff in RECALL_AT}
    # A recall is a quotient of small integers, so 1 is exact when every gold passage is there.
    result |= {
        f"all-gold@{cutoff}": 100 * sum(value == 1 for value in by_cutoff[cutoff]) / questions for cutoff in ALL_GOLD_AT
    }
    return {name: round(value, 1) for name, value in result.items()}


def _scored(run: Run) -> list[ir_measures.ScoredDoc]:
    # Scores are replaced by ranks: a leg's list is in order, and tools that sort by score must not break its ties otherwise.
    return [
        ir_measures.ScoredDoc(query, passage, float(len(ranking) - at))
        for query, ranking in run.items()
        for at, (passage, _) in enumerate(ranking)
    ]


def write_trec(path: Path, name: str, run: Run) -> None:
    """Write a run in the TREC format: ``query Q0 passage rank score name``."""
    with path.open("w", encoding="utf-8") as file:
        for query, ranking in sorted(run.items()):
            for rank, (passage, _) in enumerate(ranking, start=1):
                file.write(f"{query} Q0 {passage} {rank} {1 / rank:.6f} {name}\n")
