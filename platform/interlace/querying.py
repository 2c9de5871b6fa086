"""The services that read: questions, answers, packing, atoms, links and tools."""

from collections.abc import Mapping
from functools import cached_property

from interlace.adapters.connections import Connections
from interlace.answers.service import AnswerService
from interlace.entities.linker import EntityLinkers
from interlace.entities.name_vectors import NameVectors
from interlace.links.cache import CachedLinkGraph
from interlace.links.planned import LinkContext
from interlace.links.repository import LinkRepository
from interlace.links.service import LinkGraphService
from interlace.ports.models import Embedder
from interlace.search.atoms.stages import AtomSearch
from interlace.search.conditions import matching_documents
from interlace.search.cross_encoder import CrossEncoder
from interlace.search.packing import Packer
from interlace.search.profile import PROFILE
from interlace.search.questions import QuestionSearch
from interlace.search.searches import Searches
from interlace.search.tools.skills import Skills
from interlace.search.tools.stages import ToolSearch
from interlace.vectors.models import EmbeddingModels

# Seconds that the database may take for one step of a traversal or one look-up.
_LINK_SECONDS = 5.0


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
    def name_vectors(self) -> NameVectors:
        """Compares surface forms by their embeddings; without effect when embeddings are off."""
        return NameVectors(self.embedders)

    @cached_property
    def searches(self) -> Searches:
        """Questions, tools and atoms: one pipeline in three configurations."""
        reranker = self.settings.reranker
        return Searches(
            self.graph,
            self.vectors,
            self.embedders,
            self.entity_linkers,
            self.settings.query,
            CrossEncoder(self.load_reranker, reranker) if reranker.kind != "none" else None,
        )

    @property
    def questions(self) -> QuestionSearch:
        """Finds the chunks that answer a question."""
        return self.searches.questions

    @cached_property
    def answers(self) -> AnswerService:
        """Answers questions in cited sentences."""
        return AnswerService(lambda tenant, request: self.questions.search(tenant, request))  # noqa: PLW0108 - only answers need it

    @property
    def tools(self) -> ToolSearch:
        """Routes requests to tools."""
        return self.searches.tools

    @property
    def atoms(self) -> AtomSearch:
        """Finds atoms."""
        return self.searches.atoms

    @cached_property
    def skills(self) -> Skills:
        """Lists skills."""
        return Skills(self.graph)

    @cached_property
    def packer(self) -> Packer:
        """Answers questions within a token budget."""
        return Packer(
            self.graph, self.questions.search, lambda: self.token_counter, self.settings.pack, self.settings.query
        )

    @cached_property
    def link_graph(self) -> LinkGraphService:
        """Answers about links between documents."""
        most = self.settings.query.filter_documents
        context = LinkContext(
            self.cached_links,
            lambda tenant, request: self.questions.search(tenant, request),  # noqa: PLW0108 - only searches need it
            lambda tenant, where: matching_documents(self.graph, tenant, where, limit=most),
            PROFILE.links,
            self.settings.query,
        )
        return LinkGraphService(context)

    @cached_property
    def cached_links(self) -> CachedLinkGraph:
        """The links between documents, of the graph or of a copy that equals it."""
        links = self.settings.links
        return CachedLinkGraph(LinkRepository(self.graph, _LINK_SECONDS), links)
