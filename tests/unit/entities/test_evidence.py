"""Evidence: its form on a node, what it says of an entity, and that taking away undoes adding."""

from collections import Counter
from dataclasses import replace

import pytest

from interlace.entities.evidence import Evidence, decode, describe, encode

NER = Evidence("ner", "Person", "Ada Lovelace")
TITLE = Evidence("title", "", "Ada (mathematician)")
ALIAS = Evidence("alias", "", "Countess")


def test_lines_are_sorted_and_read_back_the_same() -> None:
    evidence = Counter({NER: 2, TITLE: 1, ALIAS: 3})
    lines = encode(evidence)
    assert lines == sorted(lines)
    assert lines[-1] == "title\t\tAda (mathematician)\t1"
    assert decode(lines) == evidence
    assert encode(Counter(dict(reversed(evidence.items())))) == lines


def test_what_is_used_up_is_not_written() -> None:
    evidence = Counter({NER: 2, TITLE: 1})
    evidence.subtract({NER: 2})
    assert encode(evidence) == encode({TITLE: 1})


def test_a_title_is_the_name_and_an_alias_never() -> None:
    state = describe({NER: 50, TITLE: 1, ALIAS: 99})
    assert state.name == "Ada (mathematician)"
    assert state.aliases == ("Ada Lovelace", "Countess")
    assert state.keys == ("ada", "ada lovelace", "ada mathematician", "countess")
    assert describe({ALIAS: 9, NER: 1}).name == "Ada Lovelace"


def test_the_most_frequent_type_wins_and_ties_go_by_name() -> None:
    place, other = Evidence("ner", "Place", "Ada"), Evidence("ner", "Other", "Ada")
    assert (describe({NER: 3, place: 1, other: 9}).type, describe({NER: 3, place: 1}).confidence) == ("Person", 0.75)
    assert describe({place: 2, NER: 2}).type == "Person"
    assert (describe({other: 2}).type, describe({TITLE: 1}).confidence) == ("Other", 0.5)


def test_under_a_strict_schema_guesses_do_not_count_and_authors_do() -> None:
    strict = Evidence("strict", "Director", "Ada Lovelace")
    guessed = {NER: 9, Evidence("llm", "Person", "Ada Lovelace"): 9, Evidence("short", "Person", "Ada"): 9}
    assert (describe({**guessed, strict: 1}).type, describe({**guessed, strict: 1}).confidence) == ("Director", 1.0)
    assert describe({**guessed, Evidence("strict", "Other", "Ada Lovelace"): 1}).type == "Other"
    assert describe({**guessed, strict: 1, Evidence("declared", "Skill", "Ada Lovelace"): 2}).type == "Skill"
    assert describe({**guessed, strict: 1}).aliases == describe({**guessed, NER: 10}).aliases == ("Ada",)


def test_what_a_model_names_where_others_do_is_counted_apart_and_changes_nothing_else() -> None:
    said = {NER: 2, Evidence("llm", "Person", "Ada"): 3}
    agreed = {**said, Evidence("agreed", "", "Ada"): 2, Evidence("agreed", "", "Ada", "elsewhere"): 1}
    assert (describe(said).agreed, describe(agreed).agreed) == (0, 3)
    assert replace(describe(agreed), agreed=0) == describe(said)


@pytest.mark.parametrize("surface", ["", "?!", "x" * 300])
def test_names_without_words_have_no_keys(surface: str) -> None:
    state = describe({Evidence("ner", "Other", surface): 1})
    assert len(state.name) <= 256
    assert state.keys == (("x" * 256,) if surface.startswith("x") else ())
