"""What is complete of an output while it is being written."""

import json

import pytest

from interlace.answers.partial_output import PartialOutput, read_beginning

SENTENCES = [
    {
        "text": 'It } says "no", null].',
        "citations": [{"evidence": 1, "quote": "a }]} b"}, {"evidence": 2, "quote": ""}],
    },
    {"text": "Ünder \\ {way", "citations": []},
    {"text": "Last", "citations": [{"evidence": 3, "quote": "x"}]},
]
OUTPUT = {"answerable": True, "missing": "", "sentences": SENTENCES, "short": "}"}


@pytest.mark.parametrize("form", ["%s", "```json\n%s\n```", "Here it is: %s"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_of_each_beginning_the_sentences_that_are_closed_are_complete(form: str, ascii_only: bool) -> None:
    text = form % json.dumps(OUTPUT, ensure_ascii=ascii_only)
    ends = [text.index(each) + len(each) for each in (json.dumps(part, ensure_ascii=ascii_only) for part in SENTENCES)]
    for end in range(text.rindex(', "short"')):
        closed = sum(each <= end for each in ends)
        assert list(read_beginning(text[:end]).sentences) == SENTENCES[:closed], text[:end]
        assert read_beginning(text[:end]).missing == ("" if "}" in text[:end] else None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "}",
        "I cannot }",
        "[1, 2]}",
        '{"sentences": [{"text": "\\ud800"}',
        '{"sentences": 7, "a": {}',
        "{" * 9999 + "}",
    ],
)
def test_of_what_is_no_output_nothing_is_complete(text: str) -> None:
    assert read_beginning(text) == PartialOutput()


def test_a_sentence_of_another_shape_is_left_out() -> None:
    begun = read_beginning('{"sentences": [{"text": 1, "citations": []}, {"text": "a"}, {"text": "b", "citations": []}')
    assert begun == PartialOutput(({"text": "b", "citations": []},), None)
