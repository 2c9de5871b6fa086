"""Measures of rankings, by ``ir_measures``: recall@k, all-gold@k, MRR@10 and nDCG@10.

All-gold@k is the share of questions whose every relevant document is among the first k. MRR is the mean reciprocal rank of the first
relevant document; nDCG is the normalised discounted cumulative gain (Järvelin and Kekäläinen 2002).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import ir_measures
from ir_measures import RR, R, nDCG

RECALL_AT = (1, 2, 5, 10)
ALL_GOLD_AT = (2, 5, 8)
RECALLS = tuple(f"recall@{cutoff}" for cutoff in RECALL_AT)
RANK_MEASURES = ("MRR@10", "nDCG@10")
MEASURES = (*RECALLS, *(f"all-gold@{cutoff}" for cutoff in ALL_GOLD_AT), *RANK_MEASURES)
_COMPUTED = {
    **{f"recall@{cutoff}": R @ cutoff for cutoff in sorted({*RECALL_AT, *ALL_GOLD_AT})},
    "MRR@10": RR @ 10,
    "nDCG@10": nDCG @ 10,
}

Run = Mapping[str, Sequence[tuple[str, float]]]
"""Question id to documents of the corpus with their scores, best first."""


def measure(qrels: Mapping[str, Mapping[str, int]], run: Run) -> dict[str, float]:
    """Return the mean of each of ``MEASURES`` over all questions, in percent."""
    questions = by_question(qrels, run)
    return {
        name: round(100 * sum(values[name] for values in questions.values()) / len(questions), 1) for name in MEASURES
    }


def by_question(qrels: Mapping[str, Mapping[str, int]], run: Run) -> dict[str, dict[str, float]]:
    """Return each of ``MEASURES`` (0 to 1; all-gold is 0 or 1) by question; questions without an answer count as zero."""
    judgements = [
        ir_measures.Qrel(query, document, grade)
        for query, grades in qrels.items()
        for document, grade in grades.items()
    ]
    names = {measure: name for name, measure in _COMPUTED.items()}
    found = {query: dict.fromkeys(_COMPUTED, 0.0) for query in qrels}
    for metric in ir_measures.iter_calc(list(names), judgements, _scored(run)):
        found[metric.query_id][names[metric.measure]] = metric.value
    for values in found.values():
        # A recall is a quotient of small integers, so it is exactly 1 if every relevant document is there.
        values |= {f"all-gold@{cutoff}": float(values[f"recall@{cutoff}"] == 1) for cutoff in ALL_GOLD_AT}
    return {query: {name: values[name] for name in MEASURES} for query, values in found.items()}


def gold_ranks(gold: Mapping[str, int], ranking: Sequence[tuple[str, float]]) -> dict[str, int | None]:
    """Return the rank, from 1, of each relevant document; None for those that the ranking lacks."""
    places = {document: rank for rank, (document, _) in enumerate(ranking, start=1)}
    return {document: places.get(document) for document in sorted(gold)}


def _scored(run: Run) -> list[ir_measures.ScoredDoc]:
    # Scores are replaced by ranks, because tools that sort by score would break ties differently from the leg.
    return [
        ir_measures.ScoredDoc(query, document, float(len(ranking) - at))
        for query, ranking in run.items()
        for at, (document, _) in enumerate(ranking)
    ]


def write_trec(path: Path, name: str, run: Run) -> None:
    """Write a run in the TREC format: ``query Q0 document rank score name``."""
    with path.open("w", encoding="utf-8") as file:
        for query, ranking in sorted(run.items()):
            for rank, (document, _) in enumerate(ranking, start=1):
                file.write(f"{query} Q0 {document} {rank} {1 / rank:.6f} {name}\n")
