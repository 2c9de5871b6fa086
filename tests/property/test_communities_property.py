"""Matching and choosing must not depend on any order."""

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from interlace.communities.detect import nested
from interlace.communities.stable_ids import assign_ids
from interlace.communities.summarise import Sentence, write_text

NAMES = "abcdefghijklmnop"
labels = st.lists(st.integers(0, 4), min_size=len(NAMES), max_size=len(NAMES))


def _groups(of: list[int]) -> list[frozenset[str]]:
    return [
        frozenset(name for name, label in zip(NAMES, of, strict=True) if label == wanted) for wanted in sorted(set(of))
    ]


@given(now=labels, before=labels, seed=st.randoms(use_true_random=False))
def test_ids_do_not_depend_on_the_order_of_communities(now: list[int], before: list[int], seed: random.Random) -> None:
    communities = _groups(now)
    earlier = {f"id{number}": group for number, group in enumerate(_groups(before))}
    first = dict(zip(communities, assign_ids("t", 0, communities, earlier), strict=True))
    seed.shuffle(communities)
    shuffled = list(earlier.items())
    seed.shuffle(shuffled)
    assert dict(zip(communities, assign_ids("t", 0, communities, dict(shuffled)), strict=True)) == first
    assert len(set(first.values())) == len(first)


@given(now=labels)
def test_an_unchanged_partition_keeps_every_id(now: list[int]) -> None:
    communities = _groups(now)
    ids = assign_ids("t", 0, communities, {})
    assert assign_ids("t", 0, communities, dict(zip(ids, communities, strict=True))) == ids


@given(levels=st.lists(labels, min_size=1, max_size=4))
def test_every_community_lies_within_one_of_the_next_level(levels: list[list[int]]) -> None:
    hierarchy = nested(levels)
    for fine, coarse in pairwise(hierarchy):
        assert len(set(zip(fine, coarse, strict=True))) == len(set(fine))
        assert len(set(coarse)) < len(set(fine))


sentences = st.builds(
    Sentence,
    source=st.sampled_from(["1", "2", "3", "4", "5", "6", "7"]),
    sentence=st.sampled_from([f"Sentence {n}." for n in range(9)]),
    entities=st.frozensets(st.sampled_from(NAMES[:5])),
)


@given(candidates=st.lists(sentences, max_size=12), seed=st.randoms(use_true_random=False))
def test_a_text_does_not_depend_on_the_order_of_its_sentences(candidates: list[Sentence], seed: random.Random) -> None:
    central = {name: name.upper() for name in NAMES[:4]}
    first = write_text(central, candidates)
    seed.shuffle(candidates)
    assert write_text(central, candidates) == first
