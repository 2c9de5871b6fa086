"""The services that read: questions, answers, packing, atoms, links and tools."""

import time
from collections.abc import Mapping
from contextlib import closing, suppress
from functools import cached_property, partial

from interlace.answers.generation import AnswerGenerator
from interlace.answers.service import AnswerService
from interlace.composition.connections import Connections
from interlace.documents.tenants import Tenants
from interlace.domain.errors import InterlaceError
from interlace.domain.hits import QueryRequest, QueryResponse
from interlace.entities.linker import EntityLinkers
from interlace.entities.name_vectors import NameVectors
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.language_models.budget import TokenBudget
from interlace.links.cache import CachedLinkGraph
from interlace.links.planned import LinkContext
from interlace.links.repository import LinkRepository
from interlace.links.service import LinkGraphService
from interlace.ports.models import Embedder
from interlace.search.atoms.stages import AtomSearch
from interlace.search.browser_links import browser_link
from interlace.search.conditions import matching_documents
from interlace.search.cross_encoder import CrossEncoder
from interlace.search.packing import Packer
from interlace.search.profile import PROFILE
from interlace.search.questions import QuestionSearch
from interlace.search.searches import FIRST_QUESTION, Searches
from interlace.search.tools.stages import ToolSearch
from interlace.settings import QuerySettings
from interlace.vectors.entity_vectors import EntityVectors
from interlace.vectors.models import EmbeddingModels

# Seconds that the database may take for one step of a traversal or one look-up.
_LINK_SECONDS = 5.0
# Seconds that a step of the first questions may take.
_WARM_SECONDS = 60.0
# Seconds between looks for documents where there were none for the first questions.
_WAIT_SECONDS = 30.0


class QueryServices(Connections):
    """Services that only read, each made when it is first used."""

    @cached_property
    def embedders(self) -> Mapping[str, Embedder]:
        """Every embedding model by name, the first one first; each is loaded when it is first used."""
        embedding = self.settings.embedding
        further = (name for name in embedding.models if name != embedding.model)
        return EmbeddingModels((embedding.model, *further) if embedding.enabled else (), self.load_embedder)

    @cached_property
    def entity_linkers(self) -> EntityLinkers:
        """Links text to entities, with a gazetteer for each tenant."""
        return EntityLinkers(self.graph)

    @cached_property
    def visible_cache(self) -> VisibleEntityCache:
        """What readers restricted to groups have read about entities."""
        return VisibleEntityCache(self.graph)

    @cached_property
    def name_vectors(self) -> NameVectors:
        """Compares surface forms by their embeddings; without effect when embeddings are off."""
        return NameVectors(self.embedders, index=self.vectors)

    @cached_property
    def entity_vectors(self) -> EntityVectors:
        """Embeds entities in the background, so that they can be found by their vectors."""
        return EntityVectors(self.graph, self.vectors, self.embedders)

    @cached_property
    def searches(self) -> Searches:
        """Questions, tools and atoms: one pipeline in three configurations."""
        reranker = self.settings.reranker
        cross_encoder = CrossEncoder(self.load_reranker, reranker.timeout) if reranker.chosen else None
        return self._searches(self.settings.query, cross_encoder)

    def _searches(self, settings: QuerySettings, cross_encoder: CrossEncoder | None) -> Searches:
        link = partial(browser_link, self.settings.neo4j)
        return Searches(
            self.graph,
            self.vectors,
            self.embedders,
            self.entity_linkers,
            settings,
            cross_encoder,
            link=link,
            cache=self.visible_cache,
        )

    def warm_queries(self) -> None:
        """Ask first questions, and again when there are documents, so that no caller waits for the embedding model, the gazetteer, the database's plans and a language model's library.

        On a busy machine a plan may take longer than a leg may, and a plan that is given up is not kept; here every leg may take as long as it needs.
        """
        patient = self.settings.query.model_copy(update={"leg_timeout": _WARM_SECONDS})
        with suppress(InterlaceError), closing(self._searches(patient, None)) as searches:
            while not searches.warm(tenant := self._some_tenant()):
                time.sleep(_WAIT_SECONDS)
                while not Tenants(self.graph).list():
                    time.sleep(_WAIT_SECONDS)
            # Once more as callers ask, for the cross-encoder, which a process loads once.
            self.questions.search(tenant, QueryRequest(text=FIRST_QUESTION, limit=1))
            self.answers.warm()

    def _some_tenant(self) -> str:
        """Return the usual tenant, or another one if only others have documents: every tenant shares the plans."""
        usual, known = self.settings.tenant, Tenants(self.graph).list()
        return known[0] if known and usual not in known else usual

    @property
    def questions(self) -> QuestionSearch:
        """Finds the chunks that answer a question."""
        return self.searches.questions

    def _search(self, tenant: str, request: QueryRequest) -> QueryResponse:
        """Answer a question; ``questions`` is made for the first one, not for a service that may never ask any."""
        return self.questions.search(tenant, request)

    @cached_property
    def answers(self) -> AnswerService:
        """Answers questions in cited sentences: those of a language model where the settings name one."""
        llm, model = self.settings.llm, self.language_model_for("answers")
        if not model:
            return AnswerService(self._search)
        budget = TokenBudget(self.graph, model.model, per_day=llm.max_tokens_per_day, per_job=0)
        return AnswerService(self._search, AnswerGenerator(model, self._search, llm.answer_seconds, budget=budget))

    @property
    def tools(self) -> ToolSearch:
        """Routes requests to tools."""
        return self.searches.tools

    @property
    def atoms(self) -> AtomSearch:
        """Finds atoms."""
        return self.searches.atoms

    @cached_property
    def packer(self) -> Packer:
        """Answers questions within a token budget."""
        return Packer(self.graph, self._search, lambda: self.token_counter, self.settings.pack)

    @cached_property
    def link_graph(self) -> LinkGraphService:
        """Answers about links between documents."""
        context = LinkContext(
            self.cached_links,
            self._search,
            lambda tenant, ids, where: matching_documents(self.graph, tenant, ids, where),
            PROFILE.links,
            self.settings.query,
        )
        return LinkGraphService(context)

    @cached_property
    def cached_links(self) -> CachedLinkGraph:
        """The links between documents, of the graph or of a copy that equals it."""
        links = self.settings.links
        return CachedLinkGraph(LinkRepository(self.graph, _LINK_SECONDS), links)
