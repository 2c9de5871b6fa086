"""Idempotency keys: a key names a job, so that a client can repeat a request whose answer was lost."""

from collections.abc import Sequence

from interlace.domain.documents import Source
from interlace.domain.errors import ConflictError
from interlace.domain.ids import checksum, stable_id
from interlace.ports.graph import GraphDatabase
from interlace.queries import jobs as queries


def bind_job(graph: GraphDatabase, tenant: str, key: str, sources: Sequence[Source]) -> str:
    """Return the id of the job that a key names; a new key begins a job for these documents.

    Raises:
        ConflictError: the key was used before for other documents.
    """
    job_id = stable_id("job", tenant, "idempotency-key", key)
    lines = sorted(f"{source.uri}\t{source.media_type}\t{source.checksum}" for source in sources)
    digest = checksum("\n".join(lines))
    if queries.bind_job(graph, tenant=tenant, id=job_id, kind="ingest", digest=digest) != digest:
        raise ConflictError(f"The Idempotency-Key {key!r} was used for other documents; use a new key for these.")
    return job_id
