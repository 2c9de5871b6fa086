"""Inverse document frequency: a word or an entity is more informative the rarer it is."""

import math


def inverse_frequency(frequency: int, total: int) -> float:
    """Return ln(1 + N / n), 0 where n is 0: the weight of an entity that ``frequency`` of ``total`` chunks mention.

    The form of Spärck Jones, "A statistical interpretation of term specificity" (1972), kept above 0 if all chunks mention it.
    """
    return math.log(1 + total / frequency) if frequency > 0 else 0.0


def smoothed_inverse_frequency(frequency: int, total: int) -> float:
    """Return 1 + ln((1 + N) / (1 + n)), at least 1: the weight of a term that ``frequency`` of ``total`` atoms contain.

    After Manning, Raghavan and Schütze, "Introduction to Information Retrieval" (2008), section 6.2.1, smoothed as in scikit-learn's
    ``TfidfTransformer``: a term in all of them still counts, and one in none causes no division by 0.
    """
    return 1.0 + math.log((1 + max(total, frequency)) / (1 + frequency))
