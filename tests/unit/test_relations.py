"""Types of relations are a closed list, however many predicates there are."""

from hypothesis import given
from hypothesis import strategies as st

from interlace.domain.relations import RELATION_TYPES, confidence_level, decode_levels, relation_type


@given(st.text())
def test_every_predicate_has_a_type_of_the_list(predicate: str) -> None:
    assert relation_type(predicate) in RELATION_TYPES


def test_what_structure_states_has_a_type_of_its_own() -> None:
    assert [relation_type(each) for each in ("CONTAINS", "USES", "BORN_IN")] == ["CONTAINS", "USES", "RELATES_TO"]


@given(st.floats(min_value=0, max_value=1), st.integers(min_value=1))
def test_confidences_are_counted_with_two_decimals(confidence: float, count: int) -> None:
    level = confidence_level(confidence)
    assert len(level) == 4
    assert abs(float(level) - confidence) <= 0.005 + 1e-9
    assert decode_levels([f"{level}\t{count}"]) == {level: count}
