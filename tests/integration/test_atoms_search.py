"""Atoms on the real servers: exact label and fields through every change, candidates from the index, with and without embeddings."""

import re
from dataclasses import replace
from typing import Any

import pytest
from tests.integration.ingestion_world import World, source

from interlace.cypher_files import query
from interlace.domain.atoms import AtomHit, AtomOptions, AtomRequest, AtomResponse
from interlace.domain.filter_text import parse_filter
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


@pytest.mark.parametrize(("strategy", "kinds"), [("section", ["body", "Usage"]), ("atom", ["atom"])])
def test_a_note_without_an_id_is_an_atom_where_its_sender_says_so(
    world: World, tenant: str, strategy: str, kinds: list[str]
) -> None:
    text = "# Pendulum clocks\n\nThey keep time by a swinging weight.\n\n## Usage\n\nWind it weekly.\n"
    world.receive(tenant, [source("notes/Pendulum clock.md", text, atlas_strategy=strategy)])
    world.work()
    (hit,) = without_embeddings(world).search(tenant, AtomRequest("swinging weight")).hits
    assert (hit.atlas_id, hit.title) == ("Pendulum-clock", "Pendulum clocks")
    assert [section.type for section in hit.sections] == kinds
    world.ingest(tenant, {"notes/Pendulum clock.md": text})
    assert world.rows(ATOMS, tenant) == []


def test_the_address_of_an_atom_finds_it_in_filters_links_and_deletions(world: World, notes: str) -> None:
    world.ingest(notes, {"index.md": "# Index\n\nSee [the algorithm](atlas:leiden) and [[atlas:bread|bread]].\n"})
    linked = (
        "MATCH (:Document {tenant: $tenant, title: 'Index'})-[:LINKS_TO]->(d) RETURN d.title AS title ORDER BY title"
    )
    assert [row["title"] for row in world.rows(linked, notes)] == ["Leiden", "Rye Bread"]
    asked = QueryRequest("", mode="metadata_only", where=parse_filter("source in (atlas:leiden, essay.md)"))
    assert {hit.title for hit in world.platform.questions.search(notes, asked).hits} == {"Leiden", "Essay"}
    receiver = world.platform.receiver
    receiver.delete(notes, ids=list(receiver.find(notes, source_prefix="atlas:bread")))
    world.work()
    assert [row["title"] for row in world.rows(ATOMS, notes)] == ["Leiden", "Louvain"]
    assert not receiver.find(notes, source_prefix="atlas:lei")


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


def test_sub_queries_score_on_their_own_where_that_is_asked_for(world: World, notes: str) -> None:
    text = "connected communities with a resolution for a network"
    asked = AtomRequest(text, options=AtomOptions(combine="independent"))
    search = without_embeddings(world)
    parts = [search.search(notes, AtomRequest(part)) for part in ("connected communities", "resolution", "network")]
    leiden = [next(hit.tf_idf for hit in answer.hits if hit.title == "Leiden") for answer in parts]
    found = search.search(notes, asked).hits[0]
    assert found.title == "Leiden"
    assert found.tf_idf == pytest.approx(1.25 * sum(leiden))
    louvain = [
        {hit.title: hit.tf_idf for hit in search.search(notes, each).hits}["Louvain"]
        for each in (asked, AtomRequest(text))
    ]
    assert louvain[0] > louvain[1] > 0, "each sub-query has a coverage of its own"


def test_options_of_a_request_change_its_scores(world: World, notes: str) -> None:
    text, search = "connected communities with a resolution for a network", without_embeddings(world)

    def best(**options: Any) -> AtomHit:
        return search.search(notes, AtomRequest(text, options=AtomOptions(**options))).hits[0]

    plain = best(decompose=False)
    assert (plain.found_by, best(decompose_threshold=20).found_by) == ((), ())
    assert best(intersection_bonus=1.0).tf_idf == pytest.approx(2 * plain.tf_idf)
    assert best(weights={"content": 10.0}).tf_idf > best().tf_idf
    strict = search.search(notes, AtomRequest(text, options=AtomOptions(min_score=0.9)))
    assert [(hit.title, hit.relevance) for hit in strict.hits] == [("Leiden", 1.0)]


@pytest.mark.vectors
def test_the_share_of_cosines_is_an_option(world: World, notes: str) -> None:
    def found(**options: Any) -> AtomHit:
        asked = AtomRequest("leiden", options=AtomOptions(**options))
        return next(hit for hit in world.platform.atoms.search(notes, asked).hits if hit.title == "Louvain")

    whole, none, half = found(rerank_alpha=0.0), found(rerank=False), found(rerank_alpha=0.5)
    assert whole.cosine is not None
    assert whole.relevance == pytest.approx(whole.cosine)
    assert (none.cosine, none.relevance) == (None, none.normalised)
    assert half.relevance == pytest.approx(0.5 * half.normalised + 0.5 * whole.cosine)


def test_domains_stand_beside_the_atoms(world: World, tenant: str) -> None:
    heads = {"a": "domain: botany", "b": "domains: [botany, food]", "c": "tags: [x]"}
    world.ingest(
        tenant,
        {f"{key}.md": f"---\natlas_id: {key}\n{head}\n---\n# Rye {key}\n\nA grain.\n" for key, head in heads.items()},
    )
    answer = without_embeddings(world).search(tenant, AtomRequest("rye grain"))
    assert {hit.atlas_id: hit.domains for hit in answer.hits} == {"a": ("botany",), "b": ("botany", "food"), "c": ()}
    assert [(each.name, each.atoms) for each in answer.domains] == [("botany", 2), ("food", 1)]
    scores = {hit.atlas_id: hit.score for hit in answer.hits}
    assert [each.score for each in answer.domains] == pytest.approx([scores["a"] + scores["b"], scores["b"]])


def test_without_embeddings_the_terms_decide(world: World, notes: str) -> None:
    answer = without_embeddings(world).search(notes, AtomRequest("bread"))
    assert titles(answer) == ["Rye Bread"]
    assert (answer.model, answer.hits[0].cosine, dict(answer.hits[0].ranks)) == (None, None, {"terms": 1})
    assert without_embeddings(world).search(notes, AtomRequest("the of and")).hits == ()
    assert without_embeddings(world).search("another", AtomRequest("bread")).hits == ()


@pytest.mark.vectors
def test_embeddings_find_what_shares_no_word(world: World, notes: str) -> None:
    answer = world.platform.atoms.search(notes, AtomRequest("baking a loaf in the oven"))
    assert answer.hits[0].title == "Rye Bread"
    assert dict(answer.hits[0].ranks) == {"vector": 1}


@pytest.mark.vectors
def test_packing_a_query_counts_with_the_models_tokenizer(world: World, notes: str) -> None:
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
