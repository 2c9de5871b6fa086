"""Every Cypher file against a real server: it must plan as its header says, without a scan of all nodes or of a label that grows."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import neo4j
import pytest
from tests.support.queries import query_names

from interlace.adapters.neo4j.connection import open_driver
from interlace.cypher_files import cypher_root, parse_query
from interlace.cypher_files import query as load_query
from interlace.ports.graph import Query
from interlace.settings import Settings

pytestmark = pytest.mark.stack

ROOT = cypher_root()
QUERIES = [ROOT / "queries" / f"{name}.cypher" for name in query_names()]
SAVED = sorted((ROOT / "browser" / "saved").rglob("*.cypher"))

VALUES: dict[str, Any] = {
    "STRING": "x",
    "INTEGER": 1,
    "FLOAT": 1.0,
    "BOOLEAN": True,
    "BYTES": b"x",
    "DATETIME": datetime(2026, 1, 1, tzinfo=UTC),
    "MAP": {"key": "x"},
    "ANY": "x",
}
GROWING = {
    "Chunk",
    "Community",
    "Document",
    "Entity",
    "ExtractionRecord",
    "Fact",
    "IngestionRecord",
    "Job",
    "Outbox",
    "PendingExtraction",
    "Reference",
    "Section",
    "Tag",
}
"""Labels whose nodes become more with the documents, so that a plan that reads all of them slows down."""
MODES = {"r": "read", "w": "write", "rw": "write"}
_SUMMARIES: dict[tuple[str, str], neo4j.ResultSummary] = {}
"""What the server said of a text and its parameters: it forgets plans before the last test of all files asks again."""


@pytest.fixture(scope="module")
def driver(stack: Settings) -> Iterator[neo4j.Driver]:
    with open_driver(stack.neo4j) as opened:
        yield opened


def _value(kind: str) -> Any:
    """Return a value of a Cypher type, lists not empty: the types of parameters are part of what the planner sees."""
    kind = kind.removesuffix("?")
    return [_value(kind[len("LIST<") : -1])] if kind.startswith("LIST<") else VALUES[kind]


def _explain(driver: neo4j.Driver, query: Query, groups: list[str] | None = None, **given: None) -> neo4j.ResultSummary:
    params = {name: _value(kind) for name, kind in query.params.items()} | given
    if query.reader == "filtered":
        params["groups"] = groups
    text = query.text_for(params)
    known = text, repr(params)
    if known not in _SUMMARIES:
        _SUMMARIES[known] = driver.execute_query(f"EXPLAIN {text}", params).summary
    return _SUMMARIES[known]


def _mode(summary: neo4j.ResultSummary, text: str) -> str:
    """Return the mode in our words; Neo4j calls what is asked of the server, such as ``dbms.components``, a change of the schema."""
    names = {_name(operator) for operator in _operators(dict(summary.plan or {}))}
    asks = "ProcedureCall" in names or ("AdministrationCommand" in names and text.startswith("SHOW "))
    kind = "r" if summary.query_type == "s" and asks else summary.query_type
    return MODES.get(kind or "", f"type {kind}")


def _operators(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("children", []):
        yield from _operators(child)


def _name(operator: dict[str, Any]) -> str:
    return str(operator["operatorType"]).split("@", maxsplit=1)[0]


def _is_one_row(operator: dict[str, Any]) -> bool:
    """Whether an operator is the look-up of one node by its key, or rests on nothing but such look-ups."""
    if children := operator.get("children", []):
        return all(map(_is_one_row, children))
    sought = _name(operator).startswith("NodeUniqueIndexSeek") and " IN " not in operator["args"].get("Details", "")
    return sought or _name(operator) == "Argument"


def _defects(plan: dict[str, Any]) -> set[str]:
    """Return the operators whose work grows with the database: scans, and products of more than single nodes."""
    found = {_name(operator) for operator in _operators(plan) if _is_scan(operator)}
    products = [operator for operator in _operators(plan) if _name(operator) == "CartesianProduct"]
    if any(sum(not _is_one_row(side) for side in product["children"]) > 1 for product in products):
        found.add("CartesianProduct")
    return {name.removeprefix("Partitioned") for name in found}


def _is_scan(operator: dict[str, Any]) -> bool:
    """Return whether an operator reads all nodes, all relationships, or all nodes of a label that grows."""
    name = _name(operator).removeprefix("Partitioned")
    if "ByLabel" in name:
        return not GROWING.isdisjoint(re.findall(r"\w+", operator["args"].get("Details", "")))
    return name.startswith(("AllNodesScan", "AllRelationshipsScan"))


@pytest.mark.parametrize("path", [*QUERIES, *SAVED], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_plans_as_its_header_says(driver: neo4j.Driver, path: Path) -> None:
    query = parse_query(path.stem, path.read_text(encoding="utf-8"))
    summary = _explain(driver, query)
    assert summary.plan is not None
    assert _mode(summary, query.text) == query.mode
    # People run saved queries by hand, and may look at a whole label.
    excused = query.allows | ({"NodeByLabelScan", "UnionNodeByLabelsScan"} if path in SAVED else set())
    assert _defects(dict(summary.plan)) <= excused
    for groups, given in _other_texts(query):
        assert _defects(dict(_explain(driver, query, groups, **given).plan or {})) <= excused


def _other_texts(query: Query) -> Iterator[tuple[list[str] | None, dict[str, None]]]:
    """Yield groups and parameters for which a query has another plan: those of a reader's groups, and those without a filter."""
    groups = [None, ["a group"]] if query.reader == "filtered" else [None]
    given = [{}, {"filter": None}] if query.params.get("filter", "").endswith("?") else [{}]
    yield from [each for each in itertools.product(groups, given) if each != (None, {})]


def test_a_query_without_its_filter_is_planned_too(driver: neo4j.Driver) -> None:
    query = replace(load_query("filters/filtered_chunks"), params={"filter": "MAP?"}, reader="anyone")
    worse = replace(query, text="RETURN 1 AS one", unfiltered="MATCH (d:Document) RETURN d.id AS one")
    found = [
        _defects(dict(_explain(driver, worse, groups, **given).plan or {})) for groups, given in _other_texts(worse)
    ]
    assert found == [{"NodeByLabelScan"}]


@pytest.mark.parametrize(
    "name",
    [
        *("filters/filtered_in_order", "filters/filtered_newest", "filters/filtered_oldest"),
        *("filters/newest_documents", "filters/oldest_documents"),
    ],
)
def test_documents_are_read_in_the_order_of_the_answer(driver: neo4j.Driver, name: str) -> None:
    """So that reading stops when the answer is full: only what is equal in the index is sorted."""
    for groups in (None, ["a group"]):
        plan = dict(_explain(driver, load_query(name), groups).plan or {})
        names = {_name(operator) for operator in _operators(plan)}
        assert "PartialTop" in names
        assert not names & {"Top", "Sort", "Distinct", "Union"}


@pytest.mark.slow
def test_every_index_is_used_by_a_plan(driver: neo4j.Driver) -> None:
    details: set[str] = set()
    texts: list[str] = []
    for path in [*QUERIES, *SAVED]:
        query = parse_query(path.stem, path.read_text(encoding="utf-8"))
        texts.append(query.text)
        plan = _explain(driver, query).plan
        details.update(operator["args"].get("Details", "") for operator in _operators(dict(plan or {})))
    assert [index["name"] for index in _indexes(driver) if not _is_used(index, details, texts)] == []


def _indexes(driver: neo4j.Driver) -> Iterator[dict[str, Any]]:
    """Yield the indexes of the migrations; a unique key has a purpose of its own."""
    rows = driver.execute_query("SHOW INDEXES YIELD name, type, labelsOrTypes, properties, owningConstraint").records
    yield from (row.data() for row in rows if row["type"] != "LOOKUP" and row["owningConstraint"] is None)


def _is_used(index: dict[str, Any], details: set[str], texts: list[str]) -> bool:
    """Return whether a plan reads an index; a full-text index is named in the text of a query."""
    if index["type"] == "FULLTEXT":
        return any(f"'{index['name']}'" in text for text in texts)
    (label,) = index["labelsOrTypes"]
    wanted = f":{label}({', '.join(index['properties'])})"
    return any(wanted in text for text in details)


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_saved_queries_only_read(path: Path) -> None:
    assert parse_query(path.stem, path.read_text(encoding="utf-8")).mode == "read"


@pytest.mark.parametrize(
    ("text", "defects"),
    [
        ("MATCH (n) RETURN n", {"AllNodesScan"}),
        ("MATCH (j:Job) WHERE j.kind = 'x' RETURN j", {"NodeByLabelScan"}),
        ("MATCH (n:Job|Tag) WHERE n.kind = 'x' RETURN n", {"UnionNodeByLabelsScan"}),
        ("MATCH (t:Tenant) RETURN t", set()),
        ("MATCH (c:Chunk) RETURN count(c)", set()),
        ("MATCH (a:Chunk), (b:Chunk) RETURN a, b", {"CartesianProduct", "NodeByLabelScan"}),
        ("MATCH (a:Chunk {id: 'x'}), (b:Entity {id: 'y'}) RETURN a, b", set()),
        ("MATCH (a:Chunk {id: 'x'}), (b:Entity) RETURN a, b", {"NodeByLabelScan"}),
        (
            "MATCH (a:Chunk) WHERE a.id IN ['x', 'y'] MATCH (b:Entity) WHERE b.id IN ['x', 'y'] RETURN a, b",
            {"CartesianProduct"},
        ),
        ("UNWIND ['x'] AS id MATCH (a:Chunk {id: id}) MATCH (b:Entity {id: id}) MERGE (a)-[:MENTIONS]->(b)", set()),
    ],
)
def test_defects_of_a_plan_are_seen(driver: neo4j.Driver, text: str, defects: set[str]) -> None:
    summary = _explain(driver, Query("test/plan", "Test", text, {}, "read", "rows"))
    assert summary.plan is not None
    assert _defects(dict(summary.plan)) == defects
