"""Scores of sentences: what meaning adds to words."""

from dataclasses import replace

import pytest
from tests.support.answers import hit, response

from interlace.answers.evidence import split_hits
from interlace.answers.scoring import ScoredSentence, score_sentences
from interlace.answers.service import AnswerService
from interlace.domain.answers import AnswerRequest
from interlace.domain.hits import Hit, QueryRequest, Window

_LEAVE = "Holidays are entered in the portal. Parents may stay away for a year after a birth."


def scored(*hits: Hit) -> list[ScoredSentence]:
    found, _ = score_sentences("How long is maternity leave?", split_hits(hits))
    return found


def with_cosines(source: Hit, *cosines: float) -> Hit:
    """Return a hit whose sentences are windows with these cosines."""
    texts = [each.text for each in split_hits([source])]
    return replace(source, windows=tuple(Window(*each) for each in zip(texts, cosines, strict=True)))


def meanings(*hits: Hit) -> list[float]:
    return [each.features["meaning"] for each in scored(*hits)]


def test_meaning_is_scaled_among_all_sentences_and_those_of_the_chunk() -> None:
    first, second = hit(1, "Portal", _LEAVE), hit(2, "Bread", "Mix it. Bake it.")
    found = meanings(with_cosines(first, 0.6, 0.8), with_cosines(second, 0.4, 0.5))
    assert found == pytest.approx([(0.5 + 0) / 2, 1.0, 0.0, (0.25 + 1) / 2])


def test_sentences_that_were_not_compared_have_no_meaning() -> None:
    assert meanings(hit(1, "Portal", _LEAVE)) == [0.0, 0.0]
    assert meanings(with_cosines(hit(1, "Portal", _LEAVE), 0.6, 0.8), hit(2, "Bread", "Mix it. Bake it."))[2:] == [0, 0]


def test_sentences_of_one_window_are_alike() -> None:
    whole = replace(hit(1, "Portal", _LEAVE), windows=(Window(_LEAVE, 0.7),))
    assert meanings(whole) == [1.0, 1.0]


def test_a_sentence_of_a_chat_has_the_window_that_holds_most_of_its_words() -> None:
    chat = hit(1, "Chat", "[09:08] Ada: Who has the key?\n[09:09] Ben: It hangs beside the door.")
    read = (Window("Ada, Ben Who has the key?", 0.2), Window("It hangs beside the door.", 0.9))
    assert meanings(replace(chat, windows=read)) == [0.0, 1.0]


def test_an_answer_in_other_words_than_the_question_is_preferred_by_its_meaning() -> None:
    requests: list[QueryRequest] = []

    def search(_: str, request: QueryRequest) -> object:
        requests.append(request)
        return response(request.text, with_cosines(hit(1, "Portal", _LEAVE), 0.4, 0.7))

    request = AnswerRequest(QueryRequest("How long is maternity leave?"), sentences=1, insist=True)
    answer = AnswerService(search).answer("t", request)  # type: ignore[arg-type]
    assert [each.text for each in answer.sentences] == ["Parents may stay away for a year after a birth."]
    assert [each.windows for each in requests] == [True]
