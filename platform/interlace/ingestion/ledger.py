"""The ledger: one entry a document on its way in, moved from stage to stage by compare-and-set.

Stages are ``received → parsed → chunked → extracted → projected`` and then the entry is gone, because the document is ready; or
``quarantined`` with a reason. Attempts are counted before work starts, so that a document that kills its worker is found out.
"""

import time
import uuid
import zlib
from collections.abc import Sequence
from typing import Any

import orjson

from interlace.cypher_files import query
from interlace.ingestion.versions import Claim
from interlace.ports.graph import GraphDatabase, Row

_CLAIM = query("ingestion_records/claim_records")
_ADVANCE = query("ingestion_records/advance_records")
_RENEW = query("ingestion_records/renew_leases")
_FAIL = query("ingestion_records/fail_records")
_RELEASE = query("ingestion_records/release_records")
_FRESH = query("ingestion_records/unattempted_records")
BACKOFF_SECONDS = 2.0
OUTAGE_SECONDS = 5.0


class Ledger:
    """Claims entries, moves them on and puts failures aside.

    Args:
        graph: where the ledger lives.
        lease_seconds: seconds after which a silent owner's claim is void.
        max_attempts: attempts after which an entry is quarantined.
    """

    def __init__(self, graph: GraphDatabase, *, lease_seconds: float, max_attempts: int) -> None:
        self._graph = graph
        self._lease_ms = int(lease_seconds * 1000)
        self._max_attempts = max_attempts

    @property
    def lease_seconds(self) -> float:
        """Seconds a claim holds without renewal."""
        return self._lease_ms / 1000

    def split(self, tenant: str, ids: Sequence[str]) -> tuple[list[str], list[str]]:
        """Divide entries into those never attempted and the rest, which are to be claimed one by one.

        A document that killed its worker once must not take its neighbours with it a second time.
        """
        rows = self._graph.run(_FRESH, tenant=tenant, ids=list(ids))
        fresh = [row["id"] for row in rows if row["attempt"] == 0]
        return fresh, [row["id"] for row in rows if row["attempt"] > 0]

    def claim(self, tenant: str, ids: Sequence[str]) -> list[Claim]:
        """Take the entries that nobody holds; each claim counts an attempt.

        Entries whose attempts are used up are quarantined instead.
        """
        owner, now = uuid.uuid4().hex, _now()
        # Sorted, so that two workers who claim the same entries take the locks in the same order.
        rows = self._graph.run(_CLAIM, tenant=tenant, ids=sorted(ids), owner=owner, now=now, until=now + self._lease_ms)
        spent = [row for row in rows if row["attempt"] > self._max_attempts]
        if spent:
            reason = f"Its worker died {self._max_attempts} times while working on it, last after stage '{{stage}}'."
            for row in spent:
                self.quarantine(tenant, _claim(row, owner), "crash", reason.format(stage=row["stage"]))
        return [_claim(row, owner) for row in rows if row["attempt"] <= self._max_attempts]

    def advance(self, tenant: str, claims: Sequence[Claim], stage: str) -> None:
        """Note that the claimed documents have passed a stage; claims that were lost meanwhile are left alone."""
        fences = [claim.fence() for claim in claims]
        self._graph.run(_ADVANCE, tenant=tenant, claims=fences, stage=stage, until=_now() + self._lease_ms)

    def renew(self, tenant: str, claims: Sequence[Claim]) -> None:
        """Extend the leases of claims that are still held."""
        self._graph.run(
            _RENEW, tenant=tenant, claims=[claim.fence() for claim in claims], until=_now() + self._lease_ms
        )

    def quarantine(self, tenant: str, claim: Claim, reason: str, message: str) -> None:
        """Put a document aside for good, with a stable reason word and a sentence; its older version stays as it is."""
        self._fail(tenant, claim, stage="quarantined", reason=reason, message=message, retry_at=None)

    def retry_later(self, tenant: str, claim: Claim, message: str) -> None:
        """Give a document back after a passing fault, to be tried again with backoff, or quarantine it when attempts are used up."""
        if claim.attempt >= self._max_attempts:
            self.quarantine(tenant, claim, "failed", message)
            return
        delay = BACKOFF_SECONDS * 2 ** (claim.attempt - 1)
        self._fail(
            tenant, claim, stage="received", reason="retry", message=message, retry_at=_now() + int(delay * 1000)
        )

    def release(self, tenant: str, claims: Sequence[Claim], message: str) -> None:
        """Give documents back that a server's outage kept from being worked on; the attempt does not count."""
        self._graph.run(
            _RELEASE,
            tenant=tenant,
            claims=[claim.fence() for claim in claims],
            message=message,
            retryAt=_now() + int(OUTAGE_SECONDS * 1000),
        )

    def _fail(self, tenant: str, claim: Claim, *, stage: str, reason: str, message: str, retry_at: int | None) -> None:
        self._graph.run(
            _FAIL,
            tenant=tenant,
            claim=claim.fence(),
            stage=stage,
            reason=reason,
            message=message,
            retryAt=retry_at,
        )


def _now() -> int:
    return int(time.time() * 1000)


def _claim(row: Row, owner: str) -> Claim:
    return Claim(
        id=row["id"],
        generation=row["generation"],
        attempt=row["attempt"],
        owner=owner,
        job_id=row["jobId"],
        operation=row["operation"],
        source_uri=row["sourceUri"],
        media_type=row["mediaType"],
        checksum=row["checksum"],
        content=unpack(row["content"]),
        metadata=orjson.loads(row["metadata"]),
    )


def pack(content: bytes) -> bytes:
    """Compress an upload for the ledger."""
    return zlib.compress(content, level=1)


def unpack(content: Any) -> bytes:
    """Return an upload's bytes."""
    return zlib.decompress(bytes(content)) if content else b""
