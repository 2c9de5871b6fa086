"""Refresh a tenant's communities: partition (Leiden), ids, texts, graph, vectors, in this order."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import pairwise

import orjson

from interlace.communities import records
from interlace.communities.detect import Detection, detect
from interlace.communities.points import synchronise
from interlace.communities.records import CommunityRecord, PreviousState
from interlace.communities.stable_ids import assign_ids
from interlace.communities.texts import write_texts
from interlace.domain.errors import ConflictError, InterlaceError, UnavailableError
from interlace.domain.ids import checksum
from interlace.leases.lease import Lease, acquired
from interlace.ports.analytics import GraphAnalytics
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.queries.community_refreshes import changed_tenants, last_refresh, record_refresh
from interlace.queries.tenants import begin_tenant
from interlace.settings import CommunitySettings

_FULL_RATING = 10.0
_LEASE_SECONDS = 300
"""Seconds a silent run keeps its lease; every step renews it."""
_OLD_SECONDS = 3600.0
"""Communities of a growing graph are soon stale again, and a refresh takes a process from ingestion."""


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """The result of a refresh.

    Args:
        tenant: the tenant.
        levels: levels of the hierarchy.
        communities: communities of all levels.
        redone: communities whose text was written again.
        reused: communities whose text was kept.
        seconds: how long it took.
        modularity: of the coarsest level, as Leiden found it; 0 without communities.
    """

    tenant: str
    levels: int
    communities: int
    redone: int
    reused: int
    seconds: float
    modularity: float


@dataclass(frozen=True, slots=True)
class CommunityService:
    """Detects and summarises communities.

    Args:
        graph: the database.
        analytics: its graph algorithms.
        vectors: the vector index of the summaries.
        embedders: make dense vectors, by model; none for keywords alone.
        settings: resolution and minimum size.
    """

    graph: GraphDatabase
    analytics: GraphAnalytics
    vectors: VectorIndex
    embedders: Mapping[str, Embedder]
    settings: CommunitySettings

    def refresh(self, tenant: str, *, fresh: bool = False) -> RefreshReport:
        """Bring a tenant's communities up to date; if ``fresh``, without the last partition and its ids, as a function of the graph alone.

        Raises:
            ConflictError: another refresh of this tenant is running.
            UnavailableError: a server does not answer; the next refresh repairs what is missing.
        """
        started = time.perf_counter()
        with self._lease(tenant) as lease:
            begin_tenant(self.graph, tenant=tenant)
            last = last_refresh(self.graph, tenant=tenant)
            state = records.read_state(self.graph, tenant)
            detection = detect(
                self.analytics,
                tenant,
                list(state.names),
                history=() if fresh else state.levels,
                signature=last.graph,
                settings=self.settings,
            )
            lease.renew()
            communities, kept = self._communities(tenant, detection, state, fresh=fresh)
            # The partition and its ranks were kept, so only rewritten texts differ from the graph.
            unchanged = kept if detection.modularity is None and not fresh else frozenset()
            records.write(lease, communities, state, last.version, unchanged)
            synchronise(self.graph, self.vectors, tuple(self.embedders.values()), tenant, lease.renew)
            modularity = (last.modularity or 0.0) if detection.modularity is None else detection.modularity
            self._record(lease, last.version, detection.signature, modularity)
        return RefreshReport(
            tenant=tenant,
            levels=len(detection.levels),
            communities=len(communities),
            redone=len(communities) - len(kept),
            reused=len(kept),
            seconds=time.perf_counter() - started,
            modularity=modularity,
        )

    def project(self, tenant: str, *, everything: bool = False, renew: Callable[[], None] = lambda: None) -> None:
        """Synchronise the vector index with the communities as they are.

        Args:
            tenant: the tenant.
            everything: write every point, whatever the index holds.
            renew: called before each batch.

        Raises:
            ConflictError: a refresh of this tenant is running.
        """
        with self.paused(tenant) as renew_own:

            def both() -> None:
                renew_own()
                renew()

            embedders = tuple(self.embedders.values())
            synchronise(self.graph, self.vectors, embedders, tenant, both, everything=everything)

    @contextmanager
    def paused(self, tenant: str) -> Iterator[Callable[[], None]]:
        """Keep a tenant's communities from being refreshed until the context ends; yields the function that renews the lease.

        Raises:
            ConflictError: a refresh of this tenant is running.
        """
        with self._lease(tenant) as lease:
            yield lease.renew

    def _lease(self, tenant: str) -> AbstractContextManager[Lease]:
        busy = f"Communities of tenant {tenant!r} are being refreshed"
        return acquired(self.graph, tenant, "communities", seconds=_LEASE_SECONDS, busy=busy)

    def _record(self, lease: Lease, version: int, graph: str, modularity: float) -> None:
        """Record what the communities were made of, unless another run took over."""

        def work(tx: Transaction) -> None:
            lease.renew(tx)
            record_refresh(
                tx,
                tenant=lease.tenant,
                version=version,
                settings=self._fingerprint(),
                graph=graph,
                modularity=modularity,
            )

        self.graph.transact(work)

    def refresh_changed(self, *, busy: bool = False) -> list[RefreshReport]:
        """Refresh the tenants whose names or settings changed since their last refresh; a tenant that is being refreshed is skipped.

        While documents are being ingested (``busy``), only communities older than an hour are due: the last document will request a refresh.

        Raises:
            UnavailableError: a server does not answer.
            InterlaceError: the first error of a tenant's refresh; the other tenants were refreshed nevertheless.
        """
        reports: list[RefreshReport] = []
        failed: InterlaceError | None = None
        before = int((time.time() - _OLD_SECONDS) * 1000) if busy else None
        for tenant in changed_tenants(self.graph, settings=self._fingerprint(), before=before):
            try:
                reports.append(self.refresh(tenant))
            except ConflictError:
                continue
            except UnavailableError:
                raise
            except InterlaceError as error:
                failed = failed or error
        if failed:
            raise failed
        return reports

    def _communities(
        self, tenant: str, detection: Detection, state: PreviousState, *, fresh: bool
    ) -> tuple[list[CommunityRecord], frozenset[str]]:
        """Return all communities with ids and texts, and the ids of those whose texts were kept."""
        ids = [
            assign_ids(tenant, level, groups, {} if fresh or level >= len(state.levels) else state.levels[level])
            for level, groups in enumerate(detection.levels)
        ]
        homes = [
            {member: community_id for community_id, group in zip(named, groups, strict=True) for member in group}
            for named, groups in zip(ids, detection.levels, strict=True)
        ]
        members = {
            community_id: _by_rank(group, detection.ranks)
            for named, groups in zip(ids, detection.levels, strict=True)
            for community_id, group in zip(named, groups, strict=True)
        }
        places = {member: place for place, member in enumerate(_by_rank(detection.ranks, detection.ranks))}
        # The finest level last, so that it wins.
        finest = {member: community_id for level in reversed(homes) for member, community_id in level.items()}
        beneath = _beneath(homes)
        written = dict(write_texts(self.graph, tenant, members, state))
        communities = [
            CommunityRecord(
                id=community_id,
                level=level,
                members=members[community_id],
                own={member: places[member] for member in members[community_id] if finest[member] == community_id},
                children=tuple(sorted(beneath[community_id])),
                rating=rating,
                text=written[community_id].text,
                member_hash=written[community_id].member_hash,
                fact_hash=written[community_id].fact_hash,
            )
            for level, named in enumerate(ids)
            for community_id, rating in _ratings({each: members[each] for each in named}, detection.ranks).items()
        ]
        return communities, frozenset(community_id for community_id, one in written.items() if one.reused)

    def _fingerprint(self) -> str:
        """Return a digest of everything but the graph that the result depends on."""
        return checksum(orjson.dumps([self.settings.model_dump(), *self.embedders], option=orjson.OPT_SORT_KEYS))


def _beneath(homes: Sequence[Mapping[str, str]]) -> Mapping[str, set[str]]:
    """Return the communities directly below each. Levels are nested: one that holds one member of a finer one holds them all."""
    beneath: dict[str, set[str]] = defaultdict(set)
    for fine, coarse in pairwise(homes):
        for member, community_id in fine.items():
            beneath[coarse[member]].add(community_id)
    return beneath


def _by_rank(group: Collection[str], ranks: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(group, key=lambda member: (-ranks[member], member)))


def _ratings(level: Mapping[str, tuple[str, ...]], ranks: Mapping[str, float]) -> dict[str, float]:
    """Return a rating from 0 to 10 for each community of a level: its share of PageRank, relative to the level's highest."""
    weights = {community_id: sum(ranks[member] for member in members) for community_id, members in level.items()}
    greatest = max(weights.values(), default=1.0)
    return {community_id: round(_FULL_RATING * weight / greatest, 2) for community_id, weight in weights.items()}
