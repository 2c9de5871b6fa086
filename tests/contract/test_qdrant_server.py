"""The part of Qdrant's REST API that Interlace uses: the same tests for the Qdrant Edge server and for a real Qdrant.

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
    made = QdrantClient(url=qdrant_address.url, headers=headers, timeout=60, check_compatibility=False)
    yield made
    made.close()


def create(client: QdrantClient) -> str:
    """Create a collection with a dense and a sparse vector, and return its name."""
    name = f"test-{uuid.uuid4().hex}"
    client.create_collection(
        name,
        vectors_config={"dense": models.VectorParams(size=4, distance=models.Distance.COSINE)},
        sparse_vectors_config={"bm25": models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )
    return name


@pytest.fixture
def name(client: QdrantClient) -> Iterator[str]:
    made = create(client)
    yield made
    client.delete_collection(made)


@pytest.fixture
def filled(client: QdrantClient, name: str) -> str:
    """Points 1 to 9: the angle to (1, 0, 0, 0) grows with the id; odd ids have term 7."""
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
            "flag": number > 5,
        },
    )


def ids(found: Any) -> list[Any]:
    return [point.id for point in found.points]


def matching(client: QdrantClient, name: str, *conditions: models.Condition, **clauses: Any) -> set[Any]:
    where = models.Filter(must=list(conditions) or None, **clauses)
    found, _ = client.scroll(name, scroll_filter=where, limit=100)
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
    info = client.get_collection(name)
    assert info.status == models.CollectionStatus.GREEN
    assert isinstance(info.config.params.vectors, dict)
    assert info.config.params.vectors["dense"].size == 4
    assert (info.config.params.sparse_vectors or {})["bm25"].modifier == models.Modifier.IDF
    assert client.delete_collection(name)
    assert not client.delete_collection(name)
    assert not client.collection_exists(name)
    assert status_of(lambda: client.get_collection(name)) == 404
    assert status_of(lambda: client.count(name)) == 404


def test_existing_collection_is_a_conflict(client: QdrantClient, name: str) -> None:
    vectors = {"dense": models.VectorParams(size=4, distance=models.Distance.COSINE)}
    assert status_of(lambda: client.create_collection(name, vectors_config=vectors)) == 409


def test_vectors_are_added(client: QdrantClient, filled: str) -> None:
    dense = models.DenseVectorConfig(size=2, distance=models.Distance.COSINE)
    assert status_of(lambda: client.query_points(filled, query=[1.0, 0.0], using="late")) == 400
    client.create_vector_name(filled, "late", models.DenseVectorNameConfig(dense=dense))
    client.update_vectors(filled, [models.PointVectors(id=3, vector={"late": [1.0, 0.0]})])
    assert ids(client.query_points(filled, query=[1.0, 0.0], using="late")) == [3]
    assert matching(client, filled, models.HasVectorCondition(has_vector="late")) == {3}
    assert ids(client.query_points(filled, query=[1.0, 0, 0, 0], using="dense", limit=2)) == [1, 2]


def test_payload_indexes(client: QdrantClient, filled: str) -> None:
    word = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True, prefix=True)
    client.create_payload_index(filled, "colour", word)
    client.create_payload_index(filled, "at", models.PayloadSchemaType.DATETIME)
    client.create_payload_index(filled, "at", models.PayloadSchemaType.DATETIME)
    schema = client.get_collection(filled).payload_schema
    assert {field: index.data_type.value for field, index in schema.items()} == {"colour": "keyword", "at": "datetime"}
    assert schema["at"].points == 9


# Points


def test_ids_are_uuids_or_numbers(client: QdrantClient, name: str) -> None:
    first, second = str(uuid.uuid4()), 2**63 + 5
    client.upsert(
        name,
        [
            models.PointStruct(id=first, vector={"dense": [1.0, 0, 0, 0], "bm25": sparse(t1=1.0)}, payload={"a": 1}),
            models.PointStruct(id=second, vector={"dense": [0, 1.0, 0, 0], "bm25": sparse(t2=1.5)}, payload={}),
        ],
    )
    found = {point.id: point for point in client.retrieve(name, [first, second, 7], with_vectors=True)}
    assert set(found) == {first, second}
    assert found[first].payload == {"a": 1}
    assert found[second].vector == {"dense": [0, 1, 0, 0], "bm25": sparse(t2=1.5)}


def test_retrieve_with_and_without_payload(client: QdrantClient, filled: str) -> None:
    (found,) = client.retrieve(filled, [4], with_payload=True)
    assert found.payload == struct(4).payload
    assert found.vector is None
    assert client.retrieve(filled, [4], with_payload=False)[0].payload in (None, {})


def test_delete_by_ids(client: QdrantClient, filled: str) -> None:
    client.delete(filled, [1, 2, 4, 6, 8, 404])
    assert [point.id for point in client.scroll(filled)[0]] == [3, 5, 7, 9]
    assert client.count(filled, exact=True).count == 4


def test_payloads_are_overwritten_in_a_batch(client: QdrantClient, filled: str) -> None:
    changes = {(1, 404): {"z": {"c": 1}}, (3,): {"z": {"c": 3}}, (405,): {}}
    client.batch_update_points(
        filled,
        [
            models.OverwritePayloadOperation(
                overwrite_payload=models.SetPayload(
                    payload=payload, filter=models.Filter(must=[models.HasIdCondition(has_id=list(ids))])
                )
            )
            for ids, payload in changes.items()
        ],
    )
    first, second, third = client.retrieve(filled, [1, 2, 3], with_vectors=True)
    assert (first.payload, second.payload, third.payload) == ({"z": {"c": 1}}, struct(2).payload, {"z": {"c": 3}})
    assert isinstance(first.vector, dict)
    assert first.vector["bm25"] == sparse(t1=1.0, t7=2.0)


def test_an_upsert_takes_vectors_away(client: QdrantClient, filled: str) -> None:
    client.upsert(filled, [models.PointStruct(id=n, vector={"dense": [1.0, 0, 0, 0]}) for n in (1, 2)])
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
        (models.FieldCondition(key="colour", match=models.MatchPrefix(prefix="re")), {3, 6, 9}),
        (models.FieldCondition(key="tags", match=models.MatchValue(value="t1")), {1, 3, 5, 7, 9}),
        (models.FieldCondition(key="flag", match=models.MatchValue(value=True)), {6, 7, 8, 9}),
        (models.FieldCondition(key="n", range=models.Range(gte=4, lte=4)), {4}),
        (models.FieldCondition(key="n", range=models.Range(gt=3, lte=5)), {4, 5}),
        (
            models.FieldCondition(
                key="at", range=models.DatetimeRange(gte=datetime.fromisoformat("2024-01-08T01:00:00+01:00"))
            ),
            {8, 9},
        ),
        (models.FieldCondition(key="deep.key", match=models.MatchValue(value="k2")), {2}),
        (models.FieldCondition(key='"deep"."key"', match=models.MatchValue(value="k2")), {2}),
        (models.HasIdCondition(has_id=[2, 404]), {2}),
        (models.Filter(must_not=[models.HasIdCondition(has_id=[1])], should=None), set(range(2, 10))),
    ],
)
def test_conditions(client: QdrantClient, library: str, condition: models.Condition, expected: set[int]) -> None:
    assert matching(client, library, condition) == expected
    where = models.Filter(must=[condition])
    found = client.query_points(library, query=[1.0, 0, 0, 0], using="dense", query_filter=where, limit=20)
    assert set(ids(found)) == expected


@pytest.fixture(scope="module")
def library(qdrant_address: QdrantAddress) -> Iterator[str]:
    """A filled collection that tests only read."""
    headers = {"api-key": qdrant_address.key}
    client = QdrantClient(url=qdrant_address.url, headers=headers, timeout=60, check_compatibility=False)
    name = create(client)
    client.upsert(name, [struct(number) for number in range(1, 10)])
    yield name
    client.delete_collection(name)
    client.close()


def test_clauses_combine(client: QdrantClient, library: str) -> None:
    def number(value: int) -> models.FieldCondition:
        return models.FieldCondition(key="n", range=models.Range(gte=value, lte=value))

    assert matching(client, library, should=[number(1), number(2)], must_not=[number(2)]) == {1}
    either = models.Filter(should=[number(1), number(2)])
    assert matching(client, library, either, models.Filter(must_not=[number(1)])) == {2}


# Queries


def test_dense_query(client: QdrantClient, library: str) -> None:
    exact = models.SearchParams(exact=True, hnsw_ef=32)
    found = client.query_points(library, query=[2.0, 0, 0, 0], using="dense", limit=4, search_params=exact)
    assert ids(found) == [1, 2, 3, 4]
    assert found.points[1].score == pytest.approx(1 / math.hypot(1, 0.2), rel=1e-5)
    assert found.points[0].vector is None


def test_sparse_query_with_idf(client: QdrantClient, library: str) -> None:
    found = client.query_points(library, query=sparse(t7=1.0, t8=1.0), using="bm25", limit=9, with_payload=True)
    assert sorted(ids(found)) == [1, 3, 5, 7, 9]
    idf = math.log((9 - 5 + 0.5) / (5 + 0.5) + 1)
    assert [point.score for point in found.points] == pytest.approx([2 * idf] * 5, rel=1e-5)
    assert [point.payload for point in found.points] == [struct(int(point.id)).payload for point in found.points]


def test_idf_of_a_corpus(client: QdrantClient, library: str) -> None:
    few = models.Filter(must=[models.HasIdCondition(has_id=[1, 2, 4])])
    params = models.SearchParams(idf=models.IdfCorpusParams(corpus=few))
    found = client.query_points(library, query=sparse(t7=1.0), using="bm25", search_params=params, limit=1)
    assert found.points[0].score == pytest.approx(2 * math.log((3 - 1 + 0.5) / (1 + 0.5) + 1), rel=1e-5)


def test_query_batch(client: QdrantClient, library: str) -> None:
    requests = [
        models.QueryRequest(query=[1.0, 0, 0, 0], using="dense", limit=1),
        models.QueryRequest(query=sparse(t1=1.0), using="bm25", limit=9, with_vector=True),
    ]
    one, two = client.query_batch_points(library, requests)
    assert (ids(one), len(two.points)) == ([1], 9)
    assert isinstance(two.points[0].vector, dict)


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
def test_bad_points_are_refused(client: QdrantClient, filled: str, vector: Any, qdrant_address: QdrantAddress) -> None:
    """A real Qdrant server keeps the good points of a batch with a bad one, so no caller may count on all or nothing.

    Seen with Qdrant 1.19 for an unknown vector name and for a sparse vector in place of a dense one.
    """
    good = models.PointStruct(id=500, vector={"dense": [1.0, 0, 0, 0]})
    bad = models.PointStruct(id=501, vector=vector)
    assert status_of(lambda: client.upsert(filled, [good, bad])) in (400, 422)
    assert client.retrieve(filled, [501]) == []
    kept = client.count(filled).count - 9
    assert kept == 0 if qdrant_address.is_edge else kept in (0, 1)
    client.upsert(filled, [good])
    assert client.count(filled).count == 10


def test_bad_requests_are_refused(client: QdrantClient, library: str) -> None:
    assert status_of(lambda: client.query_points(library, query=[1.0, 0], using="dense")) == 400
    assert status_of(lambda: client.query_points(library, query=[1.0, 0, 0, 0], using="nope")) == 400
    assert status_of(lambda: client.query_points(library, query=[1.0, 0, 0, 0], using="bm25")) == 400
    assert status_of(lambda: client.query_points(library, query=[1.0, 0, 0, 0], using="dense", limit=0)) == 422
    missing = models.PointVectors(id=404, vector={"dense": [1.0, 0, 0, 0]})
    assert status_of(lambda: client.update_vectors(library, [missing])) == 404


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"points": 5}', b'{"points": [{"id": "x", "vector": {}}]}', b"{}"])
def test_malformed_bodies_are_refused(qdrant_address: QdrantAddress, library: str, body: bytes) -> None:
    address = f"{qdrant_address.url}/collections/{library}/points"
    headers = {"api-key": qdrant_address.key, "content-type": "application/json"}
    answer = httpx.put(address, content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert answer.json()["status"]["error"]


def test_key_is_needed(qdrant_address: QdrantAddress, library: str) -> None:
    if not qdrant_address.key:
        pytest.skip("this Qdrant asks for no key")
    address = f"{qdrant_address.url}/collections/{library}"
    assert httpx.get(address).status_code in (401, 403)
    assert httpx.get(address, headers={"api-key": "wrong"}).status_code in (401, 403)
    assert httpx.get(address, headers={"api-key": qdrant_address.key}).is_success
    for path in ("/", "/readyz"):
        assert httpx.get(qdrant_address.url + path).is_success
