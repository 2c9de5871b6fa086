"""Metadata filters as the tests and steps that the graph runs, and where it looks for candidates."""

import itertools
from collections.abc import Iterable
from typing import Any

import pytest

from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import METADATA, Condition, Filter, Operator, fields_of, within_limits
from interlace.domain.instants import instant
from interlace.search.conditions import (
    Anchor,
    Prefilter,
    anchor_of,
    document_filter,
    filter_parameter,
    filter_steps,
    prefilter_of,
)

A = Condition("tags", "eq", "a")
B = Condition("source", "prefix", "b/")
C = Condition("metadata.year", "gte", 1990)
MAY = "2024-05-31T00:00:00.000000Z"
PROPERTIES = {"tags": A, "sourceUri": B, "metadata.year": C}


def holds(where: Filter, truth: dict[Condition, bool]) -> bool:
    """Evaluate a filter as its definition says."""

    def value(part: Condition | Filter) -> bool:
        return truth[part] if isinstance(part, Condition) else holds(part, truth)

    return (
        all(value(part) for part in where.must)
        and (not where.should or any(value(part) for part in where.should))
        and not any(value(part) for part in where.must_not)
    )


def runs(steps: Iterable[dict[str, Any]], truth: dict[Condition, bool]) -> bool:
    """Run the steps as the query does."""
    stack: list[bool] = []
    for step in steps:
        if step["do"] == "test":
            stack.insert(0, truth[PROPERTIES[step["property"]]])
        elif step["do"] == "not":
            stack[0] = not stack[0]
        else:
            taken, stack = stack[: step["of"]], stack[step["of"] :]
            stack.insert(0, all(taken) if step["do"] == "all" else any(taken))
    (result,) = stack
    return result


@pytest.mark.parametrize(
    "where",
    [
        Filter(),
        Filter(must=(A, B)),
        Filter(should=(A, B)),
        Filter(must_not=(A, B)),
        Filter(must=(A,), should=(B, C), must_not=(Filter(must=(B, C)),)),
        Filter(should=(Filter(must=(A, B)), Filter(must_not=(C,)))),
        Filter(must_not=(Filter(should=(A, B), must=(C,)),)),
        Filter(should=tuple(Filter(must=(A, B, C)) for _ in range(20))),
    ],
)
def test_steps_mean_what_the_filter_means(where: Filter) -> None:
    for values in itertools.product([False, True], repeat=3):
        truth = dict(zip((A, B, C), values, strict=True))
        assert runs(filter_steps(where), truth) == holds(where, truth)


@pytest.mark.parametrize(
    ("condition", "tests"),
    [
        (Condition("metadata.n", "eq", 1), [{"property": "metadata.n", "operator": "in number", "exact": [1.0]}]),
        (
            Condition("metadata.n", "in", (1, "1", True)),
            [
                {"property": "metadata.n", "operator": "in", "exact": ["1", True]},
                {"property": "metadata.n", "operator": "in number", "exact": [1.0]},
            ],
        ),
        (Condition("metadata.n", "in", ()), []),
        (Condition("metadata.n", "lt", 2), [{"property": "metadata.n", "operator": "lt number", "bound": 2.0}]),
        (
            Condition("metadata.due", "lt", "2024-05-31"),
            [{"property": "instant.due", "operator": "lt", "bound": "2024-05-31T00:00:00.000000Z"}],
        ),
        (
            Condition("created_at", "eq", "2024-05-31T02:00:00+02:00"),
            [{"property": "createdAt", "operator": "in", "exact": ["2024-05-31T00:00:00.000000Z"]}],
        ),
        (
            Condition("metadata.due", "eq", "2024-05-31"),
            [{"property": "metadata.due", "operator": "in", "exact": ["2024-05-31"]}],
        ),
    ],
)
def test_values_keep_their_types(condition: Condition, tests: list[dict[str, Any]]) -> None:
    steps = filter_steps(Filter(must=(condition,)))
    assert [step for step in steps if step["do"] == "test"] == [{"do": "test", **test} for test in tests]


@pytest.mark.parametrize(
    ("where", "anchor"),
    [
        (Filter(), Anchor()),
        (Filter(must=(A,)), Anchor("tags", ("a",))),
        (Filter(must=(A, B)), Anchor("source", ("b/",))),
        (Filter(must=(A, Condition("document_id", "in", ("d", "e")))), Anchor("document_id", ("d", "e"))),
        (Filter(must=(Condition("document_id", "prefix", "d"),)), Anchor()),
        (Filter(should=(A, B)), Anchor()),
        (Filter(should=(A, Condition("tags", "in", ("b", "a")))), Anchor("tags", ("a", "b"))),
        (Filter(should=(A, Condition("tags", "prefix", "b"))), Anchor()),
        (Filter(must_not=(A,)), Anchor()),
        (Filter(must=(Filter(must=(A,)),)), Anchor("tags", ("a",))),
        (Filter(must=(Filter(must_not=(A,)),)), Anchor()),
        (Filter(must=(C,)), Anchor()),
        (Filter(must=(C, Condition("modified_at", "gte", "2024-05-31"))), Anchor("modified_at", (), MAY, "~")),
        (Filter(must=(Condition("created_at", "lt", "2024-05-31"),)), Anchor("created_at", (), "", MAY)),
        (Filter(must=(Condition("indexed_at", "eq", "2024-05-31"), A)), Anchor("tags", ("a",))),
        (Filter(must=(Condition("indexed_at", "eq", "2024-05-31"),)), Anchor("indexed_at", (), MAY, MAY)),
    ],
)
def test_candidates_come_from_an_index_only_where_every_match_satisfies_it(where: Filter, anchor: Anchor) -> None:
    assert anchor_of(where) == anchor


@pytest.mark.parametrize(
    ("where", "prefilter"),
    [
        (Filter(), Prefilter()),
        (Filter(must=(A, C)), Prefilter("tags", ("a",))),
        (Filter(must=(A, Condition("metadata.box", "in", (7, "x")))), Prefilter("metadata.box", (7.0, "x"))),
        (Filter(must=(Condition("metadata.box", "eq", 2**53),)), Prefilter()),
        (Filter(must=(Condition("created_at", "eq", "2024-05-31"),)), Prefilter()),
        (Filter(must=(Condition("section_type", "eq", "body"), Condition("chunk.position", "eq", 1))), Prefilter()),
        (Filter(should=(A, Condition("tags", "eq", "b"))), Prefilter("tags", ("a", "b"))),
        (Filter(should=(A, B)), Prefilter()),
        (Filter(must_not=(A,)), Prefilter()),
    ],
)
def test_what_no_match_can_be_without_leaves_documents_out(where: Filter, prefilter: Prefilter) -> None:
    assert prefilter_of(where) == prefilter


def test_lists_of_documents_take_no_filter_on_chunks() -> None:
    with pytest.raises(InvalidInputError, match=r"chunk\.position"):
        document_filter(Filter(must=(Condition("chunk.position", "lt", 3),)))
    assert document_filter(None) is None
    assert filter_parameter(Filter(must=(A,))) == {"steps": list(filter_steps(Filter(must=(A,)))), "chunks": False}


@pytest.mark.parametrize(
    ("field", "operator", "value", "message"),
    [
        ("colour", "eq", "red", "colour"),
        ("metadata.", "eq", "red", "is not a field"),
        ("tenant", "eq", "other", "'tenant' is not a field"),
        ("metadata.n", "like", "red", "is not an operator"),
        ("metadata.n", "eq", ("a",), "must be a list for `in`"),
        ("metadata.n", "in", "a", "must be a list for `in`"),
        ("metadata.n", "gt", float("nan"), "finite"),
        ("metadata.n", "in", (1, float("inf")), "finite"),
        ("metadata.n", "eq", 2**63, "64 bits"),
        ("metadata.n", "gt", True, "not true and false"),
        ("metadata.n", "gt", "soon", "dates are written like"),
        ("metadata.n", "prefix", 1, "compares texts"),
        ("metadata.n", "eq", None, "texts, numbers, true or false"),
        ("metadata.n", "eq", "\ud800", "surrogate"),
        ("metadata.n", "eq", "a" * 2001, "2000 characters"),
        ("tags", "gt", "a", "are not ordered"),
        ("tags", "eq", 1, "compared with texts"),
        ("created_at", "gt", 5, "compared with dates"),
        ("created_at", "prefix", "2024", "does not apply to dates"),
        ("indexed_at", "eq", "2024-02-31", "dates are written like"),
    ],
)
def test_a_senseless_condition_is_refused_by_its_field(
    field: str, operator: Operator, value: Any, message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message) as refused:
        Condition(field, operator, value)
    assert field in refused.value.message


def test_depth_and_size_are_bounded() -> None:
    deep = Filter(must=(A,))
    for _ in range(8):
        deep = Filter(must=(deep,))
    for where in (deep, Filter(should=(A,) * 101)):
        with pytest.raises(InvalidInputError, match="too large"):
            within_limits(where)
    wide = Filter(should=(A,) * 100)
    assert within_limits(wide) is wide


def test_the_fields_of_a_filter_are_those_of_all_its_parts() -> None:
    assert fields_of(Filter(must=(A,), must_not=(Filter(should=(B, C)),))) == {"tags", "source", f"{METADATA}year"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-31", "2024-05-31T00:00:00.000000Z"),
        ("2024-05-31 12:00", "2024-05-31T12:00:00.000000Z"),
        ("2024-05-31T12:00:00+02:00", "2024-05-31T10:00:00.000000Z"),
        ("2024-05-31T12:00:00.5Z", "2024-05-31T12:00:00.500000Z"),
        ("0001-01-01T00:00+01:00", None),
        ("2024-02-30", None),
        ("20240531", None),
        ("2024-W22", None),
        ("May", None),
        ("2024-05-31T25:00", None),
    ],
)
def test_dates_have_one_spelling(text: str, expected: str | None) -> None:
    assert instant(text) == expected
