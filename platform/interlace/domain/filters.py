"""The filter language of queries: typed conditions that compile to Cypher parameters and to Qdrant filters alike."""

from dataclasses import dataclass
from typing import Literal

Scalar = str | int | float | bool
Operator = Literal["eq", "in", "gt", "gte", "lt", "lte", "prefix"]


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison of a document property.

    Args:
        field: ``source``, ``source_type``, ``tags``, ``document_id``, ``created_at``, ``modified_at``, ``section_type`` or ``metadata.<key>``.
        operator: equality, membership, range or prefix.
        value: what to compare with; a tuple for ``in``.
    """

    field: str
    operator: Operator
    value: Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """A Boolean combination: all of ``must``, at least one of ``should`` (if any), none of ``must_not``."""

    must: tuple["Condition | Filter", ...] = ()
    should: tuple["Condition | Filter", ...] = ()
    must_not: tuple["Condition | Filter", ...] = ()
