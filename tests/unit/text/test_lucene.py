"""The builder of Lucene text."""

from interlace.text.lucene import (
    all_of,
    any_of,
    beginning_with,
    boosted,
    fuzzy_terms,
    in_field,
    in_fields,
    in_tenant,
    phrase,
)


def test_a_search_requires_its_tenant_and_names_its_fields() -> None:
    search = in_tenant("acme", in_fields(("name", "aliases"), all_of(("fritz", "lang"))))
    assert search == '+tenant:"acme" +(name:(+fritz +lang) aliases:(+fritz +lang))'
    assert in_tenant("acme", in_field("terms", any_of(("a", "b")))) == '+tenant:"acme" +terms:(a b)'


def test_nothing_in_a_phrase_is_syntax() -> None:
    assert phrase('AND "x" OR \\" tenant:y*') == '"AND  x  OR    tenant:y*"'


def test_terms_weigh_and_begin() -> None:
    assert boosted(phrase("lang"), "2") == '"lang"^2'
    assert beginning_with("direc") == "direc*"


def test_only_the_longest_words_are_also_sought_misspelt() -> None:
    assert fuzzy_terms(["to", "harbours", "mill"], 1) == ["to", "(harbours^2 harbours~2)", "mill"]
    assert fuzzy_terms(["1927", "mill"], 2) == ["1927", "(mill^2 mill~1)"]
