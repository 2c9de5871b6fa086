"""Metadata filters as parameters of a Cypher query: a conjunction of clauses, each a disjunction of tests on document properties."""

from collections.abc import Iterable
from itertools import product
from typing import Any

from interlace.cypher_files import query
from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Condition, Filter
from interlace.ports.graph import GraphDatabase

_MATCHING = query("retrieve/matching_documents")
_PROPERTIES = {
    "source": "sourceUri",
    "source_type": "mediaType",
    "tags": "tags",
    "document_id": "id",
    "created_at": "createdAt",
    "modified_at": "modifiedAt",
}
_METADATA = "metadata."
_MOST_CLAUSES = 64
MOST_DOCUMENTS = 50_000

Test = dict[str, Any]
Clauses = list[list[Test]]


def matching_documents(graph: GraphDatabase, tenant: str, where: Filter, *, limit: int = MOST_DOCUMENTS) -> list[str]:
    """Return ids of the documents that satisfy a filter, sorted.

    Raises:
        InvalidInputError: the filter names an unknown field, is too large, or matches more than ``limit`` documents.
    """
    rows = graph.read(_MATCHING, tenant=tenant, clauses=clauses(where), limit=limit + 1)
    if len(rows) > limit:
        raise InvalidInputError(f"The filter matches more than {limit} documents; the graph needs a narrower one.")
    return [row["id"] for row in rows]


def clauses(where: Filter) -> Clauses:
    """Return a filter in conjunctive form.

    Raises:
        InvalidInputError: a field is unknown, or the form has more than 64 clauses.
    """
    found: Clauses = []
    for part in where.must:
        found += _of(part, negated=False)
    for part in where.must_not:
        found += _of(part, negated=True)
    if where.should:
        found += _either(_of(part, negated=False) for part in where.should)
    if len(found) > _MOST_CLAUSES:
        raise InvalidInputError(f"The filter is too large: it has more than {_MOST_CLAUSES} clauses.")
    return found


def _of(part: Condition | Filter, *, negated: bool) -> Clauses:
    if isinstance(part, Condition):
        return [[_test(part, negated=negated)]]
    positive = clauses(part)
    if not negated:
        return positive
    # De Morgan: not (A and B) is (not A) or (not B), and each clause is itself a disjunction of tests.
    return _either([[{**test, "negated": not test["negated"]}] for test in clause] for clause in positive)


def _either(options: Iterable[Clauses]) -> Clauses:
    """Return the conjunctive form of a disjunction of conjunctive forms."""
    result: Clauses | None = None
    for option in options:
        if result is None:
            result = option
        elif len(result) * len(option) > _MOST_CLAUSES:
            raise InvalidInputError(f"The filter is too large: it has more than {_MOST_CLAUSES} clauses.")
        else:
            result = [left + right for left, right in product(result, option)]
    return result or []


def _test(condition: Condition, *, negated: bool) -> Test:
    value = list(condition.value) if isinstance(condition.value, tuple) else condition.value
    return {
        "property": _property(condition.field),
        "operator": condition.operator,
        "value": value,
        "negated": negated,
    }


def _property(field: str) -> str:
    if field in _PROPERTIES:
        return _PROPERTIES[field]
    if field.startswith(_METADATA) and len(field) > len(_METADATA):
        return field
    known = ", ".join(sorted(_PROPERTIES))
    raise InvalidInputError(f"`{field}` is no field to filter by; there are {known} and metadata.<key>.")
