"""The part of ``interlace doctor`` that looks at the data: whether graph and vector index hold what they must."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from interlace.domain.errors import InterlaceError, NotFoundError
from interlace_stack.doctor import Finding

if TYPE_CHECKING:
    from interlace.bootstrap import Platform
    from interlace.reconciliation.service import Violations

_CHECK = "data"
_REMEDY = "`interlace doctor --repair` repairs it."
_STILL = (
    "What the graph itself has lost cannot be restored: delete the documents that it is missing from "
    "(`interlace documents delete --id ID`) and ingest them again. See ops/runbooks/broken-invariants.md."
)


def skipped(findings: Sequence[Finding], *, repair: bool) -> Finding | None:
    """Return why the data cannot be looked at, or None if both servers that hold it answer."""
    away = [each.check for each in findings if each.check in {"neo4j", "qdrant"} and each.level != "ok"]
    if not away:
        return None
    return Finding(
        _CHECK,
        "error" if repair else "warn",
        f"not checked: {' and '.join(away)} {'is' if len(away) == 1 else 'are'} unavailable",
        "Follow the remedy there, then run this again.",
    )


def no_tenant(error: NotFoundError) -> Finding:
    """Return that the tenant which was named does not exist."""
    return Finding(_CHECK, "error", error.message, "Name another --tenant.")


def examine_data(platform: "Platform", tenant: str | None, *, repair: bool) -> list[Finding]:
    """Return what the invariants say of one tenant's data, or of every tenant's; with ``repair``, mend it first."""
    try:
        tenants = [tenant] if tenant else platform.reconciler.tenants()
        findings = [finding for name in tenants for finding in _tenant(platform, name, repair=repair)]
    except InterlaceError as error:
        return [Finding(_CHECK, "error", error.message, "Run this again when the servers answer; repeating is safe.")]
    if any(finding.level == "error" for finding in findings):
        return findings
    return [*findings, Finding(_CHECK, "ok", f"every invariant holds (tenants: {len(tenants)})")]


def _tenant(platform: "Platform", tenant: str, *, repair: bool) -> Iterator[Finding]:
    if repair:
        for each in platform.reconciler.repair(tenant):
            yield Finding(each.invariant, "ok", f"repaired: {_sentence(each)}")
    for each in platform.reconciler.check(tenant):
        yield Finding(each.invariant, "error", _sentence(each), _STILL if repair else _REMEDY)


def _sentence(violations: "Violations") -> str:
    from interlace.reconciliation.invariants import MEANINGS

    examples = ", ".join(violations.examples)
    return f"{violations.count} of tenant {violations.tenant}, for example {examples}. {MEANINGS[violations.invariant]}"
