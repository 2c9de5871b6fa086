"""Sufficiency: which words of a question an answer has to hold, in which form."""

import pytest
from tests.support.answers import hit, response

from interlace.answers.service import WeighedEvidence, weigh_evidence
from interlace.domain.hits import Hit


def weigh(question: str, *hits: Hit) -> WeighedEvidence:
    return weigh_evidence(response(question, *hits, linked=0.0), 3)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wie viel muss Frau Kranz nachzahlen?", "Für 2023 muss Frau Kranz 387,50 € nachzahlen."),
        ("Quand la bibliothèque est-elle fermée ?", "La bibliothèque sera fermée du 15 au 27 avril."),
    ],
)
def test_function_words_of_other_languages_are_not_asked_for(question: str, text: str) -> None:
    assert weigh(question, hit(1, "Brief", text)).sufficiency.uncovered == ()
