"""Filters written as text: what they mean, and that what cannot be meant is refused with its place or its field."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlace.domain.errors import InvalidInputError
from interlace.domain.filter_text import parse_filter
from interlace.domain.filters import Condition, Filter, Operator, Scalar

A = Condition("tags", "eq", "a")
B = Condition("source", "prefix", "docs/")
C = Condition("metadata.year", "lt", 1990)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tags = a", Filter(must=(A,))),
        (" tags=a and source ^= docs/ ", Filter(must=(A, B))),
        ("tags = a AND (source ^= 'docs/' OR metadata.year < 1990)", Filter(must=(A, Filter(should=(B, C))))),
        ("tags = a or source ^= docs/ and metadata.year < 1990", Filter(should=(A, Filter(must=(B, C))))),
        ("not tags = a", Filter(must_not=(A,))),
        ("tags != a", Filter(must_not=(A,))),
        ("not (tags = a or source ^= docs/)", Filter(must_not=(Filter(should=(A, B)),))),
        ("not not tags = a", Filter(must_not=(Filter(must_not=(A,)),))),
    ],
)
def test_what_a_text_means(text: str, expected: Filter) -> None:
    assert parse_filter(text) == expected


@pytest.mark.parametrize(
    ("text", "field", "operator", "value"),
    [
        ("metadata.n = 1", "metadata.n", "eq", 1),
        ("metadata.n = 1.0", "metadata.n", "eq", 1.0),
        ("metadata.n >= -1e3", "metadata.n", "gte", -1000.0),
        ("metadata.ok = TRUE", "metadata.ok", "eq", True),
        ('metadata.n = "1"', "metadata.n", "eq", "1"),
        (r'metadata.s = "say \"a\""', "metadata.s", "eq", 'say "a"'),
        ("tags = 2024", "tags", "eq", "2024"),
        ("tags = true", "tags", "eq", "true"),
        ("created_at > 2024-05-31T12:00:00+02:00", "created_at", "gt", "2024-05-31T12:00:00+02:00"),
        ('"metadata.due date" < 2026-01-01', "metadata.due date", "lt", "2026-01-01"),
        ("metadata.n in (1, 2.5, 'x', true)", "metadata.n", "in", (1, 2.5, "x", True)),
        ("tags in (a)", "tags", "in", ("a",)),
        ("metadata.s ^= ''", "metadata.s", "prefix", ""),
    ],
)
def test_values_have_their_types(text: str, field: str, operator: Operator, value: Scalar | tuple[Scalar, ...]) -> None:
    (found,) = parse_filter(text).must
    assert found == Condition(field, operator, value)
    assert isinstance(found, Condition)
    assert [type(choice) for choice in found.choices] == [
        type(choice) for choice in Condition(field, operator, value).choices
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no field"),
        ("tags", "no comparison after `tags`"),
        ("tags =", "no value for `tags`"),
        ("tags = a b", "`b` where `and`"),
        ("tags = 'a", "unclosed quote"),
        ("(tags = a", r"no `\)`"),
        ("tags = a)", "where `and`"),
        ("tags in a", r"where `\(` was expected"),
        ("and = a", "`and` where a field"),
        ("tags = a and", "no field"),
        ("colour = red", "colour"),
        ("tags < a", "texts are not ordered"),
        ("created_at > yesterday", "dates are written like"),
        ("metadata.n > 1e999", "finite"),
        ("metadata.n > nan", "dates are written like"),
        ("metadata.n = 99999999999999999999", "64 bits"),
        ("(" * 200 + "tags = a" + ")" * 200, "too deep"),
        ("not " * 20 + "tags = a", "too large"),
        (" and ".join(["tags = a"] * 200), "more than 100"),
        ("tags = " + "a" * 9000, "9007 characters"),
    ],
)
def test_what_means_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        parse_filter(text)


@given(st.text(alphabet="tags=<>!^()'\",\\ andornti.m1e9", max_size=60))
def test_any_text_is_a_filter_or_refused(text: str) -> None:
    with suppress(InvalidInputError):
        assert isinstance(parse_filter(text), Filter)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("modified_at > '-7 days'", 7),
        ("created_at >= -2weeks", 14),
        ("modified_at > -7 days", 7),
        ("(modified_at>- 1 Month)", 30),
        ("metadata.reviewed < '- 1 month'", 30),
        ("indexed_at > -1YEAR", 365),
        ("metadata.due > '-24 hours'", 1),
    ],
)
def test_a_date_may_be_relative_to_the_present(text: str, days: int) -> None:
    (condition,) = parse_filter(text).must
    assert isinstance(condition, Condition)
    lag = datetime.now(UTC) - datetime.fromisoformat(str(condition.value))
    assert abs(lag - timedelta(days=days)) < timedelta(minutes=5)


def test_what_looks_relative_stays_a_text_where_no_date_is_compared() -> None:
    assert parse_filter("metadata.note = '-7 days'").must == (Condition("metadata.note", "eq", "-7 days"),)
    assert parse_filter("title = '-7 days'").must == (Condition("title", "eq", "-7 days"),)
    with pytest.raises(InvalidInputError):
        parse_filter("modified_at > '-7 fortnights'")


def test_a_number_before_a_word_is_no_date() -> None:
    several = parse_filter("metadata.n > -7 and indexed_at > -3 days and metadata.m = -1")
    first, second, third = several.must
    assert (first, third) == (Condition("metadata.n", "gt", -7), Condition("metadata.m", "eq", -1))
    assert isinstance(second, Condition)
    assert str(second.value).endswith("Z")
    with pytest.raises(InvalidInputError):
        parse_filter("metadata.n > -7 daysies")


def test_the_place_of_a_chunk_is_a_number() -> None:
    assert parse_filter("chunk.position < 3").must == (Condition("chunk.position", "lt", 3),)
    for text in ("chunk.position = x", "chunk.position = true", "chunk.position ^= 1"):
        with pytest.raises(InvalidInputError):
            parse_filter(text)


def test_the_address_of_an_atom_is_its_source_and_its_id() -> None:
    either = Filter(should=(Condition("source", "eq", "atlas:leiden"), Condition("metadata.atlas_id", "eq", "leiden")))
    assert parse_filter("source = atlas:leiden") == either
    assert parse_filter("source != atlas:leiden") == Filter(must_not=(either,))
    assert parse_filter("title = atlas:leiden") == Filter(must=(Condition("title", "eq", "atlas:leiden"),))
