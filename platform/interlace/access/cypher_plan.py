"""Checks what a hand-written statement may do, by its execution plan: the second layer of the guard.

Every operator must be on an allowlist. Those that reach nodes other than through a relationship must filter by the tenant themselves, or have
the filter that does directly above them. Relationships never leave a tenant, so everything that follows stays in it.
"""

import re
from collections.abc import Iterator
from typing import Final

from interlace.access.cypher_text import SUBQUERY
from interlace.domain.errors import InvalidInputError
from interlace.ports.statements import Operator, StatementPlan

MAX_HOPS: Final = 4
_OPERATORS: Final = frozenset(
    {
        *("ProduceResults", "Projection", "Filter", "Argument", "EmptyRow", "Unwind", "Union", "OrderedUnion", "Eager"),
        *("Limit", "Skip", "Sort", "PartialSort", "Top", "PartialTop", "Distinct", "OrderedDistinct"),
        *("EagerAggregation", "OrderedAggregation", "CacheProperties", "Apply", "Optional"),
        *("Expand(All)", "Expand(Into)", "OptionalExpand(All)", "OptionalExpand(Into)"),
        *("VarLengthExpand(All)", "VarLengthExpand(Into)", "VarLengthExpand(Pruning)"),
        *("VarLengthExpand(Pruning,BFS,All)", "VarLengthExpand(Pruning,BFS,Into)", "VarLengthExpand(Pruning,BFS)"),
        *("NodeHashJoin", "NodeLeftOuterHashJoin", "NodeRightOuterHashJoin", "ValueHashJoin"),
        *("LeftOuterHashJoin", "RightOuterHashJoin"),
    }
)
_ENTRANCES: Final = frozenset(
    {
        *("NodeIndexSeek", "NodeIndexSeekByRange", "NodeUniqueIndexSeek", "NodeUniqueIndexSeekByRange"),
        *("NodeIndexScan", "NodeByLabelScan"),
    }
)
_VARIABLE = re.compile(r"(?:(?:RANGE|TEXT|POINT) INDEX |UNIQUE )?(\w+):")
_BOUND = re.compile(r"\*(?:\d+)?(?:\.\.(\d+))?")
# What the operator also reads of a node, for later ones; written behind its conditions.
_CACHED = re.compile(r"(, cache\[\w+\.\w+\])+$")
_FUNCTION = re.compile(r"\b(gds|apoc|db|dbms|tx|genai)\.", re.IGNORECASE)


def check_plan(plan: StatementPlan) -> None:
    """Check what a plan would do.

    Raises:
        InvalidInputError: it writes, has an operator that is not on the list, goes too far, or could leave the tenant.
    """
    if plan.kind != "r":
        raise InvalidInputError("The statement changes the database or inspects the server; only reads are allowed.")
    variables: list[str] = []
    for operator, above in _operators(plan.root):
        if operator.name in _ENTRANCES:
            variables.append(_entrance(operator, above))
        elif operator.name not in _OPERATORS:
            raise InvalidInputError(
                f"The plan needs {operator.name}, which is not allowed. Begin each `MATCH` at a label with {{tenant: $tenant}}, and "
                "join what is matched by relationships."
            )
        if _FUNCTION.search(operator.details):
            raise InvalidInputError("The statement calls a function of a plugin, which is not allowed.")
        # Subqueries, and the patterns in expressions that the planner turns into some, need no operator of their own.
        if SUBQUERY.search(operator.details):
            raise InvalidInputError(
                "The statement has a pattern in an expression, which is not allowed; write a `MATCH` for it."
            )
        if operator.name.startswith("VarLengthExpand"):
            _check_bound(operator)
    if len(variables) != len(set(variables)):
        raise InvalidInputError("Two nodes from which the plan starts have the same name; give each its own name.")


def _operators(root: Operator, above: tuple[Operator, ...] = ()) -> Iterator[tuple[Operator, tuple[Operator, ...]]]:
    """Yield each operator with those above it, nearest first."""
    yield root, above
    for child in root.children:
        yield from _operators(child, (root, *above))


def _entrance(operator: Operator, above: tuple[Operator, ...]) -> str:
    """Return the variable of an operator that reaches nodes, which must be filtered by the tenant."""
    found = _VARIABLE.match(operator.details)
    name = found[1] if found else ""
    _, _, conditions = _CACHED.sub("", operator.details).partition(" WHERE ")
    # Only the filters directly above, on just this node: anything else could be about another node of the same name.
    filters = []
    for each in above:
        if each.name not in {"Filter", "CacheProperties"}:
            break
        filters.append(each.details)
    asked = [f"{name}.tenant = $tenant", f"$tenant = {name}.tenant", f"cache[{name}.tenant] = $tenant"]
    if name and (
        _demands(conditions, ["tenant = $tenant"]) or any(_demands(condition, asked) for condition in filters)
    ):
        return name
    raise InvalidInputError(
        f"The plan reaches {operator.details or operator.name} without the tenant: write {{tenant: $tenant}} at "
        f"{name or 'every node'}; the server sets $tenant."
    )


def _demands(condition: str, wanted: list[str]) -> bool:
    """Return whether a condition implies a wanted one: it is that one, or a conjunction with it.

    The planner writes alternatives and mixed conditions in parentheses; anything but a plain conjunction counts as implying nothing.
    """
    condition = condition.strip()
    if condition in wanted:
        return True
    parts = _conjuncts(condition)
    if len(parts) > 1:
        return any(_demands(part, wanted) for part in parts)
    return condition.startswith("(") and _closing(condition) == len(condition) - 1 and _demands(condition[1:-1], wanted)


def _conjuncts(condition: str) -> list[str]:
    """Return the parts between the ``AND`` outside parentheses; one part if there is an ``OR``, ``XOR`` or ``NOT`` among them."""
    # What stands between WHEN and THEN is printed without parentheses.
    if re.search(r"\bCASE\b", condition, re.IGNORECASE):
        return [condition]
    parts, depth, start = [], 0, 0
    for found in re.finditer(r"[([{]|[)\]}]| AND | OR | XOR |\bNOT\b", condition, re.IGNORECASE):
        word = found[0].strip().upper()
        if word in {"(", "[", "{"}:
            depth += 1
        elif word in {")", "]", "}"}:
            depth -= 1
        elif depth == 0 and word == "AND":
            parts.append(condition[start : found.start()])
            start = found.end()
        elif depth == 0:
            return [condition]
    return [*parts, condition[start:]]


def _closing(condition: str) -> int:
    """Return where the parenthesis that a condition begins with is closed."""
    depth = 0
    for place, char in enumerate(condition):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return place
    return -1


def _check_bound(operator: Operator) -> None:
    bounds = _BOUND.findall(operator.details)
    if not bounds or any(not bound or int(bound) > MAX_HOPS for bound in bounds):
        raise InvalidInputError(f"A variable-length path may have at most {MAX_HOPS} hops: write [*1..{MAX_HOPS}].")
