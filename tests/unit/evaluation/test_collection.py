"""Where a collection's documents, questions and judgements are found, and what is said where one is missing."""

from pathlib import Path

import pytest
from tests.eval.product_docs_collection import CORPUS, questions, write_collection

from interlace.domain.errors import InvalidInputError
from interlace.evaluation.collection import load_collection


def write(folder: Path, corpus: str) -> None:
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "How?"}\n')
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tcorpus/a.md\t1\n")
    if corpus == "corpus":
        (folder / corpus).mkdir()
    elif corpus:
        (folder / corpus).touch()


@pytest.mark.parametrize("corpus", ["corpus.jsonl", "corpus"])
def test_documents_are_records_or_files(tmp_path: Path, corpus: str) -> None:
    write(tmp_path, corpus)
    found = load_collection(tmp_path)
    assert (found.corpus, found.qrels) == (tmp_path / corpus, {"q1": {"corpus/a.md": 1}})


def test_a_collection_without_documents_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "")
    with pytest.raises(InvalidInputError, match=r"has no corpus\.jsonl.*or a folder corpus"):
        load_collection(tmp_path)


def test_the_product_documentation_is_large_enough_and_every_page_that_answers_is_there(tmp_path: Path) -> None:
    assert write_collection(tmp_path) >= 150
    asked = questions()
    assert sum(len(gold) == 1 for gold in asked.values()) >= 60
    assert sum(len(gold) == 2 for gold in asked.values()) >= 15
    found = load_collection(tmp_path)
    assert sorted(found.queries.values()) == sorted(asked), "a page that a question needs is not installed"
    assert all((tmp_path / page).is_file() for gold in found.qrels.values() for page in gold)
    assert found.corpus == tmp_path / CORPUS


def test_marks_of_encoding_empty_lines_and_numbers_are_read(tmp_path: Path) -> None:
    write(tmp_path, "corpus.jsonl")
    question = '\ufeff{"_id": 7, "text": "How\u2028many?", "answer": 3, "aliases": null}\n\n{"_id": "b", "text": "Is it?", "answer": true, "aliases": ["yes", null]}'
    (tmp_path / "queries.jsonl").write_text(question, "utf-8")
    (tmp_path / "qrels.tsv").write_text("\ufeffquery_id\tcorpus_id\tscore\r\n7\ta\t1\r\n\r\nb\ta\t1\r\n", "utf-8")
    found = load_collection(tmp_path)
    assert found.queries == {"7": "How\u2028many?", "b": "Is it?"}
    assert found.answers == {"7": ("3",), "b": ("True", "yes")}
    assert found.qrels == {"7": {"a": 1}, "b": {"a": 1}}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"_id": "q1", "text": "A?"}\n{"_id": "q1", "text": "B?"}', "line 2: the _id 'q1' occurs before"),
        ('{"_id": "q1", "text": null}', "line 1: .*text"),
        ('{"_id": "q1", "text": "  "}', "line 1: .*text"),
        ('{"_id": "q1", "text": "A?", "aliases": "abc"}', "line 1: .*aliases"),
        (f'{{"_id": "q1", "text": "{"a" * 2001}"}}', "line 1: .*text"),
        ("[1]", "line 1: expected a JSON object"),
    ],
)
def test_questions_that_would_be_measured_wrongly_are_refused(tmp_path: Path, line: str, problem: str) -> None:
    write(tmp_path, "corpus.jsonl")
    (tmp_path / "queries.jsonl").write_text(line)
    with pytest.raises(InvalidInputError, match=problem):
        load_collection(tmp_path)


def test_files_in_another_encoding_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "corpus.jsonl")
    (tmp_path / "qrels.tsv").write_bytes("q1\tm\u00fcller\t1\n".encode("latin-1"))
    with pytest.raises(InvalidInputError, match=r"qrels\.tsv is not UTF-8 \(byte 4\)"):
        load_collection(tmp_path)


def test_rows_of_files_have_text(tmp_path: Path) -> None:
    write(tmp_path, "corpus")
    (tmp_path / "corpus" / "people.csv").write_text("name,town\nAda,Oslo\nBo,Bergen\n")
    found = load_collection(tmp_path)
    rows = found.texts({"corpus/people.csv#2"})
    assert list(rows) == ["corpus/people.csv#2"]
    assert "Oslo" in rows["corpus/people.csv#2"]
