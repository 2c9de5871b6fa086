"""Qdrant's REST API as ``qdrant-client`` uses it: the same tests for the Qdrant Edge server and for a real Qdrant.

``INTERLACE_TEST_QDRANT_URL`` (and ``INTERLACE_TEST_QDRANT_API_KEY``) point them at a real one.
"""

import math
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import httpx
import pytest
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse
from tests.contract.conftest import QdrantAddress

COLOURS = ("red", "green", "blue")


@pytest.fixture
def client(qdrant_address: QdrantAddress) -> Iterator[QdrantClient]:
    headers = {"api-key": qdrant_address.key}
    made = QdrantClient(url=qdrant_address.url, headers=headers, timeout=20, check_compatibility=False)
    yield made
    made.close()


@pytest.fixture
def name(client: QdrantClient) -> Iterator[str]:
    """A collection with a dense and a sparse vector."""
    made = f"test-{uuid.uuid4().hex}"
    client.create_collection(
        made,
        vectors_config={"dense": models.VectorParams(size=4, distance=models.Distance.COSINE)},
        sparse_vectors_config={"bm25": models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )
    yield made
    client.delete_collection(made)


@pytest.fixture
def filled(client: QdrantClient, name: str) -> str:
    """Points 1 to 9: the angle to (1, 0, 0, 0) grows with the id; odd ids hold term 7."""
    client.upsert(name, [struct(number) for number in range(1, 10)])
    return name


def sparse(**weights: float) -> models.SparseVector:
    terms = sorted((int(term[1:]), weight) for term, weight in weights.items())
    return models.SparseVector(indices=[term for term, _ in terms], values=[weight for _, weight in terms])


def struct(number: int) -> models.PointStruct:
    keyword = sparse(t1=1.0, t7=2.0) if number % 2 else sparse(t1=1.0)
    return models.PointStruct(
        id=number,
        vector={"dense": [1.0, number / 10, 0.0, 0.0], "bm25": keyword},
        payload={
            "colour": COLOURS[number % 3],
            "n": number,
            "tags": [f"t{number % 2}", "all"],
            "at": f"2024-01-0{number}T00:00:00Z",
            "deep": {"key": f"k{number}"},
            "parts": [{"a": number, "b": number % 2}, {"a": 0, "b": 9}],
            "flag": number > 5,
            **({"none": None} if number == 1 else {}),
        },
    )


def ids(found: Any) -> list[Any]:
    return [point.id for point in found.points]


def matching(client: QdrantClient, name: str, *conditions: models.Condition, **clauses: Any) -> set[Any]:
    where = models.Filter(must=list(conditions) or None, **clauses)
    found, _ = client.scroll(name, scroll_filter=where, limit=100)
    assert client.count(name, count_filter=where).count == len(found)
    return {point.id for point in found}


def status_of(call: Callable[[], Any]) -> int | None:
    with pytest.raises(UnexpectedResponse) as caught:
        call()
    assert b'"error"' in caught.value.content
    return caught.value.status_code


# Collections


def test_collection_life(client: QdrantClient, name: str) -> None:
    assert client.collection_exists(name)
    assert not client.collection_exists(name + "x")
    assert name in {collection.name for collection in client.get_collections().collections}
    info = client.get_collection(name)
    assert info.status == models.CollectionStatus.GREEN
    assert isinstance(info.config.params.vectors, dict)
    assert info.config.params.vectors["dense"].size == 4
    assert (info.config.params.sparse_vectors or {})["bm25"].modifier == models.Modifier.IDF
    assert client.delete_collection(name)
    assert not client.collection_exists(name)
    assert status_of(lambda: client.get_collection(name)) == 404
    assert status_of(lambda: client.count(name)) == 404


def test_existing_collection_is_a_conflict(client: QdrantClient, name: str) -> None:
    vectors = {"dense": models.VectorParams(size=4, distance=models.Distance.COSINE)}
    assert status_of(lambda: client.create_collection(name, vectors_config=vectors)) == 409


def test_unnamed_vector_and_distances(client: QdrantClient) -> None:
    for distance, best in ((models.Distance.DOT, 2), (models.Distance.EUCLID, 1), (models.Distance.MANHATTAN, 1)):
        name = f"test-{uuid.uuid4().hex}"
        client.create_collection(name, vectors_config=models.VectorParams(size=2, distance=distance))
        client.upsert(name, [models.PointStruct(id=n, vector=[float(n), 0.0]) for n in (1, 2)])
        found = client.query_points(name, query=[1.0, 0.0], with_vectors=True).points
        assert (found[0].id, found[0].vector) == (best, [float(best), 0.0])
        client.delete_collection(name)


def test_vectors_are_added_and_removed(client: QdrantClient, filled: str) -> None:
    dense = models.DenseVectorConfig(size=2, distance=models.Distance.COSINE)
    client.create_vector_name(filled, "late", models.DenseVectorNameConfig(dense=dense))
    client.update_vectors(filled, [models.PointVectors(id=3, vector={"late": [1.0, 0.0]})])
    assert ids(client.query_points(filled, query=[1.0, 0.0], using="late")) == [3]
    assert ids(client.query_points(filled, query=[1.0, 0, 0, 0], using="dense", limit=2)) == [1, 2]
    client.delete_vector_name(filled, "late")
    assert status_of(lambda: client.query_points(filled, query=[1.0, 0.0], using="late")) == 400


def test_payload_indexes(client: QdrantClient, filled: str) -> None:
    word = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True, prefix=True)
    client.create_payload_index(filled, "colour", word)
    client.create_payload_index(filled, "at", models.PayloadSchemaType.DATETIME)
    client.create_payload_index(filled, "n", models.PayloadSchemaType.INTEGER)
    client.create_payload_index(filled, "n", models.PayloadSchemaType.INTEGER)
    schema = client.get_collection(filled).payload_schema
    assert {field: index.data_type.value for field, index in schema.items()} == {
        "colour": "keyword",
        "at": "datetime",
        "n": "integer",
    }
    assert schema["n"].points == 9
    descending = models.OrderBy(key="n", direction=models.Direction.DESC)
    assert [point.id for point in client.scroll(filled, order_by=descending, limit=3)[0]] == [9, 8, 7]
    hits = client.facet(filled, "colour", exact=True).hits
    assert {(hit.value, hit.count) for hit in hits} == {("red", 3), ("green", 3), ("blue", 3)}
    client.delete_payload_index(filled, "n")
    assert set(client.get_collection(filled).payload_schema) == {"colour", "at"}


# Points


def test_upsert_by_column_and_uuid(client: QdrantClient, name: str) -> None:
    first, second = str(uuid.uuid4()), 2**63 + 5
    vectors: Any = {"dense": [[1.0, 0, 0, 0], [0, 1.0, 0, 0]], "bm25": [sparse(t1=1.0), sparse(t2=1.5)]}
    client.upsert(name, models.Batch(ids=[first, second], vectors=vectors, payloads=[{"a": 1}, {}]))
    found = {point.id: point for point in client.retrieve(name, [first, second, 7], with_vectors=True)}
    assert set(found) == {first, second}
    assert found[first].payload == {"a": 1}
    assert found[second].vector == {"dense": [0, 1, 0, 0], "bm25": sparse(t2=1.5)}


def test_retrieve_selects_payload_and_vectors(client: QdrantClient, filled: str) -> None:
    include = models.PayloadSelectorInclude(include=["n", "deep.key"])
    (found,) = client.retrieve(filled, [4], with_payload=include, with_vectors=["bm25"])
    assert found.payload == {"n": 4, "deep": {"key": "k4"}}
    assert found.vector == {"bm25": sparse(t1=1.0)}
    exclude = models.PayloadSelectorExclude(exclude=["n", "tags", "deep", "parts", "at", "flag"])
    assert client.retrieve(filled, [4], with_payload=exclude)[0].payload == {"colour": "green"}
    assert client.retrieve(filled, [4], with_payload=False)[0].payload in (None, {})


def test_delete_by_ids_and_filter(client: QdrantClient, filled: str) -> None:
    client.delete(filled, [1, 2, 404])
    even = models.FieldCondition(key="tags", match=models.MatchValue(value="t0"))
    client.delete(filled, models.Filter(must=[even]))
    assert [point.id for point in client.scroll(filled)[0]] == [3, 5, 7, 9]
    assert client.count(filled, exact=True).count == 4


def test_payload_is_set_overwritten_and_cleared(client: QdrantClient, filled: str) -> None:
    def payload(number: int) -> Any:
        return client.retrieve(filled, [number])[0].payload

    client.overwrite_payload(filled, {"a": 1, "b": {"c": 1}}, [1, 2])
    client.set_payload(filled, {"a": 2}, [1])
    client.set_payload(filled, {"d": 5}, [1], key="b")
    assert payload(1) == {"a": 2, "b": {"c": 1, "d": 5}}
    client.set_payload(filled, {"seen": True}, models.Filter(must=[models.HasIdCondition(has_id=[2, 3])]))
    assert payload(2) == {"a": 1, "b": {"c": 1}, "seen": True}
    client.overwrite_payload(filled, {"z": 1}, models.Filter(must=[models.HasIdCondition(has_id=[3])]))
    assert payload(3) == {"z": 1}
    client.delete_payload(filled, ["a"], [2])
    assert payload(2) == {"b": {"c": 1}, "seen": True}
    client.clear_payload(filled, [1])
    client.clear_payload(filled, models.Filter(must=[models.HasIdCondition(has_id=[2])]))
    assert (payload(1), payload(2)) == ({}, {})
    (kept,) = client.retrieve(filled, [1], with_vectors=["bm25"])
    assert kept.vector == {"bm25": sparse(t1=1.0, t7=2.0)}


def test_vectors_are_taken_away(client: QdrantClient, filled: str) -> None:
    client.delete_vectors(filled, ["bm25"], [1])
    client.delete_vectors(filled, ["bm25"], models.Filter(must=[models.HasIdCondition(has_id=[2])]))
    assert matching(client, filled, models.HasVectorCondition(has_vector="bm25")) == set(range(3, 10))


def test_scroll_pages(client: QdrantClient, filled: str) -> None:
    seen: list[Any] = []
    offset: Any = None
    while True:
        page, offset = client.scroll(filled, limit=4, offset=offset, with_payload=False)
        seen += [point.id for point in page]
        if offset is None:
            break
    assert seen == list(range(1, 10))


# Filters


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (models.FieldCondition(key="colour", match=models.MatchValue(value="red")), {3, 6, 9}),
        (models.FieldCondition(key="colour", match=models.MatchAny(any=["red", "blue"])), {2, 3, 5, 6, 8, 9}),
        (models.FieldCondition(key="colour", match=models.MatchAny(any=[])), set()),
        (models.FieldCondition(key="colour", match=models.MatchExcept(**{"except": ["red"]})), {1, 2, 4, 5, 7, 8}),
        (models.FieldCondition(key="colour", match=models.MatchPrefix(prefix="re")), {3, 6, 9}),
        (models.FieldCondition(key="colour", match=models.MatchText(text="green")), {1, 4, 7}),
        (models.FieldCondition(key="tags", match=models.MatchValue(value="t1")), {1, 3, 5, 7, 9}),
        (models.FieldCondition(key="n", match=models.MatchValue(value=4)), {4}),
        (models.FieldCondition(key="flag", match=models.MatchValue(value=True)), {6, 7, 8, 9}),
        (models.FieldCondition(key="n", range=models.Range(gt=3, lte=5)), {4, 5}),
        (
            models.FieldCondition(
                key="at", range=models.DatetimeRange(gte=datetime.fromisoformat("2024-01-08T01:00:00+01:00"))
            ),
            {8, 9},
        ),
        (models.FieldCondition(key="deep.key", match=models.MatchValue(value="k2")), {2}),
        (models.FieldCondition(key="parts[].a", match=models.MatchValue(value=5)), {5}),
        (models.FieldCondition(key="tags", values_count=models.ValuesCount(gte=2)), set(range(1, 10))),
        (models.IsNullCondition(is_null=models.PayloadField(key="none")), {1}),
        (models.IsEmptyCondition(is_empty=models.PayloadField(key="nothing")), set(range(1, 10))),
        (models.HasIdCondition(has_id=[2, 404]), {2}),
        (models.Filter(must_not=[models.HasIdCondition(has_id=[1])], should=None), set(range(2, 10))),
        (
            models.NestedCondition(
                nested=models.Nested(
                    key="parts",
                    filter=models.Filter(
                        must=[
                            models.FieldCondition(key="a", match=models.MatchValue(value=0)),
                            models.FieldCondition(key="b", match=models.MatchValue(value=1)),
                        ]
                    ),
                )
            ),
            set(),
        ),
    ],
)
def test_conditions(client: QdrantClient, library: str, condition: models.Condition, expected: set[int]) -> None:
    assert matching(client, library, condition) == expected
    where = models.Filter(must=condition)
    found = client.query_points(library, query=[1.0, 0, 0, 0], using="dense", query_filter=where, limit=20)
    assert set(ids(found)) == expected


@pytest.fixture(scope="module")
def library(qdrant_address: QdrantAddress) -> Iterator[str]:
    """A filled collection that tests only read."""
    headers = {"api-key": qdrant_address.key}
    client = QdrantClient(url=qdrant_address.url, headers=headers, timeout=20, check_compatibility=False)
    name = f"test-{uuid.uuid4().hex}"
    client.create_collection(
        name,
        vectors_config={"dense": models.VectorParams(size=4, distance=models.Distance.COSINE)},
        sparse_vectors_config={"bm25": models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )
    client.upsert(name, [struct(number) for number in range(1, 10)])
    yield name
    client.delete_collection(name)
    client.close()


def test_clauses_combine(client: QdrantClient, library: str) -> None:
    def number(value: int) -> models.FieldCondition:
        return models.FieldCondition(key="n", match=models.MatchValue(value=value))

    assert matching(client, library, should=[number(1), number(2)], must_not=[number(2)]) == {1}
    red = models.FieldCondition(key="colour", match=models.MatchValue(value="red"))
    late = models.FieldCondition(key="n", range=models.Range(gte=6))
    least = models.MinShould(conditions=[red, late, number(3)], min_count=2)
    assert matching(client, library, min_should=least) == {3, 6, 9}


# Queries


def test_dense_query(client: QdrantClient, library: str) -> None:
    exact = models.SearchParams(exact=True, hnsw_ef=32)
    found = client.query_points(library, query=[2.0, 0, 0, 0], using="dense", limit=3, offset=1, search_params=exact)
    assert ids(found) == [2, 3, 4]
    assert found.points[0].score == pytest.approx(1 / math.hypot(1, 0.2), rel=1e-5)
    least = client.query_points(library, query=[2.0, 0, 0, 0], using="dense", score_threshold=0.95, limit=20)
    assert ids(least) == [1, 2, 3]
    assert least.points[0].vector is None


def test_sparse_query_with_idf(client: QdrantClient, library: str) -> None:
    found = client.query_points(library, query=sparse(t7=1.0, t8=1.0), using="bm25", limit=9, with_payload=["n"])
    assert sorted(ids(found)) == [1, 3, 5, 7, 9]
    idf = math.log((9 - 5 + 0.5) / (5 + 0.5) + 1)
    assert [point.score for point in found.points] == pytest.approx([2 * idf] * 5, rel=1e-5)
    assert found.points[0].payload == {"n": found.points[0].id}


def test_idf_of_a_corpus(client: QdrantClient, library: str) -> None:
    few = models.Filter(must=[models.HasIdCondition(has_id=[1, 2, 4])])
    params = models.SearchParams(idf=models.IdfCorpusParams(corpus=few))
    found = client.query_points(library, query=sparse(t7=1.0), using="bm25", search_params=params, limit=1)
    assert found.points[0].score == pytest.approx(2 * math.log((3 - 1 + 0.5) / (1 + 0.5) + 1), rel=1e-5)


def sources() -> list[models.Prefetch]:
    return [
        models.Prefetch(query=[1.0, 0, 0, 0], using="dense", limit=3),
        models.Prefetch(query=[0.0, 1.0, 0, 0], using="dense", limit=3),
    ]


def test_fusion(client: QdrantClient, library: str) -> None:
    even = client.query_points(library, query=models.FusionQuery(fusion=models.Fusion.RRF), prefetch=sources(), limit=6)
    assert set(ids(even)) == {1, 2, 3, 7, 8, 9}
    assert [point.score for point in even.points[:2]] == pytest.approx([0.5, 0.5])
    rrf = models.Rrf(k=60, weights=[1.0, 3.0])
    weighted = client.query_points(library, query=models.RrfQuery(rrf=rrf), prefetch=sources(), limit=2)
    assert ids(weighted) == [9, 8]
    assert weighted.points[0].score == pytest.approx(1 / (1 / 3 + 59), rel=1e-4)
    scored = client.query_points(library, query=models.FusionQuery(fusion=models.Fusion.DBSF), prefetch=sources())
    assert set(ids(scored)) == {1, 2, 3, 7, 8, 9}


def test_prefetch_is_filtered_and_rescored(client: QdrantClient, library: str) -> None:
    red = models.Filter(must=[models.FieldCondition(key="colour", match=models.MatchValue(value="red"))])
    first = models.Prefetch(query=sparse(t7=1.0), using="bm25", filter=red, limit=9)
    found = client.query_points(library, query=[0.0, 1.0, 0, 0], using="dense", prefetch=first)
    assert ids(found) == [9, 3]


def test_query_batch_and_no_query(client: QdrantClient, library: str) -> None:
    requests = [
        models.QueryRequest(query=[1.0, 0, 0, 0], using="dense", limit=1),
        models.QueryRequest(limit=2),
        models.QueryRequest(query=sparse(t1=1.0), using="bm25", limit=9, with_vector=["bm25"]),
    ]
    one, two, three = client.query_batch_points(library, requests)
    assert (ids(one), ids(two), len(three.points)) == ([1], [1, 2], 9)
    assert isinstance(three.points[0].vector, dict)


# Refusals


@pytest.mark.parametrize(
    "vector",
    [
        {"dense": [1.0, 2.0]},
        {"other": [1.0, 2.0, 3.0, 4.0]},
        {"bm25": [1.0, 2.0]},
        {"dense": models.SparseVector(indices=[1], values=[1.0])},
        {"bm25": models.SparseVector(indices=[1, 1], values=[1.0, 2.0])},
        {"bm25": models.SparseVector(indices=[1], values=[1.0, 2.0])},
    ],
)
def test_bad_points_are_refused_as_a_whole(client: QdrantClient, filled: str, vector: Any) -> None:
    good = models.PointStruct(id=500, vector={"dense": [1.0, 0, 0, 0]})
    bad = models.PointStruct(id=501, vector=vector)
    assert status_of(lambda: client.upsert(filled, [good, bad])) in (400, 422)
    assert client.count(filled).count == 9


def test_bad_queries_are_refused(client: QdrantClient, library: str) -> None:
    assert status_of(lambda: client.query_points(library, query=[1.0, 0], using="dense")) == 400
    assert status_of(lambda: client.query_points(library, query=[1.0, 0, 0, 0], using="nope")) == 400
    assert status_of(lambda: client.query_points(library, query=[1.0, 0, 0, 0], using="bm25")) == 400
    assert status_of(lambda: client.query_points(library, query=[1.0, 0, 0, 0], using="dense", limit=0)) == 422
    assert status_of(lambda: client.facet(library, "colour")) == 400
    fusion = models.FusionQuery(fusion=models.Fusion.RRF)
    assert status_of(lambda: client.query_points(library, query=fusion)) in (400, 422)
    assert status_of(lambda: client.set_payload(library, {"a": 1}, [404])) == 404


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"points": 5}', b'{"points": [{"id": "x", "vector": {}}]}', b"{}"])
def test_malformed_bodies_are_refused(qdrant_address: QdrantAddress, library: str, body: bytes) -> None:
    address = f"{qdrant_address.url}/collections/{library}/points"
    headers = {"api-key": qdrant_address.key, "content-type": "application/json"}
    answer = httpx.put(address, content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert answer.json()["status"]["error"]


def test_key_is_needed(qdrant_address: QdrantAddress) -> None:
    if not qdrant_address.key:
        pytest.skip("this Qdrant asks for no key")
    address = f"{qdrant_address.url}/collections"
    assert httpx.get(address).status_code in (401, 403)
    assert httpx.get(address, headers={"api-key": "wrong"}).status_code in (401, 403)
    assert httpx.get(address, headers={"api-key": qdrant_address.key}).is_success
    assert httpx.get(address, headers={"authorization": f"Bearer {qdrant_address.key}"}).is_success
    for path in ("/", "/healthz", "/livez", "/readyz"):
        assert httpx.get(qdrant_address.url + path).is_success
