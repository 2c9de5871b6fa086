"""What the Qdrant Edge server of Interlace promises as a process: durability, one owner, reads during everything, clean ends."""

import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ResponseHandlingException
from tests.support.edge_process import KEY, EdgeProcess
from tests.support.ports import free_port

DEADLINE = 240.0
DENSE: dict[str, Any] = {"size": 4, "distance": "Cosine"}
NEAREST: dict[str, Any] = {"query": {"nearest": [1, 2, 3, 4]}, "using": "dense"}
# What turns the query above into one that is refused.
QUERIES: list[dict[str, Any]] = [
    {"query": 5},
    {"query": [1, 2, 3, 4]},
    {"query": {"recommend": {"positive": [1]}}},
    {"query": {"fusion": "rrf"}, "prefetch": [NEAREST]},
    {"query": {"nearest": [1, 2, 3, 4], "mmr": {}}},
    {"offset": 5},
    {"score_threshold": 0.5},
    {"limits": 5},
    {"params": {"indexed_only": True}},
    {"filter": {"must": [{"key": "a", "like": 1}]}},
    {"filter": {"must": [{"key": "a", "geo_radius": {}}]}},
    {"filter": {"must": [{"key": "a", "match": {"text": "x"}}]}},
    {"filter": {"must": [{"key": "a", "match": {"value": 1}}]}},
    {"filter": {"must": [{"is_empty": {"key": "a"}}]}},
    {"filter": {"min_should": {"conditions": [], "min_count": 1}}},
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EdgeProcess]:
    made = EdgeProcess(tmp_path).start()
    yield made
    made.kill()


@pytest.fixture
def early(tmp_path: Path) -> Iterator[EdgeProcess]:
    made = EdgeProcess(tmp_path, index_early=True).start()
    yield made
    made.kill()


def connect(server: EdgeProcess) -> QdrantClient:
    return QdrantClient(url=server.url, headers={"api-key": KEY}, timeout=60, check_compatibility=False)


def create(client: QdrantClient, name: str, size: int = 4, hnsw: models.HnswConfigDiff | None = None) -> None:
    client.create_collection(
        name,
        vectors_config={"dense": models.VectorParams(size=size, distance=models.Distance.COSINE)},
        sparse_vectors_config={"bm25": models.SparseVectorParams(modifier=models.Modifier.IDF)},
        hnsw_config=hnsw,
    )


def points(start: int, stop: int, size: int = 4) -> list[models.PointStruct]:
    rows = np.random.default_rng(start).normal(size=(stop - start, size))
    return [
        models.PointStruct(
            id=number,
            vector={"dense": row.tolist(), "bm25": models.SparseVector(indices=[number % 5], values=[1.0])},
            payload={"n": number, "at": "2024-01-01T00:00:00Z"},
        )
        for number, row in zip(range(start, stop), rows, strict=True)
    ]


def stored(client: QdrantClient, name: str) -> list[Any]:
    found, _ = client.scroll(name, limit=100_000, with_payload=False)
    return [point.id for point in found]


def exchanged(server: EdgeProcess, name: str) -> bool:
    """Whether an optimised shard has taken the first one's place and none is being built."""
    shards = [folder.name for folder in (server.folder / "data" / "collections" / name).glob("shard-*")]
    return len(shards) == 1 and shards != ["shard-1"]


@pytest.mark.parametrize("round_number", range(2))
def test_acknowledged_writes_survive_kill_9(server: EdgeProcess, round_number: int) -> None:
    client = connect(server)
    create(client, "c")
    client.create_payload_index("c", "at", models.PayloadSchemaType.DATETIME)
    acknowledged: list[int] = []
    enough = threading.Event()

    def write() -> None:
        try:
            for number in range(100_000):
                client.upsert("c", points(number, number + 1))
                if number % 3 == 0:
                    client.delete("c", [number])
                acknowledged.append(number)
                if number == 30 + 20 * round_number:
                    enough.set()
        except ResponseHandlingException:
            return

    writer = threading.Thread(target=write)
    writer.start()
    assert enough.wait(DEADLINE)
    server.kill()
    writer.join()
    client.close()
    client = connect(server.start())
    found = stored(client, "c")
    last = acknowledged[-1]
    assert [number for number in found if number <= last] == [number for number in range(last + 1) if number % 3]
    assert len(found) == len(set(found))
    assert client.get_collection("c").payload_schema["at"].points == len(found)
    client.close()


def test_everything_is_there_after_a_clean_restart(server: EdgeProcess) -> None:
    client = connect(server)
    create(client, "c", hnsw=models.HnswConfigDiff(m=8))
    create(client, "gone")
    client.upsert("c", points(0, 50))
    dense = models.DenseVectorConfig(size=2, distance=models.Distance.COSINE)
    client.create_vector_name("c", "late", models.DenseVectorNameConfig(dense=dense))
    client.update_vectors("c", [models.PointVectors(id=7, vector={"late": [1.0, 0.0]})])
    client.delete_collection("gone")
    before = client.get_collection("c").config
    client.close()
    assert server.stop() == 0
    client = connect(server.start())
    assert not client.collection_exists("gone")
    assert client.get_collection("c").config == before
    assert stored(client, "c") == list(range(50))
    assert client.query_points("c", query=[1.0, 0.0], using="late").points[0].id == 7
    client.close()


def test_a_second_server_on_the_same_data_refuses(server: EdgeProcess) -> None:
    second = subprocess.run(server.command(free_port()), capture_output=True, text=True, timeout=120, check=False)
    assert second.returncode == 78
    assert "is in use by another Qdrant Edge server" in second.stderr
    assert httpx.get(f"{server.url}/readyz").is_success


def test_many_readers_and_writers(server: EdgeProcess) -> None:
    client = connect(server)
    create(client, "c", size=32)
    client.upsert("c", points(0, 500, 32))
    failures: list[BaseException] = []
    writing = threading.Event()
    writing.set()

    def write(part: int) -> None:
        mine = connect(server)
        first = 1000 * (part + 1)
        for start in range(first, first + 200, 20):
            mine.upsert("c", points(start, start + 20, 32))
            mine.delete("c", list(range(start, start + 10)))
            seen = models.Filter(must=[models.HasIdCondition(has_id=[start + 15])])
            change = models.SetPayload(payload={"seen": "yes"}, filter=seen)
            mine.batch_update_points("c", [models.OverwritePayloadOperation(overwrite_payload=change)])
        mine.close()

    def read() -> None:
        mine = connect(server)
        while writing.is_set():
            found = mine.query_points("c", query=[1.0] * 32, using="dense", limit=20, with_payload=True).points
            assert len(found) == 20
            assert all(point.payload for point in found)
            fixed = models.Filter(must=[models.FieldCondition(key="n", range=models.Range(lt=500))])
            assert len(mine.scroll("c", scroll_filter=fixed, limit=1000, with_payload=False)[0]) == 500
        mine.close()

    def guarded(work: Any, *arguments: Any) -> None:
        try:
            work(*arguments)
        except BaseException as error:  # noqa: BLE001 - handed to the main thread
            failures.append(error)

    readers = [threading.Thread(target=guarded, args=(read,)) for _ in range(4)]
    writers = [threading.Thread(target=guarded, args=(write, part)) for part in range(4)]
    for thread in readers + writers:
        thread.start()
    for thread in writers:
        thread.join()
    writing.clear()
    for thread in readers:
        thread.join()
    assert failures == []
    assert client.count("c").count == 500 + 4 * 100
    seen = models.Filter(must=[models.FieldCondition(key="seen", match=models.MatchValue(value="yes"))])
    assert len(client.scroll("c", scroll_filter=seen, limit=100)[0]) == 40
    client.close()


def test_results_stay_complete_while_an_index_is_built(early: EdgeProcess) -> None:
    server = early
    client = connect(server)
    create(client, "c", size=64)
    probe = points(0, 100, 64)[41].vector
    assert isinstance(probe, dict)
    expected = 0
    deadline = time.monotonic() + DEADLINE
    while expected < 6000 or not exchanged(server, "c"):
        assert time.monotonic() < deadline
        if expected < 6000:
            client.upsert("c", points(expected, expected + 100, 64))
            expected += 100
            client.delete("c", [expected - 50])
            client.upsert("c", points(expected - 50, expected - 49, 64))
        assert client.count("c").count == expected
        assert client.query_points("c", query=probe["dense"], using="dense", limit=1).points[0].id == 41
    assert stored(client, "c") == list(range(6000))
    server.kill()
    client.close()
    client = connect(server.start())
    assert stored(client, "c") == list(range(6000))
    client.close()


def test_what_is_not_there_is_refused(server: EdgeProcess) -> None:
    client = connect(server)
    create(client, "c")
    headers = {"api-key": KEY}
    refusals: list[tuple[str, str, Any, int]] = [
        ("GET", "/collections", None, 501),
        ("PATCH", "/collections/c", {}, 501),
        ("GET", "/collections/c/snapshots", None, 501),
        ("POST", "/collections/aliases", {}, 501),
        ("DELETE", "/collections/c/index/n", None, 501),
        ("DELETE", "/collections/c/vectors/dense", None, 501),
        ("POST", "/collections/c/facet", {"key": "n"}, 501),
        ("GET", "/collections/c/points/1", None, 501),
        ("POST", "/collections/c/points/payload", {"payload": {}, "points": [1]}, 501),
        ("PUT", "/collections/c/points/payload", {"payload": {}, "points": [1]}, 501),
        ("POST", "/collections/c/points/payload/clear", {"points": [1]}, 501),
        ("POST", "/collections/c/points/batch", {"operations": [{"delete": {"points": [1]}}]}, 400),
        ("POST", "/collections/c/points/vectors/delete", {"points": [1], "vector": ["dense"]}, 501),
        ("POST", "/collections/c/points/query/groups", {}, 501),
        ("GET", "/telemetry", None, 501),
        ("GET", "/healthz", None, 501),
        ("GET", "/nowhere", None, 404),
        ("POST", "/readyz", None, 405),
        *(("POST", "/collections/c/points/query", NEAREST | body, 400) for body in QUERIES),
        ("POST", "/collections/c/points/count", {"filter": {}}, 400),
        ("POST", "/collections/c/points/count", {"exact": False}, 400),
        ("POST", "/collections/c/points/scroll", {"order_by": "n"}, 400),
        ("POST", "/collections/c/points/scroll", {"with_payload": {"include": ["n"]}}, 400),
        ("POST", "/collections/c/points/delete", {"filter": {"must": [{"has_id": [1]}]}}, 400),
        ("PUT", "/collections/c/points", {"batch": {"ids": [1], "vectors": {"dense": [[1, 2, 3, 4]]}}}, 400),
        ("PUT", "/collections/c/points", {"points": [{"id": 1, "vector": [1, 2, 3, 4]}]}, 400),
        ("PUT", "/collections/c/index", {"field_name": "n", "field_schema": "integer"}, 400),
        ("PUT", "/collections/c/vectors/v", {"sparse": {}}, 400),
        ("POST", "/collections/c/points/count?fast=true", {}, 400),
        ("POST", "/collections/c/points/count?timeout=x", {}, 400),
        ("PUT", "/collections/c/points?wait=false", {"points": []}, 400),
        ("PUT", "/collections/d", {"vectors": {"size": 4, "distance": "Cosine"}}, 400),
        ("PUT", "/collections/d", {"vectors": {"v": DENSE}, "shard_number": 3}, 400),
        ("PUT", "/collections/d", {"vectors": {"v": DENSE}, "optimizers_config": {"indexing_threshold": 1}}, 400),
        ("PUT", "/collections/d", {"vectors": {"v": DENSE | {"datatype": "float16"}}}, 400),
        ("PUT", "/collections/d", {"vectors": {"v": DENSE | {"distance": "Dot"}}}, 400),
        ("PUT", "/collections/d", {"vectors": {"v": DENSE | {"size": 0}}}, 422),
        ("PUT", "/collections/d", {"vectors": {}}, 422),
        ("PUT", "/collections/d", {"vectors": {"v": DENSE}, "sparse_vectors": {"v": {"modifier": "idf"}}}, 422),
        ("PUT", "/collections/" + "x" * 300, {"vectors": {"v": DENSE}}, 422),
    ]
    for method, path, body, status in refusals:
        answer = httpx.request(method, server.url + path, json=body, headers=headers)
        assert (path, answer.status_code) == (path, status), answer.text
        assert len(answer.json()["status"]["error"]) > 10
    misspelt = httpx.post(f"{server.url}/collections/c/points/query", json=NEAREST | {"limits": 5}, headers=headers)
    assert "limits: this Qdrant Edge server does not support this field" in misspelt.json()["status"]["error"]
    huge = httpx.put(f"{server.url}/collections/c/points", content=b" " * (33 * 1024 * 1024), headers=headers)
    assert huge.status_code == 413
    assert client.collection_exists("c")
    assert not client.collection_exists("d")
    client.close()


def test_collections_come_and_go_under_load(server: EdgeProcess) -> None:
    client = connect(server)
    for _ in range(3):
        name = f"c-{uuid.uuid4().hex}"
        create(client, name)
        client.upsert(name, points(0, 20))
        assert client.delete_collection(name)
        assert not client.delete_collection(name)
    assert list((server.folder / "data" / "collections").iterdir()) == []
    client.close()
