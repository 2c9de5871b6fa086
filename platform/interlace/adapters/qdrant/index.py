"""The vector index over ``qdrant-client``; nothing here depends on which kind of Qdrant answers."""

import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import httpx
import numpy as np
from more_itertools import chunked
from numpy.typing import NDArray
from qdrant_client import QdrantClient, models

from interlace.adapters.qdrant import requests, schema, values
from interlace.adapters.qdrant.failures import failures
from interlace.adapters.qdrant.filters import compile_filter, only, visible
from interlace.adapters.qdrant.rounding import DENSE, Rounding, rounding_of
from interlace.adapters.qdrant.searches import SearchConnections
from interlace.domain.errors import ConflictError, NotFoundError
from interlace.domain.filters import Filter
from interlace.domain.reader import check_unrestricted
from interlace.ports.vectors import NO_VECTORS, Point, ScoredPoint, SparseVector
from interlace.settings import QdrantSettings

_TIMEOUT = 10  # seconds to wait for an answer if the caller sets no deadline
PAGE = 256
IDS = 1000
# Points fetched beyond the limit, so that among ties at the cut the smallest ids win; more while the cut is within a tie.
SPARE = 16
WIDER = 8
MAX_FETCHED = 10_000


class QdrantVectorIndex:
    """Collections ``<prefix>-<tenant>-<kind>`` in the configured Qdrant. Threads may share it; it connects on the first call."""

    def __init__(self, settings: QdrantSettings) -> None:
        self._settings = settings
        key = settings.api_key.get_secret_value()
        # The key is sent as a header: given as api_key, the client warns about http, which is intended on loopback.
        headers = {"api-key": key} if key else {}
        # On loopback, the client's default is a new connection for each call. Qdrant closes idle ones after five seconds.
        limits = httpx.Limits(keepalive_expiry=2.0)
        self._client = QdrantClient(
            url=settings.url, headers=headers, timeout=_TIMEOUT, check_compatibility=False, limits=limits
        )
        # The address as the client completes it.
        self._searches = SearchConnections(self._client.http.client.host, headers, limits)

    def _calling(self, timeout: float | None = None) -> AbstractContextManager[None]:
        return failures(self._settings.url, timeout or _TIMEOUT)

    def _name(self, tenant: str, kind: str) -> str:
        return "-".join(part for part in (self._settings.prefix, tenant, kind) if part)

    def ensure(
        self, tenant: str, kind: str, models: Mapping[str, int], multivectors: Mapping[str, int] = NO_VECTORS
    ) -> None:
        """Create the collection, or add what it lacks: vectors of new models, payload indexes.

        Raises:
            ConflictError: an existing vector of a model has other dimensions.
        """
        name, wanted = self._name(tenant, kind), schema.dense_params(models, multivectors)
        try:
            with self._calling():
                found = self._client.get_collection(name)
        except NotFoundError:
            self._create(name, wanted)
            with self._calling():
                found = self._client.get_collection(name)
        with self._calling():
            self._complete(name, found, wanted)

    def _create(self, name: str, wanted: Mapping[str, models.VectorParams]) -> None:
        try:
            with self._calling():
                self._client.create_collection(
                    name,
                    vectors_config=dict(wanted),
                    # Term weights are ours, inverse document frequencies Qdrant's.
                    sparse_vectors_config={schema.BM25: models.SparseVectorParams(modifier=models.Modifier.IDF)},
                    hnsw_config=schema.HNSW,
                )
        except ConflictError:
            return  # another process was faster; whatever is missing is added next

    def _complete(self, name: str, found: models.CollectionInfo, wanted: Mapping[str, models.VectorParams]) -> None:
        for vector, params in schema.missing_vectors(name, found.config.params, wanted).items():
            dense = models.DenseVectorConfig(
                size=params.size, distance=params.distance, multivector_config=params.multivector_config
            )
            self._client.create_vector_name(name, vector, models.DenseVectorNameConfig(dense=dense))
        for field, index in schema.PAYLOAD_INDEXES.items():
            if field not in found.payload_schema:
                self._client.create_payload_index(name, field, index, wait=True)

    def upsert(self, tenant: str, kind: str, points: Sequence[Point]) -> None:
        """Write points, durable on return.

        Raises:
            NotFoundError: the collection was never ensured.
        """
        for batch in values.batches(points):
            with self._calling():
                structs = [values.struct(tenant, point) for point in batch]
                self._client.upsert(self._name(tenant, kind), structs, wait=True)

    def set_vectors(self, tenant: str, kind: str, points: Sequence[Point]) -> None:
        """Write some vectors of points; points deleted meanwhile are skipped, because Qdrant refuses a batch that names one."""
        for batch in values.batches(points):
            rest: Sequence[Point] = batch
            while rest:
                there = self.existing_ids(tenant, kind, [point.id for point in rest])
                rest = [point for point in rest if point.id in there]
                try:
                    with self._calling():
                        if rest:
                            vectors = [values.vectors(point) for point in rest]
                            self._client.update_vectors(self._name(tenant, kind), vectors, wait=True)
                    break
                except NotFoundError:
                    continue

    def existing_ids(self, tenant: str, kind: str, ids: Sequence[str], vector: str | None = None) -> set[str]:
        """Return the ids of points that exist, with a vector of that name if one is given."""
        found: set[str] = set()
        for some in chunked(ids, IDS):
            must: list[models.Condition] = [models.HasIdCondition(has_id=some)]
            if vector is not None:
                must.append(models.HasVectorCondition(has_vector=vector))
            try:
                with self._calling():
                    page, _ = self._client.scroll(
                        self._name(tenant, kind),
                        scroll_filter=models.Filter(must=must),
                        limit=len(some),
                        with_payload=False,
                    )
            except NotFoundError:
                return set()
            found.update(str(record.id) for record in page)
        return found

    def retrieve(self, tenant: str, kind: str, ids: Sequence[str], vectors: Sequence[str] | None = None) -> list[Point]:
        """Return points with their payloads and vectors, or those of some names."""
        check_unrestricted("What is read by id in the vector index")
        chosen = True if vectors is None else list(vectors)
        found: list[Point] = []
        for some in chunked(ids, IDS):
            try:
                with self._calling():
                    page = self._client.retrieve(self._name(tenant, kind), some, with_payload=True, with_vectors=chosen)
            except NotFoundError:
                return []
            found += map(values.point, page)
        return found

    def delete(self, tenant: str, kind: str, ids: Sequence[str]) -> None:
        """Delete points by id; missing points, or a missing collection, are no error."""
        for some in chunked(ids, IDS):
            try:
                with self._calling():
                    self._client.delete(self._name(tenant, kind), list(some), wait=True)
            except NotFoundError:
                return

    def set_payloads(self, tenant: str, kind: str, payloads: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace payloads, many in one request: an edited document changes those of all its chunks."""
        for batch in values.batches([Point(point_id, payload=payload) for point_id, payload in payloads.items()]):
            changes = [values.payload_change(tenant, point) for point in batch]
            try:
                with self._calling():
                    self._client.batch_update_points(self._name(tenant, kind), changes, wait=True)
            except NotFoundError:
                return

    def search(
        self,
        tenant: str,
        kind: str,
        vector: NDArray[np.float32] | SparseVector,
        *,
        using: str,
        limit: int,
        where: Filter | None = None,
        exact: bool = False,
        payload: bool = False,
        timeout: float | None = None,
    ) -> list[ScoredPoint]:
        """Return the best points by similarity, ties by id; inverse document frequencies count live points only."""
        if kind != "chunks":
            check_unrestricted(f"The collection of {kind}")
        condition = visible(compile_filter(where))
        rounding = rounding_of(vector)
        fetch = limit + SPARE
        exact = exact or self._settings.exact
        name, seconds = self._name(tenant, kind), timeout or _TIMEOUT
        with self._calling(timeout):
            while True:
                asked = requests.nearest(tenant, vector, using, fetch, condition, exact=exact)
                (found,) = self._searches.search(name, [asked], seconds)
                if not (len(found) == fetch < MAX_FETCHED and rounding.cut_in_tie(found, limit)):
                    break
                fetch = min(fetch * WIDER, MAX_FETCHED)
            if isinstance(vector, SparseVector):
                found = self._settled(tenant, name, vector, using, found, rounding, seconds)
            best = rounding.ranked(found, limit)
            return self._with_payload(tenant, kind, best) if payload else best

    def cosines(
        self,
        tenant: str,
        kind: str,
        vectors: Sequence[NDArray[np.float32]],
        ids: Sequence[str],
        *,
        using: str,
        timeout: float | None = None,
    ) -> list[dict[str, float]]:
        """Return, for each vector, its exact cosine with each of these points, all in one request."""
        if kind != "chunks":
            check_unrestricted(f"The collection of {kind}")
        asked = requests.of_cosines(vectors, ids, using)
        with self._calling(timeout):
            name, seconds = self._name(tenant, kind), timeout or _TIMEOUT
            answers = self._searches.search(name, asked, seconds) if asked else []
        return [{hit.id: DENSE.of(hit.score) for hit in answer} for answer in answers]

    def dense_vectors(
        self, tenant: str, kind: str, ids: Sequence[str], *, using: str, timeout: float | None = None
    ) -> dict[str, NDArray[np.float32]]:
        """Return a dense vector, or the multivector, of each of these points, all in one request."""
        found = self._some(tenant, kind, ids, using, timeout)
        return {each.id: each.dense[using] for each in found if using in each.dense}

    def sparse_vectors(
        self, tenant: str, kind: str, ids: Sequence[str], *, using: str, timeout: float | None = None
    ) -> dict[str, SparseVector]:
        """Return the sparse vectors of these points, all in one request."""
        found = self._some(tenant, kind, ids, using, timeout)
        return {each.id: vector for each in found if (vector := each.sparse.get(using)) and vector.indices}

    def _some(self, tenant: str, kind: str, ids: Sequence[str], using: str, timeout: float | None) -> list[Point]:
        """Return those of some points that the reader may see, each with one of its vectors."""
        if kind != "chunks":
            check_unrestricted(f"The collection of {kind}")
        if not ids:
            return []
        with self._calling(timeout):
            found, _ = self._client.scroll(
                self._name(tenant, kind),
                scroll_filter=visible(only(ids)),
                limit=len(ids),
                with_payload=False,
                with_vectors=[using],
                timeout=math.ceil(timeout or _TIMEOUT),
            )
        return [values.point(record) for record in found]

    def _settled(
        self,
        tenant: str,
        name: str,
        vector: SparseVector,
        using: str,
        found: Sequence[ScoredPoint],
        rounding: Rounding,
        seconds: float,
    ) -> list[ScoredPoint]:
        """Return the hits, with scores that float32 leaves uncertain summed exactly; a point deleted meanwhile keeps its own."""
        unsure = [hit.id for hit in found if not rounding.sure(hit.score)]
        if not unsure:
            return list(found)
        parts: dict[str, list[float]] = defaultdict(list)
        for some in chunked(unsure, IDS):
            searches = requests.of_terms(tenant, vector, some, using)
            for answer in self._searches.search(name, searches, seconds):
                for hit in answer:
                    parts[hit.id].append(hit.score)
        sums = {point: math.fsum(shares) for point, shares in parts.items()}
        return [replace(hit, score=sums.get(hit.id, hit.score)) for hit in found]

    def _with_payload(self, tenant: str, kind: str, hits: Sequence[ScoredPoint]) -> list[ScoredPoint]:
        """A point that was deleted meanwhile is left out."""
        records = self._client.retrieve(self._name(tenant, kind), [hit.id for hit in hits], with_payload=True)
        payloads = {str(record.id): record.payload or {} for record in records}
        return [replace(hit, payload=payloads[hit.id]) for hit in hits if hit.id in payloads]

    def scroll(self, tenant: str, kind: str, *, where: Filter | None = None, vectors: bool = False) -> Iterator[Point]:
        """Yield every point in id order, a page at a time."""
        check_unrestricted("The vector index as a whole")
        condition = compile_filter(where)
        offset: Any = None
        while True:
            try:
                with self._calling():
                    page, offset = self._client.scroll(
                        self._name(tenant, kind),
                        scroll_filter=condition,
                        limit=PAGE,
                        offset=offset,
                        with_payload=True,
                        with_vectors=vectors,
                    )
            except NotFoundError:
                return
            yield from (values.point(record) for record in page)
            if offset is None:
                return

    def count(self, tenant: str, kind: str) -> int:
        """Return the exact number of points."""
        check_unrestricted("The size of the vector index")
        try:
            with self._calling():
                return self._client.count(self._name(tenant, kind), exact=True).count
        except NotFoundError:
            return 0

    def drop(self, tenant: str, kind: str) -> None:
        """Delete the collection if it exists."""
        try:
            with self._calling():
                self._client.delete_collection(self._name(tenant, kind))
        except NotFoundError:
            return

    def ping(self) -> float:
        """Return the seconds of a round trip that also proves the API key."""
        started = time.perf_counter()
        with self._calling():
            self._client.collection_exists(self._name("ping", "ping"))
        return time.perf_counter() - started

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
        self._searches.close()
