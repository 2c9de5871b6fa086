"""Communities from a real graph: stable, a function of the graph, and free of what was deleted."""

import random
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import pytest
from tests.support.queries import query_of

from interlace.adapters.neo4j.analytics import Neo4jAnalytics
from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.adapters.qdrant.index import QdrantVectorIndex
from interlace.communities.service import CommunityService, RefreshReport
from interlace.cypher_files import query
from interlace.domain.errors import ConflictError
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.ports.vectors import SparseVector
from interlace.settings import CommunitySettings, Settings
from interlace.text.bm25 import query_terms

pytestmark = pytest.mark.stack

T = TypeVar("T")
GROUPS = 4
SIZE = 6
COMMUNITY_CHUNKS = query("communities/community_chunks")
_query = partial(query_of, mode="write")
ENTITIES = _query(
    "UNWIND $names AS name CREATE (:Entity {id: $tenant + '/' + name, tenant: $tenant, name: name, type: 'Other'})",
    tenant="STRING",
    names="LIST<STRING>",
)
CHUNKS = _query(
    """
    UNWIND $rows AS row
    CREATE (c:Chunk {id: $tenant + '/' + row.id, tenant: $tenant, documentId: $tenant + '/d', text: row.text})
    WITH c, row
    UNWIND row.names AS name
    MATCH (e:Entity {id: $tenant + '/' + name})
    CREATE (c)-[:MENTIONS {via: 'ner', count: 1, offsets: [0, 1]}]->(e)
    """,
    tenant="STRING",
    rows="LIST<MAP>",
)
FACTS = _query(
    """
    UNWIND $rows AS row
    MATCH (c:Chunk {id: $tenant + '/' + row.chunk})
    MATCH (a:Entity {id: $tenant + '/' + row.subject})
    MATCH (b:Entity {id: $tenant + '/' + row.object})
    CREATE (c)-[:ASSERTS]->(f:Fact {
      id: $tenant + '/' + row.chunk + row.subject + row.object, tenant: $tenant, predicate: 'KNOWS', sentence: row.sentence, confidence: 1.0
    }), (f)-[:SUBJECT]->(a), (f)-[:OBJECT]->(b)
    MERGE (a)-[r:RELATES_TO {predicate: 'KNOWS'}]->(b)
    SET r.weight = coalesce(r.weight, 0) + 1, r.documents = 1
    """,
    tenant="STRING",
    rows="LIST<MAP>",
)
READ = query_of(
    """
    MATCH (c:Community {tenant: $tenant})
    RETURN c.id AS id, c.level AS level, c.size AS size, c.title AS title, c.summary AS summary, c.rating AS rating,
      COLLECT { MATCH (c)-[:PARENT]->(p:Community) RETURN p.id } AS parents,
      COLLECT { MATCH (c)<-[:PARENT*0..10]-(:Community)<-[:IN_COMMUNITY]-(e:Entity) WITH e ORDER BY e.id RETURN e.name } AS members,
      COLLECT { MATCH (c)-[x:CITES]->(f:Fact) RETURN f.sentence ORDER BY x.ordinal } AS quoted
    ORDER BY id
    """,
    tenant="STRING",
)
FORGET = _query(
    """
    MATCH (e:Entity {tenant: $tenant, name: $name})
    OPTIONAL MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
    DETACH DELETE f, e
    WITH DISTINCT $tenant AS tenant
    MATCH (r:Tenant {tenant: tenant})
    SET r.version = coalesce(r.version, 0) + 1
    """,
    tenant="STRING",
    name="STRING",
)
BUMP = _query("MERGE (r:Tenant {tenant: $tenant}) SET r.version = coalesce(r.version, 0) + 1", tenant="STRING")
AGE = _query("MATCH (r:Tenant {tenant: $tenant}) SET r.communitiesAt = $at", tenant="STRING", at="INTEGER")
HOLD = _query(
    """
    MERGE (r:Tenant {tenant: $tenant})
    SET r.version = 1
    MERGE (l:Lease {tenant: $tenant, name: 'communities'})
    SET l.token = coalesce(l.token, 0) + 1, l.owner = 'another', l.expiresAt = $until
    """,
    tenant="STRING",
    until="INTEGER",
)
LEAVE = query_of(
    "UNWIND [1, 2] AS n WITH gds.graph.project('communities-' + $tenant + '.dead', n, 3) AS left RETURN left.nodeCount AS n",
    tenant="STRING",
)
LEFT = query_of(
    "CALL gds.graph.list() YIELD graphName WHERE graphName CONTAINS $tenant RETURN graphName", tenant="STRING"
)


@dataclass(frozen=True)
class World:
    """The servers and a tenant of its own."""

    graph: Neo4jDatabase
    analytics: Neo4jAnalytics
    vectors: QdrantVectorIndex
    tenant: str

    def service(self, graph: GraphDatabase | None = None, **settings: Any) -> CommunityService:
        return CommunityService(graph or self.graph, self.analytics, self.vectors, {}, CommunitySettings(**settings))

    def refresh(self, *, fresh: bool = False, **settings: Any) -> RefreshReport:
        return self.service(**settings).refresh(self.tenant, fresh=fresh)

    def build(self, shuffle: Callable[[list[Any]], None] = lambda _rows: None) -> None:
        """Write four groups of six names: each group's names know each other, and one chunk ties each group to the next."""
        names = [f"G{group}N{number}" for group in range(GROUPS) for number in range(SIZE)]
        chunks, facts = [], []
        for group in range(GROUPS):
            members = [f"G{group}N{number}" for number in range(SIZE)]
            for number, name in enumerate(members):
                other = members[(number + 1) % SIZE]
                chunks.append({"id": f"c{name}", "text": f"{name} knows {other}.", "names": [name, other, members[0]]})
                facts.append(
                    {"chunk": f"c{name}", "subject": name, "object": other, "sentence": f"{name} knows {other}."}
                )
            bridge = [f"G{group}N1", f"G{(group + 1) % GROUPS}N2"]
            chunks.append({"id": f"b{group}", "text": " and ".join(bridge), "names": bridge})
        for rows in (names, chunks, facts):
            shuffle(rows)
        self.graph.run(ENTITIES, tenant=self.tenant, names=names)
        self.graph.run(CHUNKS, tenant=self.tenant, rows=chunks)
        self.graph.run(FACTS, tenant=self.tenant, rows=facts)

    def communities(self) -> list[dict[str, Any]]:
        return [dict(row) for row in self.graph.run(READ, tenant=self.tenant)]

    def clear(self) -> None:
        self.remove("Entity", "Chunk", "Fact", "Community", "Tenant", "Lease")
        self.vectors.drop(self.tenant, "communities")

    def remove(self, *labels: str) -> None:
        for label in labels:
            text = f"MATCH (n:{label} {{tenant: $tenant}}) DETACH DELETE n"
            self.graph.run(_query(text, tenant="STRING"), tenant=self.tenant)


@pytest.fixture(scope="module")
def servers(stack: Settings) -> Iterator[World]:
    world = World(Neo4jDatabase(stack.neo4j), Neo4jAnalytics(stack.neo4j), QdrantVectorIndex(stack.qdrant), "")
    yield world
    world.analytics.close()
    world.graph.close()
    world.vectors.close()


@pytest.fixture
def world(servers: World) -> Iterator[World]:
    made = replace(servers, tenant=f"t{uuid.uuid4().hex[:12]}")
    yield made
    assert servers.graph.run(LEFT, tenant=made.tenant) == []
    made.clear()


class MeanwhileGraph:
    """The database, where something happens just before the first transaction."""

    def __init__(self, graph: Neo4jDatabase, happens: Callable[[], object]) -> None:
        self._graph, self._happens = graph, happens
        self.run, self.ping, self.close = graph.run, graph.ping, graph.close
        self.wait_for_commits = graph.wait_for_commits

    def transact(self, work: Callable[[Transaction], T]) -> T:
        happens, self._happens = self._happens, lambda: None
        happens()
        return self._graph.transact(work)


def _refresh_while(world: World, happens: Callable[[], object]) -> RefreshReport:
    graph = MeanwhileGraph(world.graph, happens)
    return world.service(graph).refresh(world.tenant)


def _finest(world: World) -> set[frozenset[str]]:
    return {frozenset(row["members"]) for row in world.communities() if row["level"] == 0}


def _without_ids(world: World) -> list[tuple[Any, ...]]:
    return sorted(
        (row["level"], row["title"], row["summary"], row["rating"], tuple(row["members"]))
        for row in world.communities()
    )


def test_groups_become_communities_with_titles_and_quotations(world: World) -> None:
    world.build()
    report = world.refresh()
    rows = world.communities()
    assert report.communities == len(rows) == report.redone
    assert report.modularity > 0.3
    assert _finest(world) == {frozenset(f"G{group}N{number}" for number in range(SIZE)) for group in range(GROUPS)}
    for row in rows:
        assert row["size"] == len(row["members"])
        assert all(name in row["members"] for name in row["title"].replace(" and ", ", ").split(", "))
        assert 1 <= len(row["quoted"]) <= 5
        assert row["summary"][1:-1].split("” “") == row["quoted"]
        assert 0 <= row["rating"] <= 10
    assert max(row["rating"] for row in rows) == 10


def test_parents_hold_the_members_of_their_children(world: World) -> None:
    world.build()
    report = world.refresh(gamma=0.05)
    rows = {row["id"]: row for row in world.communities()}
    assert report.levels > 1
    assert all(len(row["parents"]) == (row["level"] < report.levels - 1) for row in rows.values())
    for row in rows.values():
        for parent in row["parents"]:
            assert set(row["members"]) <= set(rows[parent]["members"])
            assert rows[parent]["level"] == row["level"] + 1


def test_a_second_refresh_changes_nothing_and_writes_no_text(world: World) -> None:
    world.build()
    first = world.refresh()
    before = world.communities()
    second = world.refresh()
    assert world.communities() == before
    assert (second.redone, second.reused) == (0, first.communities)
    assert second.modularity == first.modularity


def test_fresh_results_are_a_function_of_the_graph_alone(world: World) -> None:
    other = replace(world, tenant=f"{world.tenant}-b")
    world.build()
    other.build(random.Random(7).shuffle)
    try:
        world.refresh(fresh=True)
        before = world.communities()
        world.refresh(fresh=True)
        assert world.communities() == before
        other.refresh(fresh=True)
        assert _without_ids(other) == _without_ids(world)
    finally:
        other.clear()


def test_fresh_forgets_ids_that_were_carried_on(world: World) -> None:
    world.build()
    world.refresh()
    world.graph.run(FORGET, tenant=world.tenant, name="G0N3")
    world.refresh()
    carried = {row["id"] for row in world.communities()}
    world.refresh(fresh=True)
    assert {row["id"] for row in world.communities()} != carried


def test_no_word_of_what_was_removed_remains(world: World) -> None:
    world.build()
    world.refresh()
    before = {row["id"]: row for row in world.communities()}
    assert any("G0N0" in row["title"] or "G0N0" in row["summary"] for row in before.values())
    world.graph.run(FORGET, tenant=world.tenant, name="G0N0")
    report = world.refresh()
    after = {row["id"]: row for row in world.communities()}
    assert not any("G0N0" in str(row) for row in after.values())
    assert after.keys() == before.keys()
    assert 0 < report.redone < report.communities
    points = world.vectors.search(
        world.tenant, "communities", SparseVector(*query_terms("G0N0")), using="bm25", limit=10
    )
    assert points == []


def test_what_is_removed_while_a_refresh_runs_is_not_written(world: World) -> None:
    world.build()
    _refresh_while(world, lambda: world.graph.run(FORGET, tenant=world.tenant, name="G0N0"))
    rows = world.communities()
    assert rows
    assert not any("G0N0" in str(row) for row in rows)
    assert world.refresh().redone > 0
    assert all(row["summary"] for row in world.communities())


def test_a_run_that_lost_its_lease_writes_nothing(world: World) -> None:
    world.build()
    with pytest.raises(ConflictError):
        _refresh_while(world, lambda: world.graph.run(HOLD, tenant=world.tenant, until=1 << 60))
    assert world.communities() == []


def test_points_follow_the_communities(world: World) -> None:
    world.build()
    world.refresh()
    ids = [row["id"] for row in world.communities()]
    assert [point.id for point in world.vectors.scroll(world.tenant, "communities")] == ids
    world.vectors.delete(world.tenant, "communities", ids[:2])
    world.refresh()
    assert [point.id for point in world.vectors.scroll(world.tenant, "communities")] == ids
    world.remove("Entity", "Chunk", "Fact")
    world.refresh()
    assert world.vectors.count(world.tenant, "communities") == 0
    assert world.communities() == []


def test_a_graph_without_ties_has_no_communities(world: World) -> None:
    assert world.refresh().communities == 0
    world.build()
    world.refresh()
    world.clear()
    report = world.refresh()
    assert (report.levels, report.communities, report.modularity) == (0, 0, 0.0)
    assert world.communities() == []
    world.graph.run(ENTITIES, tenant=world.tenant, names=["A", "B", "C"])
    assert world.refresh().communities == 0


def test_a_partition_that_got_bad_is_given_up(world: World) -> None:
    world.build()
    world.refresh(gamma=0.001)
    assert max(row["size"] for row in world.communities()) == GROUPS * SIZE
    world.refresh()
    assert {row["size"] for row in world.communities()} == {SIZE}


def test_projections_of_dead_runs_are_dropped(world: World) -> None:
    world.build()
    world.graph.run(LEAVE, tenant=world.tenant)
    assert world.graph.run(LEFT, tenant=world.tenant) != []
    world.refresh()
    assert world.graph.run(LEFT, tenant=world.tenant) == []


def test_only_one_refresh_of_a_tenant_runs_at_a_time(world: World) -> None:
    world.build()

    def attempt(_number: int) -> RefreshReport | ConflictError:
        try:
            return world.refresh()
        except ConflictError as error:
            return error

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(attempt, range(4)))
    assert any(isinstance(outcome, RefreshReport) for outcome in outcomes)
    rows = world.communities()
    world.refresh()
    assert world.communities() == rows


def test_a_lease_that_is_held_is_refused_and_one_that_expired_is_taken_over(world: World) -> None:
    world.build()
    world.graph.run(HOLD, tenant=world.tenant, until=1 << 60)
    with pytest.raises(ConflictError):
        world.refresh()
    assert world.tenant not in {report.tenant for report in world.service().refresh_changed()}
    world.graph.run(HOLD, tenant=world.tenant, until=1)
    assert world.refresh().communities > 0


def test_the_schedule_refreshes_what_changed(world: World) -> None:
    world.build()
    world.graph.run(BUMP, tenant=world.tenant)

    def refreshed(**settings: Any) -> bool:
        return world.tenant in {report.tenant for report in world.service(**settings).refresh_changed()}

    assert refreshed()
    assert not refreshed()
    assert refreshed(gamma=0.7)
    world.graph.run(BUMP, tenant=world.tenant)
    assert refreshed(gamma=0.7)


def test_while_documents_wait_the_schedule_leaves_communities_alone_until_they_are_old(world: World) -> None:
    world.build()

    def refreshed() -> bool:
        world.graph.run(BUMP, tenant=world.tenant)
        return world.tenant in {report.tenant for report in world.service().refresh_changed(busy=True)}

    assert not refreshed(), "who has none yet has none that are old"
    world.refresh()
    assert not refreshed()
    world.graph.run(AGE, tenant=world.tenant, at=1)
    assert refreshed()
    assert not refreshed()


def test_chunks_of_a_community_mention_its_central_members(world: World) -> None:
    world.build()
    world.refresh()
    row = next(row for row in world.communities() if row["level"] == 0 and "G1N0" in row["members"])
    found = world.graph.run(
        COMMUNITY_CHUNKS,
        tenant=world.tenant,
        ids=[row["id"]],
        members=SIZE,
        chunksPerEntity=10,
        hubCap=200,
        limit=5,
        filter=None,
    )
    assert 0 < len(found) <= 5
    assert all(hit["chunk"].startswith(f"{world.tenant}/cG1") for hit in found)
    scores = [hit["score"] for hit in found]
    assert all(0 < score <= 1 for score in scores)
