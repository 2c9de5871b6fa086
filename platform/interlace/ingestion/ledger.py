"""The ledger: one ingestion record for each pending document, moved from stage to stage by compare-and-set.

Stages are ``received → parsed → extracted → projected``; then the record is deleted, because the document is ready, or its stage is
``quarantined`` with a reason. A worker holds a lease on the records that it works on. The record's upload (``generation``) and attempt
are the lease's fencing token. Attempts are counted before work starts, so that a document that kills its worker is detected.
"""

import uuid
import zlib
from collections.abc import Sequence

import orjson

from interlace.ingestion.versions import Claim
from interlace.ports.graph import GraphDatabase
from interlace.queries import ingestion_records as queries

BACKOFF_SECONDS = 2.0
OUTAGE_SECONDS = 5.0


class Ledger:
    """Claims ingestion records, moves them on and quarantines failures.

    Args:
        graph: where the ledger lives.
        lease_seconds: seconds after which the lease of a silent worker expires.
        max_attempts: attempts after which a document is quarantined.
    """

    def __init__(self, graph: GraphDatabase, *, lease_seconds: float, max_attempts: int) -> None:
        self._graph = graph
        self._lease_ms = int(lease_seconds * 1000)
        self._max_attempts = max_attempts

    @property
    def lease_seconds(self) -> float:
        """Seconds a lease holds without renewal."""
        return self._lease_ms / 1000

    def split(self, tenant: str, ids: Sequence[str]) -> tuple[list[str], list[str]]:
        """Divide records into those never attempted and the rest, which are to be claimed one by one.

        A document that killed its worker once must not take its neighbours with it a second time.
        """
        rows = queries.attempted_records(self._graph, tenant=tenant, ids=ids)
        return [row.id for row in rows if row.attempt == 0], [row.id for row in rows if row.attempt > 0]

    def is_done(self, tenant: str) -> bool:
        """Return whether no document of a tenant is on its way; those in quarantine are not."""
        return queries.pending_record(self._graph, tenant=tenant) is None

    def claim(self, tenant: str, ids: Sequence[str]) -> list[Claim]:
        """Lease the records that no other worker has; each claim counts an attempt.

        Records whose attempts are used up are quarantined instead.
        """
        owner = uuid.uuid4().hex
        # Sorted, so that two workers who claim the same records take the locks in the same order.
        rows = queries.claim_records(self._graph, tenant=tenant, ids=sorted(ids), owner=owner, lease_ms=self._lease_ms)
        for row in rows:
            if row.attempt > self._max_attempts:
                message = (
                    f"Its worker died {self._max_attempts} times while working on it, last after stage '{row.stage}'."
                )
                self.quarantine(tenant, _claim(row, owner), "crash", message)
        return [_claim(row, owner) for row in rows if row.attempt <= self._max_attempts]

    def advance(self, tenant: str, claims: Sequence[Claim], stage: str) -> None:
        """Record that the claimed documents have passed a stage; claims that were lost meanwhile are left alone."""
        queries.advance_records(self._graph, tenant=tenant, claims=fences(claims), stage=stage, lease_ms=self._lease_ms)

    def renew(self, tenant: str, claims: Sequence[Claim]) -> None:
        """Extend the leases of claims that are still held."""
        queries.renew_leases(self._graph, tenant=tenant, claims=fences(claims), lease_ms=self._lease_ms)

    def quarantine(self, tenant: str, claim: Claim, reason: str, message: str) -> None:
        """Quarantine a document with a stable reason code and a sentence; its older version stays as it is."""
        self._fail(tenant, claim, stage="quarantined", reason=reason, message=message)

    def retry_later(self, tenant: str, claim: Claim, message: str) -> None:
        """Release a document after a transient failure, to be retried with backoff, or quarantine it when its attempts are used up."""
        if claim.attempt >= self._max_attempts:
            self.quarantine(tenant, claim, "failed", message)
            return
        delay = BACKOFF_SECONDS * 2 ** (claim.attempt - 1)
        self._fail(tenant, claim, stage="received", reason="retry", message=message, retry_ms=int(delay * 1000))

    def release(self, tenant: str, claims: Sequence[Claim], message: str) -> None:
        """Release documents that could not be processed because of a server outage; the attempt does not count."""
        queries.release_records(
            self._graph, tenant=tenant, claims=fences(claims), message=message, retry_ms=int(OUTAGE_SECONDS * 1000)
        )

    def _fail(
        self, tenant: str, claim: Claim, *, stage: str, reason: str, message: str, retry_ms: int | None = None
    ) -> None:
        queries.fail_records(
            self._graph,
            tenant=tenant,
            claim=claim.fence(),
            stage=stage,
            reason=reason,
            message=message,
            retry_ms=retry_ms,
        )


def fences(claims: Sequence[Claim]) -> list[dict[str, str | int]]:
    """Return the values that the compare-and-sets of these claims' records compare."""
    return [claim.fence() for claim in claims]


def _claim(row: queries.ClaimRecordsRow, owner: str) -> Claim:
    return Claim(
        id=row.id,
        generation=row.generation,
        attempt=row.attempt,
        owner=owner,
        job_id=row.job_id,
        operation=row.operation,
        source_uri=row.source_uri,
        media_type=row.media_type,
        checksum=row.checksum,
        content=decompress(row.content),
        metadata=orjson.loads(row.metadata),
    )


def compress(content: bytes) -> bytes:
    """Compress an upload for the ledger."""
    return zlib.compress(content, level=1)


def decompress(content: bytes | None) -> bytes:
    """Return an upload's bytes; empty for a deletion."""
    return zlib.decompress(bytes(content)) if content else b""
