"""Previews an ingestion without writing anything: ``interlace ingest --dry-run``."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from interlace.domain.documents import Chunk, ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.domain.ids import document_id as id_of_source
from interlace.ingestion.difference import fresh_chunks, known_documents, stored_chunks
from interlace.ingestion.labels import with_sent
from interlace.ingestion.reader import Parser
from interlace.ingestion.receiver import grouped
from interlace.ports.graph import GraphDatabase

_LISTED = 1000
Estimate = Callable[[str, Sequence[str]], tuple[int, float]]
"""Takes a tenant and texts; returns the tokens and the price of having a language model read them."""
Change = Literal["added", "changed", "unchanged"]


@dataclass(frozen=True, slots=True)
class ChunkCounts:
    """Numbers of chunks by what an ingestion does with them.

    Args:
        added: not in the graph.
        changed: in the graph with the same text, but read again, because their links differ or another pipeline made them.
        removed: in the graph and no longer in the document.
        unchanged: in the graph as they are; they cost nothing.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0

    def __add__(self, other: "ChunkCounts") -> "ChunkCounts":
        """Return the sums."""
        return ChunkCounts(
            self.added + other.added,
            self.changed + other.changed,
            self.removed + other.removed,
            self.unchanged + other.unchanged,
        )


@dataclass(frozen=True, slots=True)
class DocumentPreview:
    """What an ingestion would do with one document; chunks of an unchanged one are neither read nor counted."""

    source_uri: str
    change: Change
    chunks: ChunkCounts


@dataclass(frozen=True, slots=True)
class UnreadableDocument:
    """A document that would fail: a stable reason code, and a sentence."""

    source_uri: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class IngestPreview:
    """What an ingestion would do.

    Args:
        added: documents that are not in the graph.
        changed: documents whose bytes or pipeline differ.
        removed: documents that the caller says have vanished from their folder.
        unchanged: documents that cost one look-up.
        chunks: chunks of the added and changed documents.
        words: words and punctuation marks for extractor and embedder.
        llm_tokens: tokens that a language model would use for the chunks it has not read: prompts as its tokenizer counts them, and
            answers of the usual length; 0 without a model.
        llm_price: their price in US dollars; 0 where it is unknown.
        documents: the first thousand that are added or changed, in the order given.
        failures: documents that cannot be read.
    """

    added: int
    changed: int
    removed: int
    unchanged: int
    chunks: ChunkCounts
    words: int
    llm_tokens: int
    llm_price: float
    documents: tuple[DocumentPreview, ...]
    failures: tuple[UnreadableDocument, ...]


@dataclass(frozen=True, slots=True)
class Previewer:
    """Compares uploads with what the graph holds; writes nothing.

    Args:
        graph: the graph to compare with.
        parser: the confined process that ingestion uses too.
        chunker: document id and document to chunks.
        fingerprint: the pipeline's fingerprint.
        estimate: estimates what a language model would use; none without a model.
    """

    graph: GraphDatabase
    parser: Parser
    chunker: Callable[[str, ParsedDocument], tuple[Chunk, ...]]
    fingerprint: str
    estimate: Estimate | None = None

    def preview(
        self, tenant: str, sources: Iterable[Source | ParseError], vanished: Callable[[], Sequence[str]] = tuple
    ) -> IngestPreview:
        """Return what ingesting these documents would do; an iterator is consumed in bounded memory.

        Pending uploads are not considered, because they are not in the graph yet.

        Args:
            tenant: the tenant that owns the documents.
            sources: what would be ingested.
            vanished: called once all sources have been read; returns the ids of the documents that would be removed.

        Raises:
            UnavailableError: the graph does not answer, or no parser process can be started.
        """
        tally = _Tally()
        for group in grouped(sources, tally.failures):
            self._compare(tenant, group, tally)
        gone = vanished()
        chunks = stored_chunks(self.graph, tenant, self.fingerprint, gone) if gone else {}
        return replace(tally.preview(), removed=len(gone), chunks=tally.chunks + ChunkCounts(removed=len(chunks)))

    def _compare(self, tenant: str, group: Sequence[Source], tally: "_Tally") -> None:
        by_id = {id_of_source(tenant, source.uri): source for source in group}
        known = known_documents(self.graph, tenant, self.fingerprint, by_id)
        tally.changes["unchanged"] += len(known.unchanged)
        work = {document_id: source for document_id, source in by_id.items() if document_id not in known.unchanged}
        chunked = self._read(work, tally)
        stored = stored_chunks(self.graph, tenant, self.fingerprint, sorted(chunked))
        fresh = fresh_chunks(chunked.values(), stored)
        before = Counter(chunk.document for chunk in stored.values())
        for document_id, (_, chunks) in chunked.items():
            change: Change = "changed" if document_id in known.any_version else "added"
            counts = _counts([chunk.id for chunk in chunks], before[document_id], stored, fresh)
            tally.count(DocumentPreview(work[document_id].uri, change, counts))
        if self.estimate is not None:
            tokens, price = self.estimate(tenant, [chunk.text for _, chunk in fresh.values()])
            tally.tokens, tally.price = tally.tokens + tokens, tally.price + price
        tally.words += sum(chunk.tokens for _, chunk in fresh.values())

    def _read(self, work: Mapping[str, Source], tally: "_Tally") -> dict[str, tuple[ParsedDocument, tuple[Chunk, ...]]]:
        chunked = {}
        for document_id, parsed in zip(work, self.parser.parse(list(work.values())), strict=True):
            try:
                if isinstance(parsed, ParseError):
                    raise parsed
                document = with_sent(parsed, work[document_id].metadata)
            except ParseError as error:
                error.uri = work[document_id].uri
                tally.failures.append(error)
            else:
                chunked[document_id] = (document, self.chunker(document_id, document))
        return chunked


def _counts(chunks: Sequence[str], before: int, stored: Container[str], fresh: Container[str]) -> ChunkCounts:
    """Count the chunks of one document, of which the graph holds ``before``."""
    stay = [chunk for chunk in chunks if chunk in stored]
    changed = sum(chunk in fresh for chunk in stay)
    return ChunkCounts(len(chunks) - len(stay), changed, before - len(stay), len(stay) - changed)


@dataclass(slots=True)
class _Tally:
    """Sums so far."""

    changes: Counter[Change] = field(default_factory=Counter)
    chunks: ChunkCounts = field(default_factory=ChunkCounts)
    words: int = 0
    tokens: int = 0
    price: float = 0.0
    documents: list[DocumentPreview] = field(default_factory=list)
    failures: list[ParseError] = field(default_factory=list)

    def count(self, document: DocumentPreview) -> None:
        self.changes[document.change] += 1
        self.chunks += document.chunks
        if len(self.documents) < _LISTED:
            self.documents.append(document)

    def preview(self) -> IngestPreview:
        return IngestPreview(
            added=self.changes["added"],
            changed=self.changes["changed"],
            removed=0,
            unchanged=self.changes["unchanged"],
            chunks=self.chunks,
            words=self.words,
            llm_tokens=self.tokens,
            llm_price=round(self.price, 6),
            documents=tuple(self.documents),
            failures=tuple(UnreadableDocument(error.uri, error.reason, error.message) for error in self.failures),
        )
