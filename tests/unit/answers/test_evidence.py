"""Sentences of hits: what is quoted stands in the document letter by letter."""

from dataclasses import replace

import pytest
from tests.support.answers import BREAD, FERRY, VENNING

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


def test_what_a_reply_quotes_is_evidence_without_its_marks_unless_another_hit_says_it() -> None:
    said = "The concert is at\nseven. Bring a lamp."
    reply = "I cannot come.\n\nOn Monday, Grit Holm wrote:\n> The concert is at seven. Bring a lamp.\n> > Who sings?"
    original, answering, again = (
        replace(hit, text=text) for hit, text in ((FERRY, said), (BREAD, reply), (VENNING, reply))
    )
    own = ["I cannot come.", "Who sings?"]
    assert [each.quote for each in split_hits([answering, original])][:2] == own
    alone = split_hits([answering, again])
    assert [each.quote for each in alone[:4]] == [own[0], "The concert is at seven.", "Bring a lamp.", own[1]]
    assert len(alone) == 8


@pytest.mark.parametrize(
    "rows",
    [
        "Born | 5 May 1950\nOccupation | Director",
        "Ship: MS Teal | Days: daily | Built: 1998\nShip: MS Grebe | Days: daily | Built: 2004",
        "Mira | Design | on leave\nJonas | Ops | 0151 22\nPia | Ops | 0152 33",
        "Monday | closed | closed\nTuesday | 9-12 | 14-18",
        "Week | Primary | Secondary\n1 July | Ivo Marchetti | Lena Brandt",
    ],
)
def test_each_row_of_a_table_is_a_sentence_as_it_is(rows: str) -> None:
    assert [each.text for each in split_hits([replace(FERRY, text=rows)])] == rows.split("\n")


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


def test_a_turn_that_only_greets_is_no_evidence() -> None:
    text = "[00:00:02] Hannah Weiss: Good morning. The fair is in Lyon.\n[00:00:07] Mehmet Aydin: Hello Hannah."
    assert [each.quote for each in split_hits([replace(FERRY, text=text)])] == ["The fair is in Lyon."]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Chemical: acetone\nAmount (l): 5\nLocation: solvent cabinet", 1),
        ("Ada: Who brings the lamp?\nGrit: I do.\nAda: Thanks.", 3),
        ("Drop old slots (owner: Grit)\nWatch the certificate (owner: Ada)", 2),
        ("Notes: " + "long " * 100 + "\nLocation: shelf", 2),
    ],
)
def test_a_short_record_is_one_sentence(text: str, count: int) -> None:
    assert len(split_hits([replace(FERRY, text=text)])) == count
