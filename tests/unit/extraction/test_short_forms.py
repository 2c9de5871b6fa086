"""Surnames, initials and acronyms stand for the names that the chunk or its title gives in full."""

from collections import Counter

import pytest

from interlace.domain.documents import Chunk
from interlace.domain.extraction import Extraction, Fact, Mention
from interlace.domain.ids import entity_id
from interlace.entities.evidence import Evidence, describe
from interlace.extraction.short_forms import with_full_names
from interlace.ingestion.support_rows import chunk_support


def extraction(text: str, names: dict[str, str]) -> Extraction:
    """Return mentions of every occurrence of some names, given with their types, the longest name first."""
    mentions: list[Mention] = []
    for name in sorted(names, key=len, reverse=True):
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            if not any(other.start < end and at < other.end for other in mentions):
                mentions.append(Mention(name, names[name], at, end, 0.85))
            at = text.find(name, end)
    return Extraction(tuple(sorted(mentions, key=lambda mention: mention.start)))


def resolved(text: str, names: dict[str, str], title: str = "Something else") -> dict[str, tuple[str, str]]:
    found = with_full_names(extraction(text, names), text, title).mentions
    assert [(each.start, each.end) for each in found] == [
        (each.start, each.end) for each in extraction(text, names).mentions
    ]
    return {each.surface: (each.meant, each.via) for each in found if each.meant}


def of_participants(text: str, names: dict[str, str], participants: tuple[str, ...]) -> dict[str, tuple[str, str, str]]:
    """Return surface to type, meaning and way of what the extraction finds in a chunk whose document's fields name people."""
    found = with_full_names(extraction(text, names), text, "Minutes", participants).mentions
    return {each.surface: (each.type, each.meant, each.via) for each in found}


def test_a_first_name_stands_for_the_participant_who_has_it_and_its_type_is_that_of_people() -> None:
    names = {"Ada": "Organization", "Charles Babbage": "Work", "Mary": "Person", "London": "Place"}
    found = of_participants("Ada and Charles Babbage met Mary in London.", names, ("Ada Byron", "Charles Babbage"))
    assert found == {
        "Ada": ("Person", "Ada Byron", "short"),
        "Charles Babbage": ("Person", "", "ner"),
        "Mary": ("Person", "", "ner"),
        "London": ("Place", "", "ner"),
    }


@pytest.mark.parametrize("participants", [(), ("Ada Byron", "Ada Lovelace"), ("Ada",)])
def test_a_first_name_of_no_participant_or_of_two_stands_for_no_one(participants: tuple[str, ...]) -> None:
    assert of_participants("Ada came.", {"Ada": "Person"}, participants) == {"Ada": ("Person", "", "ner")}


def test_a_first_name_that_somebody_else_in_the_chunk_has_too_stands_for_no_one() -> None:
    names = {"Ada Yonath": "Person", "Ada": "Person"}
    assert of_participants("Ada Yonath spoke. Ada asked.", names, ("Ada Byron",))["Ada"] == ("Person", "", "ner")


def test_a_surname_stands_for_the_one_person_who_has_it() -> None:
    text = "Ada Byron met Charles Babbage. Byron wrote, Babbage built."
    names = {"Ada Byron": "Person", "Charles Babbage": "Person", "Byron": "Person", "Babbage": "Other"}
    assert resolved(text, names) == {"Byron": ("Ada Byron", "short"), "Babbage": ("Charles Babbage", "short")}


def test_a_surname_of_two_people_stands_for_neither_unless_one_is_the_title() -> None:
    text = "Walter Lang and Fritz Lang met. Lang spoke."
    names = {"Walter Lang": "Person", "Fritz Lang": "Person", "Lang": "Person"}
    assert resolved(text, names) == {}
    assert resolved(text, names, "Fritz Lang") == {"Lang": ("Fritz Lang", "short")}
    assert resolved(text, names, "Fritz Lang (director)") == {"Lang": ("Fritz Lang (director)", "short")}


@pytest.mark.parametrize(
    ("text", "names", "title"),
    [
        ("The city of New London grew. London is old.", {"New London": "Place", "London": "Place"}, "New London"),
        ("Louis of France came. France lost.", {"Louis of France": "Person", "France": "Other"}, "Something"),
        ("A Stuart king came. A king went.", {"Stuart king": "Person", "king": "Other"}, "Something"),
        ("Jerry Seinfeld plays. Seinfeld ran.", {"Jerry Seinfeld": "Person", "Seinfeld": "Person"}, "Seinfeld"),
        ("Ann Li and Bo Wu came. Li left.", {"Ann Li": "Person", "Bo Wu": "Person", "Li": "Person"}, "Something"),
        ("Mount Lang is high. Lang is steep.", {"Mount Lang": "Place", "Lang": "Person"}, "Mount Lang"),
        ("Fritz Lang filmed. Lang grew.", {"Fritz Lang": "Person", "Lang": "Organization"}, "Fritz Lang"),
    ],
)
def test_what_is_no_surname_of_a_person_stays(text: str, names: dict[str, str], title: str) -> None:
    assert resolved(text, names, title) == {}


def test_surnames_keep_their_particles_and_lose_what_follows_them() -> None:
    text = "Vincent van Gogh met Henry Adams Jr. in Arles; van Gogh painted Adams. Gogh left."
    names = dict.fromkeys(("Vincent van Gogh", "Henry Adams Jr.", "van Gogh", "Adams", "Gogh"), "Person")
    assert resolved(text, names) == {
        "van Gogh": ("Vincent van Gogh", "short"),
        "Gogh": ("Vincent van Gogh", "short"),
        "Adams": ("Henry Adams Jr.", "short"),
    }


def test_initials_stand_for_first_names() -> None:
    text = "John Ronald Reuel Tolkien wrote. J. R. R. Tolkien taught; J. Tolkien smoked, K. Tolkien did not. Tolkien slept."
    names = dict.fromkeys(("John Ronald Reuel Tolkien", "J. R. R. Tolkien", "J. Tolkien", "K. Tolkien"), "Person")
    full = ("John Ronald Reuel Tolkien", "short")
    found = resolved(text, names)
    assert found == {"J. R. R. Tolkien": full, "J. Tolkien": full}
    # Initials that the full name has do not make its surname doubtful.
    without_stranger = {name: kind for name, kind in names.items() if name != "K. Tolkien"}
    assert resolved(text, {**without_stranger, "Tolkien": "Person"})["Tolkien"] == full


@pytest.mark.parametrize(
    "text",
    [
        "The Bureau of Public Roads (BPR) paid. BPR built.",
        "The Bureau of Public Roads (B.P.R.) paid. BPR built.",
        'The Bureau of Public Roads ("BPR"), paid. BPR built.',
        "The Bureau of Public Roads (BPR; until 1949) paid. BPR built.",
        "BPR (the Bureau of Public Roads) paid. BPR built.",
    ],
)
def test_an_acronym_that_is_defined_is_a_name_of_what_it_stands_for(text: str) -> None:
    names = {"Bureau of Public Roads": "Organization", "BPR": "Organization"}
    assert resolved(text, names) == {"BPR": ("Bureau of Public Roads", "acronym")}


def test_other_words_in_brackets_define_nothing() -> None:
    names = {"Bureau of Public Roads": "Organization", "USA": "Place", "BPR": "Organization"}
    assert resolved("The Bureau of Public Roads (USA) paid.", names) == {}
    assert resolved("Rolf (RP) paid. RP built.", {"Rolf": "Person", "RP": "Other"}) == {}


def test_an_acronym_that_is_not_defined_stands_for_one_name_of_these_initials_here() -> None:
    names = {"Federal Reserve Bank": "Organization", "FRB": "Organization", "Fine Rye Bread": "Product"}
    assert resolved("The Federal Reserve Bank met. FRB rose.", names) == {"FRB": ("Federal Reserve Bank", "short")}
    assert resolved("Federal Reserve Bank, Fine Rye Bread, FRB.", names) == {}
    assert resolved("The United Nations met. UN voted.", {"United Nations": "Organization", "UN": "Other"}) == {}
    assert resolved("ECB rose.", {"ECB": "Other"}, "European Central Bank") == {
        "ECB": ("European Central Bank", "short")
    }


def test_what_an_author_marked_stays() -> None:
    text = "Ada Byron wrote. [[Byron]] read."
    marked = Extraction(
        (Mention("Ada Byron", "Person", 0, 9, 0.85), Mention("Byron", "Person", 19, 24, 1.0, "link")),
        (Fact("Ada Byron", "WRITE", "notes", 0, 16, 0.9, "spacy"),),
    )
    assert with_full_names(marked, text, "Notes") == marked


def support(text: str, names: dict[str, str]) -> dict[str, Counter[Evidence]]:
    chunk = Chunk("c", "d", ("Notes",), 0, 0, text, 0, len(text), len(text.split()))
    found = with_full_names(extraction(text, names), text, "Notes")
    return chunk_support("t", chunk, found, entity_id("t", "notes", "")).evidence


def test_a_surname_is_no_name_of_the_person_elsewhere_and_an_acronym_is() -> None:
    byron = support("Ada Byron wrote. Byron read. Byron slept.", {"Ada Byron": "Person", "Byron": "Person"})
    assert set(byron) == {entity_id("t", "ada byron", "")}
    (evidence,) = byron.values()
    described = describe(evidence)
    assert (described.name, described.keys, described.aliases) == ("Ada Byron", ("ada byron",), ())
    roads = support(
        "The Bureau of Public Roads (BPR) paid. BPR built. BPR left.",
        {"Bureau of Public Roads": "Organization", "BPR": "Organization"},
    )
    assert set(roads) == {entity_id("t", "bureau of public roads", "")}
    (evidence,) = roads.values()
    described = describe(evidence)
    assert described.name == "Bureau of Public Roads"
    assert (described.keys, described.aliases) == (("bpr", "bureau of public roads"), ("BPR",))


def test_a_surname_with_a_title_stands_for_the_full_name_and_does_not_make_the_surname_unclear() -> None:
    names = dict.fromkeys(["Helen Trask", "Ms Trask", "Trask", "Dr Helen Trask", "Dr Quist"], "Person")
    text = "Helen Trask spoke. Ms Trask, Dr Helen Trask and Trask are one; Dr Quist is not."
    meant = ("Helen Trask", "short")
    assert resolved(text, names) == {"Ms Trask": meant, "Dr Helen Trask": meant, "Trask": meant}


def test_a_surname_with_a_title_stands_for_no_one_whose_first_name_is_not_known() -> None:
    names = dict.fromkeys(["Mr Trask", "Ms Trask", "Trask"], "Person")
    assert resolved("Mr Trask met Ms Trask. Trask left.", names) == {}
    assert resolved("Mr Trask is here. Trask left.", names) == {"Trask": ("Mr Trask", "short")}
