"""Measures of answers: exact match, F1, citations, abstention."""

import pytest
from tests.support.answers import answered

from interlace.domain.answers import Sufficiency
from interlace.evaluation.abstention import Abstention
from interlace.evaluation.answers import MEASURES, exact_match, holds_answer, measure_answers, plain, word_f1
from interlace.evaluation.collection import Collection


def sure(*probabilities: float) -> list[Sufficiency]:
    return [Sufficiency(each, 0.5) for each in probabilities]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was Stanley Hall.", True),
        ("the G. STANLEY-HALL papers", True),
        ("Stanley Hallmark", False),
        ("Hall", False),
    ],
)
def test_a_text_holds_an_answer_word_for_word(text: str, expected: bool) -> None:
    assert holds_answer(text, ["a Stanley Hall", "no one at all", ""]) is expected
    assert not holds_answer(text, [])


def test_exact_match_and_f1_are_those_of_squad() -> None:
    assert plain("The cat, A  spirit!") == "cat spirit"
    assert exact_match("a Spirit.", ["ghost", "spirit"]) == 1.0
    assert exact_match("an evil spirit", ["spirit"]) == 0.0
    assert word_f1("an evil spirit", ["ghost", "spirit"]) == pytest.approx(2 / 3)
    assert word_f1("spirit spirit", ["spirit"]) == pytest.approx(2 / 3)
    assert word_f1("", ["spirit"]) == 0.0


def test_each_question_gives_the_measures_that_it_has(collection: Collection) -> None:
    extractive = answered(Sufficiency(0.9, 0.5), "Ada built it.", "corpus.jsonl#a", "corpus.jsonl#b")
    written = answered(Sufficiency(0.9, 0.5), "It was Ada.", "corpus.jsonl#a", generated=True, short="Ada")
    assert measure_answers(collection, {"q": extractive}) == {
        **{name: [1.0] for name in MEASURES},
        "exact match": [0.0],
        "F1": [0.5],
        "citation precision": [0.5],
        "precision if answered": [0.5],
    }
    assert measure_answers(collection, {"q": written}) == {name: [1.0] for name in MEASURES}
    unknown = measure_answers(collection, {"no answer": written})
    assert {name for name, values in unknown.items() if values} == set(MEASURES[-4:])


def test_with_abstention_on_only_answers_with_sufficient_evidence_count(collection: Collection) -> None:
    answers = {
        "q": answered(Sufficiency(0.9, 0.5), "Ada built it.", "corpus.jsonl#a"),
        "no answer": answered(Sufficiency(0.4, 0.5), "No one.", "corpus.jsonl#a"),
    }
    measured = measure_answers(collection, answers)
    assert sorted(measured["citation precision"]) == [0.0, 1.0]
    assert sorted(measured["answered"]) == [0.0, 1.0]
    assert measured["precision if answered"] == [1.0]


@pytest.fixture
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    corpus = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    corpus.write_text(
        '{"_id": "a", "title": "A", "text": "Ada did."}\n{"_id": "b", "title": "B", "text": "No."}\n', "utf-8"
    )
    qrels = {"q": {"a": 1}, "no answer": {"b": 1}}
    return Collection("c", corpus, {"q": "Who?", "no answer": "Why?"}, qrels, {"q": ("Ada",)})


def test_sufficiency_is_measured_by_pairs_and_abstentions_by_the_threshold() -> None:
    found = Abstention(sure(0.9, 0.6, 0.4, 0.7), sure(0.6, 0.1, 0.2, 0.3))
    assert found.auroc == pytest.approx((4 + 3.5 + 3 + 4) / 16)
    assert found.precision == pytest.approx(3 / 4)
    assert found.recall == pytest.approx(3 / 4)
    low, high = found.interval()
    assert 50 < low < 100 * found.auroc < high <= 100
    assert found.report()["AUROC"] == pytest.approx(90.6, abs=0.05)


def test_who_never_abstains_is_never_wrong_to() -> None:
    assert (Abstention(sure(0.9), sure(0.8)).precision, Abstention(sure(0.9), sure(0.8)).recall) == (1.0, 0.0)
