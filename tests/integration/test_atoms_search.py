"""Atoms on the real servers: exact label and fields through every change, candidates from the index, with and without embeddings."""

import re
from dataclasses import replace

import pytest
from tests.integration.ingestion_world import World, source

from interlace.cypher_files import query
from interlace.domain.atoms import AtomRequest, AtomResponse
from interlace.domain.hits import LegName, QueryRequest
from interlace.domain.packing import PackRequest
from interlace.search.atoms.stages import AtomSearch
from interlace.search.profile import PROFILE
from interlace.search.searches import Searches

LEIDEN = """---
tags: [graphs/clustering]
aliases: [Leiden Algorithm]
epistemic: verified
---
# Leiden

atlas_id: leiden

Finds communities that are connected.

## Usage

Choose a resolution.

## Example

A social network falls into groups.
"""
LOUVAIN = "---\natlas_id: louvain\n---\n# Louvain\n\nAn older way to modularity.\n\n## Limitation\n\nCommunities may be disconnected.\n"
BREAD = "---\natlas_id: bread\ntags: [food]\n---\n# Rye Bread\n\nMix flour and water, wait for a day.\n\n## Usage\n\nEat it.\n"
PLAIN = "# Essay\n\nCommunities, Leiden and Louvain, and a resolution of networks.\n"
NOTES = {"leiden.md": LEIDEN, "louvain.md": LOUVAIN, "bread.md": BREAD, "essay.md": PLAIN}
ATOMS = "MATCH (a:Atom {tenant: $tenant}) RETURN a.title AS title, a.atomName AS name ORDER BY title"


@pytest.fixture
def notes(world: World, tenant: str) -> str:
    world.ingest(tenant, NOTES)
    return tenant


def titles(answer: AtomResponse) -> list[str]:
    return [hit.title for hit in answer.hits]


def test_the_label_comes_and_goes_with_the_mark(world: World, notes: str) -> None:
    assert [row["title"] for row in world.rows(ATOMS, notes)] == ["Leiden", "Louvain", "Rye Bread"]
    before = world.state(notes)
    world.ingest(notes, {"bread.md": "# Rye Bread\n\nNo atom any more.\n", "essay.md": PLAIN + "\natlas_id: essay\n"})
    assert [row["title"] for row in world.rows(ATOMS, notes)] == ["Essay", "Leiden", "Louvain"]
    assert world.rows("MATCH (d:Document {tenant: $tenant, title: 'Rye Bread'}) RETURN keys(d) AS keys", notes)[0]
    kept = world.rows(
        "MATCH (d:Document {tenant: $tenant}) WHERE NOT d:Atom AND d.atomName <> '' RETURN d.id AS id", notes
    )
    assert kept == []
    world.ingest(notes, {"bread.md": BREAD, "essay.md": PLAIN})
    after = world.state(notes)
    assert versionless(after[0]) == versionless(before[0])
    assert after[1] == before[1]
    world.delete(notes)
    assert world.left(notes) == []


def versionless(lines: list[str]) -> list[str]:
    return [re.sub(r'"(version|indexedAt)":("[^"]*"|\d+)', "", line) for line in lines]


def test_the_strategy_of_the_same_bytes_takes_effect(world: World, tenant: str) -> None:
    sections = """
    MATCH (:Document {tenant: $tenant})-[:HAS_SECTION]->(s:Section)
    RETURN s.path AS path, s.sectionType AS kind ORDER BY s.ordinal
    """
    world.ingest(tenant, {"leiden.md": LEIDEN})
    first = world.state(tenant)
    assert [(row["path"], row["kind"]) for row in world.rows(sections, tenant)] == [
        ("", "body"),
        ("Usage", "Usage"),
        ("Example", "Example"),
    ]
    whole = source("leiden.md", LEIDEN, atlas_strategy="atom")
    assert world.receive(tenant, [whole]).unchanged == 0
    world.work()
    assert [(row["path"], row["kind"]) for row in world.rows(sections, tenant)] == [("", "atom")]
    assert world.receive(tenant, [whole]).unchanged == 1
    assert world.receive(tenant, [source("leiden.md", LEIDEN)]).unchanged == 0
    world.work()
    again = world.state(tenant)
    assert versionless(again[0]) == versionless(first[0])
    assert again[1] == first[1]


def test_atoms_are_found_by_their_fields_and_nothing_else_is(
    world: World, notes: str, dense: frozenset[LegName]
) -> None:
    answer = world.platform.atoms.search(notes, AtomRequest("leiden"))
    assert answer.hits[0].title == "Leiden"
    assert answer.hits[0].ranks["terms"] == 1
    assert "Essay" not in titles(answer)
    assert {"exact", "name"} <= answer.hits[0].terms[0].fields.keys()
    assert (answer.hits[0].cosine is not None) == bool(dense)
    assert bool(answer.model) == bool(dense)
    tagged = world.platform.atoms.search(notes, AtomRequest("clustering"))
    assert tagged.hits[0].title == "Leiden"
    assert "tags" in tagged.hits[0].terms[0].fields


def test_rarity_is_counted_in_the_graph(world: World, notes: str) -> None:
    (row,) = world.platform.graph.run(
        query("atoms/count_terms"),
        tenant=notes,
        searches=[f'+tenant:"{notes}" +(atomContent:"{term}" atomName:"{term}")' for term in ("usag", "bread", "x")],
        cap=1000,
    )
    assert (row["atoms"], row["counts"]) == (3, [2, 1, 0])


def test_aliases_widen_a_query_at_a_discount(world: World, notes: str) -> None:
    world.ingest(notes, {"js.md": "---\naliases: [ECMAScript]\n---\n# JavaScript\n\nA language.\n"})
    closures = "---\natlas_id: closures\n---\n# Closures\n\nFunctions of ECMAScript that remember.\n"
    world.ingest(notes, {"closures.md": closures})
    answer = without_embeddings(world).search(notes, AtomRequest("JavaScript"))
    assert answer.expansion == ("ecmascript",)
    assert titles(answer) == ["Closures"]
    assert answer.hits[0].coverage == pytest.approx(0.35)
    assert titles(without_embeddings(world).search(notes, AtomRequest("JavaScript", expand=False))) == []


def without_embeddings(world: World, **settings: float) -> AtomSearch:
    platform = world.platform
    profile = replace(PROFILE, atoms=replace(PROFILE.atoms, **settings))  # type: ignore[arg-type]
    query = platform.settings.query
    return Searches(platform.graph, platform.vectors, {}, platform.entity_linkers, query, profile=profile).atoms


def test_a_long_query_is_taken_apart_and_several_finds_earn_the_bonus(world: World, notes: str) -> None:
    asked = AtomRequest("connected communities with a resolution for a network")
    plain = without_embeddings(world, decomposition_bonus=0.0).search(notes, asked)
    found = without_embeddings(world).search(notes, asked)
    assert found.sub_queries == ("connect communiti", "resolut", "network")
    assert found.hits[0].title == "Leiden"
    assert found.hits[0].found_by == found.sub_queries
    assert found.hits[0].tf_idf == pytest.approx(1.25 * plain.hits[0].tf_idf)
    louvain = next(hit for hit in found.hits if hit.title == "Louvain")
    assert louvain.found_by == ()


def test_without_embeddings_the_terms_decide(world: World, notes: str) -> None:
    answer = without_embeddings(world).search(notes, AtomRequest("bread"))
    assert titles(answer) == ["Rye Bread"]
    assert (answer.model, answer.hits[0].cosine, dict(answer.hits[0].ranks)) == (None, None, {"terms": 1})
    assert without_embeddings(world).search(notes, AtomRequest("the of and")).hits == ()
    assert without_embeddings(world).search("nobody", AtomRequest("bread")).hits == ()


@pytest.mark.vectors
def test_embeddings_find_what_shares_no_word(world: World, notes: str) -> None:
    answer = world.platform.atoms.search(notes, AtomRequest("baking a loaf in the oven"))
    assert answer.hits[0].title == "Rye Bread"
    assert dict(answer.hits[0].ranks) == {"vector": 1}


@pytest.mark.vectors
def test_a_fold_of_a_query_counts_with_the_models_tokenizer(world: World, notes: str) -> None:
    asked = PackRequest(60, {"Example": 0.0}, diversity=0.2)
    answer = world.platform.packer.query(notes, QueryRequest("Leiden communities resolution", limit=2), asked)
    assert answer.pack is not None
    assert len(answer.hits) == 2
    assert answer.pack.tokenizer == world.platform.settings.embedding.model
    counter = world.platform.token_counter
    assert counter is not None
    assert counter.count([answer.pack.text]) == [answer.pack.tokens]
    assert 0 < answer.pack.tokens <= 60
    assert counter.count(["word " * 2000, ""]) == [2000, 0], "a text longer than the model reads is counted whole"
    statuses = {item.epistemic: item.epistemic_weight for item in answer.pack.items}
    assert statuses["verified"] == 1.2
    assert not any(item.taken for item in answer.pack.items if item.category == "Example")
    assert {item.category for item in answer.pack.items} >= {"body", "Usage", "Example"}
