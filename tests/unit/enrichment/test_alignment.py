"""What a model's extraction adds to a chunk that others have read."""

import pytest

from interlace.domain.extraction import Extraction, Mention
from interlace.enrichment.alignment import align
from interlace.queries.extractions import ReadEnrichmentMention, ReadEnrichmentRow

TEXT = "Amador Salazar Lima was a Mexican soldier of the Mexican Revolution."
NAME = "Amador Salazar Lima"


def row(*names: str, via: str = "ner") -> ReadEnrichmentRow:
    """Return a chunk in which another extractor found names, each at its first place."""
    mentions = [
        ReadEnrichmentMention(name, name, via, [TEXT.index(name), TEXT.index(name) + len(name)], []) for name in names
    ]
    return ReadEnrichmentRow("c", "d", "", TEXT, "sum", False, False, mentions, [])


def added(existing: ReadEnrichmentRow, *names: str) -> list[tuple[str, int]]:
    """Return what a model adds that found names wherever they stand."""
    places = [(name, at) for name in names for at in range(len(TEXT)) if TEXT.startswith(name, at)]
    found = tuple(Mention(name, "Other", at, at + len(name), 0.8, "llm") for name, at in places)
    return [(each.surface, each.start) for each in align(Extraction(found), existing).extraction.mentions]


@pytest.mark.parametrize("existing", [row(NAME, "Mexican Revolution"), row()], ids=["of another", "of the model"])
def test_within_a_longer_name_a_shorter_one_is_not_named(existing: ReadEnrichmentRow) -> None:
    longer = () if existing.mentions else (NAME, "Mexican Revolution")
    found = added(existing, "Lima", "Mexican", *longer)
    assert [each for each in found if each[0] in {"Lima", "Mexican"}] == [("Mexican", TEXT.index("Mexican"))]


def test_the_same_name_is_kept_by_the_spelling_that_is_there() -> None:
    assert added(row(NAME), NAME) == [(NAME, 0)]


def test_a_longer_name_than_the_one_that_is_there_is_added() -> None:
    assert added(row("Amador Salazar"), NAME) == [(NAME, 0)]


def test_what_an_author_marked_is_left_as_it_is() -> None:
    assert added(row("Amador Salazar", via="link"), NAME) == []
