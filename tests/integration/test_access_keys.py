"""Keys on a real database: two processes' worth of key rings, the command line, the audit log and its retention."""

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

import pytest
from tests.e2e.command_line import command_line

from interlace.access import audit
from interlace.access.audit import AuditLog, Record, remove_old_audit
from interlace.access.callers import Caller
from interlace.access.keyring import Keyring
from interlace.access.keys import ApiKey, ApiKeys, Grant
from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.ports.graph import Query
from interlace.queries.tenants import begin_tenant
from interlace.settings import Settings

pytestmark = pytest.mark.stack
AGED = "MATCH (a:AuditEntry) WHERE a.detail = 'aged' SET a.at = a.at - 91 * 86400000"
CLEAR = "MATCH (n) WHERE n:ApiKey OR n:AuditEntry DETACH DELETE n"


def write(graph: Neo4jDatabase, text: str) -> None:
    graph.run(Query("test/query", "Test", text, {}, "write", "nothing"))


@pytest.fixture
def graph(stack: Settings) -> Iterator[Neo4jDatabase]:
    with closing(Neo4jDatabase(stack.neo4j)) as opened:
        write(opened, CLEAR)
        yield opened
        write(opened, CLEAR)


def ring(graph: Neo4jDatabase, log: AuditLog) -> Keyring:
    return Keyring(ApiKeys(graph), log, digests=(), may_be_open=True)


def test_revoking_by_command_takes_effect_within_a_second_in_every_process(
    graph: Neo4jDatabase, stack: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    for module in ("keyring", "recent"):
        monkeypatch.setattr(f"interlace.access.{module}.time", SimpleNamespace(monotonic=lambda: now[0]))
    run = command_line(stack, "default")
    made = json.loads(
        run("keys", "create", "robot", "--scope", "read", "--tenant", "blue", "--expires", "2d", "--json")
    )
    with closing(Neo4jDatabase(stack.neo4j)) as second, closing(AuditLog(graph)) as log:
        rings = [ring(graph, log), ring(second, log)]
        for each in rings:
            caller = each.identify(made["key"])
            assert isinstance(caller, Caller)
            assert (caller.tenants, sorted(caller.scopes)) == (("blue",), ["read"])
            assert each.remembered(made["key"]) == caller
        run("keys", "revoke", made["id"])
        now[0] += 1
        for each in rings:
            assert each.remembered(made["key"]) is None
            key = each.identify(made["key"])
            assert isinstance(key, ApiKey)
            assert key.state == "revoked"
    listed = json.loads(run("keys", "list", "--json"))
    assert [(key["id"], key["state"]) for key in listed] == [(made["id"], "revoked")]
    assert listed[0]["last_used_at"] is not None
    assert "robot" in run("keys", "list")
    assert made["key"].split(".")[1] not in run("keys", "list", "--json") + run("keys", "audit", "--json")
    events = [entry["event"] for entry in json.loads(run("keys", "audit", "--json"))]
    assert sorted(events) == ["created", "revoked"]


def test_rotating_by_command_gives_another_secret_and_keeps_the_rate(graph: Neo4jDatabase, stack: Settings) -> None:
    run = command_line(stack, "default")
    made = json.loads(run("keys", "create", "robot", "--rate", "600", "--json"))
    new = json.loads(run("keys", "rotate", made["id"], "--json"))
    keys = ApiKeys(graph)
    assert keys.find(made["key"]) is None
    found = keys.find(new["key"])
    assert found is not None
    assert (found.id, found.tenants, found.scopes, found.rate) == (made["id"], ("default",), ("read",), 600)
    assert "no key ik_" in run("keys", "rotate", "ik_000000000000", code=4, errors=True)
    write(graph, "MATCH (k:ApiKey) SET k.expiresAt = timestamp() - 1")
    assert "neither revoked nor expired" in run("keys", "rotate", made["id"], code=4, errors=True)
    assert "is not a time" in run("keys", "create", "x", "--expires", "tomorrow", code=2, errors=True)


def test_the_audit_log_forgets_by_age_and_by_number(graph: Neo4jDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "FLUSH_SECONDS", 3600)  # equal events are one entry until the next time
    with closing(AuditLog(graph)) as log:
        for detail in ("aged", "one", "two", "two"):
            log.add(Record("refused", detail))
            time.sleep(0.002)  # entries of one millisecond have no order
        assert [(entry.detail, entry.count) for entry in log.newest(10)] == [("two", 2), ("one", 1), ("aged", 1)]
        write(graph, AGED)
        assert remove_old_audit(graph, 90) == 1
        monkeypatch.setattr(audit, "MAX_ENTRIES_KEPT", 1)
        assert remove_old_audit(graph, 90) == 1
        assert [entry.detail for entry in log.newest(10)] == ["two"]


def test_only_entries_of_keys_in_reach_are_shown(graph: Neo4jDatabase) -> None:
    keys = ApiKeys(graph)
    keys.create(Grant("x", ("blue",), ("read",)))
    with closing(AuditLog(graph)) as log:
        for tenants in (("blue",), ("blue", "green"), ("*",), ()):
            log.add(Record("refused", "x", "ik", tenants))
        assert [entry.tenants for entry in log.newest(10, ["blue"])] == [("blue",)]


def test_a_statement_by_hand_runs_from_the_command_line(graph: Neo4jDatabase, stack: Settings) -> None:
    tenant = f"t{uuid.uuid4().hex[:12]}"
    begin_tenant(graph, tenant=tenant)
    run = command_line(stack, tenant)
    assert json.loads(run("cypher", "UNWIND $list AS i RETURN i", "--param", "list=[1, 2]", "--output", "json")) == {
        "columns": ["i"],
        "rows": [[1], [2]],
        "truncated": False,
    }
    assert run("cypher", "RETURN $x AS x, $tenant AS t", "--param", "x=a b", "--output", "csv").split() == [
        "x,t",
        "a",
        f"b,{tenant}",
    ]
    assert "without the tenant" in run("cypher", "MATCH (k:ApiKey) RETURN k", code=2, errors=True)
    with closing(AuditLog(graph)) as log:
        assert [entry.event for entry in log.newest(10)] == ["cypher", "cypher"]
