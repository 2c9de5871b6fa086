"""The understand stage of questions: linked entities, intent, weights, filter, and the embedding model, each found once."""

from collections.abc import Mapping
from dataclasses import dataclass

from interlace.domain.hits import QueryRequest
from interlace.entities.linker import EntityLinkers
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.search.conditions import matching_documents
from interlace.search.embedding_choice import choose_embedder
from interlace.search.execution import Run, Task
from interlace.search.intent import Intent, analyse
from interlace.search.legs.protocol import Scope, SearchContext, Vector
from interlace.search.limits import check_limit, check_text
from interlace.search.linking import LinkedEntities, link_entities
from interlace.search.plan import surely_embeds
from interlace.search.profile import RankingProfile
from interlace.search.weights import FusionWeights, weights_for
from interlace.settings import QuerySettings


@dataclass(frozen=True, slots=True)
class UnderstoodQuery:
    """What is settled about a query before its legs run.

    Args:
        request: the query.
        entities: linked entities.
        intent: action, target, context and keywords.
        weights: what every later stage weighs by.
        scope: the bounds of every leg.
        embedder: the model; none without embeddings.
        embedding: the query's vector, under way, where it is needed in any case.
    """

    request: QueryRequest
    entities: LinkedEntities
    intent: Intent
    weights: FusionWeights
    scope: Scope
    embedder: Embedder | None
    embedding: Task[Vector] | None

    def context(self) -> SearchContext:
        """Return what legs read."""
        return SearchContext(
            scope=self.scope,
            entities=self.entities,
            weights=self.weights,
            keywords=self.intent.keywords,
            model=self.embedder.model if self.embedder else "",
            tag_strategy=self.request.tag_strategy,
            path_strategies=self.request.path_strategies,
        )


def embed(run: Run, name: str, text: str, embedder: Embedder) -> Task[Vector]:
    """Start to embed a text; timings call it ``name``."""
    return run.start(name, lambda: embedder.embed_query(text))


class Understanding:
    """Understands questions.

    Args:
        graph: the graph.
        embedders: by model, the first one first; none when embeddings are off.
        linkers: the gazetteers.
        settings: base weights and bounds.
        profile: scales of intents and bounds.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        embedders: Mapping[str, Embedder],
        linkers: EntityLinkers,
        settings: QuerySettings,
        profile: RankingProfile,
    ) -> None:
        self._graph = graph
        self._embedders = embedders
        self._linkers = linkers
        self._settings = settings
        self._profile = profile

    def understand(self, run: Run, tenant: str, request: QueryRequest) -> UnderstoodQuery:
        """Understand a question.

        Raises:
            InvalidInputError: text, limit, model, filter or what is left out is invalid.
            UnavailableError: the graph does not answer.
        """
        settings = self._settings
        if request.text.strip() or not (request.mode == "metadata_only" and request.where):
            check_text(request.text)
        check_limit(request.limit, settings)
        linker = self._linkers.current(tenant)
        embedder = choose_embedder(request, linker, self._embedders)
        # Embedding is the slowest step, so it starts before the graph is asked, unless entities decide whether it is needed.
        early = embedder is not None and surely_embeds(request, settings)
        embedding = embed(run, "embedding", request.text, embedder) if early and embedder else None
        entities = link_entities(
            self._graph,
            linker,
            request.text,
            most=self._profile.graph.seeds,
            timeout=settings.leg_timeout,
            partial="partial_aliases" not in request.without,
        )
        intent = analyse(request.text, tuple(entities.seeds.weights))
        weights = weights_for(intent, settings, self._profile, without=request.without)
        where, limit = request.where, settings.filter_documents
        allowed = matching_documents(self._graph, tenant, where, limit=limit) if where else None
        # By metadata alone every chunk that matches is an answer, as many as are wanted.
        most = settings.candidates + (request.limit if request.mode == "metadata_only" else 0)
        scope = Scope(tenant, request.text, where, allowed, most, settings.leg_timeout)
        return UnderstoodQuery(request, entities, intent, weights, scope, embedder, embedding)
