"""The searches of a process: questions, tools and atoms, which share one pool of threads and one registry of legs."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import QueryRequest
from interlace.entities.linker import EntityLinkers
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.queries.entities import entity_page
from interlace.search.atoms.stages import AtomSearch, AtomStages
from interlace.search.boosts import BoostReader
from interlace.search.cross_encoder import CrossEncoder
from interlace.search.execution import TaskPool
from interlace.search.legs import leg_registry
from interlace.search.legs.graph import expand
from interlace.search.legs.protocol import Scope
from interlace.search.optimistic_reads import OptimisticReader
from interlace.search.pipeline import SearchPipeline
from interlace.search.profile import PROFILE, RankingProfile
from interlace.search.questions import QuestionSearch, QuestionStages
from interlace.search.rerank import QuestionReranker
from interlace.search.retrieve import Retriever
from interlace.search.tools.stages import ToolSearch, ToolStages
from interlace.search.understand import Understanding
from interlace.settings import QuerySettings

FIRST_QUESTION: Final = "Which names are known here?"
_ANY_DOCUMENT: Final = Filter(must=(Condition("chunk.position", "gte", 0),))


class Searches:
    """Creates each search when it is first used.

    Args:
        graph: the graph.
        vectors: the vector index.
        embedders: by model, the first model first; none when embeddings are off.
        linkers: the gazetteers.
        settings: weights, bounds and deadlines.
        cross_encoder: reorders the first hits of questions; none for the order of the features.
        profile: ranking constants.
        link: returns the URL that opens a hit's Cypher in Neo4j Browser.
        cache: what readers who are restricted to groups have read of entities; without it these searches have their own.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        embedders: Mapping[str, Embedder],
        linkers: EntityLinkers,
        settings: QuerySettings,
        cross_encoder: CrossEncoder | None = None,
        profile: RankingProfile = PROFILE,
        link: Callable[[str], str] = lambda _: "",
        cache: VisibleEntityCache | None = None,
    ) -> None:
        self._link = link
        self._graph = graph
        self._vectors = vectors
        self._embedders = embedders
        self._linkers = linkers
        self._settings = settings
        self._cross_encoder = cross_encoder
        self._profile = profile
        self._legs = leg_registry(graph, vectors, profile)
        self._cache = cache or VisibleEntityCache(graph)
        self._understanding = Understanding(graph, embedders, linkers, self._cache, settings, profile)
        self._pool = TaskPool()
        self._optimistic = OptimisticReader(graph, linkers)

    def warm(self, tenant: str) -> bool:
        """Ask about two entities, with and without a filter, so that no caller waits for models, gazetteer and query plans.

        Return whether there are any: plans for empty lists serve no others.

        Raises:
            UnavailableError: the graph does not answer.
        """
        names = [row.name for row in entity_page(self._graph, tenant=tenant, after="", limit=2)]
        text = f"What do {' and '.join(names)} have in common?" if names else FIRST_QUESTION
        for where in (None, _ANY_DOCUMENT):
            self.questions.search(tenant, QueryRequest(text=text, where=where))
            # Also on an empty server, and for when the vector index does not answer, so that the graph leg starts without chunks.
            scope = Scope(tenant, text, where, 1, self._settings.leg_timeout)
            for chunks in ([], ["no chunk"]):
                expand(self._graph, scope, ["no entity"], chunks, self._profile.graph)
        self.questions.search(tenant, QueryRequest(text="", mode="metadata_only", limit=1, where=_ANY_DOCUMENT))
        return bool(names)

    @cached_property
    def questions(self) -> QuestionSearch:
        """Answers questions."""
        graph, policy, profile = self._graph, self._settings.policy, self._profile
        boosts = BoostReader(graph, profile, self._settings.recency_days)
        stages = QuestionStages(
            graph,
            self._vectors,
            Retriever(graph, self._legs, policy, profile),
            QuestionReranker(graph, self._vectors, profile, boosts, self._cross_encoder),
            self._understanding,
            policy,
            profile,
            self._link,
        )
        return SearchPipeline(stages, self._pool, self._settings.leg_timeout, self._optimistic)

    @cached_property
    def tools(self) -> ToolSearch:
        """Routes requests to tools."""
        stages = ToolStages(self._graph, self._legs, self._understanding, self._settings.policy, self._profile)
        return SearchPipeline(stages, self._pool, self._settings.leg_timeout, self._optimistic)

    @cached_property
    def atoms(self) -> AtomSearch:
        """Finds atoms."""
        stages = AtomStages(self._graph, self._vectors, self._embedders, self._linkers, self._profile.atoms)
        return SearchPipeline(stages, self._pool, self._settings.leg_timeout, self._optimistic)

    def close(self) -> None:
        """Let running tasks end and stop the threads."""
        self._pool.close()
        if self._cross_encoder:
            self._cross_encoder.close()
