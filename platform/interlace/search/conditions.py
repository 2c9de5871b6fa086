"""Metadata filters as parameters of a Cypher query: a list of tests on properties, and in postfix order how to combine them.

The property names are parameters too. Where documents are looked up by an index, the *anchor* says: a condition that every match
must satisfy on document ids, checksums, sources or tags; without one, by the tenant.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import METADATA, OF_CHUNKS, Condition, Filter, Scalar, fields_of, within_limits
from interlace.domain.instants import instant
from interlace.ports.graph import GraphDatabase
from interlace.queries.documents import matching_documents as run_filter
from interlace.settings import QuerySettings

_PROPERTIES = {
    "source": "sourceUri",
    "source_type": "mediaType",
    "tags": "tags",
    "document_id": "id",
    "section_type": "sectionType",
    "chunk.position": "position",
    "checksum": "checksum",
    "title": "title",
    "created_at": "createdAt",
    "modified_at": "modifiedAt",
    "indexed_at": "indexedAt",
}
# The best first. Of sources and tags all that begin so are looked at.
_ANCHORS = ("document_id", "checksum", "source", "tags")
_BY_BEGINNING = frozenset({"source", "tags"})
INSTANT = "instant."
"""Prefix of the properties that hold the instants of metadata which is a date."""
MOST_DOCUMENTS = 50_000


@dataclass(slots=True)
class Program:
    """A filter for Cypher: ``tests`` on properties, and ``steps`` that combine their truths on a stack, the result on top."""

    tests: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)


def matching_documents(graph: GraphDatabase, tenant: str, where: Filter, *, limit: int = MOST_DOCUMENTS) -> list[str]:
    """Return sorted ids of what satisfies a filter: of documents, or of chunks if the filter looks at their sections.

    Raises:
        InvalidInputError: the filter is too large, or more than ``limit`` satisfy it.
    """
    program = compile_filter(within_limits(where))
    anchor, values = anchor_of(where)
    rows = run_filter(
        graph,
        tenant=tenant,
        tests=program.tests,
        steps=program.steps,
        chunks=about_chunks(where),
        anchor=anchor,
        anchors=list(values),
        limit=limit + 1,
    )
    if len(rows) > limit:
        raise InvalidInputError(f"The filter matches more than {limit} documents; the graph needs a narrower one.")
    return [row.id for row in rows]


def matching_ids(graph: GraphDatabase, tenant: str, where: Filter | None, settings: QuerySettings) -> list[str] | None:
    """Return ids of the documents that satisfy a filter, for a list of documents; None without a filter.

    Raises:
        InvalidInputError: as ``matching_documents``, or the filter looks at sections, of which a document has many.
    """
    if where is None:
        return None
    if found := sorted(OF_CHUNKS & fields_of(where)):
        raise InvalidInputError(
            f"The filter names {found[0]}, which chunks have and documents do not; use it in a query."
        )
    return matching_documents(graph, tenant, where, limit=settings.filter_documents)


def about_chunks(where: Filter) -> bool:
    """Return whether a filter tells chunks of one document apart."""
    return not OF_CHUNKS.isdisjoint(fields_of(where))


def compile_filter(where: Filter) -> Program:
    """Return a filter as tests and steps."""
    program = Program()
    _add(program, where)
    return program


def anchor_of(where: Filter) -> tuple[str, Sequence[str]]:
    """Return the field by whose index the candidates are found, with its values; ``tenant`` for all documents."""
    sure = {part.field: part for part in where.must if isinstance(part, Condition) and part.field in _ANCHORS}
    for name in _ANCHORS:
        condition = sure.get(name)
        if condition is not None and (condition.operator != "prefix" or name in _BY_BEGINNING):
            return name, [str(value) for value in condition.choices]
    return "tenant", ()


def _add(program: Program, part: Condition | Filter) -> None:
    if isinstance(part, Condition):
        _add_condition(program, part)
        return
    for inner in part.must:
        _add(program, inner)
    for inner in part.must_not:
        _add(program, inner)
        program.steps.append({"do": "not"})
    if part.should:
        for inner in part.should:
            _add(program, inner)
        program.steps.append({"do": "any", "of": len(part.should)})
    program.steps.append({"do": "all", "of": len(part.must) + len(part.must_not) + bool(part.should)})


def _add_condition(program: Program, condition: Condition) -> None:
    tests = _equalities(condition) if condition.operator in ("eq", "in") else [_comparison(condition)]
    for test in tests:
        program.steps.append({"do": "test", "at": len(program.tests)})
        program.tests.append(test)
    if len(tests) != 1:
        program.steps.append({"do": "any", "of": len(tests)})


def _equalities(condition: Condition) -> list[dict[str, Any]]:
    """Return one test for texts and truth values, and one for numbers, as far as there are any."""
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
