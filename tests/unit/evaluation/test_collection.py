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
