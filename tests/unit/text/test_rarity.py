"""Inverse document frequency."""

import math

from interlace.text.rarity import inverse_frequency, smoothed_inverse_frequency


def test_rare_entities_weigh_more_and_unmentioned_ones_nothing() -> None:
    assert [inverse_frequency(frequency, 100) for frequency in (1, 100, 0)] == [math.log(101), math.log(2), 0.0]


def test_a_term_that_every_atom_holds_still_counts() -> None:
    by_holders = [smoothed_inverse_frequency(frequency, 100) for frequency in (1, 50, 100)]
    assert by_holders[0] > by_holders[1] > by_holders[2] == 1.0
    assert smoothed_inverse_frequency(10, 5) == 1.0
