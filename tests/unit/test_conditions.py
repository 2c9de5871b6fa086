"""Metadata filters in the conjunctive form that the graph reads."""

import itertools

import pytest

from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Condition, Filter
from interlace.retrieval.conditions import clauses

A = Condition("tags", "eq", "a")
B = Condition("source", "prefix", "b/")
C = Condition("metadata.year", "gte", 1990)


def holds(where: Filter, truth: dict[Condition, bool]) -> bool:
    """Evaluate a filter as its definition says."""

    def value(part: Condition | Filter) -> bool:
        return truth[part] if isinstance(part, Condition) else holds(part, truth)

    return (
        all(value(part) for part in where.must)
        and (not where.should or any(value(part) for part in where.should))
        and not any(value(part) for part in where.must_not)
    )


def holds_as_clauses(where: Filter, truth: dict[Condition, bool]) -> bool:
    properties = {"tags": A, "sourceUri": B, "metadata.year": C}
    return all(
        any(truth[properties[str(test["property"])]] != test["negated"] for test in clause) for clause in clauses(where)
    )


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
    ],
)
def test_clauses_mean_what_the_filter_means(where: Filter) -> None:
    for values in itertools.product([False, True], repeat=3):
        truth = dict(zip((A, B, C), values, strict=True))
        assert holds_as_clauses(where, truth) == holds(where, truth)


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(InvalidInputError, match="colour"):
        clauses(Filter(must=(Condition("colour", "eq", "red"),)))


def test_a_filter_that_explodes_is_refused() -> None:
    pairs = tuple(Filter(must=(A, B, C)) for _ in range(6))
    with pytest.raises(InvalidInputError, match="too large"):
        clauses(Filter(should=pairs))
