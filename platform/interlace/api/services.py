"""What the API needs of the platform, so that tests can hand in something smaller."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from interlace.domain.answers import Answer, AnswerRequest, CitedSentence, Sufficiency
from interlace.domain.atoms import AtomRequest, AtomResponse
from interlace.domain.hits import QueryRequest, QueryResponse
from interlace.domain.packing import Pack, PackItem, PackRequest
from interlace.domain.tools import RouteRequest, RouteResponse
from interlace.enrichment.overview import EnrichmentControl
from interlace.entities.name_vectors import NameVectors
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.ingestion.decision_writer import DecisionWriter
from interlace.ingestion.labelling import DocumentLabels
from interlace.ingestion.preview import Previewer
from interlace.ingestion.receiver import DocumentReceiver
from interlace.jobs.service import Jobs
from interlace.links.service import LinkGraphService
from interlace.ports.fetcher import PageFetcher
from interlace.ports.graph import GraphDatabase
from interlace.ports.queue import TaskQueue
from interlace.ports.rate_limiter import RateLimiter
from interlace.ports.statements import StatementRunner
from interlace.ports.vectors import VectorIndex
from interlace.settings import Settings


class QuestionSearch(Protocol):
    """Answers questions."""

    def search(self, tenant: str, request: QueryRequest) -> QueryResponse:
        """Return explained hits; a leg that fails is named in ``degraded`` and fails nothing else."""
        ...


class AnswerWriter(Protocol):
    """Answers questions in cited sentences."""

    def answer(self, tenant: str, request: AnswerRequest) -> Answer:
        """Return the answer to a question, or why there is none."""
        ...

    def follow(self, tenant: str, request: AnswerRequest) -> Iterator[Sufficiency | CitedSentence | Answer]:
        """Yield the answer as it comes: whether the evidence suffices, each sentence, and the whole answer last."""
        ...


class PackingService(Protocol):
    """Packs what answers into a token budget."""

    def query(self, tenant: str, request: QueryRequest, asked: PackRequest) -> QueryResponse:
        """Return explained hits with the best of them packed."""
        ...

    def pack(self, items: Sequence[PackItem], asked: PackRequest) -> Pack:
        """Pack texts that somebody else found."""
        ...


class AtomSearch(Protocol):
    """Searches among knowledge atoms."""

    def search(self, tenant: str, request: AtomRequest) -> AtomResponse:
        """Return the atoms that answer best."""
        ...


class ToolSearch(Protocol):
    """Routes requests to tools."""

    def search(self, tenant: str, request: RouteRequest) -> RouteResponse:
        """Return explained tools; a leg that fails is named in ``degraded`` and fails nothing else."""
        ...


class Services(Protocol):
    """The wired platform, as far as the API uses it; each service is made when first asked for."""

    @property
    def settings(self) -> Settings:
        """Where everything is, and the limits."""
        ...

    @property
    def graph(self) -> GraphDatabase:
        """The graph database."""
        ...

    @property
    def statements(self) -> StatementRunner:
        """Where statements by hand run."""
        ...

    @property
    def decisions(self) -> DecisionWriter:
        """Records decisions about entities and applies them."""
        ...

    @property
    def labels(self) -> DocumentLabels:
        """Changes tags and metadata of documents."""
        ...

    @property
    def visible_cache(self) -> VisibleEntityCache:
        """What readers who are restricted to groups have read of entities."""
        ...

    @property
    def name_vectors(self) -> NameVectors:
        """Compares names by embeddings."""
        ...

    @property
    def vectors(self) -> VectorIndex:
        """The vector index."""
        ...

    @property
    def queue(self) -> TaskQueue:
        """The task queue."""
        ...

    @property
    def rate_limiter(self) -> RateLimiter:
        """Counts the requests of callers."""
        ...

    @property
    def receiver(self) -> DocumentReceiver:
        """Where documents come in."""
        ...

    @property
    def fetcher(self) -> PageFetcher:
        """Fetches documents that are named by their address."""
        ...

    @property
    def enrichment(self) -> EnrichmentControl:
        """Extraction by a language model."""
        ...

    @property
    def previewer(self) -> Previewer:
        """What documents coming in would change."""
        ...

    @property
    def jobs(self) -> Jobs:
        """Batch jobs."""
        ...

    @property
    def tools(self) -> ToolSearch:
        """Routes requests to tools."""
        ...

    @property
    def questions(self) -> QuestionSearch:
        """Answers questions."""
        ...

    @property
    def answers(self) -> AnswerWriter:
        """Answers questions in cited sentences."""
        ...

    @property
    def link_graph(self) -> LinkGraphService:
        """What links say of documents."""
        ...

    @property
    def packer(self) -> PackingService:
        """Where answers are packed."""
        ...

    @property
    def atoms(self) -> AtomSearch:
        """Where atoms are found."""
        ...
