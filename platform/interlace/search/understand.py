"""The understand stage of questions: linked entities, intent, weights, filter, and the embedding model, each found once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from interlace.domain.hits import MAX_LIMIT, QueryRequest, Signal
from interlace.domain.reader import check_unrestricted, reader_groups
from interlace.entities.linker import EntityLinker, EntityLinkers
from interlace.entities.visible_cache import VisibleEntityCache, VisibleView
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import Vector
from interlace.search.embedding_choice import choose_embedder
from interlace.search.execution import Run, Task
from interlace.search.intent import Intent, analyse
from interlace.search.legs.protocol import Scope, SearchContext
from interlace.search.limits import check_range, check_text
from interlace.search.linking import LinkedEntities, link_entities, unlinked
from interlace.search.plan import WITHOUT_GRAPH_STEPS, chosen_legs, surely_embeds, with_policy
from interlace.search.profile import RankingProfile
from interlace.search.weights import FusionWeights, weights_for
from interlace.settings import QuerySettings

OF_ALL_DOCUMENTS: Final[frozenset[Signal]] = frozenset({"community"})
"""Legs that read what is built from the documents of all groups."""


@dataclass(frozen=True, slots=True)
class UnderstoodQuery:
    """What is known about a query before its legs run.

    Args:
        request: the query.
        entities: linked entities.
        intent: action, target, context and keywords.
        weights: the weights that every later stage uses.
        scope: the bounds of every leg.
        embedder: the model; none without embeddings.
        embedding: the task that embeds the query, where it is needed in any case.
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
    """Start to embed a text, as ``name`` in timings."""
    return run.start(name, lambda: embedder.embed_query(text))


def embedded(run: Run, name: str, text: Task[Vector] | None) -> Vector | None:
    """Return the vector of a text to compare others with; None without embeddings, or where it failed or is late, which degrades similarity."""
    return run.wait(name, text, degrades=("similarity",)) if text else None


@dataclass(frozen=True, slots=True)
class Understanding:
    """Understands questions.

    Args:
        graph: the graph.
        embedders: by model, the first model first; none when embeddings are off.
        linkers: the gazetteers.
        cache: what readers who are restricted to groups have read of entities.
        settings: base weights, policy and deadline.
        profile: scales of intents and bounds.
    """

    graph: GraphDatabase
    embedders: Mapping[str, Embedder]
    linkers: EntityLinkers
    cache: VisibleEntityCache
    settings: QuerySettings
    profile: RankingProfile

    def understand(self, run: Run, tenant: str, request: QueryRequest) -> UnderstoodQuery:
        """Understand a question.

        Raises:
            InvalidInputError: text, limit, model, filter or what is left out is invalid.
            UnavailableError: the graph does not answer.
        """
        if request.text.strip() or not (request.mode == "metadata_only" and request.where):
            check_text(request.text)
        check_range("limit", request.limit, MAX_LIMIT)
        if reader_groups() is not None:
            request = kept_to_documents(request)
        alone = request.mode in WITHOUT_GRAPH_STEPS
        # Embedding is the slowest step, so it starts before the graph is asked, unless entities decide whether it is needed.
        early = surely_embeds(request, with_policy(self.settings.policy, request.policy))
        guessed = self._usual_embedder(tenant, request) if early and not alone else None
        embedding = embed(run, "embedding", request.text, guessed) if guessed else None
        linker, revision = (self.linkers.known(tenant), None) if alone else self.linkers.current_at(tenant)
        embedder = choose_embedder(request, linker, self.embedders)
        if embedder is not guessed:
            if embedding:
                embedding.cancel()
            embedding = embed(run, "embedding", request.text, embedder) if early and embedder else None
        visible = self.cache.view_at(tenant, revision)
        entities = unlinked(request.text, visible) if alone else self._link(linker, request, visible)
        intent = analyse(request.text, tuple(entities.seeds.weights))
        weights = weights_for(intent, self.settings, self.profile, without=request.without)
        # In ``metadata_only`` mode every matching chunk is an answer, as many as are wanted.
        most = self.profile.candidates + (request.limit if request.mode == "metadata_only" else 0)
        scope = Scope(tenant, request.text, request.where, most, self.settings.leg_timeout)
        return UnderstoodQuery(request, entities, intent, weights, scope, embedder, embedding)

    def catch_up(self, tenant: str) -> None:
        """Read again which models are complete, for modes that do not read the graph first."""
        self.linkers.of(tenant).refresh_state(self.graph)

    def _usual_embedder(self, tenant: str, request: QueryRequest) -> Embedder | None:
        """Return the model that would embed by what was last read of the tenant; none if the caller chooses one."""
        linker = self.linkers.of(tenant)
        return None if request.model else choose_embedder(request, linker, self.embedders)

    def _link(self, linker: EntityLinker, request: QueryRequest, visible: VisibleView) -> LinkedEntities:
        return link_entities(
            visible,
            linker,
            request.text,
            max_seeds=self.profile.graph.seeds,
            timeout=self.settings.leg_timeout,
            partial="partial_aliases" not in request.without,
        )


def kept_to_documents(request: QueryRequest) -> QueryRequest:
    """Return a question as a reader who is restricted to groups may ask it: without communities, which are built from all documents.

    Raises:
        ForbiddenError: it asks for nothing else.
    """
    asked = chosen_legs(request)
    if not set(asked) - OF_ALL_DOCUMENTS:
        check_unrestricted(f"Retrieval by {' and '.join(sorted(asked))}")
    return replace(request, without=request.without | OF_ALL_DOCUMENTS)
