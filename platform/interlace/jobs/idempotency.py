"""Idempotency keys: a key names a job, so that a client can repeat a request whose answer was lost."""

from collections.abc import Sequence

import orjson

from interlace.domain.documents import Source
from interlace.domain.errors import ConflictError
from interlace.domain.ids import checksum, stable_id
from interlace.ports.graph import GraphDatabase
from interlace.queries import jobs as queries


def bind_job(graph: GraphDatabase, tenant: str, key: str, sources: Sequence[Source], owner: str = "") -> str:
    """Return the id of the job that a key names; a new key begins a job for these documents.

    Args:
        graph: where jobs are kept.
        tenant: the tenant that owns the documents.
        key: the idempotency key.
        sources: the documents.
        owner: id of the API key that asks; empty for a caller without one.

    Raises:
        ConflictError: the key was used before for other documents, or for these with other metadata, tags or groups of readers.
    """
    job_id = stable_id("job", tenant, "idempotency-key", key)
    digest = checksum(b"\n".join(sorted(map(_canonical, sources))))
    bound = queries.bind_job(graph, tenant=tenant, id=job_id, kind="ingest", owner=owner or None, digest=digest)
    if bound != digest:
        raise ConflictError(
            f"The Idempotency-Key {key!r} was used for other documents, or with other metadata; use a new key for these."
        )
    return job_id


def _canonical(source: Source) -> bytes:
    """Return a document and what was sent with it as one line, whatever the order of the metadata's keys."""
    parts = [source.uri, source.media_type, source.checksum, dict(source.metadata)]
    return orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
