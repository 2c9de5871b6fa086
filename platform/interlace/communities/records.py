"""What a refresh reads from the graph, and how it writes communities back."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from interlace.communities.detect import Level
from interlace.communities.summarise import CommunityText, title_of
from interlace.leases.lease import Lease
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries import communities as queries
from interlace.queries.tenants import lock_writers

ROWS_PER_TRANSACTION: Final = 20_000
"""Memberships one transaction may write or remove: about 60 MB of the transaction's memory in Neo4j."""

MOST_CENTRAL = 100
"""Members that are noted on each community, the most central first; a question reads no others."""


@dataclass(frozen=True, slots=True)
class CommunityRecord:
    """A community as it is to be written.

    Args:
        id: stable id.
        level: 0 for the finest.
        members: ids, the most central first.
        parent: id of the community above.
        rating: 0 to 10, see ``service``.
        text: title and summary.
        member_hash: digest of the members.
        fact_hash: digest of the sentences that the text was made of.
    """

    id: str
    level: int
    members: tuple[str, ...]
    parent: str | None
    rating: float
    text: CommunityText
    member_hash: str
    fact_hash: str


@dataclass(frozen=True, slots=True)
class PreviousState:
    """The entities, communities and texts before a refresh.

    Args:
        names: id and name of every entity, ascending by id.
        levels: the last partition, finest level first.
        texts: by id of community: its text with member hash and fact hash; only texts whose quoted sources all still exist.
        sizes: size of every community by id, also of communities without members.
    """

    names: Mapping[str, str]
    levels: tuple[Level, ...]
    texts: Mapping[str, tuple[CommunityText, str, str]]
    sizes: Mapping[str, int]


def read_state(graph: GraphDatabase, tenant: str) -> PreviousState:
    """Return entities, the last partition and the texts that are still valid."""
    levels: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    names = {}
    for entity in queries.read_memberships(graph, tenant=tenant):
        names[entity.id] = entity.name
        for home in entity.communities:
            levels[home.level][home.id].add(entity.id)
    rows = queries.read_communities(graph, tenant=tenant)
    texts = {
        row.id: (CommunityText(row.title, row.summary, tuple(row.cited)), row.member_hash, row.fact_hash)
        for row in rows
        if len(row.cited) == row.citations
    }
    frozen = (
        {identity: frozenset(members) for identity, members in level.items()}
        for _number, level in sorted(levels.items())
    )
    return PreviousState(names, tuple(frozen), texts, {row.id: row.size for row in rows})


def write(
    lease: Lease, communities: Sequence[CommunityRecord], before: Mapping[str, int], unchanged: Collection[str] = ()
) -> None:
    """Replace a tenant's communities; readers see the old ones or the new ones, never none.

    Entities and sources that were deleted since they were read are left out: a transaction here locks out writers of documents.

    Args:
        lease: held by this run.
        communities: all of them, in any order.
        before: id and size of those that the graph holds.
        unchanged: ids of those that the graph holds as they are.

    Raises:
        ConflictError: another run took the lease over.
    """
    due = (one for one in communities if one.id not in unchanged)
    ordered = sorted(due, key=lambda one: (-one.level, one.id))
    gone = sorted(before.keys() - {one.id for one in communities})
    steps: list[tuple[CommunityRecord | str, int]] = [(one, len(one.members)) for one in ordered]
    steps += [(identity, before[identity]) for identity in gone]
    for batch in _batches(steps):
        lease.graph.transact(_WriteBatch(lease, batch).run)


class _WriteBatch:
    """One transaction: communities to write, and ids of communities to remove."""

    def __init__(self, lease: Lease, steps: Sequence[CommunityRecord | str]) -> None:
        self._lease = lease
        self._written = [step for step in steps if isinstance(step, CommunityRecord)]
        self._removed = [step for step in steps if isinstance(step, str)]

    def run(self, tx: Transaction) -> None:
        tenant = self._lease.tenant
        self._lease.renew(tx)
        lock_writers(tx, tenant=tenant)
        rows = [_row(one) for one in _existing(tx, tenant, self._written)]
        queries.write_communities(tx, tenant=tenant, rows=rows, central=MOST_CENTRAL)
        queries.remove_communities(tx, tenant=tenant, ids=self._removed)


def _batches(steps: Sequence[tuple[CommunityRecord | str, int]]) -> Iterator[list[CommunityRecord | str]]:
    batch: list[CommunityRecord | str] = []
    total = 0
    for step, cost in steps:
        if batch and total + cost > ROWS_PER_TRANSACTION:
            yield batch
            batch, total = [], 0
        batch.append(step)
        total += cost
    if batch:
        yield batch


def _existing(tx: Transaction, tenant: str, communities: Sequence[CommunityRecord]) -> Iterator[CommunityRecord]:
    """Leave out members and quotations that no longer exist; the next refresh writes such a text again."""
    names = sorted({member for one in communities for member in one.members})
    sources = sorted({source for one in communities for source in one.text.cited})
    found = queries.read_present(tx, tenant=tenant, names=names, sources=sources)
    present = {row.id: row.name for row in found}
    for one in communities:
        members = tuple(member for member in one.members if member in present)
        title = title_of([present[member] or "" for member in members]) if members else ""
        whole = title == one.text.title and all(source in present for source in one.text.cited)
        if whole and len(members) == len(one.members):
            yield one
        elif members:
            text = one.text if whole else CommunityText(title, "", ())
            yield replace(one, members=members, text=text, fact_hash=one.fact_hash if whole else "")


def _row(community: CommunityRecord) -> dict[str, Any]:
    return {
        "id": community.id,
        "members": list(community.members),
        "parent": community.parent,
        "cited": list(community.text.cited),
        "properties": {
            "level": community.level,
            "size": len(community.members),
            "title": community.text.title,
            "summary": community.text.summary,
            "rating": community.rating,
            "memberHash": community.member_hash,
            "factHash": community.fact_hash,
            "citations": len(community.text.cited),
        },
    }
