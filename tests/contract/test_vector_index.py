"""What every vector index promises, asked of the fake and of the Qdrant adapter."""

import math
import random
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest
from tests.contract.conftest import QdrantAddress
from tests.contract.fakes_vectors import FakeVectorIndex
from tests.support.ports import free_port

from interlace.adapters.qdrant.index import QdrantVectorIndex
from interlace.domain.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    QueryRefusedError,
    RefusedSettingsError,
    UnavailableError,
)
from interlace.domain.filters import Condition, Filter
from interlace.domain.reader import reading
from interlace.ports.vectors import Point, SparseVector, VectorIndex
from interlace.settings import QdrantSettings

KIND = "chunks"
MODEL = "small"
WINDOWS = "small@windows"


@pytest.fixture
def tenant() -> str:
    return f"t{uuid.uuid4().hex[:12]}"


def settings(address: QdrantAddress, **changes: Any) -> QdrantSettings:
    values = {"url": address.url, "api_key": address.key, "prefix": "contract"}
    return QdrantSettings.model_validate(values | changes)


def make(kind: str, request: pytest.FixtureRequest) -> VectorIndex:
    if kind == "fake":
        return FakeVectorIndex()
    return QdrantVectorIndex(settings(request.getfixturevalue("qdrant_address")))


@pytest.fixture(params=["fake", "qdrant"])
def index(request: pytest.FixtureRequest, tenant: str) -> Iterator[VectorIndex]:
    made = make(request.param, request)
    yield made
    made.drop(tenant, KIND)
    made.close()


def node(number: int) -> str:
    return str(uuid.UUID(int=number))


def point(number: int, *direction: float, words: dict[int, float] | None = None, **payload: Any) -> Point:
    terms = words or {}
    sparse = {"bm25": SparseVector(tuple(sorted(terms)), tuple(terms[term] for term in sorted(terms)))} if terms else {}
    dense = {MODEL: np.array(direction, dtype=np.float32)} if direction else {}
    return Point(node(number), dense, sparse, payload)


def ask(index: VectorIndex, tenant: str, *direction: float, limit: int = 10, where: Filter | None = None) -> list[str]:
    vector = np.array(direction, dtype=np.float32)
    return [hit.id for hit in index.search(tenant, KIND, vector, using=MODEL, limit=limit, where=where)]


def test_points_are_retrieved_by_id_with_vectors_and_missing_ones_left_out(index: VectorIndex, tenant: str) -> None:
    assert index.retrieve(tenant, KIND, [node(1)]) == []
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 1.0, 0.0, words={3: 0.5}, kind="a"), point(2, 0.0, 1.0)])
    (found,) = index.retrieve(tenant, KIND, [node(1), node(9)])
    assert (found.id, found.dense[MODEL].tolist()) == (node(1), [1.0, 0.0])
    assert (found.sparse["bm25"].indices, found.payload["kind"]) == ((3,), "a")


def test_a_search_of_a_missing_collection_is_refused(index: VectorIndex, tenant: str) -> None:
    question = np.array([1, 0], np.float32)
    with pytest.raises(NotFoundError):
        ask(index, tenant, 1, 0)
    with pytest.raises(NotFoundError):
        index.search(tenant, KIND, SparseVector((7,), (1.0,)), using="bm25", limit=1)
    with pytest.raises(NotFoundError):
        index.cosines(tenant, KIND, [question], [node(1)], using=MODEL)
    with pytest.raises(NotFoundError):
        index.dense_vectors(tenant, KIND, [node(1)], using=MODEL)
    with pytest.raises(NotFoundError):
        index.sparse_vectors(tenant, KIND, [node(1)], using="bm25")


def test_missing_collection_gives_nothing(index: VectorIndex, tenant: str) -> None:
    assert list(index.scroll(tenant, KIND)) == []
    assert index.count(tenant, KIND) == 0
    index.delete(tenant, KIND, [node(1)])
    index.set_payloads(tenant, KIND, {node(1): {}})
    index.drop(tenant, KIND)
    with pytest.raises(NotFoundError):
        index.upsert(tenant, KIND, [point(1, 1, 0)])


def test_dense_search_ranks_by_cosine(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 0, 5), point(2, 3, 3), point(3, 9, 0, tags=["a"])])
    assert [hit.payload for hit in index.search(tenant, KIND, np.array([2, 0], np.float32), using=MODEL, limit=1)] == [
        {}
    ]
    hits = index.search(tenant, KIND, np.array([2, 0], np.float32), using=MODEL, limit=3, payload=True)
    assert [hit.id for hit in hits] == [node(3), node(2), node(1)]
    assert [hit.score for hit in hits] == pytest.approx([1, math.sqrt(0.5), 0], abs=1e-5)
    assert hits[0].payload == {"tags": ["a"], "tenant": tenant}
    assert ask(index, tenant, 2, 0, limit=1) == [node(3)]


def test_cosines_of_some_points_with_several_vectors(index: VectorIndex, tenant: str) -> None:
    question, other = np.array([2, 0], np.float32), np.array([0, 1], np.float32)
    ids = [node(1), node(2), node(9)]
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 0, 5), point(2, 3, 3), point(3, 9, 0)])
    first, second = index.cosines(tenant, KIND, [question, other], ids, using=MODEL)
    assert first == pytest.approx({node(1): 0, node(2): math.sqrt(0.5)}, abs=1e-5)
    assert second == pytest.approx({node(1): 1, node(2): math.sqrt(0.5)}, abs=1e-5)
    assert index.cosines(tenant, KIND, [question], [], using=MODEL) == [{}]
    assert index.cosines(tenant, KIND, [], ids, using=MODEL) == []


def windows(number: int, *rows: tuple[float, ...]) -> Point:
    return Point(node(number), {WINDOWS: np.array(rows, dtype=np.float32)})


def test_the_nearest_vector_of_a_multivector_counts(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2}, {WINDOWS: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0), windows(2, (0, 3), (5, 0)), windows(3, (1, 1))])
    question = np.array([2, 0], np.float32)
    for exact in (False, True):
        hits = index.search(tenant, KIND, question, using=WINDOWS, limit=5, exact=exact)
        assert [hit.id for hit in hits] == [node(2), node(3)]
        assert [hit.score for hit in hits] == pytest.approx([1, math.sqrt(0.5)], abs=1e-5)
    (near,) = index.cosines(tenant, KIND, [question], [node(1), node(2), node(3)], using=WINDOWS)
    assert near == pytest.approx({node(2): 1, node(3): math.sqrt(0.5)}, abs=1e-5)
    assert index.existing_ids(tenant, KIND, [node(1), node(2)], WINDOWS) == {node(2)}
    index.set_vectors(tenant, KIND, [windows(1, (0, 1), (0, 2)), windows(2, (0, 1))])
    (stored,) = index.retrieve(tenant, KIND, [node(1)])
    assert {name: each.tolist() for name, each in stored.dense.items()} == {MODEL: [1, 0], WINDOWS: [[0, 1], [0, 1]]}
    assert {found.id for found in index.search(tenant, KIND, question, using=WINDOWS, limit=1)} == {node(3)}


def test_points_are_retrieved_with_the_vectors_that_are_asked_for(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2}, {WINDOWS: 2})
    index.upsert(tenant, KIND, [replace(point(1, 1, 0, words={3: 0.5}, kind="a"), dense=windows(1, (0, 1)).dense)])
    index.set_vectors(tenant, KIND, [point(1, 1, 0)])
    (found,) = index.retrieve(tenant, KIND, [node(1)], [MODEL])
    assert {name: each.tolist() for name, each in found.dense.items()} == {MODEL: [1, 0]}
    assert (found.sparse, found.payload["kind"]) == ({}, "a")
    (bare,) = index.retrieve(tenant, KIND, [node(1)], ())
    assert (bare.dense, bare.sparse, bare.payload) == ({}, {}, found.payload)


def test_a_multivector_is_added_to_a_collection(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0)])
    index.ensure(tenant, KIND, {MODEL: 2}, {WINDOWS: 2})
    assert index.search(tenant, KIND, np.array([1, 0], np.float32), using=WINDOWS, limit=1) == []
    index.set_vectors(tenant, KIND, [windows(1, (0, 1), (1, 0))])
    assert [hit.id for hit in index.search(tenant, KIND, np.array([1, 0], np.float32), using=WINDOWS, limit=1)] == [
        node(1)
    ]
    with pytest.raises(ConflictError):
        index.ensure(tenant, KIND, {MODEL: 2}, {WINDOWS: 3})


def test_dense_vectors_of_some_points(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2}, {WINDOWS: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0), windows(2, (0, 1), (1, 0)), point(3, 0, 1)])
    ids = [node(1), node(2), node(9)]
    assert {name: each.tolist() for name, each in index.dense_vectors(tenant, KIND, ids, using=MODEL).items()} == {
        node(1): [1, 0]
    }
    assert {name: each.tolist() for name, each in index.dense_vectors(tenant, KIND, ids, using=WINDOWS).items()} == {
        node(2): [[0, 1], [1, 0]]
    }
    assert index.dense_vectors(tenant, KIND, [], using=MODEL) == {}


def test_a_reader_gets_dense_vectors_of_what_it_may_see(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0), point(2, 1, 0, access=["*", "legal"])])
    with reading(lambda: ["board"]):
        assert set(index.dense_vectors(tenant, KIND, [node(1), node(2)], using=MODEL)) == {node(1)}


def test_sparse_vectors_of_some_points(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0, words={3: 0.5, 7: 2.0}), point(2, 0, 1), point(3, 1, 1, words={4: 1.5})])
    found = index.sparse_vectors(tenant, KIND, [node(1), node(2), node(9)], using="bm25")
    assert found == {node(1): SparseVector((3, 7), (0.5, 2.0))}
    assert index.sparse_vectors(tenant, KIND, [], using="bm25") == {}


def test_a_reader_gets_sparse_vectors_of_what_it_may_see(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    kept = point(2, 1, 0, words={4: 1.0}, access=["*", "legal"])
    index.upsert(tenant, KIND, [point(1, 1, 0, words={3: 1.0}), kept])
    with reading(lambda: ["board"]):
        assert set(index.sparse_vectors(tenant, KIND, [node(1), node(2)], using="bm25")) == {node(1)}


def test_upsert_replaces_the_whole_point(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0, words={4: 1.0}, source="old", tags=["x"])])
    index.upsert(tenant, KIND, [point(1, 0, 1, source="new")])
    (found,) = index.scroll(tenant, KIND, vectors=True)
    assert found.payload == {"source": "new", "tenant": tenant}
    assert found.dense[MODEL].tolist() == [0, 1]
    assert found.sparse == {}
    assert index.count(tenant, KIND) == 1


@pytest.mark.parametrize("bad", [point(2, 1, 0, 0), Point(node(2), {"other": np.array([1, 0], np.float32)})])
def test_an_upsert_may_be_repeated_after_a_refused_one(index: VectorIndex, tenant: str, bad: Point) -> None:
    """Whether the good points of a refused batch are there is open: a Qdrant server keeps them, the Qdrant Edge server does not."""
    index.ensure(tenant, KIND, {MODEL: 2})
    with pytest.raises(QueryRefusedError):
        index.upsert(tenant, KIND, [point(1, 1, 0), bad, point(3, 1, 1)])
    assert index.existing_ids(tenant, KIND, [node(2)]) == set()
    index.upsert(tenant, KIND, [point(1, 1, 0), point(2, 0, 1), point(3, 1, 1)])
    assert ask(index, tenant, 1, 0) == [node(1), node(3), node(2)]


@pytest.mark.parametrize("forwards", [True, False])
def test_equal_scores_go_by_id_whatever_the_order_of_writing(index: VectorIndex, tenant: str, forwards: bool) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    numbers = list(range(100, 300)) if forwards else list(range(299, 99, -1))
    for start in range(0, 200, 50):
        index.upsert(tenant, KIND, [point(n, 1, 1, words={7: 1.0}) for n in numbers[start : start + 50]])
    expected = [node(n) for n in range(100, 105)]
    assert ask(index, tenant, 1, 1, limit=5) == expected
    found = index.search(tenant, KIND, SparseVector((7,), (1.0,)), using="bm25", limit=5)
    assert [hit.id for hit in found] == expected


def test_the_order_of_writing_shows_in_no_keyword_score(index: VectorIndex, tenant: str) -> None:
    """Sums of float32 depend on the order of their terms, and that on the order in which a segment met the terms."""
    index.ensure(tenant, KIND, {MODEL: 2})
    chance = random.Random(5)
    points = [
        point(n, 1, 0, words={term: 2 * chance.random() for term in chance.sample(range(1, 60), 20)})
        for n in range(300)
    ]
    asked = [tuple(sorted(chance.sample(range(1, 60), 12))) for _ in range(100)]

    def answers() -> list[list[tuple[str, float]]]:
        found = [
            index.search(tenant, KIND, SparseVector(terms, (1.0,) * 12), using="bm25", limit=100) for terms in asked
        ]
        return [[(hit.id, hit.score) for hit in hits] for hits in found]

    index.upsert(tenant, KIND, points)
    first = answers()
    assert all(len(hits) == 100 for hits in first)
    index.drop(tenant, KIND)
    index.ensure(tenant, KIND, {MODEL: 2})
    chance.shuffle(points)
    index.upsert(tenant, KIND, points)
    assert answers() == first


def test_keyword_scores_are_idf_weighted(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(n, 1, 0, words={1: 0.5, 2: 1.0} if n < 3 else {1: 0.5}) for n in range(10)])
    rare, common = (math.log((10 - df + 0.5) / (df + 0.5) + 1) for df in (3, 10))
    hits = index.search(tenant, KIND, SparseVector((1, 2, 99), (1.0, 2.0, 1.0)), using="bm25", limit=4)
    assert [hit.id for hit in hits] == [node(n) for n in range(4)]
    assert [hit.score for hit in hits] == pytest.approx([0.5 * common + 2 * rare] * 3 + [0.5 * common], rel=5e-4)
    assert index.search(tenant, KIND, SparseVector((99,), (1.0,)), using="bm25", limit=4) == []


def test_deleted_points_leave_no_trace_in_idf(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(n, 1, 0, words={1: 1.0, 2: 1.0} if n < 4 else {1: 1.0}) for n in range(10)])
    index.delete(tenant, KIND, [node(n) for n in (2, 3, 9, 77)])
    hits = index.search(tenant, KIND, SparseVector((2,), (1.0,)), using="bm25", limit=9)
    assert [hit.id for hit in hits] == [node(0), node(1)]
    assert hits[0].score == pytest.approx(math.log((7 - 2 + 0.5) / (2 + 0.5) + 1), rel=5e-4)
    assert index.count(tenant, KIND) == 7


def test_payloads_are_replaced_each_by_its_own_and_vectors_stay(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0, words={5: 2.0}, source="a", tags=["x"]), point(2, 0, 1, source="b")])
    index.upsert(tenant, KIND, [point(3, 0, 1, source="b")])
    index.set_payloads(tenant, KIND, {node(1): {"source": "c"}, node(404): {}, node(2): {"chunk": {"position": 7}}})
    first, second, third = index.scroll(tenant, KIND, vectors=True)
    assert (first.payload, second.payload) == (
        {"source": "c", "tenant": tenant},
        {"chunk": {"position": 7}, "tenant": tenant},
    )
    assert third.payload == {"source": "b", "tenant": tenant}
    assert first.dense[MODEL].tolist() == [1, 0]
    assert first.sparse["bm25"] == SparseVector((5,), (2.0,))
    assert ask(index, tenant, 1, 0, where=Filter(must=(Condition("tags", "eq", "x"),))) == []


def test_scroll_is_complete_and_ordered(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    numbers = np.random.default_rng(3).permutation(700).tolist()
    index.upsert(tenant, KIND, [point(n, 1, n + 1, source_type="md" if n % 2 else "pdf") for n in numbers])
    assert [found.id for found in index.scroll(tenant, KIND)] == [node(n) for n in range(700)]
    odd = index.scroll(tenant, KIND, where=Filter(must=(Condition("source_type", "eq", "md"),)))
    assert [found.id for found in odd] == [node(n) for n in range(1, 700, 2)]
    assert next(index.scroll(tenant, KIND)).dense == {}


PAYLOADS: tuple[dict[str, Any], ...] = (
    {
        "source": "docs/a.md",
        "tags": ["red", "blue"],
        "created_at": "2024-01-01T00:00:00Z",
        "metadata": {"n": 1, "ok": True},
    },
    {
        "source": "docs/b.md",
        "tags": ["red"],
        "created_at": "2024-06-01T12:00:00+02:00",
        "metadata": {"n": 2.5, "team": "x"},
    },
    {"source": "src/c.py", "tags": [], "created_at": "2025-01-01T00:00:00Z", "metadata": {"n": 3, "ok": False}},
    {"source_type": "md", "document_id": "d1", "section_type": "text", "metadata": {"team": ["x", "y"]}},
)


@pytest.fixture(params=["fake", "qdrant"], scope="module")
def library(request: pytest.FixtureRequest) -> Iterator[tuple[VectorIndex, str]]:
    """An index filled with ``PAYLOADS``, and its tenant."""
    made, tenant = make(request.param, request), f"t{uuid.uuid4().hex[:12]}"
    made.ensure(tenant, KIND, {MODEL: 2})
    made.upsert(tenant, KIND, [point(n, 1, n, words={1: 1.0}, **payload) for n, payload in enumerate(PAYLOADS)])
    yield made, tenant
    made.drop(tenant, KIND)
    made.close()


def one(field: str, operator: Any, value: Any) -> Filter:
    return Filter(must=(Condition(field, operator, value),))


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (Filter(), [0, 1, 2, 3]),
        (one("tags", "eq", "red"), [0, 1]),
        (one("tags", "in", ("blue", "green")), [0]),
        (one("tags", "in", ()), []),
        (one("source", "prefix", "docs/"), [0, 1]),
        (one("tags", "prefix", "re"), [0, 1]),
        (one("source", "eq", "docs/"), []),
        (one("document_id", "eq", "d1"), [3]),
        (one("created_at", "gte", "2024-06-01T10:00:00Z"), [1, 2]),
        (one("created_at", "gt", "2024-06-01T10:00:00Z"), [2]),
        (one("created_at", "lt", "2024-06-01"), [0]),
        (one("created_at", "eq", "2024-06-01T10:00:00Z"), [1]),
        (one("metadata.n", "lte", 2.5), [0, 1]),
        (one("metadata.n", "eq", 3), [2]),
        (one("metadata.n", "in", (1, 2.5)), [0, 1]),
        (one("metadata.ok", "eq", True), [0]),
        (one("metadata.team", "eq", "x"), [1, 3]),
        (Filter(must_not=(Condition("tags", "eq", "red"),)), [2, 3]),
        (Filter(should=(Condition("tags", "eq", "blue"), Condition("source_type", "eq", "md"))), [0, 3]),
        (Filter(must=(one("tags", "eq", "red"), Filter(must_not=(Condition("tags", "eq", "blue"),)))), [1]),
    ],
)
def test_filters(library: tuple[VectorIndex, str], where: Filter, expected: list[int]) -> None:
    index, tenant = library
    wanted = {node(n) for n in expected}
    assert set(ask(index, tenant, 1, 0, where=where)) == wanted
    keyword = index.search(tenant, KIND, SparseVector((1,), (1.0,)), using="bm25", limit=9, where=where)
    assert {hit.id for hit in keyword} == wanted
    assert {found.id for found in index.scroll(tenant, KIND, where=where)} == wanted


@pytest.mark.parametrize(
    ("field", "operator", "value"),
    [
        ("author", "eq", "x"),
        ("tags", "gt", "a"),
        ("created_at", "gt", "yesterday"),
        ("created_at", "lt", 5),
        ("created_at", "prefix", "2024"),
        ("source", "prefix", 5),
    ],
)
def test_senseless_filters_are_refused(
    library: tuple[VectorIndex, str], field: str, operator: Literal["eq", "gt", "lt", "prefix"], value: Any
) -> None:
    index, tenant = library
    with pytest.raises(InvalidInputError):
        ask(index, tenant, 1, 0, where=one(field, operator, value))


def test_a_new_model_lives_beside_the_old_one(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0)])
    index.ensure(tenant, KIND, {MODEL: 2, "large": 3})
    index.ensure(tenant, KIND, {MODEL: 2, "large": 3})
    both = {MODEL: np.array([0, 1], np.float32), "large": np.array([1, 0, 0], np.float32)}
    index.upsert(tenant, KIND, [Point(node(2), both)])
    assert ask(index, tenant, 1, 0) == [node(1), node(2)]
    large = index.search(tenant, KIND, np.array([1, 0, 0], np.float32), using="large", limit=5)
    assert [hit.id for hit in large] == [node(2)]
    with pytest.raises(ConflictError, match="2 dimensions"):
        index.ensure(tenant, KIND, {MODEL: 4})


def test_tenants_and_kinds_are_apart(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.ensure(tenant, "facts", {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0)])
    try:
        assert index.count(tenant, "facts") == 0
        with pytest.raises(NotFoundError):
            ask(index, f"{tenant}x", 1, 0)
        index.drop(tenant, KIND)
        assert index.count(tenant, KIND) == 0
    finally:
        index.drop(tenant, "facts")


def test_large_upserts_are_cut_into_requests(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 384})
    rows = np.random.default_rng(1).normal(size=(1500, 384)).astype(np.float32)
    index.upsert(tenant, KIND, [Point(node(n), {MODEL: row}) for n, row in enumerate(rows)])
    assert index.count(tenant, KIND) == 1500
    assert ask(index, tenant, *rows[1234], limit=1) == [node(1234)]


def test_ping(index: VectorIndex) -> None:
    assert index.ping() >= 0


def test_no_server_is_unavailable() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    index = QdrantVectorIndex(settings(QdrantAddress(url, "")))
    with pytest.raises(UnavailableError, match=r"interlace doctor"):
        index.count("t", KIND)
    index.close()


def test_wrong_key_is_a_settings_error(qdrant_address: QdrantAddress) -> None:
    if not qdrant_address.key:
        pytest.skip("this Qdrant asks for no key")
    index = QdrantVectorIndex(settings(qdrant_address, api_key="wrong"))
    with pytest.raises(RefusedSettingsError, match="INTERLACE_QDRANT__API_KEY"):
        index.ping()
    index.close()


def test_vectors_of_a_further_model_are_added_beside_the_first(index: VectorIndex, tenant: str) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    index.upsert(tenant, KIND, [point(1, 1, 0, words={4: 1.0}, source="a"), point(2, 0, 1, source="b")])
    index.ensure(tenant, KIND, {MODEL: 2, "late": 3})
    assert index.existing_ids(tenant, KIND, [node(1), node(2), node(9)]) == {node(1), node(2)}
    assert index.existing_ids(tenant, KIND, [node(1), node(2)], "late") == set()
    late = {"late": np.array([0, 0, 1], np.float32)}
    index.set_vectors(tenant, KIND, [Point(node(1), late), Point(node(9), late)])
    assert index.existing_ids(tenant, KIND, [node(1), node(2), node(9)], "late") == {node(1)}
    assert index.count(tenant, KIND) == 2
    first, _ = index.scroll(tenant, KIND, vectors=True)
    assert {name: vector.tolist() for name, vector in first.dense.items()} == {MODEL: [1, 0], "late": [0, 0, 1]}
    assert first.sparse["bm25"].indices == (4,)
    assert first.payload == {"source": "a", "tenant": tenant}
    hits = index.search(tenant, KIND, np.array([0, 1, 1], np.float32), using="late", limit=5)
    assert [hit.id for hit in hits] == [node(1)]


def test_a_missing_collection_holds_no_points(index: VectorIndex, tenant: str) -> None:
    assert index.existing_ids(tenant, KIND, [node(1)]) == set()
    index.set_vectors(tenant, KIND, [point(1, 1, 0)])
    assert index.count(tenant, KIND) == 0


def test_a_reader_finds_what_has_no_groups_or_one_of_its_own_and_terms_count_there_alone(
    index: VectorIndex, tenant: str
) -> None:
    index.ensure(tenant, KIND, {MODEL: 2})
    mine = [point(1, 1.0, 0.1, words={7: 1.0}), point(2, 1.0, 0.2, words={7: 1.0, 8: 1.0}, access=["*", "board"])]
    theirs = [point(number, 1.0, 0.0, words={7: 1.0}, access=["*", "legal"]) for number in (3, 4, 5)]
    index.upsert(tenant, KIND, [*mine, *theirs])
    dense, sparse = np.array([1.0, 0.0], np.float32), SparseVector((7,), (1.0,))
    with reading(lambda: ["board", "press"]):
        seen = index.search(tenant, KIND, dense, using=MODEL, limit=2)
        terms = index.search(tenant, KIND, sparse, using="bm25", limit=5)
    assert [hit.id for hit in seen] == [node(1), node(2)]
    assert {hit.id for hit in terms} == {node(1), node(2)}
    index.delete(tenant, KIND, [each.id for each in theirs])
    assert index.search(tenant, KIND, dense, using=MODEL, limit=2) == seen
    assert index.search(tenant, KIND, sparse, using="bm25", limit=5) == terms
