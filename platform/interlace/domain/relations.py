"""Relations between entities: predicates are open, types of relationships are a closed list.

A relation aggregates the facts that state the same predicate about the same two entities. Its predicate is a property, because a database holds at most
65,535 types of relationships, and its schema is readable only with far fewer. Because no text can add a type, that limit needs no guard. The predicates
that the platform itself follows have types of their own, so that a query finds them without reading the others.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal

Direction = Literal["in", "out", "both"]
"""Of relations and links, as seen from one of their ends."""
STRUCTURAL: Final = frozenset({"CONTAINS", "DOCUMENTED_IN", "RELATED_TO", "USES"})
"""Predicates that are types of relationships: those that a document's structure states."""
OTHER: Final = "RELATES_TO"
"""The type of all other relations."""
RELATION_TYPES: Final = STRUCTURAL | {OTHER}
"""Every type of a relation between two entities."""


_STATED: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType(
    {
        **dict.fromkeys(("uses", "requires", "depends on", "dependencies", "built with", "built on"), ("USES", False)),
        **dict.fromkeys(("used by", "required by"), ("USES", True)),
        **dict.fromkeys(("contains", "parts", "components", "includes", "consists of"), ("CONTAINS", False)),
        **dict.fromkeys(("part of", "belongs to"), ("CONTAINS", True)),
        **dict.fromkeys(("related", "related to", "related topics", "see also"), ("RELATED_TO", False)),
        **dict.fromkeys(("documented in", "documentation"), ("DOCUMENTED_IN", False)),
        "documents": ("DOCUMENTED_IN", True),
    }
)


def stated_relation(words: str) -> tuple[str, bool] | None:
    """Return the relation that a heading or a key of front matter (``See also:``) states between its document and the names below.

    Case and punctuation around the words do not count.

    Returns:
        The predicate, one of ``STRUCTURAL``, and whether the names are its subjects (``Part of``) and the document its object; None if the words
        state no relation.
    """
    return _STATED.get(" ".join(words.casefold().split()).strip(" :*_-.#"))


def relation_type(predicate: str) -> str:
    """Return the type of the relationship that holds a predicate; any text has one of ``RELATION_TYPES``."""
    return predicate if predicate in STRUCTURAL else OTHER


def confidence_level(confidence: float) -> str:
    """Return a confidence, 0 to 1, as relations count it: with two decimals, so that one relation has at most 101 levels, however many facts."""
    return f"{confidence:.2f}"


def decode_levels(lines: Iterable[str]) -> Counter[str]:
    """Read the evidence of a relation: a level of confidence, a tab and the number of facts a line."""
    return Counter({level: int(count) for level, count in (line.split("\t") for line in lines)})
