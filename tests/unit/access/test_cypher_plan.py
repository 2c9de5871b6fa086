"""Which plans the guard lets through: the tenant is asked for right where the plan reaches nodes, or the statement is refused."""

import pytest

from interlace.access.cypher_plan import check_plan
from interlace.domain.errors import InvalidInputError
from interlace.ports.statements import Operator, StatementPlan

SCAN = Operator("NodeByLabelScan", "n:Entity")


def checked(*operators: Operator, kind: str = "r") -> None:
    check_plan(StatementPlan(kind, Operator("ProduceResults", "n", operators)))


def filtered(condition: str, below: Operator = SCAN) -> Operator:
    return Operator("Filter", condition, (below,))


@pytest.mark.parametrize(
    "plan",
    [
        Operator("NodeIndexSeek", "RANGE INDEX n:Entity(tenant) WHERE tenant = $tenant"),
        Operator("NodeIndexSeek", "RANGE INDEX n:Entity(tenant, type) WHERE tenant = $tenant AND type = $x"),
        Operator("NodeIndexSeek", "RANGE INDEX n:Entity(tenant) WHERE tenant = $tenant, cache[n.tenant], cache[n.key]"),
        Operator("NodeUniqueIndexSeek", "UNIQUE n:Tag(tenant, name) WHERE tenant = $tenant AND name = $x"),
        filtered("n.tenant = $tenant"),
        filtered("cache[n.tenant] = $tenant"),
        filtered("(n.tenant = $tenant AND n.key = $x)"),
        filtered("n:Entity AND (n.tenant = $tenant AND (n.a = $x OR n.b = $x))"),
        filtered("n.a = $x", filtered("n.tenant = $tenant")),
    ],
)
def test_a_plan_that_asks_for_the_tenant_passes(plan: Operator) -> None:
    checked(plan)


@pytest.mark.parametrize(
    "plan",
    [
        SCAN,
        Operator("NodeIndexSeek", "RANGE INDEX n:Entity(tenant) WHERE tenant = $x, cache[n.tenant]"),
        Operator(
            "Projection", "[i IN $list | COLLECT { MATCH (n)-[`a`]->(m)   WHERE n:Entity RETURN m.name AS `b` }] AS r"
        ),
        Operator("Projection", "CASE\n  WHEN EXISTS { MATCH (`a`)-[`b`]->(`c`) } THEN $x\n  ELSE $y\nEND AS r"),
        Operator("AllNodesScan", "n"),
        Operator("NodeCountFromCountStore", "count((:Chunk)) AS `count(n)`"),
        Operator("NodeIndexSeek", "RANGE INDEX n:Entity(tenant) WHERE tenant IN $x"),
        Operator("NodeIndexSeek", "RANGE INDEX n:Entity(key) WHERE key = $tenant"),
        filtered("m.tenant = $tenant"),
        filtered("n.tenant = $tenant OR n.key = $x"),
        filtered("(n.tenant = $tenant OR n.key = $x)"),
        filtered("n.a = $x OR n.b = $x AND n.tenant = $tenant"),
        filtered("(n.a = $x OR (n.b = $x AND n.tenant = $tenant))"),
        filtered("NOT n.tenant = $tenant"),
        filtered("not (n.tenant = $tenant)"),
        filtered("NOT (n.tenant = $tenant AND n.a = $x)"),
        filtered("n.tenant = $tenant XOR n.a = $x"),
        filtered("CASE\n  WHEN $yes AND n.tenant = $tenant AND $sure THEN $yes\n  ELSE $no\nEND = $no"),
        Operator(
            "NodeUniqueIndexSeek",
            "UNIQUE n:Entity(id) WHERE id = CASE WHEN $yes AND tenant = $tenant AND $sure THEN $x ELSE $y END",
        ),
        filtered("n.list = [n.tenant = $tenant AND n.a]"),
        filtered("n.tenant = $tenants"),
        filtered("n.tenant = $tenant", Operator("Apply", "", (SCAN, Operator("Argument", "m")))),
        filtered("n.tenant = $tenant", Operator("Projection", "n AS m", (SCAN,))),
        Operator("Projection", "gds.version() AS v", ()),
        Operator("VarLengthExpand(All)", "(a)-[*..30]->(b)", ()),
        Operator("VarLengthExpand(All)", "(a)-[*]->(b)", ()),
        Operator("ProcedureCall", "dbms.listConfig()"),
    ],
)
def test_a_plan_that_could_leave_the_tenant_or_do_more_is_refused(plan: Operator) -> None:
    with pytest.raises(InvalidInputError):
        checked(plan)


def test_only_reading_plans_pass_and_names_are_unmistakable() -> None:
    good = filtered("n.tenant = $tenant")
    for kind in ("rw", "w", "s", ""):
        with pytest.raises(InvalidInputError):
            checked(good, kind=kind)
    with pytest.raises(InvalidInputError, match="same name"):
        checked(good, good)
