"""Comparing two streams, and what `interlace doctor` makes of invariants, over stand-ins for the services."""

import itertools
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from interlace.cli.doctor.invariants import examine_data, skipped
from interlace.domain.errors import UnavailableError
from interlace.reconciliation.projection_checks import one_sided
from interlace.reconciliation.service import Violations
from interlace_stack.doctor import Finding, Level

BROKEN = Violations("one", "chunk without point", 7, ("c1", "c2"))


@pytest.mark.parametrize(
    ("nodes", "points", "expected"),
    [
        ("", "", []),
        ("abc", "abc", []),
        ("abd", "bce", [("graph", "a"), ("index", "c"), ("graph", "d"), ("index", "e")]),
        ("ab", "", [("graph", "a"), ("graph", "b")]),
        ("", "ab", [("index", "a"), ("index", "b")]),
    ],
)
def test_what_only_one_side_has_is_named(nodes: str, points: str, expected: list[tuple[str, str]]) -> None:
    assert list(one_sided(nodes, points)) == expected


def test_streams_are_compared_as_they_come() -> None:
    """Neither side is read further than the next answer needs: these never end."""

    def numbers(step: int) -> Iterator[str]:
        return (f"{number:09}" for number in itertools.count(0, step))

    first = list(itertools.islice(one_sided(numbers(1), numbers(2)), 3))
    assert first == [("graph", f"{number:09}") for number in (1, 3, 5)]


class Reconciler:
    """Finds one thing until it is asked to mend it."""

    def __init__(self) -> None:
        self.found = [BROKEN]
        self.checked: list[str] = []

    def tenants(self) -> list[str]:
        return ["one", "two"]

    def check(self, tenant: str) -> list[Violations]:
        self.checked.append(tenant)
        return [each for each in self.found if each.tenant == tenant]

    def repair(self, tenant: str) -> list[Violations]:
        found = self.check(tenant)
        self.found = [each for each in self.found if each not in found]
        return found


def examined(reconciler: Any, tenant: str | None = None, *, repair: bool = False) -> list[tuple[str, str, str]]:
    platform: Any = SimpleNamespace(reconciler=reconciler)
    return [(each.check, each.level, each.detail) for each in examine_data(platform, tenant, repair=repair)]


def test_doctor_names_what_is_broken_and_changes_nothing() -> None:
    reconciler = Reconciler()
    ((check, level, detail),) = examined(reconciler)
    assert (check, level) == ("chunk without point", "error")
    assert detail.startswith("7 of tenant one, for example c1, c2. ")
    assert reconciler.found == [BROKEN]
    assert reconciler.checked == ["one", "two"]


def test_doctor_says_what_it_mended() -> None:
    (mended, whole) = examined(Reconciler(), repair=True)
    assert mended[:2] == ("chunk without point", "ok")
    assert mended[2].startswith("repaired: 7 of tenant one")
    assert whole == ("data", "ok", "every invariant holds (tenants: 2)")


def test_doctor_looks_at_the_tenant_it_is_given() -> None:
    assert examined(Reconciler(), "two") == [("data", "ok", "every invariant holds (tenants: 1)")]


def test_a_server_that_goes_away_meanwhile_is_an_error_of_the_check() -> None:
    def away() -> list[str]:
        raise UnavailableError("Neo4j does not answer.")

    assert examined(SimpleNamespace(tenants=away)) == [("data", "error", "Neo4j does not answer.")]


@pytest.mark.parametrize(("repair", "level"), [(False, "warn"), (True, "error")])
def test_without_a_server_the_data_is_not_looked_at(repair: bool, level: Level) -> None:
    findings = [
        Finding("neo4j", "warn", "is not running"),
        Finding("qdrant", "ok", "answers"),
        Finding("api", "error", ""),
    ]
    finding = skipped(findings, repair=repair)
    assert finding is not None
    assert (finding.level, finding.detail) == (level, "not checked: neo4j is unavailable")
    assert skipped([Finding("neo4j", "ok", ""), Finding("qdrant", "ok", "")], repair=repair) is None
