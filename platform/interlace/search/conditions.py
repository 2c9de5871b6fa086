"""Metadata filters as a parameter of Cypher queries: tests on properties, and how to combine them, in postfix order.

The property names are parameters too. Every query evaluates the filter where it matches (``cypher/fragments/satisfies.cypher``), so its
cost depends on what the query reads, not on how many documents match. Where the filter itself looks documents up, the *anchor* says by
which index: a condition that every match must satisfy on ids, checksums, sources, tags or dates; without one, by the tenant.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import DATES, METADATA, OF_CHUNKS, Condition, Filter, Scalar, fields_of, within_limits
from interlace.domain.instants import instant
from interlace.ports.graph import GraphDatabase
from interlace.queries.filters import matching_documents as run_filter

_PROPERTIES = {
    "source": "sourceUri", "source_type": "mediaType", "tags": "tags", "document_id": "id",
    "section_type": "sectionType", "chunk.position": "position", "checksum": "checksum", "title": "title",
    "language": "language", "created_at": "createdAt", "modified_at": "modifiedAt", "indexed_at": "indexedAt",
}  # fmt: skip
# The most selective first: an anchor should find few documents. Sources and tags are looked up by prefix.
_ANCHORS = ("document_id", "checksum", "source", "tags", *DATES)
_BY_BEGINNING = frozenset({"source", "tags"})
INSTANT = "instant."
"""Prefix of the properties that hold dates of the metadata as instants."""
_EARLIEST, _LATEST = "", "~"
_EXACT = 2**53 - 1
"""Up to here a 64-bit float holds every whole number exactly."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """How documents are looked up: an indexed field with its values or its range of instants; ``tenant`` stands for all documents."""

    field: str = "tenant"
    values: tuple[str, ...] = ()
    low: str = ""
    high: str = ""


@dataclass(frozen=True, slots=True)
class Prefilter:
    """A cheap test before the filter itself: a property, and values of which every match has one; without a property it lets all documents through."""

    property: str | None = None
    values: tuple[Scalar, ...] = ()


def filter_parameter(where: Filter | None) -> dict[str, Any] | None:
    """Return a filter as the parameter ``$filter`` of queries; None without one.

    Raises:
        InvalidInputError: the filter is too large.
    """
    if where is None:
        return None
    return {"steps": list(filter_steps(within_limits(where))), "chunks": not OF_CHUNKS.isdisjoint(fields_of(where))}


def document_filter(where: Filter | None) -> dict[str, Any] | None:
    """Return the parameter for a list of documents.

    Raises:
        InvalidInputError: the filter is too large, or has conditions on chunks, of which a document has many.
    """
    if where is not None and (found := sorted(OF_CHUNKS & fields_of(where))):
        raise InvalidInputError(
            f"The filter names {found[0]}, which chunks have and documents do not; use it in a query."
        )
    return filter_parameter(where)


def matching_documents(graph: GraphDatabase, tenant: str, ids: Sequence[str], where: Filter) -> set[str]:
    """Return which of the given documents satisfy a filter on documents.

    Raises:
        InvalidInputError: the filter is too large.
    """
    return set(run_filter(graph, tenant=tenant, ids=list(ids), filter=filter_parameter(where) or {}))


def filter_steps(part: Condition | Filter) -> Iterator[dict[str, Any]]:
    """Yield the steps that evaluate a filter on a stack: tests of properties, and combinations of the truth values on top of it."""
    if isinstance(part, Condition):
        yield from _condition_steps(part)
        return
    for inner in part.must:
        yield from filter_steps(inner)
    for inner in part.must_not:
        yield from filter_steps(inner)
        yield {"do": "not"}
    if part.should:
        for inner in part.should:
            yield from filter_steps(inner)
        yield {"do": "any", "of": len(part.should)}
    yield {"do": "all", "of": len(part.must) + len(part.must_not) + bool(part.should)}


def _condition_steps(condition: Condition) -> Iterator[dict[str, Any]]:
    tests = _equalities(condition) if condition.operator in ("eq", "in") else [_comparison(condition)]
    for test in tests:
        yield {"do": "test", **test}
    if len(tests) != 1:
        yield {"do": "any", "of": len(tests)}


def anchor_of(where: Filter) -> Anchor:
    """Return the anchor of a filter: of the conditions that every match must satisfy, the one that is likely to be the most selective."""
    found = [anchor for anchor in map(_anchor, _needed(where)) if anchor]
    return min(found, key=lambda anchor: _ANCHORS.index(anchor.field), default=Anchor())


def prefilter_of(where: Filter) -> Prefilter:
    """Return a property and values of which every match has one, compared as in the filter itself; metadata is preferred."""
    found = sorted(
        filter(_can_prefilter, _needed(where)), key=lambda part: (not part.field.startswith(METADATA), part.field)
    )
    if not found:
        return Prefilter()
    values = (float(value) if _is_number(value) else value for value in found[0].choices)
    return Prefilter(_property(found[0]), tuple(values))


def _can_prefilter(condition: Condition) -> bool:
    # Larger whole numbers, rounded to a float, would equal floats that differ from them.
    return (
        condition.operator in ("eq", "in")
        and condition.field not in OF_CHUNKS
        and not condition.compares_instants
        and all(abs(value) <= _EXACT for value in condition.choices if not isinstance(value, str))
    )


def _needed(where: Filter) -> Iterator[Condition]:
    """Yield the conditions that hold for every match; alternative equalities on one field become one condition with all their values."""
    for part in where.must:
        if isinstance(part, Condition):
            yield part
        else:
            yield from _needed(part)
    choices = [part for part in where.should if isinstance(part, Condition) and part.operator in ("eq", "in")]
    if choices and len(choices) == len(where.should) and len({part.field for part in choices}) == 1:
        yield Condition(
            choices[0].field, "in", tuple(dict.fromkeys(value for part in choices for value in part.choices))
        )


def _anchor(condition: Condition) -> Anchor | None:
    name, operator = condition.field, condition.operator
    if name not in _ANCHORS or (operator == "prefix" and name not in _BY_BEGINNING):
        return None
    if name not in DATES:
        return Anchor(name, tuple(str(value) for value in condition.choices))
    instants = sorted(filter(None, (instant(str(value)) for value in condition.choices)))
    if not instants:
        return None
    return Anchor(
        name,
        low=_EARLIEST if operator in ("lt", "lte") else instants[0],
        high=_LATEST if operator in ("gt", "gte") else instants[-1],
    )


def _equalities(condition: Condition) -> list[dict[str, Any]]:
    """Return one test for strings and booleans and one for numbers, each only if there are any."""
    numbers = [float(value) for value in condition.choices if _is_number(value)]
    others = [_comparable(condition, value) for value in condition.choices if not _is_number(value)]
    name = _property(condition)
    tests = ({"operator": "in", "exact": others}, {"operator": "in number", "exact": numbers})
    return [{"property": name, **test} for test in tests if test["exact"]]


def _comparison(condition: Condition) -> dict[str, Any]:
    (value,) = condition.choices
    if _is_number(value):
        return {"property": _property(condition), "operator": f"{condition.operator} number", "bound": float(value)}
    bound = _comparable(condition, value)
    return {"property": _property(condition), "operator": condition.operator, "bound": bound}


def _comparable(condition: Condition, value: Scalar) -> Scalar | None:
    return instant(str(value)) if condition.compares_instants else value


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _property(condition: Condition) -> str:
    if condition.field in _PROPERTIES:
        return _PROPERTIES[condition.field]
    return INSTANT + condition.field.removeprefix(METADATA) if condition.compares_instants else condition.field
