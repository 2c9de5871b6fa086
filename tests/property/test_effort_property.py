"""Λ, whatever the work: finite, 0 for none, and never lower for more of it."""

import math
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlace.domain.effort import Work, effort, effort_report, with_tokens
from interlace.domain.errors import InvalidInputError

KINDS = [each.name for each in fields(Work)]
COUNTS = st.integers(0, 10**9)
WORK = st.builds(Work, COUNTS, COUNTS, COUNTS, COUNTS)
KIND = st.sampled_from(KINDS)


def test_no_work_is_zero_and_work_has_four_kinds() -> None:
    assert KINDS == ["legs", "hops", "candidates", "tokens"]
    assert effort(Work()) == 0
    assert effort(Work(legs=1)) == math.log2(1001)


@given(WORK, KIND, st.integers(1, 10**9))
def test_more_of_any_kind_of_work_is_a_higher_effort(work: Work, kind: str, more: int) -> None:
    after = replace(work, **{kind: getattr(work, kind) + more})
    assert effort(after) > effort(work)


@given(WORK, WORK)
def test_work_that_is_nowhere_less_is_no_lower_effort(one: Work, other: Work) -> None:
    both = Work(*(max(getattr(one, kind), getattr(other, kind)) for kind in KINDS))
    assert effort(both) >= max(effort(one), effort(other))


@given(KIND, st.integers(0, 400))
def test_any_count_gives_a_finite_number(kind: str, digits: int) -> None:
    assert 0 <= effort(Work(**{kind: 10**digits})) < math.inf


@given(WORK, COUNTS)
def test_tokens_that_are_read_later_are_added_and_nothing_else_is_changed(work: Work, more: int) -> None:
    said = with_tokens(effort_report(work, mentions=3), more)
    assert said == effort_report(replace(work, tokens=work.tokens + more), mentions=3)


@given(KIND, st.integers(max_value=-1))
def test_negative_counts_are_refused_by_name(kind: str, count: int) -> None:
    with pytest.raises(InvalidInputError, match=kind):
        Work(**{kind: count})
    with pytest.raises(InvalidInputError, match="tokens"):
        with_tokens({}, count)
