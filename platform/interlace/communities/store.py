"""Communities in the graph: what they were, and how they are written."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from interlace.communities.detect import Level
from interlace.communities.summarise import Text, title_of
from interlace.cypher_files import query
from interlace.leases.lease import Lease
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries.tenants import lock_writers

_MEMBERSHIPS = query("communities/read_memberships")
_COMMUNITIES = query("communities/read_communities")
_PRESENT = query("communities/read_present")
_WRITE = query("communities/write_communities")
_REMOVE = query("communities/remove_communities")

ROWS_PER_TRANSACTION: Final = 20_000
"""Memberships one transaction may write or remove: about 60 MB of what Neo4j allows a transaction."""

MOST_CENTRAL = 100
"""Members that are noted on each community, the most central first; a question reads no others."""


@dataclass(frozen=True, slots=True)
class Community:
    """A community as it is to be written.

    Args:
        id: stable id.
        level: 0 for the finest.
        members: ids, the most central first.
        parent: id of the community above.
        rating: 0 to 10, see ``service``.
        text: title and summary.
        member_hash: digest of the members.
        fact_hash: digest of what the text was made of.
    """

    id: str
    level: int
    members: tuple[str, ...]
    parent: str | None
    rating: float
    text: Text
    member_hash: str
    fact_hash: str


@dataclass(frozen=True, slots=True)
class State:
    """What the graph holds before a refresh.

    Args:
        names: id and name of every entity, ascending by id.
        levels: the last partition, finest level first.
        texts: by id of community: its text with member hash and fact hash; only texts whose quotations are all still there.
        sizes: size of every community by id, also of those whose members are gone.
    """

    names: Mapping[str, str]
    levels: tuple[Level, ...]
    texts: Mapping[str, tuple[Text, str, str]]
    sizes: Mapping[str, int]


def read_state(graph: GraphDatabase, tenant: str) -> State:
    """Return names, the last partition and the texts that are still valid."""
    levels: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    names = {}
    for row in graph.run(_MEMBERSHIPS, tenant=tenant):
        names[row["id"]] = row["name"]
        for home in row["communities"]:
            levels[home["level"]][home["id"]].add(row["id"])
    rows = graph.run(_COMMUNITIES, tenant=tenant)
    texts = {
        row["id"]: (
            Text(row["title"], row["summary"], tuple(row["cited"])),
            row["memberHash"],
            row["factHash"],
        )
        for row in rows
        if len(row["cited"]) == row["citations"]
    }
    frozen = (
        {identity: frozenset(members) for identity, members in level.items()}
        for _number, level in sorted(levels.items())
    )
    return State(names, tuple(frozen), texts, {row["id"]: row["size"] for row in rows})


def write(lease: Lease, communities: Sequence[Community], before: Mapping[str, int]) -> None:
    """Replace a tenant's communities; readers see the old ones or the new ones, never none.

    What was deleted since it was read is left out: writers of documents wait while a transaction here looks and writes.

    Args:
        lease: held by this run.
        communities: all of them, in any order.
        before: id and size of those that the graph holds.

    Raises:
        ConflictError: another run took the lease over.
    """
    ordered = sorted(communities, key=lambda one: (-one.level, one.id))
    gone = sorted(before.keys() - {one.id for one in communities})
    steps: list[tuple[Community | str, int]] = [(one, len(one.members)) for one in ordered]
    steps += [(identity, before[identity]) for identity in gone]
    for batch in _batches(steps):
        lease.graph.transact(_Work(lease, batch).run)


class _Work:
    """One transaction: communities to write, and ids of communities to remove."""

    def __init__(self, lease: Lease, steps: Sequence[Community | str]) -> None:
        self._lease = lease
        self._written = [step for step in steps if isinstance(step, Community)]
        self._removed = [step for step in steps if isinstance(step, str)]

    def run(self, tx: Transaction) -> None:
        tenant = self._lease.tenant
        self._lease.renew(tx)
        lock_writers(tx, tenant=tenant)
        rows = [_row(one) for one in _sifted(tx, tenant, self._written)]
        tx.run(_WRITE, tenant=tenant, rows=rows, central=MOST_CENTRAL)
        tx.run(_REMOVE, tenant=tenant, ids=self._removed)


def _batches(steps: Sequence[tuple[Community | str, int]]) -> Iterator[list[Community | str]]:
    batch: list[Community | str] = []
    total = 0
    for step, cost in steps:
        if batch and total + cost > ROWS_PER_TRANSACTION:
            yield batch
            batch, total = [], 0
        batch.append(step)
        total += cost
    if batch:
        yield batch


def _sifted(tx: Transaction, tenant: str, communities: Sequence[Community]) -> Iterator[Community]:
    """Leave out members and quotations that are gone since they were read; such a text is due again at the next refresh."""
    names = sorted({member for one in communities for member in one.members})
    sources = sorted({source for one in communities for source in one.text.cited})
    present = {row["id"]: row["name"] for row in tx.run(_PRESENT, tenant=tenant, names=names, sources=sources)}
    for one in communities:
        members = tuple(member for member in one.members if member in present)
        title = title_of([present[member] for member in members]) if members else ""
        whole = title == one.text.title and all(source in present for source in one.text.cited)
        if whole and len(members) == len(one.members):
            yield one
        elif members:
            text = one.text if whole else Text(title, "", ())
            yield replace(one, members=members, text=text, fact_hash=one.fact_hash if whole else "")


def _row(community: Community) -> dict[str, Any]:
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
