"""The composition root: settings in, wired services out. The only module that sees every layer."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.adapters.redis.queue import CeleryQueue
from interlace.communities.service import CommunityService
from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.errors import InterlaceError, SettingsError
from interlace.domain.extraction import Extraction
from interlace.domain.hits import QueryRequest
from interlace.entities.linker import EntityLinkers
from interlace.entities.name_vectors import NameVectors
from interlace.extraction import short_forms
from interlace.extraction.merge import merge
from interlace.extraction.short_forms import with_full_names
from interlace.extraction.structure import extract_structure
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.preview import Previewer
from interlace.ingestion.processor import BatchProcessor
from interlace.ingestion.reader import Models
from interlace.ingestion.receiver import DocumentReceiver
from interlace.ingestion.sweeper import Sweeper
from interlace.ingestion.writer import GraphWriter
from interlace.jobs.service import Jobs
from interlace.links.cache import CachedLinkGraph
from interlace.links.repository import StoredLinkGraph
from interlace.links.service import LinkGraphService
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.ports.analytics import GraphAnalytics
from interlace.ports.models import Embedder, Reranker
from interlace.ports.tokens import TokenCounter
from interlace.ports.vectors import VectorIndex
from interlace.reconciliation.service import Reconciler
from interlace.search.atoms.search import AtomSearch
from interlace.search.conditions import matching_documents
from interlace.search.cross_encoder import CrossEncoder
from interlace.search.packing import Packer
from interlace.search.pipeline import Coordinator
from interlace.search.tools.router import ToolRouter
from interlace.settings import IngestSettings, RerankerSettings, Settings, load_settings
from interlace.vectors.rebuild import VectorRebuild
from interlace.vectors.restoration import Restorer
from interlace_stack.connect import connect

if TYPE_CHECKING:
    from interlace.adapters.spacy.extractor import SpacyExtractor
    from interlace.parsing.sandbox.sandbox import ParserProcess

# Raise whenever parsers or chunker would make something else of the same bytes.
TEXT_VERSION = 4


class Platform:
    """Every service, made when first asked for, so that a command loads no model that it does not use.

    Args:
        settings: where the servers are; ``Platform.open()`` reads them from the environment and the local stack.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @classmethod
    def open(cls, settings: Settings | None = None) -> "Platform":
        """Return the platform of the environment's settings, joined to the local stack for what they leave open."""
        return cls(connect(settings or load_settings()))

    @cached_property
    def graph(self) -> Neo4jDatabase:
        """The graph database."""
        return Neo4jDatabase(self.settings.neo4j)

    @cached_property
    def vectors(self) -> VectorIndex:
        """The vector index."""
        from interlace.adapters.qdrant.index import QdrantVectorIndex

        return QdrantVectorIndex(self.settings.qdrant)

    @cached_property
    def queue(self) -> CeleryQueue:
        """The task queue."""
        return CeleryQueue(self.settings.redis, self.settings.worker)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The embedding model; none when embeddings are off."""
        if not self.settings.embedding.enabled:
            return None
        from interlace.adapters.onnx.embedder import OnnxEmbedder

        embedding = self.settings.embedding
        if embedding.folder is None:
            raise SettingsError(
                f"The embedding model {embedding.model} is not on this machine: `interlace up` fetches it, "
                "INTERLACE_EMBEDDING__FOLDER names a folder that has one, INTERLACE_EMBEDDING__ENABLED=false does without."
            )
        return OnnxEmbedder(embedding.folder, embedding.model, threads=embedding.threads)

    @cached_property
    def embedders(self) -> Mapping[str, Embedder]:
        """Every embedding model by name, the first one first; each is loaded when it is first asked for."""
        return Embedders(self)

    @cached_property
    def extractor(self) -> "SpacyExtractor":
        """The extraction pipeline."""
        from interlace.adapters.spacy.extractor import SpacyExtractor

        return SpacyExtractor(self.settings.spacy.pipeline)

    @cached_property
    def registries(self) -> EntityLinkers:
        """All names, a tenant at a time."""
        return EntityLinkers(self.graph)

    @cached_property
    def name_vectors(self) -> NameVectors:
        """Compares names by their embeddings; says nothing when embeddings are off."""
        return NameVectors(self.embedders)

    @cached_property
    def jobs(self) -> Jobs:
        """Batch jobs."""
        return Jobs(self.graph)

    @cached_property
    def outbox(self) -> Outbox:
        """Projections to come."""
        return Outbox(
            self.graph, self.vectors, Restorer(self.graph, self.vectors, lambda: tuple(self.embedders.values()))
        )

    @cached_property
    def fingerprint(self) -> str:
        """What changes whenever the same bytes could give another graph. Embeddings, which may come and go, are no part of it."""
        chunks = f"text-{TEXT_VERSION}:{self.settings.ingest.chunk_words}"
        return f"{chunks} {self.extractor.fingerprint} short-forms-{short_forms.VERSION}"

    @cached_property
    def receiver(self) -> DocumentReceiver:
        """Where documents come in."""
        return DocumentReceiver(
            self.graph,
            self.queue,
            fingerprint=self.fingerprint,
            batch_documents=self.settings.ingest.batch_documents,
        )

    @cached_property
    def sweeper(self) -> Sweeper:
        """Finishes what was left."""
        return Sweeper(
            self.graph,
            self.queue,
            self.outbox,
            batch_documents=self.settings.ingest.batch_documents,
            models=list(self.embedders),
            job_days=self.settings.worker.job_days,
        )

    @cached_property
    def vector_rebuild(self) -> VectorRebuild:
        """Makes the vector index anew."""
        return VectorRebuild(
            self.graph, self.vectors, self.outbox, self.embedders, {"communities": self.communities.project}
        )

    @cached_property
    def reconciler(self) -> Reconciler:
        """Checks that graph and vector index hold what they must, and mends them."""
        return Reconciler(self.graph, self.vectors, self.outbox, self._refresh_communities)

    def _refresh_communities(self, tenant: str) -> None:
        """For those who seldom need it: the service brings the graph algorithms' library."""
        self.communities.refresh(tenant)

    @cached_property
    def communities(self) -> CommunityService:
        """Makes communities."""
        return CommunityService(self.graph, self.analytics, self.vectors, self.embedders, self.settings.communities)

    @cached_property
    def analytics(self) -> GraphAnalytics:
        """The graph algorithms of the database."""
        from interlace.adapters.neo4j.analytics import Neo4jAnalytics

        return Neo4jAnalytics(self.settings.neo4j)

    @cached_property
    def coordinator(self) -> Coordinator:
        """Answers questions."""
        chosen = self.settings.reranker
        return Coordinator(
            self.graph,
            self.vectors,
            self.embedders,
            self.registries,
            self.settings.query,
            self.settings.links,
            CrossEncoder(lambda: _reranker(chosen, self.settings.embedding.threads), chosen)
            if chosen.kind != "none"
            else None,
        )

    @cached_property
    def packer(self) -> Packer:
        """Answers questions within a token budget."""
        return Packer(self.graph, self.coordinator, lambda: self.token_counter, self.settings.fold, self.settings.query)

    @cached_property
    def token_counter(self) -> TokenCounter | None:
        """The embedding model's tokenizer; none when embeddings are off."""
        embedding = self.settings.embedding
        if not embedding.enabled or embedding.folder is None:
            return None
        from interlace.adapters.onnx.tokens import OnnxTokenCounter

        return OnnxTokenCounter(embedding.folder, embedding.model)

    @cached_property
    def atoms(self) -> AtomSearch:
        """Searches among knowledge atoms."""
        return AtomSearch(
            self.graph,
            self.vectors,
            self.embedders,
            self.registries,
            self.settings.atoms,
            rrf_k=self.settings.query.rrf_k,
        )

    @cached_property
    def link_graph(self) -> LinkGraphService:
        """Answers about links between documents."""
        most = self.settings.query.filter_documents
        return LinkGraphService(
            self.cached_links,
            lambda tenant, request: self.coordinator.query(tenant, request),  # noqa: PLW0108 - only searches need it
            lambda tenant, where: matching_documents(self.graph, tenant, where, limit=most),
            self.settings.links,
            self.settings.query,
        )

    @cached_property
    def cached_links(self) -> CachedLinkGraph:
        """The links between documents, of the graph or of a copy that equals it."""
        links = self.settings.links
        return CachedLinkGraph(StoredLinkGraph(self.graph, links.timeout), links)

    @cached_property
    def tool_router(self) -> ToolRouter:
        """Finds the tools of skills."""
        return ToolRouter(self.graph, self.vectors, self.embedders, self.registries, self.settings.query)

    @cached_property
    def processor(self) -> BatchProcessor:
        """Processes batches of documents: loads parser process and models."""
        ingest = self.settings.ingest
        return BatchProcessor(
            self.graph,
            self.vectors,
            Ledger(self.graph, lease_seconds=ingest.lease_seconds, max_attempts=ingest.max_attempts),
            self.outbox,
            GraphWriter(self.graph, self.registries, models=list(self.embedders)),
            self._models,
        )

    @cached_property
    def previewer(self) -> Previewer:
        """Tells what an ingestion would do: starts the parser process and loads no model."""
        return Previewer(self.graph, self._parser, self._chunk, self.fingerprint)

    @cached_property
    def _parser(self) -> "ParserProcess":
        from interlace.parsing.sandbox.sandbox import ParserProcess

        return ParserProcess(_parse_limits(self.settings.ingest))

    @cached_property
    def _models(self) -> Models:
        return Models(
            parser=self._parser,
            chunker=self._chunk,
            extract=self._extract,
            embedders=tuple(self.embedders.values()),
            fingerprint=self.fingerprint,
        )

    def _chunk(self, document: str, parsed: ParsedDocument) -> tuple[Chunk, ...]:
        from interlace.parsing.chunking import chunk

        return chunk(document, parsed, self.settings.ingest.chunk_words)

    def _extract(self, chunks: Sequence[tuple[ParsedDocument, Chunk]]) -> list[Extraction]:
        found = self.extractor.extract([chunk for _, chunk in chunks])
        structure = [extract_structure(document, chunk) for document, chunk in chunks]
        merged = (merge(pair) for pair in zip(found, structure, strict=True))
        return [
            with_full_names(extraction, chunk.text, chunk.path[0] if chunk.path else "")
            for extraction, (_, chunk) in zip(merged, chunks, strict=True)
        ]

    def warm(self) -> None:
        """Load the models and connect to the database, so that the first batch does not wait for them."""
        with suppress(InterlaceError):
            self.extractor.run_pipeline(["Warm."])
            _ = self.processor
            self.graph.ping()

    def warm_queries(self) -> None:
        """Ask a first question, so that no caller waits for the embedding model, the gazetteer and the database's plans."""
        with suppress(InterlaceError):
            self.coordinator.query(self.settings.tenant, QueryRequest(text="Which names are known here?", limit=1))

    def close(self) -> None:
        """Close connections and the parser process; services that were never used are not made for it."""
        made = self.__dict__
        if "_parser" in made:
            made["_parser"].close()
        for name in (
            "cached_links",
            "processor",
            "coordinator",
            "tool_router",
            "analytics",
            "queue",
            "vectors",
            "graph",
        ):
            if name in made:
                made[name].close()


class Embedders(Mapping[str, Embedder]):
    """The platform's embedding models; names are known without loading any."""

    def __init__(self, platform: Platform) -> None:
        embedding = platform.settings.embedding
        self._platform = platform
        self._further = {name: model for name, model in embedding.models.items() if name != embedding.model}
        self._names = (embedding.model, *self._further) if embedding.enabled else ()
        self._loaded: dict[str, Embedder] = {}
        self._loading = threading.Lock()

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a model of that name: by default a mapping would load it to find out."""
        return name in self._names

    def __getitem__(self, name: str) -> Embedder:
        """Return a model, loaded.

        Raises:
            KeyError: there is no such model.
            SettingsError: its files are not where the settings say.
        """
        if name not in self._names:
            raise KeyError(name)
        with self._loading:
            if name not in self._loaded:
                self._loaded[name] = self._load(name)
            return self._loaded[name]

    def _load(self, name: str) -> Embedder:
        first = None if name in self._further else self._platform.embedder
        if first is not None:
            return first
        from interlace.adapters.onnx.embedder import OnnxEmbedder

        model = self._further[name]
        threads = self._platform.settings.embedding.threads
        return OnnxEmbedder(model.folder, name, threads, query_prefix=model.query_prefix, pooling=model.pooling)


def _parse_limits(ingest: IngestSettings) -> ParseLimits:
    return ParseLimits(max_bytes=ingest.max_bytes, seconds=ingest.parse_seconds)


def _reranker(chosen: RerankerSettings, threads: int) -> Reranker:
    if chosen.kind == "onnx" and chosen.folder is not None:
        from interlace.adapters.onnx.cross_encoder import OnnxCrossEncoder

        return OnnxCrossEncoder(chosen.folder, threads=threads, timeout=chosen.timeout)
    from interlace.adapters.litellm.reranker import LiteLlmReranker

    key = chosen.api_key.get_secret_value()
    return LiteLlmReranker(chosen.model, url=chosen.url, api_key=key, timeout=chosen.timeout)
