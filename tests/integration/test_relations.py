"""Relations between entities on a graph that the pipeline made: their types, what they count, and how an older graph gets them."""

import itertools
import re

from tests.integration.ingestion_world import World

from interlace.adapters.neo4j.migration_files import read_migrations
from interlace.cypher_files import cypher_root
from interlace.domain.relations import RELATION_TYPES
from interlace.entities.traversal import EntityTraversal, RelationFilter

DOCUMENTS = {
    "lang.md": "# Fritz Lang\n\nFritz Lang directed Metropolis. Fritz Lang married Thea von Harbou. He left Berlin in 1933.",
    "pommer.md": "# Erich Pommer\n\nErich Pommer produced Metropolis. Fritz Lang directed Metropolis. Erich Pommer uses Berlin.",
    "vienna.md": "# Vienna\n\nFritz Lang visited Vienna. Thea von Harbou praised Fritz Lang. Erich Pommer contains Vienna.",
}
TYPES = "MATCH (:Entity {tenant: $tenant})-[r]->(:Entity) RETURN DISTINCT type(r) AS type"
RELATIONS = """
MATCH (a:Entity {tenant: $tenant})-[r]->(b:Entity)
RETURN a.name AS source, type(r) AS type, b.name AS target, properties(r) AS properties
ORDER BY source, type, target, r.predicate
"""
CLAIMS = """
MATCH (a:Entity {tenant: $tenant})<-[:SUBJECT]-(f:Fact)-[:OBJECT]->(b:Entity)
WHERE a <> b
RETURN a.name AS source, f.predicate AS predicate, b.name AS target, count(f) AS weight, max(f.confidence) AS confidence
"""
BY_VERBS = """
MATCH (a:Entity {tenant: $tenant})-[r]->(b:Entity)
CREATE (a)-[n:$(r.predicate)]->(b)
SET n = {fact: true, weight: r.weight, documents: r.documents}
DELETE r
"""


def test_predicates_are_a_property_and_types_a_closed_list(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    found = world.rows(RELATIONS, tenant)
    predicates = {row["properties"]["predicate"] for row in found}
    assert len(predicates - RELATION_TYPES) > 3
    assert {row["type"] for row in world.rows(TYPES, tenant)} <= RELATION_TYPES
    assert {row["type"] for row in found if row["properties"]["predicate"] not in RELATION_TYPES} == {"RELATES_TO"}


NOTES = {
    "gauge.md": "---\nuses: [Redis, '[[Tide table]]']\npart_of: Harbour\n---\n# Gauge\n\nIt measures.\n",
    "tide.md": "# Tide table\n\n## See also\n\n[[Gauge]], [[Moon]].\n",
    "plan.md": "---\nup: '[[Tide table]]'\n---\n# Plan\n\nUses: [[boats/Gauge|the meter]].\n\nDocumented in: [[Handbook]].\n\nAsk [[measure#tool]].\n",
}
STATED = {
    ("Gauge", "USES", "Redis"),
    ("Gauge", "USES", "Tide table"),
    ("Harbour", "CONTAINS", "Gauge"),
    ("Tide table", "RELATED_TO", "Gauge"),
    ("Tide table", "RELATED_TO", "Moon"),
    ("Plan", "USES", "Gauge"),
    ("Plan", "DOCUMENTED_IN", "Handbook"),
    ("measure", "DOCUMENTED_IN", "Plan"),
}


def stated(world: World, tenant: str) -> set[tuple[str, str, str]]:
    """Return the relations whose types are those of structure."""
    rows = world.rows(RELATIONS, tenant)
    return {(row["source"], row["type"], row["target"]) for row in rows if row["type"] != "RELATES_TO"}


def test_notes_state_relations_by_references_front_matter_and_headings(world: World, tenant: str) -> None:
    world.ingest(tenant, NOTES)
    assert stated(world, tenant) == STATED
    links = "MATCH (a:Document {tenant: $tenant})-[:LINKS_TO]->(b) RETURN a.title + ' ' + b.title AS link"
    assert {row["link"] for row in world.rows(links, tenant)} == {
        "Gauge Tide table",
        "Tide table Gauge",
        "Plan Tide table",
    }


def test_what_a_note_stated_goes_with_it_and_any_order_gives_the_same(world: World, tenant: str) -> None:
    world.ingest(tenant, {uri: NOTES[uri] for uri in ("gauge.md", "plan.md")})
    without = world.dump(tenant)
    world.ingest(tenant, {"tide.md": NOTES["tide.md"]})
    world.ingest(tenant, {"plan.md": "# Plan\n\nNothing yet.\n"})
    assert stated(world, tenant) == {each for each in STATED if "Plan" not in each}
    world.ingest(tenant, {"plan.md": NOTES["plan.md"]})
    world.delete(tenant, "tide.md")
    assert versionless(world.dump(tenant)) == versionless(without)
    world.delete(tenant)
    world.ingest(tenant, dict(reversed(NOTES.items())), 1)
    assert stated(world, tenant) == STATED


def versionless(lines: list[str]) -> list[str]:
    return [re.sub(r'"(version|indexedAt)":("[^"]*"|\d+)', "", line) for line in lines]


def test_a_relation_counts_its_facts_and_has_the_confidence_of_the_surest(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    claims = {
        (row["source"], row["predicate"], row["target"]): (row["weight"], round(row["confidence"], 2))
        for row in world.rows(CLAIMS, tenant)
    }
    assert {weight for weight, _ in claims.values()} == {1, 2}
    assert claims == {
        (row["source"], each["predicate"], row["target"]): (each["weight"], each["confidence"])
        for row in world.rows(RELATIONS, tenant)
        for each in [row["properties"]]
    }


def test_what_a_document_gave_its_removal_takes_away(world: World, tenant: str) -> None:
    world.ingest(tenant, {uri: DOCUMENTS[uri] for uri in ("lang.md", "vienna.md")})
    before = world.rows(RELATIONS, tenant)
    world.ingest(tenant, {"pommer.md": DOCUMENTS["pommer.md"]})
    assert world.rows(RELATIONS, tenant) != before
    world.delete(tenant, "pommer.md")
    assert world.rows(RELATIONS, tenant) == before
    world.delete(tenant, *DOCUMENTS)
    assert world.rows(RELATIONS, tenant) == []


def test_a_graph_with_a_type_a_verb_is_converted(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    before = world.rows(RELATIONS, tenant)
    world.run(BY_VERBS, tenant)
    assert len(world.rows(TYPES, tenant)) > len(RELATION_TYPES)
    (migration,) = (each for each in read_migrations(cypher_root() / "migrations") if each.version == "0010")
    for statement in migration.statements:
        # In this tenant alone: other tests make relations by hand in theirs.
        world.run(
            statement.replace("(:Entity)-", "(:Entity {tenant: $tenant})-").replace(
                "(s:Entity)", "(s:Entity {tenant: $tenant})"
            ),
            tenant,
        )
    assert world.rows(RELATIONS, tenant) == before


CHAIN = {
    f"{number}.md": f"# {name}\n\n{name} married {other}."
    for number, (name, other) in enumerate(
        [("Ada Lovelace", "Boris Karloff"), ("Boris Karloff", "Clara Hoffmann"), ("Clara Hoffmann", "Derek Jarman")]
    )
}
IDS = "MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name, e.id AS id"


def ids(world: World, tenant: str) -> dict[str, str]:
    return {row["name"]: row["id"] for row in world.rows(IDS, tenant)}


def test_neighbours_reach_three_hops_and_are_filtered(world: World, tenant: str) -> None:
    world.ingest(tenant, {**CHAIN, "metropolis.md": "# Metropolis\n\nAda Lovelace praised Metropolis."})
    known, traversal = ids(world, tenant), EntityTraversal(world.platform.graph)
    ada = known["Ada Lovelace"]

    def found(hops: int = 1, types: tuple[str, ...] = (), where: RelationFilter | None = None) -> dict[str, int]:
        return {each.name: each.hops for each in traversal.neighbors(tenant, ada, hops=hops, types=types, where=where)}

    assert found() == {"Boris Karloff": 1, "Metropolis": 1}
    assert found(3) == {"Boris Karloff": 1, "Metropolis": 1, "Clara Hoffmann": 2, "Derek Jarman": 3}
    predicates = {each.name: each.relations[0].predicate for each in traversal.neighbors(tenant, ada)}
    assert found(3, where=RelationFilter(predicates=(predicates["Metropolis"],))) == {"Metropolis": 1}
    assert found(3, where=RelationFilter(direction="in")) == {}
    assert found(1, where=RelationFilter(min_confidence=1.0)) == {}
    types = {
        row["name"]: row["type"]
        for row in world.rows("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name, e.type AS type", tenant)
    }
    wanted = {name: hops for name, hops in found(3).items() if types[name] == types["Derek Jarman"]}
    assert found(3, (types["Derek Jarman"],)) == wanted


def test_relations_come_with_their_surest_sentence_and_its_documents(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    known, traversal = ids(world, tenant), EntityTraversal(world.platform.graph)
    (directed,) = (
        relation
        for each in traversal.neighbors(tenant, known["Fritz Lang"])
        for relation in each.relations
        if each.name == "Metropolis"
    )
    assert (directed.weight, directed.documents, directed.sentence) == (2, 2, "Fritz Lang directed Metropolis.")
    assert {each.source_uri for each in directed.sources} == {"lang.md", "pommer.md"}


def test_paths_are_the_shortest_and_explain_every_relation(world: World, tenant: str) -> None:
    world.ingest(tenant, CHAIN)
    known, traversal = ids(world, tenant), EntityTraversal(world.platform.graph)
    ends = known["Derek Jarman"], known["Ada Lovelace"]
    (path,) = traversal.paths(tenant, *ends)
    assert path.names == ("Derek Jarman", "Clara Hoffmann", "Boris Karloff", "Ada Lovelace")
    assert [each.direction for each in path.relations] == ["in", "in", "in"]
    assert [each.sentence for each in path.relations] == [
        f"{name} married {other}." for other, name in itertools.pairwise(path.names)
    ]
    assert traversal.paths(tenant, *ends, where=RelationFilter(direction="out")) == []
    assert len(traversal.paths(tenant, *ends, where=RelationFilter(direction="in"))) == 1
    assert traversal.paths(tenant, *ends, where=RelationFilter(min_confidence=1.0)) == []


def test_links_of_restructuredtext_lead_to_the_files_that_pages_are_made_of(world: World, tenant: str) -> None:
    world.ingest(
        tenant,
        {
            "docs/gauge.rst": "Gauge\n=====\n\nIt follows `the tides <tides.html>`_ and :doc:`../moon`.\n",
            "docs/tides.rst": "Tides\n=====\n\nSee gauge_.\n\n.. _gauge: gauge.rst\n",
            "moon.md": "# Moon\n\nIt rises.\n",
        },
    )
    links = (
        "MATCH (a:Document {tenant: $tenant})-[r:LINKS_TO]->(b) RETURN a.title + ' ' + b.title + ' ' + r.kind AS link"
    )
    found = {row["link"] for row in world.rows(links, tenant)}
    assert found == {"Gauge Tides rst", "Gauge Moon rst", "Tides Gauge rst"}
