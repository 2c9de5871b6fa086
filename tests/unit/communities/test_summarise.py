"""Ids, hierarchy and texts of communities: pure functions."""

from interlace.communities.detect import nested
from interlace.communities.stable_ids import assign_ids
from interlace.communities.summarise import (
    MAX_SENTENCE_CHARACTERS,
    QUOTES,
    Sentence,
    choose,
    fact_hash,
    member_hash,
    sentences_of,
    title_of,
    write_text,
)


def _set(names: str) -> frozenset[str]:
    return frozenset(names)


def test_a_community_keeps_its_id_while_its_members_mostly_stay() -> None:
    ids = assign_ids("t", 0, [_set("abcx"), _set("defg")], {"one": _set("abcd"), "two": _set("efg")})
    assert ids == ["one", "two"]


def test_the_greater_overlap_wins_when_a_community_splits() -> None:
    ids = assign_ids("t", 0, [_set("ab"), _set("cdef")], {"one": _set("abcdef")})
    assert ids[1] == "one"
    assert ids[0] != "one"


def test_the_greater_overlap_wins_when_communities_merge() -> None:
    assert assign_ids("t", 0, [_set("abcde")], {"one": _set("ab"), "two": _set("cde")}) == ["two"]


def test_a_small_overlap_is_no_continuation() -> None:
    assert assign_ids("t", 0, [_set("abcdefgh")], {"one": _set("az")}) != ["one"]


def test_without_history_equal_communities_have_equal_ids_and_others_have_others() -> None:
    first = assign_ids("t", 0, [_set("abc"), _set("def")], {})
    assert assign_ids("t", 0, [_set("def"), _set("abc")], {}) == first[::-1]
    assert len({*first, *assign_ids("t", 1, [_set("abc")], {}), *assign_ids("u", 0, [_set("abc")], {})}) == 4


def test_an_id_in_use_is_not_given_again() -> None:
    """A community that began as abc has become defgh; another that is abc now cannot have the same id."""
    born = assign_ids("t", 0, [_set("abc")], {})[0]
    moved, new = assign_ids("t", 0, [_set("defgh"), _set("abc")], {born: _set("defghi")})
    assert moved == born
    assert new != born


def test_levels_become_a_hierarchy() -> None:
    fine = [0, 0, 0, 1, 1, 2, 2]
    assert nested([fine, [5, 5, 6, 6, 6, 6, 6]]) == [fine, [5, 5, 5, 6, 6, 6, 6]]


def test_a_level_that_only_repeats_the_one_below_is_left_out() -> None:
    assert nested([[0, 0, 0, 1, 1, 2, 2], [5, 5, 6, 6, 6, 7, 7]]) == [[0, 0, 0, 1, 1, 2, 2]]


def test_ties_of_the_hierarchy_do_not_depend_on_labels() -> None:
    fine, coarse = [0, 0, 1, 1, 2], [3, 4, 4, 4, 4]
    relabelled = [9, 2, 2, 2, 2]
    one, other = nested([fine, coarse])[1], nested([fine, relabelled])[1]
    assert [one.index(label) for label in one] == [other.index(label) for label in other]


def test_titles() -> None:
    assert title_of(["Ada"]) == "Ada"
    assert title_of(["Ada", "Bob"]) == "Ada and Bob"
    assert title_of(["Ada", "Bob", "Cyd", "Dan"]) == "Ada, Bob and Cyd"


def _candidate(source: str, sentence: str, names: str) -> Sentence:
    return Sentence(source, sentence, frozenset(names))


def test_sentences_that_cover_more_names_come_first_and_repetition_counts_less() -> None:
    both = _candidate("1", "Ada met Bob.", "ab")
    again = _candidate("2", "Ada saw Bob again.", "ab")
    other = _candidate("3", "Cyd met Dan.", "cd")
    assert choose("abcd", [again, other, both]) == [both, other, again]


def test_a_sentence_is_quoted_once_and_at_most_five_are() -> None:
    candidates = [_candidate(str(n), f"Sentence {n % 7}.", "a") for n in range(20)]
    chosen = choose("a", candidates)
    assert len(chosen) == QUOTES
    assert len({one.sentence for one in chosen}) == QUOTES


def test_what_is_too_long_or_names_no_one_is_not_quoted() -> None:
    assert (
        choose("a", [_candidate("1", "x" * (MAX_SENTENCE_CHARACTERS + 1), "a"), _candidate("2", "Nothing.", "z")]) == []
    )


def test_a_text_quotes_word_for_word_and_says_what_it_cites() -> None:
    text = write_text(
        {"a": "Ada", "b": "Bob"}, [_candidate("f1", "Ada met\n  Bob.", "ab"), _candidate("f0", "Bob.", "b")]
    )
    assert text.title == "Ada and Bob"
    assert text.summary == "“Ada met Bob.” “Bob.”"
    assert text.cited == ("f1", "f0")


def test_hashes_change_with_members_names_order_and_sentences() -> None:
    facts = [_candidate("1", "Ada.", "a"), _candidate("2", "Bob.", "b")]
    central = {"a": "Ada", "b": "Bob"}
    same = fact_hash(central, facts)
    assert fact_hash(central, facts[::-1]) == same
    assert fact_hash({"b": "Bob", "a": "Ada"}, facts) != same
    assert fact_hash({"a": "Ada L.", "b": "Bob"}, facts) != same
    assert fact_hash(central, [facts[0], _candidate("2", "Bob!", "b")]) != same
    assert member_hash(["a", "b"]) == member_hash(["b", "a"]) != member_hash(["a", "c"])


def test_sentences_of_a_chunk_know_the_names_in_them() -> None:
    text = "Ada met Bob. It rained.\n\nBob left."
    found = sentences_of("c", text, {"a": [0, 3], "b": [8, 11, 25, 28], "title": []})
    assert [(one.sentence, one.entities) for one in found] == [("Ada met Bob.", _set("ab")), ("Bob left.", _set("b"))]
