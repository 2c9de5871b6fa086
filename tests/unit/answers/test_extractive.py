"""Extractive answers: which sentences are taken, and when none is."""

from dataclasses import replace

import pytest
from tests.support.answers import BREAD, FERRY, TWO_HOPS, VENNING, hit, response

from interlace.answers.evidence import split_hits
from interlace.answers.scoring import score_sentences
from interlace.answers.service import AnswerService
from interlace.domain.answers import Answer, AnswerRequest, CitedSentence, Sufficiency, with_footnotes
from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import Hit, QueryRequest


def ask(question: str, *hits: Hit, sentences: int = 3, insist: bool = False) -> Answer:
    service = AnswerService(lambda _, request: response(request.text, *hits))
    return service.answer("t", AnswerRequest(QueryRequest(question), sentences=sentences, insist=insist))


def quoted(answer: Answer) -> set[str]:
    """Return the titles of the documents that an answer quotes."""
    return {citation.title for citation in answer.citations}


def test_a_question_over_two_hops_gets_a_sentence_from_each() -> None:
    answer = ask(TWO_HOPS, FERRY, VENNING, BREAD, sentences=2)
    assert {each.text for each in answer.sentences} == {
        "It was directed by Orla Venning.",
        "She was born in Aalborg and married Knud Strand.",
    }
    assert (answer.mode, answer.tokens, answer.abstained, answer.missing) == ("extractive", 0, False, "")


def test_every_sentence_is_its_own_quote() -> None:
    answer = ask(TWO_HOPS, FERRY, VENNING, BREAD)
    cited = {citation.number: citation for citation in answer.citations}
    assert answer.sentences
    for sentence in answer.sentences:
        (number,) = sentence.citations
        assert cited[number].quote == sentence.text
        source = next(each for each in (FERRY, VENNING, BREAD) if each.chunk_id == cited[number].chunk_id)
        assert source.text[cited[number].start - source.start : cited[number].end - source.start] == sentence.text


def test_the_first_row_of_a_table_is_answered_with_as_any_other() -> None:
    team = hit(1, "Team", "Mira | Design | on leave\nJonas | Ops | 0151 22\nPia | Ops | 0152 33")
    answer = ask("Who is on leave in Design?", team, sentences=1)
    assert [each.text for each in answer.sentences] == ["Mira | Design | on leave"]


def test_a_sentence_is_not_said_twice() -> None:
    again = hit(2, "Copy", FERRY.text)
    texts = [each.text for each in ask("Who directed The Grey Ferry?", FERRY, again, sentences=10).sentences]
    assert len(texts) == len(set(texts))


def test_a_document_that_nothing_ties_to_the_answer_is_not_quoted() -> None:
    assert quoted(ask(TWO_HOPS, FERRY, VENNING, BREAD, sentences=10)) == {"The Grey Ferry", "Orla Venning"}
    mill = hit(3, "Old Mill", "Orla Venning sold the mill. It grinds rye.")
    assert quoted(ask(TWO_HOPS, FERRY, mill, sentences=10)) == {"The Grey Ferry"}


def test_a_document_belongs_by_its_name_and_by_words_of_its_own() -> None:
    without_path = replace(VENNING, path=())
    assert quoted(ask("Who directed The Grey Ferry?", FERRY, without_path, BREAD)) == {"The Grey Ferry", "Orla Venning"}
    question = "Who directed The Grey Ferry, and how long does rye bread bake?"
    assert quoted(ask(question, FERRY, BREAD)) == {"The Grey Ferry", "Rye bread"}


BRAKES = hit(
    1,
    "Trolley at Haxey",
    "Haldane Civil should follow recommendation 4 and inspect all trolleys. The parking brake had been disabled with a cable tie.",
)
PHONES = hit(
    2, "Crane at Tolver", "By recommendation 9, Haldane Civil should forbid telephones in the cab. The night was dry."
)


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("which recommendations concern haldane civil", {"Trolley at Haxey", "Crane at Tolver"}),
        ("which recommendation concerns haldane civil", {"Trolley at Haxey"}),
    ],
)
def test_a_question_for_several_things_is_answered_from_each_document(question: str, documents: set[str]) -> None:
    assert quoted(ask(question, BRAKES, PHONES, BREAD, sentences=2, insist=True)) == documents


def test_nothing_found_is_no_answer() -> None:
    answer = ask("Who founded the bank?")
    assert (answer.abstained, answer.sentences, answer.sufficiency.probability) == (True, (), 0.0)
    assert answer.missing == "No document was found that has anything to do with the question."
    assert ask("Who founded the bank?", insist=True).abstained


def test_what_the_documents_lack_is_said() -> None:
    question = "Who founded the Ostend Savings Bank?"
    answer = ask(question, BREAD)
    assert answer.abstained
    assert answer.missing == (
        "The documents that were found say nothing about “founded”, “Ostend”, “Savings” and “Bank”."
    )
    assert not ask(question, BREAD, insist=True).abstained


def test_better_evidence_is_never_less_sufficient() -> None:
    poor, better = ask(TWO_HOPS, BREAD), ask(TWO_HOPS, FERRY, VENNING, BREAD)
    assert poor.sufficiency.probability < better.sufficiency.probability
    assert all(0 <= value <= 1 for value in better.sufficiency.features.values())


def test_the_answer_comes_as_events() -> None:
    service = AnswerService(lambda _, request: response(request.text, FERRY, VENNING))
    events = list(service.follow("t", AnswerRequest(QueryRequest(TWO_HOPS), sentences=2)))
    assert [type(event) for event in events] == [Sufficiency, CitedSentence, CitedSentence, Answer]
    assert isinstance(events[-1], Answer)
    assert events[1:3] == with_footnotes(events[-1].sentences, events[-1].citations)


@pytest.mark.parametrize("count", [0, 11])
def test_a_senseless_number_of_sentences_is_refused(count: int) -> None:
    with pytest.raises(InvalidInputError, match=r"sentences is \d+; it must be 1 to 10"):
        ask(TWO_HOPS, FERRY, sentences=count)


def test_a_letterhead_without_a_word_of_the_question_gains_nothing_by_its_place() -> None:
    hits = [hit(1, "Minutes", "Town of Aldburn\nThe precept is 41 pounds."), hit(2, "Minutes", "The precept rose.")]
    scored, _ = score_sentences("How high is the precept?", split_hits(hits))
    assert [each.features["opening"] for each in scored] == [0.0, 0.0, 1.0]
