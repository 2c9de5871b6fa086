"""Scores of sentences: what meaning adds to words."""

from dataclasses import replace

import pytest
from tests.support.answers import hit, response

from interlace.answers.evidence import split_hits
from interlace.answers.scoring import ScoredSentence, score_sentences
from interlace.answers.service import AnswerService
from interlace.domain.answers import AnswerRequest
from interlace.domain.hits import Hit, QueryRequest
from interlace.vectors.windows import windows_read

_PORTAL = "Holidays are entered in the portal by the first of the month, and the head of the team confirms them within a week, which as a rule takes less."
_BIRTH = "Parents may stay away from work for up to a year after a birth, and their place and their duties are kept for them until they return."
_LEAVE = f"{_PORTAL} {_BIRTH}"  # two windows
_BREAD = f"{'Mix the flour with the water and the salt until nothing is dry, ' * 2}then wait. {'Bake it until it sounds hollow when it is knocked on from below, ' * 2}then wait."


def scored(*hits: Hit) -> list[ScoredSentence]:
    found, _ = score_sentences("How long is maternity leave?", split_hits(hits))
    return found


def with_cosines(source: Hit, *cosines: float) -> Hit:
    return replace(source, window_similarities=cosines)


def meanings(*hits: Hit) -> list[float]:
    return [each.features["meaning"] for each in scored(*hits)]


def test_meaning_is_scaled_among_all_sentences_and_those_of_the_chunk() -> None:
    first, second = hit(1, "Portal", _LEAVE), hit(2, "Bread", _BREAD)
    found = meanings(with_cosines(first, 0.6, 0.8), with_cosines(second, 0.4, 0.5))
    assert found == pytest.approx([(0.5 + 0) / 2, 1.0, 0.0, (0.25 + 1) / 2])


def test_sentences_that_were_not_compared_have_no_meaning() -> None:
    assert meanings(hit(1, "Portal", _LEAVE)) == [0.0, 0.0]
    assert meanings(with_cosines(hit(1, "Portal", _LEAVE), 0.6, 0.8), hit(2, "Bread", _BREAD))[2:] == [0, 0]


def test_sentences_of_one_window_are_alike() -> None:
    assert meanings(with_cosines(hit(1, "Bread", "Mix it. Bake it."), 0.7)) == [1.0, 1.0]


def test_sentences_of_a_text_that_is_divided_otherwise_today_are_as_near_as_its_nearest_window() -> None:
    assert meanings(with_cosines(hit(1, "Portal", _LEAVE), 0.1, 0.7, 0.4)) == [1.0, 1.0]


def test_a_sentence_of_a_chat_has_the_window_that_holds_most_of_its_words() -> None:
    chat = hit(1, "Chat", f"[09:08] Ada: {_PORTAL}\n[09:09] Ben: {_BIRTH}")
    assert windows_read(chat.text) == ["Ada, Ben", _PORTAL, _BIRTH]
    assert meanings(with_cosines(chat, 0.3, 0.2, 0.9)) == [0.0, 1.0]


def test_an_answer_in_other_words_than_the_question_is_preferred_by_its_meaning() -> None:
    requests: list[QueryRequest] = []

    def search(_: str, request: QueryRequest) -> object:
        requests.append(request)
        return response(request.text, with_cosines(hit(1, "Portal", _LEAVE), 0.4, 0.7))

    request = AnswerRequest(QueryRequest("How long is maternity leave?"), sentences=1, insist=True)
    answer = AnswerService(search).answer("t", request)  # type: ignore[arg-type]
    assert [each.text for each in answer.sentences] == [_BIRTH]
    assert [each.windows for each in requests] == [True]
