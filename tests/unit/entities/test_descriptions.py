"""Descriptions of entities: which sentence is chosen."""

import pytest

from interlace.entities.descriptions import MAX_DESCRIPTION_CHARACTERS, EntityDescription, describe
from interlace.queries.descriptions import EntitySentencesRow

NAMES = ["Orla Venning", "O. Venning"]


def row(text: str, *, opening: bool = False, confidence: float = 0.8, chunk: str = "c1") -> EntitySentencesRow:
    return EntitySentencesRow(text, opening, confidence, chunk, "d1", "People", "people.md")


def chosen_of(*rows: EntitySentencesRow) -> str | None:
    found = describe(NAMES, rows)
    return found.text if found else None


def test_a_description_has_its_source() -> None:
    assert describe(NAMES, [row("Orla Venning was a\nDanish director.")]) == EntityDescription(
        "Orla Venning was a Danish director.", "c1", "d1", "People", "people.md"
    )


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        ([row("Orla Venning married him."), row("Later Orla Venning was a guest.")], "Orla Venning married him."),
        (
            [row("It is said that Orla Venning won."), row("“Orla Venning” (born 1880) is a director.")],
            "“Orla Venning” (born 1880) is a director.",
        ),
        ([row("Orla Venning came here."), row("Orla Venning left it.", confidence=0.9)], "Orla Venning left it."),
        (
            [row("Orla Venning came here."), row("Orla Venning left.  She died.", opening=True)],
            "Orla Venning came here.",
        ),
        (
            [row("Orla Venning came here."), row("Hello. Orla Venning left the town.", opening=True)],
            "Orla Venning left the town.",
        ),
        ([row("O. Venning made films here.")], "O. Venning made films here."),
        ([row("She was a Danish director."), row("Orla Venning", opening=True)], None),
        ([row("Orla Venning was a " + "very " * MAX_DESCRIPTION_CHARACTERS + "good director.")], None),
        ([], None),
    ],
)
def test_the_sentence_that_defines_is_chosen_then_the_opening_then_the_surer(
    rows: list[EntitySentencesRow], chosen: str | None
) -> None:
    assert chosen_of(*rows) == chosen
    assert chosen_of(*rows[::-1]) == chosen, "whatever the order"


def test_a_sentence_that_is_cut_is_no_description() -> None:
    whole = "Orla Venning left. " * 40
    cut = ("Short words stand here. " + "Orla Venning was a director of " + "x" * MAX_DESCRIPTION_CHARACTERS)[
        :MAX_DESCRIPTION_CHARACTERS
    ]
    assert chosen_of(row(cut, opening=True)) is None
    assert chosen_of(row(whole[:MAX_DESCRIPTION_CHARACTERS], opening=True)) is None, "three words say nothing"
