"""Statements that must not run, through the API on a real database: each is refused with a problem document, and none ends in a 500."""

import uuid
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import ANY

import pyarrow as pa
import pytest
from fastapi.testclient import TestClient
from tests.support.memory_queue import MemoryQueue
from tests.support.memory_rates import MemoryRateLimiter

from interlace.access.cypher_text import check_text
from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.adapters.neo4j.statements import Neo4jStatements
from interlace.api.app import create_app
from interlace.bootstrap import Platform
from interlace.ports.graph import Query
from interlace.settings import Settings

pytestmark = pytest.mark.stack
HIDDEN = "canary-of-another-tenant"
SEED = """
CREATE (a:Entity {id: $tenant + '-a', tenant: $tenant, name: $name, type: 'Person', key: $name})
CREATE (b:Entity {id: $tenant + '-b', tenant: $tenant, name: $name + ' 2', type: 'Person', key: $name + '2'})
CREATE (a)-[:KNOWS {weight: 2}]->(b)
CREATE (:Document {id: $tenant + '-d', tenant: $tenant, title: $name, sourceUri: $name})
"""
KEYS = "MERGE (k:ApiKey {id: 'ik_canary'}) SET k.digest = 'canary-of-a-digest', k.tenants = [], k.scopes = [], k.revokedAt = 1"
CLEAR = "MATCH (n) WHERE n.tenant = $tenant OR n.id = 'ik_canary' DETACH DELETE n"

ATTACKS = {
    "writes": [
        "CREATE (n:Entity {tenant: $tenant})",
        "MATCH (n:Entity {tenant: $tenant}) SET n.name = $x RETURN n",
        "MATCH (n:Entity {tenant: $tenant}) DETACH DELETE n",
        "MATCH (n:Entity {tenant: $tenant}) REMOVE n.name RETURN n",
        "MERGE (n:Entity {tenant: $tenant}) RETURN n",
        "MATCH (n:Entity {tenant: $tenant}) FOREACH (i IN [1] | CREATE (:X))",
        "MATCH (n:Entity {tenant: $tenant}) CALL (n) { CREATE (:X) } IN TRANSACTIONS RETURN n",
        "UNWIND [1] AS i CREATE (:X) RETURN i",
        "WITH 1 AS x MERGE (:X {a: x})",
    ],
    "files and addresses": [
        "LOAD CSV FROM $x AS line RETURN line",
        "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
        "WITH $x AS u LOAD CSV FROM u AS line RETURN line",
        "UNWIND [$x] AS u LOAD CSV WITH HEADERS FROM u AS line RETURN line",
    ],
    "procedures and functions": [
        "CALL dbms.listConfig() YIELD name, value RETURN name, value",
        "CALL gds.graph.drop($x)",
        "CALL db.index.fulltext.queryNodes($x, $x) YIELD node RETURN node",
        "MATCH (a:Entity {tenant: $tenant}) CALL apoc.load.json($x) YIELD value RETURN value",
        "MATCH (a:Entity {tenant: $tenant})-[:KNOWS]->(b) RETURN gds.graph.project($x, a, b)",
        "MATCH (a:Entity {tenant: $tenant})-[:KNOWS]->(b) RETURN gds . graph\n. project ($x, a, b)",
        "RETURN apoc.text.join([$x], $x)",
        "RETURN GDS.version()",
    ],
    "the server": [
        "SHOW TRANSACTIONS",
        "SHOW SETTINGS YIELD name RETURN name",
        "TERMINATE TRANSACTIONS $x",
        "CREATE USER eve SET PASSWORD $x",
        "SHOW USERS",
        "CREATE INDEX FOR (n:Entity) ON (n.x)",
        "USE system SHOW DATABASES",
        "MATCH (n:Entity {tenant: $tenant}) RETURN n UNION USE system MATCH (n) RETURN n",
        "DROP DATABASE neo4j",
        "ALTER CURRENT USER SET PASSWORD FROM $x TO $x",
    ],
    "how it is written": [
        "EXPLAIN MATCH (n:Entity {tenant: $tenant}) RETURN n",
        "PROFILE MATCH (n:Entity {tenant: $tenant}) RETURN n",
        "CYPHER runtime=slotted MATCH (n:Entity {tenant: $tenant}) RETURN n",
        "MATCH (n:Entity {tenant: $tenant}) RETURN n; MATCH (m) DETACH DELETE m",
        "MATCH (n:Entity {tenant: $tenant}) RETURN n // comment",
        "MATCH (n:Entity {tenant: $tenant}) /* comment */ RETURN n",
        "MATCH (n:`Entity` {tenant: $tenant}) RETURN n",
        "MATCH (n:Entity\\u0060 {tenant: $tenant}) RETURN n",
        "MATCH (n:Entity {tenant: 'x'}) RETURN n",
        'MATCH (n:Entity {tenant: "x"}) RETURN n',
        "M\u0410TCH (n) RETURN n",
        "MATCH\u2028(n:Entity {tenant: $tenant}) RETURN n",
        "MATCH (n:Entity {tenant: $tenant})\x00 RETURN n",
        "MATCH (n:Entity {tenant: $tenant}) RETURN n" + " " * 5000,
        "MATCH (n:Entity {tenant: $tenant}) RETURN",
        "not Cypher at all",
    ],
    "another tenant": [
        "MATCH (n) RETURN n",
        "MATCH (n:Entity) RETURN n",
        "MATCH (n:ApiKey) RETURN n.digest",
        "MATCH (n:Entity {tenant: $x}) RETURN n",
        "MATCH (n:Entity {name: $x}) RETURN n",
        "MATCH (n:Entity) WHERE n.id = $x RETURN n",
        "MATCH (n:Entity) WHERE n.tenant = $tenant OR n.name = $x RETURN n",
        "MATCH (n:Entity) WHERE NOT n.tenant = $tenant RETURN n",
        "MATCH (n:Entity) WHERE n.tenant <> $tenant RETURN n",
        "MATCH (n:Entity) WHERE n.tenant IN [$tenant, $x] RETURN n",
        "MATCH (n:Entity) WHERE n.tenant STARTS WITH $empty RETURN n",
        "MATCH (n:Entity) WHERE (n.tenant = $tenant) IN [true, false] RETURN n",
        "MATCH (n:Entity) WHERE coalesce(n.tenant = $tenant, true) XOR true RETURN n",
        "MATCH (n:Entity) WHERE n.type = $x OR n.name = $x AND n.tenant = $tenant RETURN n",
        "MATCH (n:$($label)) RETURN n",
        "MATCH (n:Entity|Document) RETURN n",
        "MATCH (n:Entity) RETURN count(n)",
        "MATCH ()-[r:KNOWS]->() RETURN r",
        "MATCH ()-[r]->() RETURN count(r)",
        "MATCH (a:Entity {tenant: $tenant}) MATCH (b:Entity) RETURN a, b",
        "MATCH (a:Entity {tenant: $tenant}), (b:Entity) RETURN a, b",
        "MATCH (a:Entity {tenant: $tenant}) OPTIONAL MATCH (b:Entity {name: $x}) RETURN a, b",
        "MATCH (n:Entity {tenant: $tenant}) RETURN n UNION MATCH (n:Entity) RETURN n",
        "MATCH (n:Entity) WITH n.name AS name MATCH (n:Entity {tenant: $tenant}) RETURN name, n",
        "MATCH (n:Entity) WITH n AS m MATCH (n:Entity {tenant: $tenant}) RETURN m",
        "MATCH (n:Entity) WITH n, $tenant AS t WHERE n.name = t OR n.tenant = t RETURN n",
        "WITH $x AS tenant MATCH (n:Entity {tenant: tenant}) RETURN n",
        "UNWIND $tenants AS tenant MATCH (n:Entity {tenant: tenant}) RETURN n",
        "MATCH (n:Entity) WHERE CASE WHEN $yes AND n.tenant = $tenant AND $sure THEN $yes ELSE $no END = $no RETURN n.name",
        (
            "MATCH (n:Entity {tenant: $tenant}) WITH n.tenant AS tenant MATCH (m:Entity) "
            "WHERE m.id = CASE WHEN $yes AND tenant = $tenant AND $sure THEN $x ELSE $x END RETURN m"
        ),
        "WITH $tenants AS cache MATCH (n:Entity) WHERE cache[n.tenant] = $tenant RETURN n",
        "WITH {other: $tenant} AS cache MATCH (n:Entity) WHERE (cache)[n.tenant] = $tenant RETURN n",
        "MATCH (n:Entity) WHERE elementId(n) = $x RETURN n",
        "MATCH (n) WHERE id(n) = 0 RETURN n",
    ],
    "patterns where the plan does not show them": [
        "RETURN COUNT { MATCH (n:Entity) }",
        "RETURN EXISTS { MATCH (n:Entity {name: $x}) }",
        "RETURN COLLECT { MATCH (n:Entity) RETURN n.name }",
        "RETURN [i IN [1] WHERE EXISTS { (n:Entity) } | i]",
        "RETURN [(n:Entity)-[:KNOWS]->(m) | m.name]",
        "RETURN [ (n:Entity) --> (m) | n.name ]",
        "RETURN CASE WHEN (:Entity {name: $x})-[:KNOWS]->() THEN 1 ELSE 0 END",
        "RETURN size([(n)<--(m:Entity) | m.name])",
        "MATCH (a:Entity {tenant: $tenant, name: [(n:Entity)-->(m) | m.name][0]}) RETURN a",
        "MATCH (a:Entity {tenant: $tenant}) WHERE (:Entity {name: $x})-->() RETURN a",
        "WITH 1 AS match RETURN CASE WHEN match = 1 AND (:Entity {name: $canary})-->() THEN 1 ELSE 0 END",
        "WITH 1 AS match RETURN [i IN [1] | [match, [(n:Entity)-->(m) | n.name]]]",
        "WITH 1 AS match RETURN any(i IN [1] WHERE match = 1 AND (:Entity {name: $canary})-->())",
        "RETURN [i IN [1] | {match: 1, names: [(n:Entity)-->(m) | n.name]}]",
        "RETURN CASE WHEN true THEN {match: [(n:Entity)-->(m) | n.name]} END",
        "MATCH (a:Entity {tenant: $tenant}) RETURN [i IN [1] | a {. match, names: [(n:Entity)-->(m) | n.name]}]",
        "MATCH (a:Entity {tenant: $tenant}) OFFSET size([(n:Entity)-->(m) | n.name]) RETURN a",
        "MATCH ALL (a:Entity {tenant: $tenant, name: [(n:Entity)-->(m) | m.name][0]}) RETURN a",
        "MATCH ANY SHORTEST (a:Entity {tenant: $tenant, name: [(n:Entity)-->(m) | m.name][0]})--(b) RETURN b",
        "CALL { MATCH (n:Entity) RETURN n } RETURN n",
        "MATCH (a:Entity {tenant: $tenant}) CALL (a) { MATCH (n:Entity) RETURN n } RETURN n",
    ],
    "too much": [
        "MATCH (a:Entity {tenant: $tenant})-[*]->(b) RETURN b",
        "MATCH (a:Entity {tenant: $tenant})-[*2..]->(b) RETURN b",
        "MATCH (a:Entity {tenant: $tenant})-[*1..9]->(b) RETURN b",
        "MATCH (a:Entity {tenant: $tenant}) MATCH p = shortestPath((a)-[*]-(b:Entity {tenant: $tenant})) RETURN p",
        "MATCH (a:Entity {tenant: $tenant}) MATCH p = SHORTEST 1 (a)--+(b:Entity {tenant: $tenant}) RETURN p",
        "MATCH (a:Entity {tenant: $tenant}) (()-->()){1,30} (b) RETURN b",
        "MATCH (a:Entity {tenant: $tenant}), (b:Entity {tenant: $tenant}) RETURN a, b",
        "UNWIND range(1, 1000000000) AS i WITH i WHERE i < 0 RETURN i",
        "UNWIND range(1, 1000000000) AS i RETURN collect(i)",
        "RETURN 1 / 0",
        f"RETURN {'(' * 400}1{')' * 400}",
        f"RETURN {'[' * 400}{']' * 400}",
        f"RETURN {'NOT ' * 600}true",
        f"WITH 1 AS end RETURN {'[end,' * 400}1{']' * 400}",
        f"WITH 1 AS end RETURN {'NOT (end OR ' * 101}true{')' * 101}",
        f"RETURN {'NOT(' * 300}true{')' * 300}",
        f"RETURN {'CASE WHEN true THEN ' * 200}1{' END' * 200}",
    ],
}


def write(graph: Neo4jDatabase, text: str, **params: Any) -> None:
    graph.run(Query("test/query", "Test", text, dict.fromkeys(params, "STRING"), "write", "nothing"), **params)


@pytest.fixture(scope="module")
def tenants(stack: Settings) -> Iterator[tuple[str, str]]:
    names = (f"t{uuid.uuid4().hex[:12]}", f"t{uuid.uuid4().hex[:12]}")
    with closing(Neo4jDatabase(stack.neo4j)) as graph:
        write(graph, KEYS)
        for tenant, name in zip(names, ("Ada", HIDDEN), strict=True):
            write(graph, SEED, tenant=tenant, name=name)
        yield names
        for tenant in names:
            write(graph, CLEAR, tenant=tenant)


@pytest.fixture(scope="module")
def client(stack: Settings, tenants: tuple[str, str]) -> Iterator[TestClient]:
    with closing(Neo4jDatabase(stack.neo4j)) as graph, closing(Neo4jStatements(stack.neo4j)) as statements:
        from interlace.access.audit import AuditLog
        from interlace.access.callers import SCOPES
        from interlace.access.keys import ApiKeys, Grant

        services = SimpleNamespace(
            settings=stack, graph=graph, statements=statements, queue=MemoryQueue(), rate_limiter=MemoryRateLimiter()
        )
        key = ApiKeys(graph).create(Grant("cypher", tenants[:1], SCOPES))
        with TestClient(create_app(cast("Platform", services)), base_url="http://127.0.0.1") as opened:
            opened.headers["X-API-Key"] = key.key
            yield opened
        write(graph, "MATCH (n) WHERE n:ApiKey OR n:AuditEntry DETACH DELETE n")
        AuditLog(graph).close()


def ask(client: TestClient, statement: str, seconds: float = 10, **params: Any) -> Any:
    return client.post("/v1/cypher", json={"statement": statement, "params": params, "seconds": seconds})


@pytest.mark.parametrize("statement", [text for texts in ATTACKS.values() for text in texts])
def test_an_attack_is_refused_with_a_problem_document(
    client: TestClient, tenants: tuple[str, str], statement: str
) -> None:
    params = {
        "x": tenants[1],
        "empty": "",
        "label": "Entity",
        "tenants": list(tenants),
        "canary": HIDDEN,
        "yes": True,
        "sure": True,
        "no": False,
    }
    answer = ask(client, statement, 0.5, **params)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert HIDDEN not in answer.text
    assert "canary" not in answer.text.replace("$canary", "")


@pytest.mark.parametrize(
    ("statement", "params"),
    [
        ("RETURN $tenant", {"tenant": "other"}),
        ("RETURN 1", {"a b": 1}),
        ("RETURN 1", {"x": "y" * 200_000}),
        ("RETURN $x", {"x": 2**70}),
        ("RETURN $missing", {}),
        ("RETURN $x", {"x": {"a": [{"b": [1, "\ud800"]}]}}),
    ],
)
def test_parameters_cannot_do_more_than_be_values(client: TestClient, statement: str, params: dict[str, Any]) -> None:
    import json

    body = json.dumps({"statement": statement, "params": params})
    answer = client.post("/v1/cypher", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


READS = [
    ("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name ORDER BY name", [["Ada"], ["Ada 2"]]),
    ("MATCH (e:Entity {tenant: $tenant, type: $type}) RETURN count(e) AS n", [[2]]),
    (
        "MATCH (a:Entity {tenant: $tenant, key: $key})-[r:KNOWS]->(b:Entity {tenant: $tenant}) RETURN b.name, r.weight",
        [["Ada 2", 2]],
    ),
    (
        "MATCH (a:Entity {tenant: $tenant, key: $key})-[:KNOWS*1..3]->(b:Entity {tenant: $tenant}) RETURN DISTINCT b.name",
        [["Ada 2"]],
    ),
    ("MATCH (d:Document) WHERE d.tenant = $tenant AND d.title = $key RETURN d.title", [["Ada"]]),
    ("MATCH (d:Document {tenant: $tenant}) OPTIONAL MATCH (d)-[:ABOUT]->(e) RETURN d.title, e", [["Ada", None]]),
    ("UNWIND [1, 2] AS i RETURN i * 2 AS twice", [[2], [4]]),
    ("RETURN " + "1+" * 500 + "1 AS n", [[501]]),
    ("RETURN " + "true AND " * 500 + "true AS yes", [[True]]),
    ("MATCH (e:Entity {tenant: $tenant, key: $key}) RETURN CASE WHEN e.case IS NULL THEN 1 ELSE 2 END AS n", [[1]]),
    (
        "MATCH (d:Document {tenant: $tenant}) WITH d LIMIT 3 RETURN d",
        [[{"id": ANY, "tenant": ANY, "title": "Ada", "sourceUri": "Ada"}]],
    ),
    ("MATCH (e:Entity {tenant: $tenant, key: $key}) WITH e, 1 AS match RETURN e.name, match + 1 AS n", [["Ada", 2]]),
    ("MATCH p = (a:Entity {tenant: $tenant, key: $key})-[:KNOWS]->() RETURN length(p) AS n", [[1]]),
    (
        "MATCH (e:Entity {tenant: $tenant, key: $key}) RETURN e {.name, .type} AS e",
        [[{"name": "Ada", "type": "Person"}]],
    ),
]


@pytest.mark.parametrize(("statement", "rows"), READS)
def test_reading_ones_own_tenant_is_answered(client: TestClient, statement: str, rows: list[Any]) -> None:
    answer = ask(client, statement, type="Person", key="Ada")
    assert answer.status_code == 200, answer.text
    assert answer.json()["rows"] == rows


def test_the_longest_flat_statement_is_not_nested() -> None:
    """Its text alone: the server would plan it for seconds."""
    check_text("RETURN " + "1+" * 2400 + "1 AS n")


def test_rows_stop_at_the_limit_and_come_as_csv_and_arrow(client: TestClient) -> None:
    body = {
        "statement": "UNWIND range(1, 50) AS i RETURN i, $x AS text, [i] AS list",
        "params": {"x": "=1+1"},
        "limit": 3,
    }
    answer = client.post("/v1/cypher", json=body).json()
    assert (answer["truncated"], [row[0] for row in answer["rows"]]) == (True, [1, 2, 3])
    lines = client.post("/v1/cypher", json=body, headers={"Accept": "text/csv"})
    assert lines.text.splitlines()[:2] == ["i,text,list", "1,'=1+1,[1]"]
    assert lines.headers["x-interlace-truncated"] == "true"
    stream = client.post("/v1/cypher", json=body, headers={"Accept": "application/vnd.apache.arrow.stream"})
    table = pa.ipc.open_stream(stream.content).read_all()
    assert table.column("i").to_pylist() == [1, 2, 3]
    assert table.schema.field("i").type == pa.int64()


def test_what_ran_is_in_the_audit_log_to_be_run_again(client: TestClient) -> None:
    ask(client, "UNWIND [7] AS seven RETURN seven", x=1)
    entries = client.get("/v1/audit").json()
    assert any(entry["event"] == "cypher" and "AS seven" in entry["detail"] for entry in entries)


def test_another_tenant_is_not_chosen_by_header(client: TestClient, tenants: tuple[str, str]) -> None:
    headers = {"X-Interlace-Tenant": tenants[1]}
    answer = client.post("/v1/cypher", json={"statement": "RETURN 1"}, headers=headers)
    assert answer.status_code == 403
