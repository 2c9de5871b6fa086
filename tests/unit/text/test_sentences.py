"""Where sentences end."""

import pytest

from interlace.text.sentences import sentence_at, sentence_spans


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
        ("See e.g. the mill. Élan followed.", ["See e.g. the mill.", "Élan followed."]),
        ("A title\nA line", ["A title", "A line"]),
        (
            "Mixer ........ 24.00\nSaw . . . . 3\nPump ...... CHF 9",
            ["Mixer ........ 24.00", "Saw . . . . 3", "Pump ...... CHF 9"],
        ),
        ("Wait... Then go. Nothing.... He left.", ["Wait...", "Then go.", "Nothing....", "He left."]),
        ("これは文。次の文。", ["これは文。", "次の文。"]),
        ("「行こう。」と言った。次の文。", ["「行こう。」", "と言った。", "次の文。"]),
        ("9. Why? So.\n10. How?\n  1. Thus.", ["9. Why?", "So.", "10. How?", "1. Thus."]),
        ("It has 15. Others have 3. None.", ["It has 15.", "Others have 3.", "None."]),
        ("Platz ab dem 1. September 2024. Am 3. Mai nicht.", ["Platz ab dem 1. September 2024.", "Am 3. Mai nicht."]),
        ("It grew in 1990. May was wet. Dne 2. října ne.", ["It grew in 1990.", "May was wet.", "Dne 2. října ne."]),
        ("Siehe Abs. 2 und Nr. 5, z. B. Strom. Gut.", ["Siehe Abs. 2 und Nr. 5, z. B. Strom.", "Gut."]),
        ("It peaked at No. 1. He said no. 5 left.", ["It peaked at No. 1.", "He said no.", "5 left."]),
        ("Lamp | E27. LED too | max. 60 W\nA lamp. A bulb.", ["Lamp | E27. LED too | max. 60 W", "A lamp.", "A bulb."]),
        (
            "An int | None is optional. Ruth Bell wrote it. It is free.",
            ["An int | None is optional.", "Ruth Bell wrote it.", "It is free."],
        ),
        ("Is it? No. 5 came. I met Max. 3 left.", ["Is it?", "No.", "5 came.", "I met Max.", "3 left."]),
        ("Power: Max. 60 W. See No. 5 now.", ["Power: Max. 60 W.", "See No. 5 now."]),
        (
            "We sold 20. April was cold. Am 20. April war es kalt.",
            ["We sold 20.", "April was cold.", "Am 20. April war es kalt."],
        ),
        ("A | " + "So. Now. " * 60, ["A | So.", *["Now.", "So."] * 59, "Now."]),
        ("  ", []),
    ],
)
def test_sentences_end_with_punctuation_or_lines(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences


def test_a_line_break_stands_within_a_sentence_of_wrapped_text() -> None:
    text = "One\nline. Two\n\nthree"
    assert [text[start:end] for start, end in sentence_spans(text, wrapped=True)] == ["One\nline.", "Two", "three"]
    text = "これは文\nです。次の文。"
    assert [text[start:end] for start, end in sentence_spans(text, wrapped=True)] == ["これは文\nです。", "次の文。"]


def test_the_sentence_around_an_offset_is_one_line_and_bounded() -> None:
    text = "First  one. Second sentence."
    assert sentence_at(text, 0, 300) == "First one."
    assert sentence_at(text, text.index("Second"), 300) == "Second sentence."
    assert sentence_at(text, text.index("Second"), 8) == "Second …"
    assert not sentence_at(text, 300, 300)
