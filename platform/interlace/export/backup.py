"""Saves tenants' graphs in a file, each as it stood at one version, while workers run."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import orjson

from interlace.cypher_files import query
from interlace.domain.errors import ConflictError, NotFoundError
from interlace.export.backup_format import FORMAT, VERSION, BackupWriter, Contents, writing
from interlace.export.kinds import KEPT_OF_REGISTRY, LABELS, LEASES, PAGE, PAGES, REMADE
from interlace.ports.graph import GraphDatabase, Row
from interlace.queries.tenants import lock_writers

_REGISTRY = query("export/read_tenant")
_COUNT = query("export/count_all")
_TRIES = 3

Run = Callable[..., list[Row]]
Pause = Callable[[str], AbstractContextManager[Callable[[], None]]]
"""Keeps a tenant's communities from being refreshed while its context is open; gives what renews that."""


class MovedError(ConflictError):
    """Documents were written while they were being saved."""


def save(
    graph: GraphDatabase, tenants: Sequence[str], target: Path, settings: Mapping[str, Any], *, pause: Pause
) -> Contents:
    """Write a backup; the file appears only when it is whole.

    The graph is read without holding anybody up, and again if documents were written meanwhile; the last time writers wait.

    Args:
        graph: what is saved.
        tenants: whose.
        target: the file.
        settings: what was set, without secrets.
        pause: keeps communities as they are meanwhile.

    Raises:
        NotFoundError: a tenant has nothing.
        ConflictError: a tenant is being restored, has nodes that this version does not know, or its communities are being refreshed.
        UnavailableError: the database does not answer.
        OSError: the file cannot be written.
    """
    for attempt in range(1, _TRIES + 1):
        try:
            return _save(graph, tenants, target, settings, pause, locked=attempt == _TRIES)
        except MovedError:
            if attempt == _TRIES:
                raise
    raise AssertionError


def _save(
    graph: GraphDatabase,
    tenants: Sequence[str],
    target: Path,
    settings: Mapping[str, Any],
    pause: Pause,
    *,
    locked: bool,
) -> Contents:
    with writing(target) as out:
        out.line({"format": FORMAT, "version": VERSION, "tenants": list(tenants), "settings": dict(settings)})
        for tenant in tenants:
            _registry(graph.run, tenant)  # a tenant without a node has nothing to save
            with pause(tenant) as renew:
                if locked:
                    _save_locked(graph, tenant, out, renew)
                else:
                    _save_tenant(graph.run, tenant, out, renew)
        return Contents(tuple(tenants), settings, out.nodes, out.relationships)


def _save_locked(graph: GraphDatabase, tenant: str, out: BackupWriter, renew: Callable[[], None]) -> None:
    begun = False

    def work(transaction: Any) -> None:
        nonlocal begun
        if begun:
            raise MovedError(f"The database broke off while tenant {tenant!r} was being saved; try again.")
        begun = True
        lock_writers(transaction, tenant=tenant)
        _save_tenant(transaction.run, tenant, out, renew)

    graph.transact(work)


def _save_tenant(run: Run, tenant: str, out: BackupWriter, renew: Callable[[], None]) -> None:
    before = _registry(run, tenant)
    kept = {name: value for name, value in before.items() if name in KEPT_OF_REGISTRY}
    nodes, relationships = out.nodes, out.relationships
    out.line({"tenant": tenant, "registry": kept})
    for label in LABELS:
        after = ""
        while rows := run(PAGES[label], tenant=tenant, after=after, limit=PAGE, labels=LABELS):
            for row in rows:
                out.node(_node(label, row))
            after = rows[-1]["key"]
            renew()
    counted = _count(run, tenant)
    if _registry(run, tenant)["version"] != before["version"]:
        raise MovedError(
            f"Documents of tenant {tenant!r} were written while they were being saved; try again when ingestion rests."
        )
    found = (out.nodes - nodes, out.relationships - relationships)
    if counted != found:
        raise MovedError(
            f"Tenant {tenant!r} has {counted[0]} nodes and {counted[1]} relationships, of which {found[0]} and {found[1]} were read; "
            "try again when uploads rest."
        )


def _node(label: str, row: Row) -> dict[str, Any]:
    left_out = LEASES if label == "IngestionRecord" else frozenset()
    return {
        "label": label,
        "key": row["key"],
        "labels": sorted(set(row["labels"]) - {label}),
        "properties": {name: value for name, value in row["properties"].items() if name not in left_out},
        # The same graph gives the same file: the database keeps no order.
        "relationships": sorted(row["relationships"], key=lambda each: orjson.dumps(each, option=orjson.OPT_SORT_KEYS)),
    }


def _registry(run: Run, tenant: str) -> Mapping[str, Any]:
    rows = run(_REGISTRY, tenant=tenant)
    if not rows:
        raise NotFoundError(f"Tenant {tenant!r} has nothing to back up.")
    properties: Mapping[str, Any] = rows[0]["properties"]
    if properties.get("restoring"):
        raise ConflictError(
            f"Tenant {tenant!r} is being restored, or its restore was broken off; run that again first."
        )
    return properties


def _count(run: Run, tenant: str) -> tuple[int, int]:
    """Return the nodes and relationships that a backup must have.

    Raises:
        ConflictError: there are nodes that it would leave out.
    """
    rows = [row for row in run(_COUNT, tenant=tenant) if not REMADE.intersection(row["labels"])]
    for row in rows:
        if not set(LABELS).intersection(row["labels"]):
            raise ConflictError(
                f"Tenant {tenant!r} has {row['nodes']} nodes labelled {', '.join(row['labels'])}, which this version's backups do not hold."
            )
    return sum(row["nodes"] for row in rows), sum(row["relationships"] for row in rows)
