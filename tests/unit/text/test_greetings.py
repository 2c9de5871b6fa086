"""Lines that only greet."""

import pytest

from interlace.text.greetings import is_greeting


@pytest.mark.parametrize(
    "line",
    ["Dear all,", "Hi,", "Hello Grit,", "Dear Ann, dear Mr O'Neill,", "Sehr geehrte Damen und Herren,", "Liebe Familie Kranz,", "Madame, Monsieur,", "Good morning everyone!", "Good morning.", "Hello Inês."],
)  # fmt: skip
def test_a_line_that_greets_someone_says_nothing(line: str) -> None:
    assert is_greeting(line)


@pytest.mark.parametrize(
    "line",
    [
        "Hey, I found the fault!",
        "Dear John is a song.",
        "Hello",
        "High,",
        "Lieber spät als nie!",
        "Himmel,",
        "Hello, World!",
    ],
)
def test_other_lines_are_no_greetings(line: str) -> None:
    assert not is_greeting(line)
