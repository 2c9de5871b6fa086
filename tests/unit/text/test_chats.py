"""What an embedding model reads of chats as messengers export them."""

import pytest

from interlace.text.chats import as_plain_turns, speakers, without_turn_starts


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("[09:08] Ada: ", "[09:09] Bob: "),
        ("12/03/2024, 09:08 - Ada: ", "12/03/2024, 09:09 - Bob: "),
        ("Ada (9:08 AM): ", "Bob (9:09 AM): "),
        ("[09:08] <Ada> ", "[09:09] <@Bob> "),
        ("Ada  9:08 AM\n", "Bob  9:09 AM\n"),
        ("Ada \u2014 12/03/2024 9:08 AM\n", "Bob \u2014 Today at 9:09 AM\n"),
        ("[Tuesday 9:08 AM] Ada\n", "[Tuesday 9:09 AM] Bob\n"),
    ],
)
def test_speakers_are_named_once_and_times_are_left_out(first: str, second: str) -> None:
    found = without_turn_starts(f"Trip\n{first}We meet at ten.\n{second}Where?\n{first}At the pier, 10:15.\n")
    assert [line.strip() for line in found.splitlines()] == [
        "Trip",
        "Ada, Bob",
        "We meet at ten.",
        "Where?",
        "At the pier, 10:15.",
    ]


def test_behind_a_time_speakers_may_have_long_names_and_numbers() -> None:
    text = "[09:08] Edwin Plot 4: We meet at ten.\n[09:09] Hodge (bass): Where?\n[09:10] +44 7700 900123: Here."
    assert without_turn_starts(text) == "Edwin Plot 4, Hodge, +44 7700 900123\n We meet at ten.\n Where?\n Here."
    assert as_plain_turns(text).splitlines()[0] == "        Edwin Plot 4: We meet at ten."


@pytest.mark.parametrize(
    "text",
    [
        "Ada: We meet at ten.\nBob: At 10:30 then.",
        "2024-03-12 09:08:33 ERROR: the disk is full",
        "The train at 09:08 leaves; Ada: late again.",
        "09:08 Welcome by the mayor",
        "<host> The name of the host.",
        "2024-03-12 09:08:33 ERROR: the disk is full\n2024-03-12 09:08:34 ERROR: the disk is full",
        "Agenda\nOpening 9:00\nBudget 9:30\n",
        "<host> The name of the host.\n<port> Its port.",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert as_plain_turns(text) == without_turn_starts(text) == text


def test_one_turn_is_no_chat() -> None:
    text = "At noon\n[09:08] Ada: We meet at ten."
    assert without_turn_starts(text) == text


def test_words_in_capitals_stay_among_turns() -> None:
    text = "[09:08] Ada: The log?\n[09:09] ERROR: disk full\n[09:10] Bob: Oh."
    assert without_turn_starts(text) == "Ada, Bob\n The log?\n[09:09] ERROR: disk full\n Oh."


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[09:08] Ada Byron: Where?\n[09:09] Bob: Here.", ["Ada Byron", "Bob"]),
        ("3/9/2024, 9:08 AM - Ada: Where?", ["Ada"]),
        ("12/03/2024, 09:08 \u2013 Ada: Where?", ["Ada"]),
        ("Ada (9:08 AM): Where?", ["Ada"]),
        ("[09:08] <@Ada> Where?\n[09:09] <bob> Here.", ["Ada"]),
        ("[09:08] Anna van der Berg: Where?\n[09:09] Edwin Plot 4: Here.", ["Anna van der Berg", "Edwin Plot 4"]),
        ("12/03/2024, 09:08 - Hodge (bass): Where?\n12/03/2024, 09:09 - +44 7700 900123: Here.", ["Hodge"]),
        ("[09:08] Ada Byron \U0001f338: Where?", ["Ada Byron"]),
        ("[09:08] Ada said to me: Where?", []),
        ("[09:08] ERROR: The disk is full.", []),
        ("09:30 Keynote: The sea.\n10:15 Break: Coffee.", []),
        ("9:30 AM Keynote: The sea.", []),
        ("2024-03-12 09:08:33 Server: started", []),
        ("Ada: Where?\nBob: Here.", []),
    ],
)
def test_speakers_are_named_before_exported_turns(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in speakers(text)] == names
