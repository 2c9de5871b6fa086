"""Of what a language model says only what stands in the text is kept, in the text's own words."""

from typing import Any

import pytest
from tests.support.extraction_answers import hostile_output

from interlace.extraction.grounding import MAX_ENTITIES, Grounded, ReadText, ground
from interlace.extraction.schema import ExtractionSchema, load_schema

TEXT = "Orla Venning directed “The Grey Ferry” in Aalborg. She later married Knud  Strand, a painter."
OPEN = load_schema()
STRICT = ExtractionSchema(True, {"Person": "people"}, {"MARRIED_TO": "spouses"})


def entity(name: str, kind: str = "Person") -> dict[str, str]:
    return {"name": name, "type": kind}


def fact(**changes: str) -> dict[str, str]:
    found = {
        "subject": "Orla Venning",
        "predicate": "MARRIED_TO",
        "object": "Knud Strand",
        "quote": "married Knud Strand",
    }
    return found | changes


def read(
    entities: Any = (),
    facts: Any = (),
    *,
    text: str = TEXT,
    titles: tuple[str, ...] = (),
    schema: ExtractionSchema = OPEN,
) -> Grounded:
    return ground({"entities": list(entities), "facts": list(facts)}, ReadText(text, titles), schema, "llm:m")


def test_a_name_is_kept_as_the_text_spells_it_wherever_it_stands() -> None:
    found = read([entity("KNUD STRAND"), entity("the grey ferry", "Work"), entity("Ada Byron")])
    assert [(each.surface, each.type, TEXT[each.start : each.end]) for each in found.extraction.mentions] == [
        ("The Grey Ferry", "Work", "The Grey Ferry"),
        ("Knud  Strand", "Person", "Knud  Strand"),
    ]
    assert found.dropped == {"entity": 1}


@pytest.mark.parametrize(
    "name", ["", "she", "a", "1911", "x" * 300, "Orla Venning directed Aalborg", "Ferry Grey", "\u202eOrla"]
)
def test_what_is_no_name_or_not_there_is_dropped(name: str) -> None:
    found = read([entity(name)])
    assert [each.surface for each in found.extraction.mentions] == (
        ["Orla"] if "Orla" in name and len(name) < 6 else []
    )


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Apple", ["Apple", "APPLE"]),
        ("Turkey", ["Turkey"]),
        ("apple", ["APPLE", "apple"]),
        ("US", ["US"]),
        ("the US", ["the US"]),
        ("IT", ["IT"]),
        ("us", []),
        ("It", []),
        ("iPhone", []),
        ("Zo\u00eb", ["Zo\u00eb", "Zoe"]),
        ("IT TEAM", ["IT team"]),
    ],
)
def test_a_name_of_one_word_needs_its_own_case_or_capitals(name: str, found: list[str]) -> None:
    text = "Apple sells the iphone: APPLE in the US. It asked us, the IT team, whether she ate an apple in Turkey with turkey. Zo\u00eb is Zoe."
    assert [each.surface for each in read([entity(name)], text=text).extraction.mentions] == found


def test_in_a_text_without_capitals_names_are_found_as_the_text_spells_them() -> None:
    text = "lol orla moved to aalborg, she left apple"
    found = read([entity("orla"), entity("aalborg"), entity("apple")], text=text)
    assert [each.surface for each in found.extraction.mentions] == ["orla", "aalborg", "apple"]


def test_a_fact_is_about_a_name_rather_than_the_same_word_in_another_case() -> None:
    text = "An apple a day. Apple sells phones."
    (kept,) = read(
        facts=[fact(subject="Apple", predicate="SELLS", object="Phones", quote="Apple sells phones")], text=text
    ).extraction.facts
    assert (kept.subject, kept.object) == ("Apple", "phones")


def test_a_type_outside_the_schema_becomes_other() -> None:
    assert read([entity("Aalborg", "Place")], schema=STRICT).extraction.mentions[0].type == "Other"


def test_a_fact_has_the_sentence_of_its_quote() -> None:
    (kept,) = read(facts=[fact()]).extraction.facts
    assert TEXT[kept.start : kept.end] == "She later married Knud  Strand, a painter."
    assert (kept.subject, kept.predicate, kept.object, kept.extractor) == (
        "Orla Venning",
        "MARRIED_TO",
        "Knud Strand",
        "llm:m",
    )


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"quote": "She never married"}, "quote"),
        ({"quote": "married"}, "quote"),
        ({"quote": ""}, "quote"),
        ({"subject": "Ada Byron"}, "subject"),
        ({"object": "Ada Byron"}, "object"),
        ({"object": "orla venning"}, "object"),
        ({"object": "x " * 300}, "object"),
        ({"predicate": "123"}, "predicate"),
        ({"predicate": "MENTIONS"}, "predicate"),
        ({"predicate": "in community"}, "predicate"),
        ({"object": "Aalborg", "subject": "Orla Venning", "quote": "a painter"}, "quote"),
    ],
)
def test_a_fact_that_the_text_does_not_hold_is_dropped(changes: dict[str, str], reason: str) -> None:
    found = read(facts=[fact(**changes)])
    assert found.extraction.facts == ()
    assert found.dropped == {reason: 1}


def test_predicates_are_snake_and_a_strict_schema_drops_others() -> None:
    assert read(facts=[fact(predicate="later married to")]).extraction.facts[0].predicate == "LATER_MARRIED_TO"
    assert read(facts=[fact(predicate="KNOWS")], schema=STRICT).dropped == {"predicate": 1}


def test_a_fact_may_be_about_the_title() -> None:
    about = fact(subject="The Ferryman", object="Aalborg", quote="in Aalborg")
    assert read(facts=[about]).dropped == {"subject": 1}
    assert read(facts=[about], titles=("The Ferryman",)).extraction.facts[0].subject == "The Ferryman"


def test_too_much_is_cut() -> None:
    assert read([entity("Aalborg")] * (MAX_ENTITIES + 5)).dropped == {"cap": 5}


@pytest.mark.parametrize("number", range(200))
def test_of_two_hundred_hostile_outputs_nothing_ungrounded_is_kept(number: int) -> None:
    text, output = hostile_output(number)
    kept = read(output["entities"], output["facts"], text=text).extraction
    for mention in kept.mentions:
        assert mention.surface == text[mention.start : mention.end]
        assert mention.type in OPEN.types
    for found in kept.facts:
        assert found.subject in text
        assert found.object in text
        assert found.predicate in {"MET", "DELETE", "LEFT", "DETACH_DELETE"}
        assert 0 <= found.start < found.end <= len(text)
        sentence = text[found.start : found.end]
        assert found.subject in sentence or found.object in sentence
