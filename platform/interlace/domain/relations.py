"""Relations between entities: predicates are open, types of relationships are a closed list.

A relation aggregates the facts that state the same predicate of the same two entities. Its predicate is a property, because a database holds at most
65,535 types of relationships, and its schema is readable only with far fewer. The predicates that the platform itself follows have types of
their own, so that a query finds them without reading the others.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

STRUCTURAL: Final = frozenset({"CONTAINS", "DOCUMENTED_IN", "RELATED_TO", "USES"})
"""Predicates that are types of relationships: those that a document's structure states."""
OTHER: Final = "RELATES_TO"
"""The type of all other relations."""
RELATION_TYPES: Final = STRUCTURAL | {OTHER}
"""Every type of a relation between two entities."""


def relation_type(predicate: str) -> str:
    """Return the type of the relationship that holds a predicate; any text has one of ``RELATION_TYPES``."""
    return predicate if predicate in STRUCTURAL else OTHER


def confidence_level(confidence: float) -> str:
    """Return a confidence, 0 to 1, as relations count it: with two decimals, so that one relation has at most 101 levels, however many facts."""
    return f"{confidence:.2f}"


def decode_levels(lines: Iterable[str]) -> Counter[str]:
    """Read the evidence of a relation: a level of confidence, a tab and the number of facts a line."""
    return Counter({level: int(count) for level, count in (line.split("\t") for line in lines)})
