"""Collections, measures and run files of the evaluation."""

import math
from pathlib import Path

import pytest

from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import Ranked
from interlace.evaluation.collection import load_collection
from interlace.evaluation.measures import measure, write_trec
from interlace.evaluation.runner import margin_over_best_leg, ranked_documents

QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "title": "A", "text": "x"}\n', encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "Who?"}\n{"_id": "q9", "text": "Why?"}\n', encoding="utf-8"
    )
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\n", encoding="utf-8")
    return tmp_path


def test_a_collection_holds_the_questions_with_relevant_documents(folder: Path) -> None:
    collection = load_collection(folder)
    assert collection.queries == {"q1": "Who?"}
    assert collection.qrels == {"q1": {"a": 1}}
    assert collection.tenant.startswith("eval-")


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InvalidInputError, match=name):
        load_collection(folder)


def test_a_broken_line_is_named(folder: Path) -> None:
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "Who?"}\n{"text": 1}\n', encoding="utf-8")
    with pytest.raises(InvalidInputError, match="line 2"):
        load_collection(folder)


def test_measures_follow_their_definitions() -> None:
    run = {"q1": [("a", 0.9), ("x", 0.8), ("b", 0.7)], "q2": [("y", 1.0)] * 1 + [("c", 0.5)]}
    found = measure(QRELS, run)
    assert found["recall@2"] == 75.0  # half of q1's gold, all of q2's
    assert found["recall@5"] == 100.0
    assert (found["all-gold@2"], found["all-gold@5"]) == (50.0, 100.0)


def test_reciprocal_rank_and_discounted_gain_follow_their_definitions() -> None:
    found = measure({"q1": {"a": 1, "b": 1}}, {"q1": [("x", 0.9), ("a", 0.8), ("y", 0.7), ("b", 0.6)]})
    assert found["MRR@10"] == 50.0
    ideal = 1 + 1 / math.log2(3)
    assert found["nDCG@10"] == round(100 * (1 / math.log2(3) + 1 / math.log2(5)) / ideal, 1)
    far = measure({"q1": {"a": 1}}, {"q1": [*((f"x{n}", 1.0) for n in range(10)), ("a", 0.5)]})
    assert (far["MRR@10"], far["nDCG@10"]) == (0.0, 0.0)


def test_questions_without_an_answer_count_as_zero() -> None:
    assert measure(QRELS, {"q2": [("c", 1.0)]})["recall@5"] == 50.0


def test_a_run_file_is_in_trec_format(tmp_path: Path) -> None:
    write_trec(tmp_path / "graph.trec", "graph", {"q2": [("c", 3.0)], "q1": [("a", 2.0), ("b", 2.0)]})
    lines = (tmp_path / "graph.trec").read_text(encoding="utf-8").splitlines()
    assert [line.split()[:4] for line in lines] == [
        ["q1", "Q0", "a", "1"],
        ["q1", "Q0", "b", "2"],
        ["q2", "Q0", "c", "1"],
    ]
    assert float(lines[0].split()[4]) > float(lines[1].split()[4])


def test_a_document_counts_once_at_its_best_chunk() -> None:
    ranking = [
        Ranked("1", "d1", "corpus.jsonl#a", 0.9),
        Ranked("2", "d1", "corpus.jsonl#a", 0.8),
        Ranked("3", "d2", "corpus.jsonl#b", 0.7),
    ]
    assert ranked_documents(ranking) == [("a", 0.9), ("b", 0.7)]


def test_records_of_a_folder_are_called_by_their_file_and_id() -> None:
    ranking = [
        Ranked("1", "d1", "corpus/a.csv#7", 0.9),
        Ranked("2", "d2", "corpus/b.csv#7", 0.8),
        Ranked("3", "d3", "corpus/c.md", 0.7),
    ]
    assert [name for name, _ in ranked_documents(ranking)] == ["corpus/a.csv#7", "corpus/b.csv#7", "corpus/c.md"]


def test_fused_is_compared_with_the_best_leg() -> None:
    report = {"graph": {"recall@5": 90.0}, "vector": {"recall@5": 80.0}, "fused": {"recall@5": 93.5}}
    assert margin_over_best_leg(report) == {"recall@5": 3.5}
