"""Paired comparison of runs, the guard, and agreement with exact search."""

from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import QueryRequest, QueryResponse, Ranked
from interlace.evaluation.agreement import exact_agreement
from interlace.evaluation.collection import Collection
from interlace.evaluation.comparison import compare_runs, read_questions, sign_test
from interlace.evaluation.guard import read_baseline, shortfalls
from interlace.evaluation.runner import ask_questions
from interlace.ports.vectors import ScoredPoint


def row(*ranks: int | None) -> dict[str, Any]:
    recalls = {
        f"recall@{at}": sum(rank is not None and rank <= at for rank in ranks) / len(ranks) for at in (1, 2, 5, 10)
    }
    return {"fused": {"ranks": {f"p{number}": rank for number, rank in enumerate(ranks)}, **recalls}}


FIRST = {"q1": row(1, 2), "q2": row(1, 7), "q3": row(9, None), "q4": row(1, 2)}
SECOND = {"q1": row(1, 2), "q2": row(2, 3), "q3": row(2, 4), "q4": row(3, 4)}


def test_wins_losses_and_ties_are_those_of_the_second_run() -> None:
    at = {paired.measure: paired for paired in compare_runs(FIRST, SECOND)}
    assert (at["recall@2"].wins, at["recall@2"].losses, at["recall@2"].ties) == (1, 1, 2)
    assert (at["recall@5"].first, at["recall@5"].second, at["recall@5"].difference) == (62.5, 100.0, 37.5)
    assert (at["recall@5"].wins, at["recall@5"].losses, at["recall@5"].p) == (2, 0, 0.5)
    assert (at["all-gold@8"].first, at["all-gold@8"].second) == (75.0, 100.0)


@pytest.mark.parametrize(
    ("wins", "losses", "p"), [(0, 0, 1.0), (1, 1, 1.0), (5, 0, 0.0625), (0, 6, 0.03125), (8, 2, 0.109375)]
)
def test_the_sign_test_is_exact_and_two_sided(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == p == sign_test(losses, wins)


def test_a_leg_that_found_nothing_for_a_question_counts_as_zero() -> None:
    with_graph = {
        query: {**legs, **({"graph": legs["fused"]} if query == "q1" else {})} for query, legs in FIRST.items()
    }
    compared = compare_runs(FIRST, with_graph, "graph")
    assert {paired.measure: paired.wins for paired in compared}["recall@2"] == 1


def test_measures_of_ranks_are_compared_if_both_files_have_them() -> None:
    def with_rank(rows: dict[str, Any], value: float) -> dict[str, Any]:
        return {query: {"fused": {**legs["fused"], "MRR@10": value, "nDCG@10": value}} for query, legs in rows.items()}

    compared = compare_runs(with_rank(FIRST, 0.5), with_rank(SECOND, 1.0))
    at = {paired.measure: paired for paired in compared}
    assert (at["MRR@10"].first, at["MRR@10"].second, at["nDCG@10"].wins) == (50.0, 100.0, 4)
    assert "MRR@10" not in {paired.measure for paired in compare_runs(FIRST, with_rank(SECOND, 1.0))}


def test_runs_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="different questions: 1 "):
        compare_runs(FIRST, {query: legs for query, legs in SECOND.items() if query != "q1"})
    with pytest.raises(InvalidInputError, match="'nose'"):
        compare_runs(FIRST, SECOND, "nose")


def test_a_file_that_holds_no_rows_is_refused_by_line(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text('{"question": "q1", "legs": {}}\n{"measures": {}}\n', encoding="utf-8")
    with pytest.raises(InvalidInputError, match="line 2"):
        read_questions(report)
    report.write_text("", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="no question"):
        read_questions(report)
    with pytest.raises(InvalidInputError, match="--questions"):
        read_questions(tmp_path / "missing.jsonl")


def run_of(**legs: list[int | None]) -> dict[str, dict[str, Any]]:
    """Return the rows of a run in which each leg has the one relevant document of each question at a rank."""
    count = len(next(iter(legs.values())))
    return {f"q{at:03}": {leg: row(ranks[at])["fused"] for leg, ranks in legs.items()} for at in range(count)}


GOOD: list[int | None] = [1] * 40
ONE_LOST: list[int | None] = [1] * 39 + [None]
MANY_LOST: list[int | None] = [1] * 28 + [None] * 12


def test_one_question_neither_passes_nor_fails_the_guard() -> None:
    assert shortfalls("set", run_of(graph=GOOD, fused=GOOD)) == []
    assert shortfalls("set", run_of(graph=GOOD, fused=ONE_LOST)) == [], "2.5 points by a single question are noise"
    assert shortfalls("set", run_of(fused=ONE_LOST), run_of(fused=GOOD)) == []


def test_the_guard_says_where_fused_is_surely_below_its_best_leg() -> None:
    found = shortfalls("set", run_of(vector=ONE_LOST, graph=GOOD, fused=MANY_LOST))
    assert len(found) == 4
    assert found[0].startswith("set: fused recall@1 is 70.0, below its best leg, graph with 100.0 (95 % interval")
    assert shortfalls("set", {}) == ["set: no question had an answer, so there is no fused list."]
    assert shortfalls("set", run_of(fused=MANY_LOST)) == []


def test_the_guard_says_where_fused_is_surely_below_the_baseline() -> None:
    found = shortfalls("set", run_of(fused=MANY_LOST), run_of(fused=GOOD))
    assert any("fused recall@5 is 70.0, below the baseline with 100.0" in sentence for sentence in found)
    assert any("all-gold@8" in sentence for sentence in found)
    with pytest.raises(InvalidInputError, match="other questions than set"):
        shortfalls("set", run_of(fused=GOOD), run_of(fused=[1]))


def test_a_baseline_is_a_file_of_questions_with_a_fused_list(tmp_path: Path) -> None:
    path = tmp_path / "baseline.jsonl"

    def write(rows: dict[str, dict[str, Any]]) -> None:
        path.write_bytes(b"".join(orjson.dumps({"question": q, "legs": legs}) + b"\n" for q, legs in rows.items()))

    write(run_of(fused=GOOD))
    assert read_baseline(path) == run_of(fused=GOOD)
    write(run_of(graph=GOOD))
    with pytest.raises(InvalidInputError, match="no fused list"):
        read_baseline(path)


def answer(request: QueryRequest) -> QueryResponse:
    ranked = tuple(Ranked(name, name, f"corpus.jsonl#{name}", 1.0) for name in ("x", "a", "b"))
    return QueryResponse(
        query=request.text,
        hits=(),
        intent={},
        weights={},
        entities={},
        retrieval_mode="hybrid",
        retrieval_path=("graph",),
        retrieval_reason="",
        degraded=(),
        timings={"graph": 3.0, "embedding": 2.0, "total": 5.0},
        effort={},
        rankings={"graph": ranked[:2], "fused": ranked} if request.explain else {},
    )


def test_an_evaluation_has_a_row_a_question_leg_by_leg() -> None:
    asked: list[QueryRequest] = []

    def ask(request: QueryRequest) -> QueryResponse:
        asked.append(request)
        return answer(request)

    collection = Collection("set", Path("corpus.jsonl"), {"q": "Who?"}, {"q": {"a": 1, "b": 1}})
    template = QueryRequest("", "hybrid", without=frozenset({"similarity"}))
    result = ask_questions(collection, ask, template=template)
    assert {request.without for request in asked} == {template.without}
    assert {request.mode for request in asked} == {"hybrid"}
    (found,) = result.by_question()
    legs: Any = found["legs"]
    assert legs["graph"]["ranks"] == {"a": 2, "b": None}
    assert (legs["graph"]["recall@2"], legs["fused"]["recall@2"], legs["fused"]["recall@5"]) == (0.5, 0.5, 1.0)
    assert (legs["graph"]["MRR@10"], legs["fused"]["MRR@10"], legs["fused"]["all-gold@5"]) == (0.5, 0.5, 1.0)
    assert legs["graph"]["latency_ms"] == 3.0
    assert legs["fused"]["latency_ms"] > 0
    report: Any = result.report()
    assert report["asked"] == {"mode": "hybrid", "without": ["similarity"]}
    assert report["latency_ms"]["embedding"] == {"p50": 2.0, "p95": 2.0}
    assert report["modes"] == {"hybrid": 1}
    assert report["intervals"]["graph"]["recall@2"] == [50.0, 50.0]


class Vectors:
    """Approximate search misses the last of the first ten."""

    def search(self, *_: object, exact: bool, limit: int, **__: object) -> list[ScoredPoint]:
        return [ScoredPoint(str(number if exact or number != 9 else 99), 1.0, {}) for number in range(limit)]


class Model:
    model = "m"

    def embed_query(self, _: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        return np.zeros(2, dtype=np.float32)


def test_agreement_is_the_share_of_the_first_ten() -> None:
    vectors: Any = Vectors()
    model: Any = Model()
    assert exact_agreement(vectors, model, "t", ["one", "two"], candidates=100) == [0.9, 0.9]
