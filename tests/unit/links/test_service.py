"""The link graph without servers: stems, traversal, what links and names add to a search."""

from dataclasses import replace
from typing import Any

import pytest
from tests.support.collecting_graph import Answer, CollectingGraph
from tests.support.memory_links import DocumentReference, MemoryLinkGraph

from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import Hit, LegRank, QueryRequest, QueryResponse
from interlace.domain.policy import RetrievalPolicy
from interlace.ingestion.references import known_keys
from interlace.links.options import SearchOptions
from interlace.links.planned import LinkContext
from interlace.links.ranking import boosts, rank_names, word_shares
from interlace.links.repository import LinkRepository
from interlace.links.schemas import ANSWERS, SearchAnswer, published_schemas
from interlace.links.service import LinkGraphService
from interlace.links.stems import find, stem_keys
from interlace.links.traversal import nearness, neighborhood
from interlace.ports.links import Link, LinkedDocument, LinkedPair
from interlace.search.profile import LinkProfile
from interlace.settings import QuerySettings

PROFILE = LinkProfile()
LINK = Link("wikilink", "")
HIT = Hit(1, 0.5, "c", "d", "t", "u", "", "text", 0, 4, (), {}, (LegRank("keyword", 1, 1.0, 1.0, 1.0),), (), {}, "")


def graph(**links: str) -> MemoryLinkGraph:
    """Return documents by id, each linking to the documents that are named by one letter each."""
    made = MemoryLinkGraph()
    for name, targets in links.items():
        document = LinkedDocument(name, f"Doc {name}", f"{name}.md", known_keys(f"{name}.md", [f"Doc {name}"]))
        made.put("t", document, [DocumentReference(f"name:{target}", LINK) for target in targets])
    return made


class Ask:
    """Answers with prepared chunks and remembers the question."""

    def __init__(self, *documents: str, mode: str = "hybrid", proximity: float = 1.0) -> None:
        self.asked: list[QueryRequest] = []
        hits = [replace(HIT, rank=n, document_id=name, score=1 / n) for n, name in enumerate(documents, 1)]
        self.answer = QueryResponse(
            "q", tuple(hits), {}, {"proximity": proximity}, {}, mode, ("keyword",), "why", ("vector",), {}, {}
        )

    def __call__(self, _: str, request: QueryRequest) -> QueryResponse:
        self.asked.append(request)
        return self.answer


def search(links: MemoryLinkGraph, ask: Ask, query: str, allowed: tuple[str, ...] = (), **options: Any) -> SearchAnswer:
    service = LinkGraphService(LinkContext(links, ask, lambda *_: allowed, PROFILE, QuerySettings(leg_timeout=60)))
    return service.search_planned("t", query, limit=5, options=SearchOptions(**options))


def test_the_surest_reading_of_a_stem_comes_first() -> None:
    assert stem_keys("Tide.md") == ("Tide.md", "uri:Tide.md", "name:tide md", "name:tide")
    assert stem_keys("sea/Tide.md") == (
        "sea/Tide.md",
        "uri:sea/Tide.md",
        "path:sea/tide.md",
        "path:sea/tide",
        "name:sea tide md",
    )
    assert stem_keys("Tide") == ("Tide", "uri:Tide", "name:tide")


def test_a_stem_with_folders_finds_what_was_ingested_with_those_above_them() -> None:
    links = MemoryLinkGraph()
    for uri in ("vault/projects/Boat/Plan.md", "vault/projects/House/Plan.md"):
        links.put("t", LinkedDocument(uri, "Plan", uri, known_keys(uri, ["Plan"])))
    assert find(links, "t", "boat/plan") == find(links, "t", "projects/Boat/Plan.md") == "vault/projects/Boat/Plan.md"
    with pytest.raises(NotFoundError):
        find(links, "t", "oat/Plan")


def test_a_traversal_takes_the_first_shortest_path() -> None:
    links = graph(a="bc", b="d", c="d", d="a")
    found = neighborhood(links, "t", "a", "out", 2, PROFILE)
    assert [(each.document, each.path) for each in found.reached] == [
        ("b", ("a", "b")),
        ("c", ("a", "c")),
        ("d", ("a", "b", "d")),
    ]
    assert not found.truncated
    back = neighborhood(links, "t", "a", "in", 1, PROFILE)
    assert [each.document for each in back.reached] == ["d"]


def test_bounds_are_kept_and_reported() -> None:
    hub = graph(h="abcdefg", **dict.fromkeys("abcdefg", ""))
    cut = neighborhood(hub, "t", "h", "both", 3, LinkProfile(fan_out=3))
    assert ([each.document for each in cut.reached], cut.truncated) == (["a", "b", "c"], True)
    few = neighborhood(hub, "t", "h", "both", 3, LinkProfile(documents=2))
    assert ([each.document for each in few.reached], few.truncated) == (["a", "b"], True)
    exact = neighborhood(hub, "t", "h", "both", 3, LinkProfile(fan_out=7, documents=7))
    assert (len(exact.reached), exact.truncated) == (7, False)


def test_no_level_is_read_that_could_add_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    links, steps = graph(h="abc", a="d", b="d", c="", d="e", e=""), list[list[str]]()
    step = links.adjacent

    def counted(tenant: str, documents: Any, *bounds: Any) -> list[LinkedPair]:
        steps.append(list(documents))
        return step(tenant, documents, *bounds)

    monkeypatch.setattr(links, "adjacent", counted)
    service = LinkGraphService(LinkContext(links, Ask(), lambda *_: (), PROFILE, QuerySettings(leg_timeout=60)))
    answers = {limit: service.neighbors("t", "h", direction="out", hops=3, limit=limit) for limit in (5, 2)}
    assert [each.path[-1] for each in answers[5].neighbors] == ["a", "b", "c", "d", "e"]
    assert steps == [["h"], ["a", "b", "c"], ["d"], ["h"]]
    assert (answers[2].neighbors, answers[2].truncated) == (answers[5].neighbors[:2], True)
    steps.clear()
    full = neighborhood(links, "t", "h", "out", 3, LinkProfile(documents=2))
    assert (len(full.reached), full.truncated, steps) == (2, True, [["h"]])


def test_nearness_is_a_probability_and_symmetric_where_the_graph_is() -> None:
    found = neighborhood(graph(a="bc", b="d", c="d", d=""), "t", "a", "both", 3, PROFILE)
    near = nearness(found)
    assert near["b"] == pytest.approx(near["c"])
    assert near["b"] > near["d"] > 0
    assert 0 < sum(near.values()) < 1
    assert nearness(neighborhood(graph(a=""), "t", "a", "both", 1, PROFILE)) == {}


def test_names_rank_by_words_and_degree() -> None:
    documents = {
        "a": LinkedDocument("a", "Tide tables", "a.md", outgoing=2),
        "b": LinkedDocument("b", "Tide tables", "b.md", incoming=2),
        "c": LinkedDocument("c", "Tide", "c.md", incoming=9),
        "d": LinkedDocument("d", "Anchor", "d.md", incoming=9),
    }
    found = rank_names(word_shares(["tide", "tables"], documents), documents, PROFILE)
    # Degrees: 2·incoming + 1·outgoing, against the 18 of the most linked match.
    assert [(each.document, each.match, each.degree) for each in found] == [
        ("b", 1.0, pytest.approx(4 / 18)),
        ("a", 1.0, pytest.approx(2 / 18)),
        ("c", 0.5, 1.0),
    ]
    alone = {"a": LinkedDocument("a", "Tide", "a.md")}
    assert rank_names(word_shares(["tide"], alone), alone, PROFILE)[0].degree == 0
    assert rank_names(word_shares([], documents), documents, PROFILE) == []
    assert word_shares(["tabels"], documents)["a"] == 0
    assert word_shares(["tabels"], documents, fuzzy=True) == {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}


def test_a_link_to_a_good_hit_says_more() -> None:
    pairs = [
        LinkedPair("c", "b", (LINK,)),
        LinkedPair("a", "d", (LINK,)),
        LinkedPair("b", "d", (LINK,)),
        LinkedPair("d", "elsewhere", (LINK,)),
    ]
    gains = boosts(["a", "b", "c", "d"], {}, pairs, proximity=1.0, profile=PROFILE)
    assert {document: gain.factor for document, gain in gains.items()} == pytest.approx(
        {"a": 1 + 0.5 / 4, "b": 1 + 0.5 / 3, "c": 1 + 0.5 / 2, "d": 1.5}
    )
    assert gains["d"].linked_with == "a"
    assert boosts(["a"], {}, [], proximity=1.0, profile=PROFILE)["a"].linked_with is None


def test_a_search_is_planned_by_the_coordinator_and_moved_by_links() -> None:
    links = graph(a="", b="", c="a", d="")
    ask = Ask("a", "b", "c", "a")
    found = search(links, ask, "what is it", mode="hybrid")
    # All name words are stop words: only the link from c to a speaks.
    assert [hit.id for hit in found.hits] == ["c", "a", "b"]
    assert (ask.asked[0].mode, ask.asked[0].limit) == ("hybrid", 15)
    assert ask.asked[0].without == {"proximity"}, "chunks that links have boosted would count them twice"
    assert {hit.id: hit.linked_with for hit in found.hits} == {"c": "a", "a": "c", "b": None}
    used = found.search_options
    assert (used.mode, used.retrieval_mode, used.degraded) == ("hybrid", "hybrid", ("vector",))
    assert (used.weights["incoming"], used.weights["precision"]) == (2.0, 0.5)


def test_names_add_documents_that_no_chunk_brought() -> None:
    links = graph(a="", b="d", d="")
    found = search(links, Ask("a"), "doc d")
    assert [hit.id for hit in found.hits][:1] == ["a"]
    by_name = next(hit for hit in found.hits if hit.id == "d")
    assert by_name.chunk is None
    assert by_name.names is not None
    assert (by_name.names.rank, by_name.names.match) == (1, 1.0)
    where = Filter(must=(Condition("tags", "eq", "x"),))
    assert [hit.id for hit in search(links, Ask("a"), "doc d", allowed=("a",), where=where).hits] == ["a"]


def test_vectors_alone_are_left_as_they_are() -> None:
    links = graph(a="", b="", c="a")
    found = search(links, Ask("b", "a", "c", mode="vector_only"), "doc c", mode="vector_only")
    assert [(hit.id, hit.boost, hit.names) for hit in found.hits] == [("b", 1, None), ("a", 1, None), ("c", 1, None)]


def test_the_database_is_asked_within_bounds() -> None:
    row = {"id": "a", "keys": ["name:a"], "incoming": 1, "outgoing": 2}
    stored = {"title": "A", "sourceUri": "a.md", "mediaType": "text/markdown", "checksum": "c", "version": 2}
    both = [{"kind": "wikilink", "anchor": "z"}, {"kind": "html", "anchor": ""}]
    answers: dict[str, Answer] = {
        "links/link_targets_named": [{"key": "name:a", "documents": ["a"]}, {"key": "name:b", "documents": []}],
        "links/similarly_named_documents": [{"document": "a"}],
        "links/linked_documents": [{"source": "a", "target": "b", "links": both}] * 2,
        "links/describe_documents": [{**row, "document": {**stored, "indexedAt": "2026", "metadata.year": 1990}}],
    }
    graph = CollectingGraph(answers)
    links = LinkRepository(graph, timeout=3)
    assert links.resolve("t", {"name:a", "name:b"}, 5) == {"name:a": ["a"]}
    assert links.search_names("t", ["modularty", "of"], 5, fuzzy=True) == ["a"]
    assert links.adjacent("t", ["a"], "both", 5) == [LinkedPair("a", "b", (Link("html", ""), Link("wikilink", "z")))]
    assert links.read_documents("t", ["a"])["a"].metadata == {"year": 1990}
    (named,) = graph.params_of("links/similarly_named_documents")
    assert named["search"] == '+tenant:"t" +terms:((modularty^2 modularty~2) of)'
    assert graph.timeouts == dict.fromkeys(answers, 3)


def test_senseless_numbers_are_refused_by_name() -> None:
    service = LinkGraphService(LinkContext(graph(a=""), Ask(), lambda *_: (), PROFILE, QuerySettings(leg_timeout=60)))
    for call, match in (
        (lambda: service.neighbors("t", "a", hops=4), "hops is 4"),
        (lambda: service.related("t", "a", max_distance=0), "max_distance is 0"),
        (lambda: service.related("t", "a", limit=101), "limit is 101"),
        (lambda: service.search_planned("t", "a", limit=0), "limit is 0"),
        (lambda: service.metadata("t", " "), "1 to 2000 characters"),
    ):
        with pytest.raises(InvalidInputError, match=match):
            call()


def test_published_schemas_are_strict_and_versioned() -> None:
    published = published_schemas().schemas
    assert published.keys() == ANSWERS.keys() == {"search_planned", "neighbors", "related", "metadata"}
    for schema in published.values():
        assert schema["properties"]["schema_version"]["const"] == 2
        assert "schema_version" in schema["required"]
        for part in (schema, *schema.get("$defs", {}).values()):
            assert part["additionalProperties"] is False


@pytest.mark.parametrize(
    ("match", "query", "found"),
    [
        ("fts", "tide tabels", ["a", "b"]),
        ("fuzzy", "tabels", ["a"]),
        ("exact", "Tide tables", ["a"]),
        ("exact", "tide.md", ["b"]),
        ("exact", "tables", []),
        ("regex", "t(abl|id)e.?", ["a", "b"]),
        ("regex", "anc.*", ["c"]),
        ("regex", "id", []),
    ],
)
def test_names_match_by_the_strategy_that_is_asked_for(match: str, query: str, found: list[str]) -> None:
    links = MemoryLinkGraph()
    for name, title, uri in (("a", "Tide tables", "x.md"), ("b", "Tide", "tide.md"), ("c", "Anchor", "anchor.md")):
        links.put("t", LinkedDocument(name, title, uri, known_keys(uri, [title])))
    answer = search(links, Ask(), query, match=match)
    assert sorted(hit.id for hit in answer.hits) == found
    assert answer.search_options.match == match
    if match in ("exact", "regex"):
        assert {hit.names.match for hit in answer.hits if hit.names} <= {1.0}


def test_the_policy_of_a_search_reaches_its_question() -> None:
    ask, policy = Ask("a"), RetrievalPolicy("graph", min_graph_hits=3)
    found = search(graph(a=""), ask, "doc", policy=policy)
    assert ask.asked[0].policy == policy
    assert found.search_options.policy
    assert (found.search_options.policy.first, found.search_options.policy.min_graph_hits) == ("graph", 3)
