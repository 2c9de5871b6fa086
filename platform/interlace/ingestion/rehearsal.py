"""Batches that are written and taken back, so that the first real one need not wait until the database is up to speed.

A server just started loads, plans and compiles everything on its first batches. Here it does so before there is any: made-up documents
go from the ledger to the graph through the ordinary code, in one transaction that is rolled back. Nobody ever sees anything of them.
"""

import logging
import math
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from interlace.domain.documents import ParsedDocument, Section, Source
from interlace.domain.extraction import Extraction, Fact, Mention
from interlace.domain.ids import checksum, document_id
from interlace.entities.registry import Registries
from interlace.ingestion.intake import Intake
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.versions import Claim, NewVersion
from interlace.ingestion.writer import GraphWriter
from interlace.parsing.chunking import chunk
from interlace.ports.graph import GraphDatabase, Query, Row, Transaction

T = TypeVar("T")
_log = logging.getLogger(__name__)
_DOCUMENTS: Final = 112
# It is repeated until a round is hardly faster than the one before.
_MOST_ROUNDS: Final = 6
_HARDLY_FASTER: Final = 0.8
_SENTENCES: Final = 5
_LEASE_SECONDS: Final = 600.0
_LETTERS: Final = str.maketrans("0123456789", "ghiklmnopr")


def rehearse(graph: GraphDatabase) -> None:
    """Write a made-up batch and take it back, until that is no longer faster than before: a server that is up to speed has little of it.

    Raises:
        UnavailableError: the database does not answer.
    """
    took = [math.inf]
    for _ in range(_MOST_ROUNDS):
        began = time.perf_counter()
        _write_and_take_back(graph)
        took.append(time.perf_counter() - began)
        if took[-1] > took[-2] * _HARDLY_FASTER:
            break
    _log.info("Rehearsed: %s s", ", ".join(f"{seconds:.2f}" for seconds in took[1:]))


class _TakenBackError(Exception):
    """Ends the transaction without a commit."""


class _Stage:
    """A graph database whose every transaction is a part of one that is rolled back."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def read(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:  # noqa: ARG002 - the port's
        return self._transaction.run(query, **params)

    def write(self, query: Query, /, **params: Any) -> list[Row]:
        return self._transaction.run(query, **params)

    def transact(self, work: Callable[[Transaction], T]) -> T:
        return work(self._transaction)

    def ping(self) -> float:
        return 0.0

    def close(self) -> None:
        pass


class _Nobody:
    """A queue whose tasks nobody hears of."""

    def ingest(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        pass

    def refresh_communities(self, tenant: str) -> None:
        pass

    def rebuild_vectors(self, tenant: str) -> None:
        pass

    def depth(self) -> int:
        return 0

    def ping(self) -> float:
        return 0.0


def _write_and_take_back(graph: GraphDatabase) -> None:
    # A tenant of its own: several workers rehearse at once, and none waits for another's locks.
    tenant = f"rehearsal-{uuid.uuid4().hex}"

    def work(transaction: Transaction) -> None:
        stage = _Stage(transaction)
        sources = [Source(f"{number}.md", "text/markdown", b"") for number in range(_DOCUMENTS)]
        Intake(stage, _Nobody(), fingerprint="", batch_documents=_DOCUMENTS).receive(tenant, sources)
        ledger = Ledger(stage, lease_seconds=_LEASE_SECONDS, max_attempts=1)
        claims = ledger.claim(tenant, [document_id(tenant, source.uri) for source in sources])
        ledger.advance(tenant, claims, "projected")
        GraphWriter(stage, Registries(stage), models=()).write(tenant, [_version(claim) for claim in claims], [])
        raise _TakenBackError

    with suppress(_TakenBackError):
        graph.transact(work)


def _version(claim: Claim) -> NewVersion:
    """Return a document of some sentences, each of which states a fact about two names."""
    title = _name(claim.source_uri)
    text, mentions, facts = "", [], []
    for number in range(_SENTENCES):
        subject, target, place = (_name(f"{claim.source_uri} {number} {part}") for part in range(3))
        start = len(text)
        text += f"{subject} met {target} in {place} and wrote to {title} about it. "
        for name, kind in ((subject, "Person"), (target, "Person"), (place, "Place")):
            at = text.index(name, start)
            mentions.append(Mention(name, kind, at, at + len(name)))
        facts.append(Fact(subject, "MET", target, start, len(text) - 1, 1.0, "spacy"))
    section = Section("", (), 0, 0, 0, len(text))
    parsed = ParsedDocument(title, text, (section,))
    chunks = chunk(claim.id, parsed, max_words=len(text))
    extraction = Extraction(tuple(mentions), tuple(facts))
    return NewVersion(claim, "", parsed, chunks, {part.id: extraction for part in chunks})


def _name(seed: str) -> str:
    """Return a name of two words, the same for the same seed."""
    letters = checksum(seed.encode()).translate(_LETTERS)
    return f"{letters[:6].capitalize()} {letters[6:12].capitalize()}"
