"""Sentences of hits: what is quoted stands in the document letter by letter."""

from dataclasses import replace

import pytest
from tests.support.answers import BREAD, FERRY

from interlace.answers.evidence import cite, split_hits


def test_every_sentence_is_quoted_letter_by_letter() -> None:
    found = split_hits([FERRY, BREAD])
    assert [each.text for each in found] == [
        "The Grey Ferry is a silent film of 1911.",
        "It was directed by Orla Venning.",
        "It was shot in two weeks.",
        "Mix flour, water and salt.",
        "Wait a night, then bake for an hour.",
    ]
    assert [each.place for each in found] == [0, 1, 2, 0, 1]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("J. K. Rowling wrote it. It sold.", ["J. K. Rowling wrote it.", "It sold."]),
        ("Dr. Mira Holm came. She left.", ["Dr. Mira Holm came.", "She left."]),
        ("A list\nSt. Ives\nof places", ["A list", "St. Ives", "of places"]),
        ("It ends with Mr.", ["It ends with Mr."]),
        ("Vitamin B. Next.", ["Vitamin B. Next."]),
        ("Leave it.\n!!\n-----\nThen rest.", ["Leave it.", "Then rest."]),
        ("", []),
    ],
)
def test_an_abbreviation_ends_no_sentence_and_a_mark_is_none(text: str, sentences: list[str]) -> None:
    assert [each.quote for each in split_hits([replace(FERRY, text=text)])] == sentences


def test_greetings_are_no_evidence_and_do_not_open_a_chunk() -> None:
    found = split_hits(
        [replace(FERRY, text="Dear Ms Venning,\n\nthe film is shown again. Hi!\n\nGrit Holm, treasurer")]
    )
    assert [(each.place, each.quote) for each in found] == [
        (0, "the film is shown again."),
        (1, "Grit Holm, treasurer"),
    ]


def test_what_has_no_full_stops_is_cut_at_a_word() -> None:
    (found,) = split_hits([replace(FERRY, text="word " * 400)])
    assert len(found.quote) <= 500
    assert found.quote.endswith("word")


def test_a_citation_has_offsets_in_the_document() -> None:
    second = split_hits([FERRY])[1]
    citation = cite(FERRY, second.start, second.end, 7)
    assert (citation.number, citation.quote) == (7, "It was directed by Orla Venning.")
    assert citation.end - citation.start == len(citation.quote)
    assert citation.start == FERRY.start + FERRY.text.index("It was directed")
