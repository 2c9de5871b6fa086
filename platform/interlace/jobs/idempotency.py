"""Idempotency keys: the same key names the same job, so that a request may be repeated after a lost answer."""

from collections.abc import Sequence

from interlace.cypher_files import query
from interlace.domain.documents import Source
from interlace.domain.errors import ConflictError
from interlace.domain.ids import checksum, stable_id
from interlace.ports.graph import GraphDatabase

_BIND = query("jobs/bind_job")


def bind_job(graph: GraphDatabase, tenant: str, key: str, sources: Sequence[Source]) -> str:
    """Return the id of the job that a key stands for, begun for these documents if it is new.

    Raises:
        ConflictError: the key was used before for other documents.
    """
    job = stable_id("job", tenant, "idempotency-key", key)
    lines = sorted(f"{source.uri}\t{source.media_type}\t{source.checksum}" for source in sources)
    digest = checksum("\n".join(lines))
    (row,) = graph.run(_BIND, tenant=tenant, id=job, kind="ingest", digest=digest)
    if row["digest"] != digest:
        raise ConflictError(f"The Idempotency-Key {key!r} was used for other documents; take a new key for these.")
    return job
