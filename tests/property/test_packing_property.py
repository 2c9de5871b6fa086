"""Pack, whatever it is given: within the budget, everything accounted for, no worse than the best single item."""

import math

from hypothesis import given
from hypothesis import strategies as st

from interlace.domain.packing import PackItem
from interlace.search.knapsack import PackWeights, pack

WORDS = st.sampled_from(["", "a", "b", "c"])
WEIGHTS = st.dictionaries(WORDS, st.floats(0, 100), max_size=4)
ITEMS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 500), WORDS, WORDS).map(
        lambda parts: PackItem("", parts[0], parts[1], parts[2], parts[3], "")
    ),
    max_size=30,
).map(lambda items: [PackItem(str(n), i.score, i.tokens, i.category, i.epistemic, "") for n, i in enumerate(items)])


@given(items=ITEMS, budget=st.integers(1, 2000), weights=st.builds(PackWeights, WEIGHTS, WEIGHTS, st.floats(0, 1)))
def test_a_pack_keeps_its_promises(items: list[PackItem], budget: int, weights: PackWeights) -> None:
    found = pack(items, budget, weights)
    assert sorted(each.id for each in found) == sorted(item.id for item in items)
    assert sum(each.tokens for each in found if each.taken) <= budget
    assert all(math.isfinite(each.value) and each.reason for each in found)
    taken = [each for each in found if each.taken]
    assert [each.place for each in taken] == list(range(1, len(taken) + 1))
    assert all(each.value > 0 for each in taken)
    left = budget - sum(each.tokens for each in taken)
    assert all(each.tokens > left or each.value <= 0 for each in found if not each.taken)
    fitting = [each for each in found if each.tokens <= budget]
    best = max((each.score * each.category_weight * each.epistemic_weight for each in fitting), default=0.0)
    assert not best or taken[0].value == best
    assert found == pack(items, budget, weights)
