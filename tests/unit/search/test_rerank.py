"""Which questions are compared with the meaning of candidates."""

import pytest

from interlace.search.rerank import _asks_for_a_day


@pytest.mark.parametrize(
    "question",
    [
        "What happened on 2 April 2025?",
        "what did we do on april 2, 2025",
        "2025-04-02",
        "Was passierte am 2. April 2025?",
    ],
)
def test_a_day_and_nothing_else_has_no_meaning_of_its_own(question: str) -> None:
    assert _asks_for_a_day(question)


@pytest.mark.parametrize(
    "question",
    ["Who visited the brewery on 2 April 2025?", "What happened in April 2025?", "What happened to the pump?", ""],
)
def test_other_questions_are_compared(question: str) -> None:
    assert not _asks_for_a_day(question)
