"""What every implementation of the port ``LinkGraph`` promises: that of Neo4j, fed by ordinary ingestion, with a cache and without, and that in memory."""

from pathlib import Path
from typing import Any

import pytest
from tests.contract.linked_notes import Backend, InCache, InGraph, InMemory, Note, built, edits
from tests.integration.ingestion_world import World
from tests.support.memory_links import MemoryLinkGraph

from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.domain.ids import document_id
from interlace.links.planned import LinkContext
from interlace.links.ranking import rank_names, word_shares
from interlace.links.service import LinkGraphService
from interlace.ports.links import Link, LinkedPair, LinkGraph
from interlace.search.profile import LinkProfile
from interlace.settings import QuerySettings

SETTINGS = LinkProfile()
# Leiden <-> Louvain, both -> Modularity, Guide -> Leiden, and two documents called Notes.
NOTES = (
    Note("graphs/leiden.md", "Leiden", ("Louvain", "Modularity", "Leiden"), ("Leiden algorithm",), ("graphs",)),
    Note("graphs/louvain.md", "Louvain", ("leiden", "Modularity")),
    Note("graphs/modularity.md", "Modularity"),
    Note("guide.md", "Guide", ("Leiden algorithm", "Nowhere")),
    Note("a/notes.md", "Notes"),
    Note("b/notes.md", "Notes", ("Guide",)),
)


@pytest.fixture(
    params=["memory", pytest.param("neo4j", marks=pytest.mark.stack), pytest.param("cache", marks=pytest.mark.stack)]
)
def backend(request: pytest.FixtureRequest, worlds: list[World], tmp_path: Path) -> Backend:
    if request.param == "memory":
        return InMemory()
    if not worlds:
        worlds.append(World(request.getfixturevalue("stack")))
    return InGraph(worlds[0]) if request.param == "neo4j" else InCache(worlds[0], tmp_path)


@pytest.fixture
def notes(backend: Backend, tenant: str) -> LinkGraph:
    backend.put(tenant, *NOTES)
    return backend.links


def service_of(links: LinkGraph, **settings: Any) -> LinkGraphService:
    def unused(*_: Any) -> Any:
        raise AssertionError("no question was to be asked")

    return LinkGraphService(LinkContext(links, unused, unused, LinkProfile(**settings), QuerySettings(leg_timeout=60)))


def test_documents_answer_to_their_names(notes: LinkGraph, tenant: str) -> None:
    leiden = document_id(tenant, "graphs/leiden.md")
    both = sorted(document_id(tenant, uri) for uri in ("a/notes.md", "b/notes.md"))
    keys = (
        leiden,
        "uri:graphs/leiden.md",
        "path:graphs/leiden",
        "name:leiden",
        "name:leiden algorithm",
        "name:notes",
        "name:nowhere",
    )
    expected = {key: [leiden] for key in keys[:5]} | {"name:notes": both}
    assert notes.resolve(tenant, keys, 5) == expected
    assert notes.resolve(tenant, ["name:notes"], 1) == {"name:notes": both[:1]}
    assert notes.resolve(tenant, [], 5) == {}
    assert notes.resolve("another", keys, 5) == {}


def test_steps_follow_links_in_each_direction(notes: LinkGraph, tenant: str) -> None:
    leiden, louvain, modularity, guide = (
        document_id(tenant, uri)
        for uri in ("graphs/leiden.md", "graphs/louvain.md", "graphs/modularity.md", "guide.md")
    )
    link = (Link("wikilink", ""),)
    on = {LinkedPair(leiden, other, link) for other in (louvain, modularity)}
    back = {LinkedPair(other, leiden, link) for other in (louvain, guide)}
    assert set(notes.adjacent(tenant, [leiden], "out", 10)) == on
    assert set(notes.adjacent(tenant, [leiden], "in", 10)) == back
    assert set(notes.adjacent(tenant, [leiden], "both", 10)) == on | back
    (first,) = notes.adjacent(tenant, [leiden], "out", 1)
    assert first.target == min(louvain, modularity)
    assert notes.adjacent(tenant, [leiden, louvain], "out", 10) == sorted(
        notes.adjacent(tenant, [louvain, leiden, leiden], "out", 10), key=lambda pair: (pair.source, pair.target)
    )
    assert notes.adjacent(tenant, [], "both", 10) == []
    assert notes.adjacent("another", [leiden], "both", 10) == []


def test_documents_are_described_with_their_degrees(notes: LinkGraph, tenant: str) -> None:
    leiden = document_id(tenant, "graphs/leiden.md")
    described = notes.read_documents(tenant, [leiden, document_id(tenant, "gone.md")])
    assert set(described) == {leiden}
    found = described[leiden]
    assert (found.title, found.source_uri, found.tags) == ("Leiden", "graphs/leiden.md", ("graphs",))
    assert (found.incoming, found.outgoing, found.version) == (2, 2, 1)
    assert "name:leiden algorithm" in found.known_as
    assert notes.read_documents("another", [leiden]) == {}


def test_words_of_names_find_documents(notes: LinkGraph, tenant: str) -> None:
    graphs = {document_id(tenant, f"graphs/{name}.md") for name in ("leiden", "louvain", "modularity")}
    assert set(notes.search_names(tenant, ["graphs"], 10)) == graphs
    assert notes.search_names(tenant, ["modularty"], 10) == []
    assert notes.search_names(tenant, ["modularty"], 10, fuzzy=True) == [document_id(tenant, "graphs/modularity.md")]
    assert len(notes.search_names(tenant, ["graphs"], 2)) == 2
    assert notes.search_names(tenant, [], 10) == []
    assert notes.search_names("another", ["graphs"], 10) == []


def test_names_that_differ_in_signs_alone_are_other_documents(backend: Backend, tenant: str) -> None:
    backend.put(tenant, Note("lang/C.md", "C"), Note("lang/C++.md", "C++", ("C",)), Note("guide.md", "Guide", ("C++",)))
    plain, plus, guide = (document_id(tenant, uri) for uri in ("lang/C.md", "lang/C++.md", "guide.md"))
    links = backend.links
    pairs = {(pair.source, pair.target) for pair in links.adjacent(tenant, [plus], "both", 10)}
    assert pairs == {(plus, plain), (guide, plus)}
    assert links.search_names(tenant, ["c++"], 10) == [plus]


def test_patterns_fit_words_of_names_whole(notes: LinkGraph, tenant: str) -> None:
    leiden, louvain = (document_id(tenant, f"graphs/{name}.md") for name in ("leiden", "louvain"))
    assert set(notes.match_names(tenant, "L(eid|ouva)[a-z]+", 10)) == {leiden, louvain}
    assert notes.match_names(tenant, "eiden", 10) == []
    assert notes.match_names("another", "leiden", 10) == []
    assert len(notes.match_names(tenant, ".*", 2)) == 2


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "(a",
        "a/ OR tenant:x /",
        "<1-5>",
        "~a",
        "a&b",
        "(?=a)",
        "^a",
        "a$",
        "a{21}",
        "a{1,99}",
        "a" * 101,
        '"',
        "\\d",
        "*",
    ],
)
def test_what_is_no_pattern_is_refused(notes: LinkGraph, tenant: str, pattern: str) -> None:
    with pytest.raises(InvalidInputError, match="not a pattern for a word"):
        notes.match_names(tenant, pattern, 10)


def test_a_pattern_that_is_too_complex_is_refused_and_does_not_take_long(notes: LinkGraph, tenant: str) -> None:
    if not isinstance(notes, MemoryLinkGraph):  # Python's own expressions have no such bound
        with pytest.raises(InvalidInputError, match="too complex a pattern"):
            notes.match_names(tenant, "(.*a.{20}){3}b{20}", 10)


def test_neighbors_lie_within_hops(notes: LinkGraph, tenant: str) -> None:
    service = service_of(notes)
    found = service.neighbors(tenant, "guide", direction="out", hops=2)
    assert [(each.title, each.distance) for each in found.neighbors][:1] == [("Leiden", 1)]
    assert {each.title: each.distance for each in found.neighbors} == {"Leiden": 1, "Louvain": 2, "Modularity": 2}
    assert not found.truncated
    (first,) = service.neighbors(tenant, "modularity", direction="in", limit=1).neighbors
    assert [(link.direction, link.kind) for link in first.links] == [("in", "wikilink")]
    assert service.neighbors(tenant, "modularity", direction="out").neighbors == ()
    cut = service_of(notes, fan_out=1).neighbors(tenant, "leiden", direction="out")
    assert (len(cut.neighbors), cut.truncated) == (1, True)
    few = service_of(notes, documents=2).neighbors(tenant, "guide", direction="out", hops=3)
    assert (len(few.neighbors), few.truncated) == (2, True)


def test_related_documents_come_by_pagerank(notes: LinkGraph, tenant: str) -> None:
    found = service_of(notes).related(tenant, "graphs/louvain.md", max_distance=3)
    # Leiden is linked both ways; Modularity is as near but less linked; the others are further away.
    assert [each.title for each in found.related] == ["Leiden", "Modularity", "Guide", "Notes"]
    assert [each.distance for each in found.related] == [1, 1, 2, 3]
    near = service_of(notes).related(tenant, "louvain", max_distance=1)
    assert [each.title for each in near.related] == ["Leiden", "Modularity"]
    assert service_of(notes).related(tenant, document_id(tenant, "a/notes.md")).related == ()


def test_metadata_says_what_is_known(notes: LinkGraph, tenant: str) -> None:
    found = service_of(notes).metadata(tenant, "Leiden Algorithm")
    assert (found.document.title, found.tags, found.incoming, found.outgoing) == ("Leiden", ("graphs",), 2, 2)
    assert set(found.known_as) >= {"uri:graphs/leiden.md", "path:graphs/leiden", "name:leiden"}


def test_ambiguous_and_unknown_stems_name_what_there_is(notes: LinkGraph, tenant: str) -> None:
    service = service_of(notes)
    with pytest.raises(InvalidInputError, match=r"may be several documents.*a/notes\.md") as several:
        service.metadata(tenant, "notes")
    assert "b/notes.md" in several.value.message
    assert service.metadata(tenant, "b/notes.md").document.source_uri == "b/notes.md"
    with pytest.raises(NotFoundError, match=r"similar names: Modularity \(graphs/modularity\.md\)"):
        service.metadata(tenant, "modularty")
    with pytest.raises(NotFoundError, match="interlace documents list"):
        service.metadata(tenant, "qqqqqqqq")


@pytest.mark.slow
def test_churn_ends_where_a_fresh_build_begins(backend: Backend, tenant: str) -> None:
    """10,000 edits in memory, some hundreds through ingestion: index and ranking are those of what is there at the end."""
    seed, in_memory = 20_260_101, isinstance(backend, InMemory)
    count, size, batch = (10_000, 200, 1) if in_memory else (320, 40, 16)
    current: dict[str, Note] = {}
    waiting: list[tuple[str, Note | None]] = []
    for edit in edits(seed, count, size):
        waiting.append(edit)
        if len(waiting) == batch:
            apply(backend, tenant, dict(waiting), current)
            waiting.clear()
    fresh = built(tenant, current)
    assert len(current) > size / 2
    assert state(backend.links, tenant, current, size) == state(fresh.links, tenant, current, size), f"seed {seed}"


def apply(backend: Backend, tenant: str, changes: dict[str, Note | None], current: dict[str, Note]) -> None:
    gone = [uri for uri, note in changes.items() if note is None and uri in current]
    put = {uri: note for uri, note in changes.items() if note is not None}
    if put:
        backend.put(tenant, *put.values())
    if gone:
        backend.delete(tenant, *gone)
    current.update(put)
    for uri in gone:
        del current[uri]


def state(links: LinkGraph, tenant: str, current: dict[str, Note], size: int) -> dict[str, Any]:
    """Return everything that the calls of the link graph show of some notes: index, links, degrees and rankings."""
    ids = sorted(document_id(tenant, uri) for uri in current)
    keys = [f"name:{kind} {number}" for kind in ("topic", "alias") for number in range(size)]
    keys += [f"name:n{number}" for number in range(size)]
    described = links.read_documents(tenant, ids)
    service = service_of(links)
    word = {number: sorted(links.search_names(tenant, [f"n{number}"], 100)) for number in range(size)}
    topics = links.read_documents(tenant, links.search_names(tenant, ["topic", "7"], 1000))
    by_name = rank_names(word_shares(["topic", "7"], topics), topics, SETTINGS)
    return {
        "named": links.resolve(tenant, keys, 1000),
        "steps": links.adjacent(tenant, ids, "both", 1000),
        "described": {
            each.id: (each.title, each.known_as, each.incoming, each.outgoing) for each in described.values()
        },
        "words": word,
        "ranked": by_name,
        "related": [
            [(each.id, each.score) for each in service.related(tenant, document, limit=50).related]
            for document in ids[:60]
        ],
    }
