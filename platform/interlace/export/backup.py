"""Backup: the graphs of tenants in one file, each as it stood at one version, while workers go on."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from interlace.domain.errors import ConflictError, NotFoundError
from interlace.export.backup_format import FORMAT, VERSION, BackupWriter, Contents, writing
from interlace.export.schema import DERIVED, KINDS, LABELS, TENANT_PROPERTIES, UPLOADS, NodeKind, schema_version
from interlace.leases.tenant_lock import while_writers_wait
from interlace.ports.graph import GraphDatabase, QueryRunner, Transaction
from interlace.queries.decisions import pending_decision
from interlace.queries.export import PageNodesRelationship, PageNodesRow, count_all, read_tenant
from interlace.queries.relinks import next_relink
from interlace.queries.tenants import lock_writers

_TRIES = 3

Pause = Callable[[str], AbstractContextManager[Callable[[], None]]]
"""Keeps the communities of a tenant from being refreshed while its context is open; yields a function that renews the pause."""


class MovedError(ConflictError):
    """Documents were written while the backup read them."""


def save(
    graph: GraphDatabase, tenants: Sequence[str], target: Path, settings: Mapping[str, Any], *, pause: Pause
) -> Contents:
    """Write a backup; the file appears only when it is complete.

    The graph is read without a lock, and again if documents were written meanwhile; the last attempt locks writers out. Only for the
    version before and after, writers are waited for: Neo4j shows a commit bit by bit and keeps its locks until all of it is visible. Uploads
    are never waited for; those that arrive meanwhile are saved or not.

    Args:
        graph: the database.
        tenants: the tenants that own the graphs.
        target: the file.
        settings: the settings that were set, without secrets.
        pause: keeps communities as they are meanwhile.

    Raises:
        NotFoundError: a tenant has no data.
        ConflictError: a tenant is being restored, its older chunks are being linked, it has nodes that this version does not know, or its communities are being refreshed.
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
        schema = schema_version(graph)
        head = {"format": FORMAT, "version": VERSION, "schema": schema}
        out.line({**head, "tenants": list(tenants), "settings": dict(settings)})
        for tenant in tenants:
            _properties(tenant, graph)  # a tenant without a node has nothing to save
            with pause(tenant) as renew:
                if locked:
                    _save_locked(graph, tenant, out, renew)
                else:
                    _save_tenant(
                        graph,
                        tenant,
                        out,
                        renew,
                        partial(while_writers_wait, graph, tenant, partial(_properties, tenant)),
                    )
        return Contents(tuple(tenants), settings, schema, out.nodes, out.relationships, out.digest)


def _save_locked(graph: GraphDatabase, tenant: str, out: BackupWriter, renew: Callable[[], None]) -> None:
    begun = False

    def work(transaction: Transaction) -> None:
        nonlocal begun
        if begun:  # the driver retries, but lines were written already
            raise MovedError(f"The database failed while tenant {tenant!r} was being saved; try again.")
        begun = True
        lock_writers(transaction, tenant=tenant)
        _save_tenant(transaction, tenant, out, renew, partial(_properties, tenant, transaction))

    graph.transact(work)


def _save_tenant(
    runner: QueryRunner,
    tenant: str,
    out: BackupWriter,
    renew: Callable[[], None],
    settled: Callable[[], Mapping[str, Any]],
) -> None:
    before = settled()
    if next_relink(runner, tenant=tenant):
        raise ConflictError(
            f"Older chunks of tenant {tenant!r} are being linked to names that were added or removed; try again when no job is in state "
            f"'linking' any more (`interlace jobs list --tenant {tenant}`)."
        )
    if pending_decision(runner, tenant=tenant):
        raise ConflictError(
            f"A decision about entities of tenant {tenant!r} is being applied; try again when that is done "
            f"(`interlace entities history --tenant {tenant}`)."
        )
    kept = {name: value for name, value in before.items() if name in TENANT_PROPERTIES}
    out.line({"tenant": tenant, "properties": kept})
    found: dict[str, tuple[int, int]] = {}
    for kind in KINDS:
        nodes, relationships = out.nodes, out.relationships
        for page in kind.pages(runner, tenant):
            for node in page:
                out.node(_line_of(kind, node))
            renew()
        found[kind.label] = (out.nodes - nodes, out.relationships - relationships)
    expected = _count(runner, tenant)
    if settled()["version"] != before["version"]:
        raise MovedError(
            f"Documents of tenant {tenant!r} were written while they were being saved; try again when no ingestion is running."
        )
    for label in sorted(found.keys() - UPLOADS):
        if (here := expected.get(label, (0, 0))) != (read := found[label]):
            raise MovedError(
                f"Tenant {tenant!r} has {here[0]} nodes labelled {label} with {here[1]} relationships, of which {read[0]} and {read[1]} were "
                "read; try again when no ingestion is running."
            )


def _line_of(kind: NodeKind, node: PageNodesRow) -> dict[str, Any]:
    return {
        "label": kind.label,
        "key": node.key,
        "labels": sorted(set(node.labels) - {kind.label}),
        "properties": {name: value for name, value in node.properties.items() if name not in kind.unsaved},
        # Sorted, because the database keeps no order and the same graph must give the same file.
        "relationships": sorted(
            map(PageNodesRelationship._asdict, node.relationships),
            key=lambda each: orjson.dumps(each, option=orjson.OPT_SORT_KEYS),
        ),
    }


def _properties(tenant: str, runner: QueryRunner) -> Mapping[str, Any]:
    properties = read_tenant(runner, tenant=tenant)
    if properties is None:
        raise NotFoundError(f"Tenant {tenant!r} has nothing to back up.")
    if properties.get("restoring"):
        raise ConflictError(
            f"Tenant {tenant!r} is being restored, or its restore was interrupted; run the restore again first."
        )
    return properties


def _count(runner: QueryRunner, tenant: str) -> dict[str, tuple[int, int]]:
    """Return how many nodes a backup must have, and relationships that start at them, by the label of their kind.

    Raises:
        ConflictError: there are nodes that the backup would leave out.
    """
    counts: dict[str, tuple[int, int]] = {}
    for row in count_all(runner, tenant=tenant):
        if DERIVED.intersection(row.labels):
            continue
        label = next((each for each in LABELS if each in row.labels), None)
        if label is None:
            raise ConflictError(
                f"Tenant {tenant!r} has {row.nodes} nodes labelled {', '.join(row.labels)}, which this version's backups do not hold."
            )
        nodes, relationships = counts.get(label, (0, 0))
        counts[label] = (nodes + row.nodes, relationships + row.relationships)
    return counts
