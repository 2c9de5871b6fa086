"""What stands before a sentence."""

import pytest

from interlace.text.line_marks import without_marks


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("[00:00:02] Hannah Weiss: Let's start.", "Let's start."),
        ("12/03/2024, 18:04 - Bea: Come at six.", "Come at six."),
        ("[01:02] Today we talk about brass.", "Today we talk about brass."),
        ("1. Back up the database.\n2. Stop.", "Back up the database.\nStop."),
        ("(a) had no licence;", "had no licence;"),
        ("4.2 We pay nothing.", "We pay nothing."),
        ("§ 7 Ein Grab kostet 780 Euro.", "Ein Grab kostet 780 Euro."),
    ],
)
def test_times_speakers_and_numbers_are_left_out(line: str, bare: str) -> None:
    assert without_marks(line) == bare


@pytest.mark.parametrize(
    "line",
    ["2.5 g of salt", "19.30 Uhr Konzert", "18:30 Doors open.", "1911. A year", "A. B. Smith came.", "Price: 31.50"],
)
def test_what_a_sentence_says_itself_stays(line: str) -> None:
    assert without_marks(line) == line
