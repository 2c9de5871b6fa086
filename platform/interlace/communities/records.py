"""What a refresh reads from the graph, and how it writes communities back."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Final

from more_itertools import constrained_batches

from interlace.communities.detect import Level
from interlace.communities.summarise import CommunityText, title_of
from interlace.leases.lease import Lease
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries import communities as queries
from interlace.queries.tenants import lock_writers

ROWS_PER_TRANSACTION: Final = 20_000
"""Communities and relationships to them that one transaction may write or remove: about 60 MB of its memory in Neo4j."""

MAX_CENTRAL_MEMBERS = 100
"""Members that are recorded on each community, the most central first; a question reads no others."""


@dataclass(frozen=True, slots=True)
class CommunityRecord:
    """A community as it is to be written.

    Args:
        id: stable id.
        level: 0 for the finest.
        members: ids, the most central first.
        own: ids and places of those members that no finer community holds; places are those in the tenant's order by PageRank.
        children: ids of the communities directly below.
        rating: 0 to 10, see ``service``.
        text: title and summary.
        member_hash: digest of the members.
        fact_hash: digest of the sentences that the text was made of.
    """

    id: str
    level: int
    members: tuple[str, ...]
    own: Mapping[str, int]
    children: tuple[str, ...]
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
        own: by id of community: the entities that no finer one holds.
        texts: by id of community: its text with member hash and fact hash; only texts whose quoted sources all still exist.
        sizes: size of every community by id, also of communities without members.
    """

    names: Mapping[str, str]
    levels: tuple[Level, ...]
    own: Mapping[str, frozenset[str]]
    texts: Mapping[str, tuple[CommunityText, str, str]]
    sizes: Mapping[str, int]


def read_state(graph: GraphDatabase, tenant: str) -> PreviousState:
    """Return entities, the last partition and the texts that are still valid."""
    names = {}
    own: dict[str, set[str]] = defaultdict(set)
    for entity in queries.read_memberships(graph, tenant=tenant):
        names[entity.id] = entity.name
        if entity.community:
            own[entity.community].add(entity.id)
    rows = queries.read_communities(graph, tenant=tenant)
    texts = {
        row.id: (CommunityText(row.title, row.summary, tuple(row.cited)), row.member_hash, row.fact_hash)
        for row in rows
        if len(row.cited) == row.citations
    }
    frozen = {community_id: frozenset(members) for community_id, members in own.items()}
    return PreviousState(names, _levels(rows, frozen), frozen, texts, {row.id: row.size for row in rows})


def _levels(communities: Sequence[queries.ReadCommunitiesRow], own: Mapping[str, frozenset[str]]) -> tuple[Level, ...]:
    """Return all members of each community, finest level first: its own and those of the communities below it."""
    members: dict[str, set[str]] = defaultdict(set)
    levels: dict[int, dict[str, frozenset[str]]] = defaultdict(dict)
    for row in sorted(communities, key=lambda row: row.level):
        all_members = members.pop(row.id, set()) | own.get(row.id, frozenset())
        if all_members:
            levels[row.level][row.id] = frozenset(all_members)
        if row.parent:
            members[row.parent] |= all_members
    return tuple(level for _number, level in sorted(levels.items()))


def write(
    lease: Lease,
    communities: Sequence[CommunityRecord],
    before: PreviousState,
    version: int,
    unchanged: Collection[str] = (),
) -> None:
    """Replace a tenant's communities; readers see the old ones or the new ones, never none.

    Entities and sources that were deleted since they were read are left out: a transaction here locks out writers of documents. A community
    is written after those below it, so that it is never seen without its members.

    Args:
        lease: held by this run.
        communities: all of them, in any order.
        before: what the graph holds.
        version: of the gazetteer before the state was read; while it is the same, nothing was deleted.
        unchanged: ids of the communities that the graph already holds as they are.

    Raises:
        ConflictError: another run took over the lease.
    """
    due = (one for one in communities if one.id not in unchanged)
    ordered = sorted(due, key=lambda one: (one.level, one.id))
    gone = sorted(before.sizes.keys() - {one.id for one in communities})
    steps: list[tuple[CommunityRecord | str, int]] = [(one, 1 + len(one.own) + len(one.children)) for one in ordered]
    steps += [(community_id, 1 + len(before.own.get(community_id, ()))) for community_id in gone]
    for batch in constrained_batches(steps, ROWS_PER_TRANSACTION, get_len=itemgetter(1), strict=False):
        lease.graph.transact(_WriteBatch(lease, [step for step, _ in batch], before.own, version).run)


class _WriteBatch:
    """One transaction: communities to write, and ids of communities to remove."""

    def __init__(
        self, lease: Lease, steps: Sequence[CommunityRecord | str], before: Mapping[str, frozenset[str]], version: int
    ) -> None:
        self._lease = lease
        self._before = before
        self._version = version
        self._written = [step for step in steps if isinstance(step, CommunityRecord)]
        self._removed = [step for step in steps if isinstance(step, str)]

    def run(self, tx: Transaction) -> None:
        tenant = self._lease.tenant
        self._lease.renew(tx)
        locked = lock_writers(tx, tenant=tenant)
        same = locked is not None and locked.version == self._version
        written = self._written if same else _existing(tx, tenant, self._written)
        rows = [_row(one, self._before.get(one.id, frozenset())) for one in written]
        queries.write_communities(tx, tenant=tenant, rows=rows)
        queries.remove_communities(tx, tenant=tenant, ids=self._removed)


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
            own = {member: place for member, place in one.own.items() if member in present}
            yield replace(one, members=members, own=own, text=text, fact_hash=one.fact_hash if whole else "")


def _row(community: CommunityRecord, before: frozenset[str]) -> dict[str, Any]:
    return {
        "id": community.id,
        "central": list(community.members[:MAX_CENTRAL_MEMBERS]),
        "own": [{"id": member, "rank": place} for member, place in community.own.items()],
        "left": sorted(before - community.own.keys()),
        "children": list(community.children),
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
