"""Takes claimed documents from bytes to ready: parse, chunk, extract, embed, project, write."""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from interlace.cypher_files import query
from interlace.domain.documents import Chunk, ParsedDocument, Source
from interlace.domain.errors import InterlaceError, ParseError, SettingsError, UnavailableError
from interlace.domain.extraction import Extraction
from interlace.domain.lexical import passage_terms
from interlace.ingestion import rows
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.versions import Claim, NewVersion, Outcome
from interlace.ingestion.writer import GraphWriter
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import Point, SparseVector, VectorIndex

_HELD_CHUNKS = query("ingest/held_chunks")
_log = logging.getLogger(__name__)


class Parser(Protocol):
    """Parses sources in a place where they can do no harm."""

    def parse(self, sources: Sequence[Source]) -> list[ParsedDocument | ParseError]:
        """Return a parsed document or an error for each source, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Models:
    """What reads text during ingestion.

    Args:
        parser: bytes to documents.
        chunker: document id and document to chunks.
        extract: chunks, each with its document, to what they name and say.
        embedder: none when embeddings are off.
        fingerprint: changes whenever the same bytes could give another graph or other vectors.
    """

    parser: Parser
    chunker: Callable[[str, ParsedDocument], tuple[Chunk, ...]]
    extract: Callable[[Sequence[tuple[ParsedDocument, Chunk]]], list[Extraction]]
    embedder: Embedder | None
    fingerprint: str


class BatchProcessor:
    """Processes batches of ledger entries; one instance a worker process."""

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        ledger: Ledger,
        outbox: Outbox,
        writer: GraphWriter,
        models: Models,
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._ledger = ledger
        self._outbox = outbox
        self._writer = writer
        self._models = models
        self._ensured: set[str] = set()
        # Documents of outages in which the graph could not even be told that they are given back.
        self._owed: list[tuple[str, Sequence[Claim], str]] = []

    def process(self, tenant: str, ids: Sequence[str]) -> Outcome:
        """Bring the named documents to ready, as far as this worker may claim them.

        A document that cannot be read is quarantined with its reason; one whose turn a server's outage spoilt is given back and tried
        again later; the others go on. Raises nothing for a document's own fault.

        Raises:
            UnavailableError: a server does not answer.
            SettingsError: a server does not accept our credentials.
        """
        self._settle()
        fresh, tried = self._ledger.split(tenant, ids)
        outcomes = [self._attempt(tenant, fresh)] if fresh else []
        outcomes += [self._attempt(tenant, [entry]) for entry in tried]
        return Outcome(
            written=tuple(entry for outcome in outcomes for entry in outcome.written),
            deleted=tuple(entry for outcome in outcomes for entry in outcome.deleted),
            lost=tuple(entry for outcome in outcomes for entry in outcome.lost),
        )

    def _attempt(self, tenant: str, ids: Sequence[str]) -> Outcome:
        claims = self._ledger.claim(tenant, ids)
        if not claims:
            return Outcome()
        try:
            with self._leases(tenant, claims):
                # Asked first, because what models read for minutes would be read in vain.
                self._vectors.ping()
                return self._run(tenant, claims)
        except (UnavailableError, SettingsError) as error:
            if self._is_outage():
                self._owed.append((tenant, claims, error.message))
                self._settle()
            else:
                self._retry_later(tenant, claims, error.message)
            raise
        except Exception as error:  # noqa: BLE001 - whatever a document brings about is its own fault, and logged
            _log.exception("A batch of %d documents failed", len(claims))
            message = error.message if isinstance(error, InterlaceError) else f"{type(error).__name__}: {error}"
            # The culprit among several is found next time, when each is tried alone.
            self._retry_later(tenant, claims, message)
            return Outcome()

    def _is_outage(self) -> bool:
        """Tell whether a server is away. If none is, the documents themselves may be what it does not digest."""
        try:
            self._graph.ping()
            self._vectors.ping()
        except InterlaceError:
            return True
        return False

    def _retry_later(self, tenant: str, claims: Sequence[Claim], message: str) -> None:
        for claim in claims:
            self._ledger.retry_later(tenant, claim, message)

    def _settle(self) -> None:
        """Give back what outages have left in our hands, as soon as the graph can be told."""
        while self._owed:
            try:
                self._ledger.release(*self._owed[0])
            except InterlaceError as error:
                _log.warning("Could not give %d documents back yet: %s", len(self._owed[0][1]), error.message)
                return
            self._owed.pop(0)

    @contextmanager
    def _leases(self, tenant: str, claims: Sequence[Claim]) -> Iterator[None]:
        stop = threading.Event()

        def renew() -> None:
            while not stop.wait(self._ledger.lease_seconds / 3):
                try:
                    self._ledger.renew(tenant, claims)
                except InterlaceError as error:
                    _log.warning("Could not renew leases: %s", error)

        thread = threading.Thread(target=renew, name="leases", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def _run(self, tenant: str, claims: Sequence[Claim]) -> Outcome:
        watch = _Watch()
        deletions = [claim for claim in claims if claim.operation == "delete"]
        parsed = self._parse(tenant, [claim for claim in claims if claim.operation != "delete"])
        watch.passed("parse")
        versions, fresh = self._extract(tenant, parsed)
        watch.passed("extract")
        vectors = self._embed(fresh)
        watch.passed("embed")
        staged = self._project(tenant, versions, fresh, vectors)
        self._ledger.advance(tenant, [version.claim for version in versions], "projected")
        watch.passed("project")
        outcome = self._writer.write(tenant, versions, deletions, staged)
        watch.passed("write")
        self._outbox.dispatch(tenant)
        watch.passed("dispatch")
        _log.info("%d documents, %d new chunks: %s", len(claims), len(fresh), watch)
        return outcome

    def _parse(self, tenant: str, claims: Sequence[Claim]) -> list[tuple[Claim, ParsedDocument]]:
        sources = [
            Source(uri=claim.source_uri, media_type=claim.media_type, content=claim.content, metadata=claim.metadata)
            for claim in claims
        ]
        parsed: list[tuple[Claim, ParsedDocument]] = []
        for claim, result in zip(claims, self._models.parser.parse(sources), strict=True):
            if isinstance(result, ParseError):
                self._ledger.quarantine(tenant, claim, result.reason, result.message)
            else:
                # What the document says of itself wins over what its file says of it.
                parsed.append((claim, replace(result, metadata={**claim.metadata, **result.metadata})))
        return parsed

    def _extract(
        self, tenant: str, parsed: Sequence[tuple[Claim, ParsedDocument]]
    ) -> tuple[list[NewVersion], list[Chunk]]:
        self._ledger.advance(tenant, [claim for claim, _ in parsed], "parsed")
        chunked = [(claim, document, self._models.chunker(claim.id, document)) for claim, document in parsed]
        held = self._held(tenant, [claim.id for claim, _ in parsed])
        fresh = {
            chunk.id: (document, chunk)
            for _, document, chunks in chunked
            for chunk, digest in zip(chunks, rows.link_digests(document, chunks), strict=True)
            if held.get(chunk.id) != digest
        }
        found = dict(zip(fresh, self._models.extract(list(fresh.values())), strict=True)) if fresh else {}
        versions = [
            NewVersion(
                claim,
                self._models.fingerprint,
                document,
                chunks,
                {chunk.id: found[chunk.id] for chunk in chunks if chunk.id in found},
            )
            for claim, document, chunks in chunked
        ]
        self._ledger.advance(tenant, [claim for claim, _ in parsed], "extracted")
        return versions, [chunk for _, chunk in fresh.values()]

    def _held(self, tenant: str, ids: list[str]) -> dict[str, str]:
        """Return ids of the chunks that the same pipeline made, each with the digest of the links that it had in mind."""
        found = self._graph.read(_HELD_CHUNKS, tenant=tenant, ids=ids, fingerprint=self._models.fingerprint)
        return {row["id"]: row["links"] for row in found}

    def _embed(self, chunks: Sequence[Chunk]) -> NDArray[np.float32] | None:
        embedder = self._models.embedder
        return embedder.embed_passages([_input(chunk) for chunk in chunks]) if embedder and chunks else None

    def _project(
        self,
        tenant: str,
        versions: Sequence[NewVersion],
        chunks: Sequence[Chunk],
        vectors: NDArray[np.float32] | None,
    ) -> str | None:
        """Write the new chunks' points; nobody sees them until the graph holds their chunks."""
        if not chunks:
            return None
        self._ensure(tenant)
        entry = uuid.uuid4().hex
        ids = sorted(chunk.id for chunk in chunks)
        self._outbox.announce(tenant, entry, ids, due_in=self._ledger.lease_seconds * 20)
        embedder = self._models.embedder
        by_document = {version.claim.id: version for version in versions}
        points = []
        for at, chunk in enumerate(chunks):
            indices, values = passage_terms(_input(chunk))
            points.append(
                Point(
                    id=chunk.id,
                    dense={embedder.model: vectors[at]} if embedder and vectors is not None else {},
                    sparse={"bm25": SparseVector(indices, values)},
                    payload=rows.payload(tenant, by_document[chunk.document_id], chunk),
                )
            )
        self._vectors.upsert(tenant, "chunks", points)
        return entry

    def _ensure(self, tenant: str) -> None:
        if tenant not in self._ensured:
            models = {self._models.embedder.model: self._models.embedder.dimensions} if self._models.embedder else {}
            self._vectors.ensure(tenant, "chunks", models)
            self._ensured.add(tenant)


class _Watch:
    """Seconds that each stage of a batch took."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._seconds: dict[str, float] = {}

    def passed(self, stage: str) -> None:
        now = time.perf_counter()
        self._seconds[stage] = now - self._last
        self._last = now

    def __str__(self) -> str:
        return ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in self._seconds.items())


def _input(chunk: Chunk) -> str:
    """Return what models read of a chunk: title and headings, then the text."""
    return f"{chunk.context}\n{chunk.text}"
