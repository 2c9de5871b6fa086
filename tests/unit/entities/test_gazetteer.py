"""The dictionary against a brute-force model of longest match, and what it remembers of names that went."""

import random

import pytest

from interlace.entities.gazetteer import Gazetteer, Match
from interlace.entities.normalization import may_match
from interlace.text.tokenizer import tokens

WORDS = ["Ada", "Lang", "mill", "Old", "the", "of", "1927", "York"]


def longest_matches(names: dict[str, set[str]], text: str) -> list[Match]:
    """Find names by trying every stretch of every length."""
    words = tokens(text)
    found = []
    at = 0
    while at < len(words):
        best = 0
        for length in range(1, len(words) - at + 1):
            key = " ".join(word.form for word in words[at : at + length])
            if key in names and may_match(key) and (length > 1 or words[at].capital):
                best = length
        if best:
            key = " ".join(word.form for word in words[at : at + best])
            found.append(Match(key, tuple(sorted(names[key])), words[at].start, words[at + best - 1].end))
        at += best or 1
    return found


def holders(assigned: dict[str, list[str]]) -> dict[str, set[str]]:
    names: dict[str, set[str]] = {}
    for entity, keys in assigned.items():
        for key in keys:
            names.setdefault(key, set()).add(entity)
    return names


def some_keys(chance: random.Random) -> list[str]:
    return [" ".join(chance.choices([word.lower() for word in WORDS], k=chance.randint(1, 4))) for _ in range(3)]


def contents(dictionary: Gazetteer) -> tuple[object, ...]:
    return dictionary._entities, dictionary._forms, dictionary._longer


@pytest.mark.parametrize("seed", range(20))
def test_it_finds_what_trying_everything_finds(seed: int) -> None:
    chance = random.Random(seed)
    assigned = {f"e{n}": some_keys(chance) for n in range(12)}
    dictionary = Gazetteer()
    for entity, keys in assigned.items():
        dictionary.assign(entity, keys)
    for _ in range(20):
        text = " ".join(chance.choices([*WORDS, *map(str.lower, WORDS), "x,", "Ada's"], k=25))
        assert dictionary.find(text) == longest_matches(holders(assigned), text)
        without = set(chance.sample(sorted(assigned), len(assigned) // 2))
        others = {entity: keys for entity, keys in assigned.items() if entity not in without}
        assert dictionary.find(text, without) == longest_matches(holders(others), text)


@pytest.mark.parametrize("seed", range(20))
def test_after_any_changes_it_equals_a_new_one(seed: int) -> None:
    chance = random.Random(seed)
    dictionary = Gazetteer()
    assigned: dict[str, list[str]] = {}
    for _ in range(60):
        entity = f"e{chance.randint(0, 9)}"
        assigned[entity] = some_keys(chance) if chance.random() < 0.6 else []
        dictionary.assign(entity, assigned[entity])
    fresh = Gazetteer()
    for entity in sorted(assigned, reverse=True):
        fresh.assign(entity, assigned[entity])
    assert contents(dictionary) == contents(fresh)
    assert len(dictionary) == len({key for keys in assigned.values() for key in keys if may_match(key)})
    for entity in assigned:
        dictionary.assign(entity, ())
    assert contents(dictionary) == contents(Gazetteer())


def test_one_name_of_several_entities_gives_all_of_them() -> None:
    dictionary = Gazetteer()
    dictionary.assign("b", ["ada"])
    dictionary.assign("a", ["ada", "ada lang"])
    assert dictionary.find("Ada\u2019s mill, Ada Lang") == [
        Match("ada", ("a", "b"), 0, 3),
        Match("ada lang", ("a",), 12, 20),
    ]
    assert dictionary.entities_of("ada") == ("a", "b")
    assert dictionary.forms_of("a") == ("ada", "ada lang")
    dictionary.assign("a", ["ada lang"])
    assert dictionary.entities_of("ada") == ("b",)
    assert "ada lang" in dictionary
    assert "lang" not in dictionary


def test_all_that_could_be_meant_is_given_with_what_a_longer_form_covers() -> None:
    dictionary = Gazetteer()
    dictionary.assign("a", ["ada", "ada lang", "lang"])
    dictionary.assign("b", ["ada lang mill", "mill"])
    assert dictionary.forms_in("The Ada Lang Mill, a mill") == {"ada lang mill", "ada lang", "ada", "lang", "mill"}
    assert dictionary.forms_in("the mill of ada") == set()


def test_single_words_match_capitalised_only() -> None:
    dictionary = Gazetteer()
    dictionary.assign("a", ["mill", "old mill", "the", "1927"])
    assert [match.key for match in dictionary.find("The mill of 1927, an old mill. Mill!")] == ["old mill", "mill"]
