"""One filter language, three evaluators: Neo4j, Qdrant and a plain Python model find the same chunks, whatever is asked."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tests.contract.fakes_vectors import matches

from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.adapters.qdrant.index import QdrantVectorIndex
from interlace.cypher_files import query
from interlace.domain.documents import Chunk, ParsedDocument, Section
from interlace.domain.filters import DATES, METADATA, OF_CHUNKS, Condition, Filter, fields_of
from interlace.domain.ids import checksum, document_id, stable_id
from interlace.domain.instants import instant
from interlace.ingestion.document_rows import chunk_rows, document_row, payloads, section_rows
from interlace.ingestion.versions import Claim, NewVersion
from interlace.ports.graph import Query
from interlace.ports.vectors import Point
from interlace.search.conditions import matching_documents
from interlace.search.legs.first_chunks import filter_matches
from interlace.search.legs.protocol import Scope
from interlace.settings import Settings

pytestmark = pytest.mark.stack

SEED = 20260401
DOCUMENTS = 60
MODEL = "small"
TAGS = ("lang", "lang/python", "language", "Lang", "boats", "ünïcode")
SOURCES = ("docs/a.md", "docs/b.md", "Docs/a.md", "src/x.py", "docs/a.md#1")
TITLES = ("Guide", "guide", "Guide to boats", "")
TYPES = ("body", "Usage", "Other")
INSTANTS = (
    "2024-05-31",
    "2024-05-31T00:00:00Z",
    "2024-05-31T02:00:00+02:00",
    "2024-05-31T00:00:00.000001Z",
    "1969-07-20 20:17",
    "0001-01-01",
    "9999-12-31T23:59:59Z",
)
TEXTS = ("", "1", "1.0", "true", "a", "A", "ab", "a b", "née", "2024-02-31", "[]", *INSTANTS)
NUMBERS = (0, 1, 1.0, -1, 2.5, 3, 2**53, 2**53 + 1, -(2**63), 1e300, 0.1)
KEYS = ("n", "team", "a.b", "a b", 'quo"te', "back\\slash", "50%", "x[0]", "ok", "due")
SCALARS = st.sampled_from([*TEXTS, *NUMBERS, True, False])
VALUES = (
    SCALARS
    | st.lists(st.sampled_from(TEXTS), max_size=3)
    | st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=3)
    | st.lists(st.booleans(), min_size=1, max_size=2)
    | st.none()
    | st.dictionaries(st.just("b"), SCALARS, max_size=1)
)
_CLEAR = Query("test/filters", "Test", "MATCH (n {tenant: $tenant}) DETACH DELETE n", {"tenant": "STRING"}, "write", "")


def documents() -> st.SearchStrategy[tuple[Any, ...]]:
    """A document: source, title, tags, metadata, times, section types, media type, time of indexing."""
    return st.tuples(
        st.sampled_from(SOURCES),
        st.sampled_from(TITLES),
        st.lists(st.sampled_from(TAGS), unique=True, max_size=3),
        st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1, max_size=7),
        st.dictionaries(st.sampled_from(["created_at", "modified_at"]), st.sampled_from([*INSTANTS, "soon"])),
        st.lists(st.sampled_from(TYPES), min_size=1, max_size=3),
        st.sampled_from(["text/markdown", "text/plain", "application/pdf"]),
        st.sampled_from(INSTANTS[1:4]),
    )


def conditions() -> st.SearchStrategy[Condition]:
    words = {
        "source": SOURCES,
        "source_type": ("text/markdown", "text/plain"),
        "tags": TAGS,
        "title": TITLES,
        "section_type": TYPES,
        "document_id": tuple(document_id("none", source) for source in SOURCES),
        "checksum": tuple(checksum(str(number)) for number in range(5)),
    }
    prefixes = st.sampled_from(["", "d", "docs/", "lang", "lang/", "Gui", "U", "text/", "zzz"])
    word = st.sampled_from(sorted(words))
    equal = word.flatmap(lambda name: st.builds(Condition, st.just(name), st.just("eq"), st.sampled_from(words[name])))
    among = word.flatmap(
        lambda name: st.builds(
            Condition, st.just(name), st.just("in"), st.lists(st.sampled_from(words[name]), max_size=3).map(tuple)
        )
    )
    beginning = st.builds(Condition, word, st.just("prefix"), prefixes)
    order = st.sampled_from(["gt", "gte", "lt", "lte"])
    dates = st.sampled_from(INSTANTS)
    dated = st.builds(Condition, st.sampled_from(DATES), order | st.just("eq"), dates)
    dated_among = st.builds(Condition, st.sampled_from(DATES), st.just("in"), st.lists(dates, max_size=2).map(tuple))
    key = st.sampled_from([f"{METADATA}{key}" for key in (*KEYS, "a", "missing")])
    free = (
        st.builds(Condition, key, st.just("eq"), SCALARS)
        | st.builds(Condition, key, st.just("in"), st.lists(SCALARS, max_size=4).map(tuple))
        | st.builds(Condition, key, st.just("prefix"), st.sampled_from(["", "a", "A", "2024", "["]))
        | st.builds(Condition, key, order, st.sampled_from(NUMBERS) | dates)
    )
    return equal | among | beginning | dated | dated_among | free


def filters() -> st.SearchStrategy[Filter]:
    def combine(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Filter]:
        some = st.lists(parts, max_size=3).map(tuple)
        return st.builds(Filter, some, some, some)

    return st.recursive(conditions(), combine, max_leaves=8).map(
        lambda part: part if isinstance(part, Filter) else Filter(must=(part,))
    )


def version(number: int, drawn: tuple[Any, ...]) -> NewVersion:
    source, title, tags, metadata, times, types, media, indexed = drawn
    uri = f"{source}?{number}" if number >= len(SOURCES) else SOURCES[number]
    identity = document_id("none", uri)
    sections = tuple(Section(f"H{at}", (f"H{at}",), 1, at, at, at + 1, kind) for at, kind in enumerate(types))
    chunks = tuple(
        Chunk(stable_id("chunk", identity, str(at)), identity, (title, f"H{at}"), at, at, "t", at, at + 1, 1)
        for at in range(len(types))
    )
    parsed = ParsedDocument(title, "t" * len(types), sections, tuple(sorted(tags)), (), (), {**metadata, **times})
    claim = Claim(identity, 1, 1, "o", "j", "upsert", uri, media, checksum(str(number % 7)))
    return NewVersion(claim, "f", parsed, chunks, {}, indexed_at=instant(indexed) or "")


class Library:
    """The same documents in Neo4j, in Qdrant and in memory."""

    def __init__(self, stack: Settings) -> None:
        self.tenant = f"t{uuid.uuid4().hex[:12]}"
        self.graph = Neo4jDatabase(stack.neo4j)
        self.vectors = QdrantVectorIndex(stack.qdrant)
        self.vectors.ensure(self.tenant, "chunks", {MODEL: 2})
        self.payloads: dict[str, Mapping[str, Any]] = {}
        self.documents: dict[str, str] = {}

    def fill(self, drawn: Sequence[tuple[Any, ...]]) -> None:
        found = [version(number, one) for number, one in enumerate(drawn)]
        tenant = self.tenant
        self.graph.run(query("versions/write_documents"), rows=[document_row(tenant, one, 1) for one in found])
        tags = [{"document": one.claim.id, "name": tag} for one in found for tag in one.parsed.tags]
        self.graph.run(query("labels/write_tags"), tenant=tenant, rows=tags)
        sections = [row for one in found for row in section_rows(tenant, one)]
        self.graph.run(query("versions/write_sections"), rows=sections)
        chunks = [row for one in found for row in chunk_rows(tenant, one)]
        self.graph.run(query("versions/write_chunks"), rows=chunks)
        for one in found:
            self.payloads |= payloads(tenant, one, one.chunks)
            self.documents |= dict.fromkeys((chunk.id for chunk in one.chunks), one.claim.id)
        vector = {MODEL: np.array([1, 0], np.float32)}
        self.vectors.upsert(tenant, "chunks", [Point(node, vector, {}, load) for node, load in self.payloads.items()])

    def in_memory(self, where: Filter) -> set[str]:
        return {chunk for chunk, payload in self.payloads.items() if matches(where, payload)}

    def in_qdrant(self, where: Filter) -> set[str]:
        return {point.id for point in self.vectors.scroll(self.tenant, "chunks", where=where)}

    def in_neo4j(self, where: Filter) -> set[str]:
        """Ask in every way: documents looked up for the filter's sake or gone through in order, and a filter on what was found otherwise."""
        scope = Scope(self.tenant, "", where, 10_000, 60.0)
        chunks = {each.id for each in filter_matches(self.graph, scope, "relevance", scan_above=0)}
        for sort in ("newest", "oldest"):
            in_order, looked_up = (filter_matches(self.graph, scope, sort, scan_above=many) for many in (0, 10_000))
            assert in_order == looked_up, where
            assert {each.id for each in in_order} == chunks, where
        if OF_CHUNKS.isdisjoint(fields_of(where)):
            ids = matching_documents(self.graph, self.tenant, sorted(set(self.documents.values())), where)
            assert {chunk for chunk, document in self.documents.items() if document in ids} == chunks, where
        return chunks

    def close(self) -> None:
        self.graph.run(_CLEAR, tenant=self.tenant)
        self.vectors.drop(self.tenant, "chunks")
        self.graph.close()
        self.vectors.close()


def drawn_documents() -> list[tuple[Any, ...]]:
    """Return the same documents in every run."""
    drawn: list[tuple[Any, ...]] = []

    @seed(SEED)
    @settings(max_examples=DOCUMENTS, deadline=None, database=None, phases=[Phase.generate])
    @given(documents())
    def draw(document: tuple[Any, ...]) -> None:
        drawn.append(document)

    draw()
    return drawn


@pytest.fixture(scope="module")
def library(stack: Settings) -> Iterator[Library]:
    opened = Library(stack)
    opened.fill(drawn_documents())
    yield opened
    opened.close()


def agree(library: Library, where: Filter) -> set[str]:
    expected = library.in_memory(where)
    assert library.in_qdrant(where) == expected, where
    assert library.in_neo4j(where) == expected, where
    return expected


@pytest.mark.slow
def test_two_hundred_random_filters_find_the_same_everywhere(library: Library) -> None:
    sizes: list[int] = []

    @seed(SEED)
    @settings(
        max_examples=200,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(filters())
    def compare(where: Filter) -> None:
        sizes.append(len(agree(library, where)))

    compare()
    assert len(sizes) >= 200
    total = len(library.payloads)
    # Filters that find all or nothing would agree about anything.
    assert sum(0 < size < total for size in sizes) >= len(sizes) // 4


@pytest.mark.parametrize(
    "where",
    [
        Filter(),
        *(Filter(must=(Condition(f"{METADATA}{key}", "prefix", ""),)) for key in KEYS),
        *(Filter(must_not=(Condition(f"{METADATA}{key}", "in", (*TEXTS, *NUMBERS, True)),)) for key in KEYS),
        *(Filter(must=(Condition(f"{METADATA}{key}", "gte", -1e308),)) for key in KEYS),
        *(Filter(must=(Condition(f"{METADATA}{key}", "lte", "2024-05-31"),)) for key in KEYS),
        *(Filter(must=(Condition("section_type", "eq", kind), Condition("tags", "prefix", "l"))) for kind in TYPES),
        *(Filter(must=(Condition("source", "eq", source),)) for source in SOURCES),
        Filter(must=(Condition("checksum", "in", (checksum("1"), checksum("2"))),)),
    ],
)
def test_each_kind_of_condition_finds_the_same_everywhere(library: Library, where: Filter) -> None:
    agree(library, where)
