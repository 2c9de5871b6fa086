"""Idempotency keys: a key names a job, so that a client can repeat a request whose answer was lost."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from interlace.domain.documents import Source
from interlace.domain.errors import ConflictError
from interlace.domain.ids import checksum, stable_id
from interlace.ports.graph import GraphDatabase
from interlace.queries import jobs as queries


def bind_job(
    graph: GraphDatabase,
    tenant: str,
    key: str,
    sources: Sequence[Source],
    owner: str = "",
    *,
    addresses: Sequence[tuple[str, Mapping[str, Any]]] = (),
) -> str:
    """Return the id of the job that a key names; a new key begins a job for these documents.

    Args:
        graph: where jobs are kept.
        tenant: the tenant that owns the documents.
        key: the idempotency key.
        sources: the documents.
        owner: id of the API key that asks; empty for a caller without one.
        addresses: those of documents to fetch, each with the metadata of its sender. What a page holds does not count: it may differ
            from one request to the next.

    Raises:
        ConflictError: the key was used before for other documents, or for these with other metadata, tags or groups of readers.
    """
    job_id = stable_id("job", tenant, "idempotency-key", key)
    parts = [
        *([source.uri, source.media_type, source.checksum, dict(source.metadata)] for source in sources),
        *([url, dict(metadata)] for url, metadata in addresses),
    ]
    # One line each, whatever the order of the documents and of the metadata's keys.
    digest = checksum(b"\n".join(sorted(orjson.dumps(part, option=orjson.OPT_SORT_KEYS) for part in parts)))
    bound = queries.bind_job(graph, tenant=tenant, id=job_id, kind="ingest", owner=owner or None, digest=digest)
    if bound != digest:
        raise ConflictError(
            f"The Idempotency-Key {key!r} was used for other documents, or with other metadata; use a new key for these."
        )
    return job_id
