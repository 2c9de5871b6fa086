"""Questions and explained answers: the request, and for each hit why it was found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Filter
from interlace.domain.packing import Pack
from interlace.domain.policy import RetrievalPolicy

Mode = Literal["auto", "graph_only", "hybrid", "vector_only", "keyword_only", "metadata_only"]
ABOUT_AUTO: Final = "`auto` asks all legs at once, or the graph first where `policy` or the server's settings say so"
"""What the mode ``auto`` does, for all descriptions of requests that take a mode and a policy."""
TagStrategy = Literal["exact", "prefix"]
"""Tags as they are named, or those and all below them: ``lang`` finds ``lang/python``."""
PathStrategy = Literal["exact", "fuzzy", "section"]
"""Titles and file names in full, exactly or nearly, and ``Guide > Install`` as the path to a section."""
Sort = Literal["relevance", "newest", "oldest"]
"""Best first, or by the time of the hits' documents: when modified, else created, else indexed."""
LegName = Literal["vector", "keyword", "graph", "community", "tags", "paths"]
BoostName = Literal[
    "partial_aliases", "graph_rerank", "trust", "language", "similarity", "documents", "first_stage", "titles",
    "context_words", "proximity", "entity", "precision", "degree", "recency", "dates", "title_words", "redundancy",
    "identifiers", "feedback", "cross_encoder",
]  # fmt: skip
"""Signals that move a chunk, in addition to the legs' lists.

``partial_aliases``: entities that the question names in part or misspells are seeds too. ``graph_rerank``: PageRank counts in the rerank. ``trust``: the
text counts more, and the graph less, where the question's entities are in much of the corpus or there is none. ``language``: vectors count less
where the embedding model was not made for the question's language.
``similarity``: cosine with the residual query. ``documents``: where no entity is linked, a chunk counts more if its document holds further
chunks near the question. ``first_stage``: the restart of PageRank includes first-stage chunks. ``titles``: a title
counts more than a mention. ``context_words``: a mention counts more if its context echoes the residual query. ``proximity``: links between
documents boost their chunks. ``entity``, ``precision``, ``degree`` and ``recency``: see ``OptionalBoost``. ``dates``: where a
question names a time, chunks gain by how near the date of their document or section is to it. ``title_words``: where entities are linked and the graph is doubted,
chunks gain by the words of the question in their document's title. ``redundancy``: where the document about an entity of the question comes first, chunks
that only mention this entity lose. ``identifiers``: chunks gain that hold ``maxAttempts`` or ``K-2024-11``, if the question does. ``feedback``: where no entity is linked, chunks gain whose words resemble those of the first ones. ``cross_encoder``: a model that reads question, chunk and path together orders the first hits, where one is
chosen (``INTERLACE_RERANKER__FOLDER`` or ``INTERLACE_RERANKER__SERVICE``).
"""
OptionalBoost = Literal["entity", "precision", "degree"]
"""Boosts that a question may ask for beyond those that always count.

``entity``: chunks that mention entities within two relations of the question's. ``precision``: direct matches, of the text by words or of the
title in full. ``degree``: such matches in documents with many links. A fourth, ``recency``, counts where a half-life is given.
"""
Signal = Literal[LegName, BoostName]

PATH_STRATEGIES: tuple[PathStrategy, ...] = get_args(PathStrategy)
LEGS: tuple[LegName, ...] = get_args(LegName)
SIGNALS: tuple[Signal, ...] = get_args(Signal)
OPTIONAL_BOOSTS: tuple[OptionalBoost, ...] = get_args(OptionalBoost)
PROXIMITY: Final[BoostName] = "proximity"
MAX_QUESTION_CHARACTERS: Final = 2000
"""Characters of a question."""
MAX_NAME_CHARACTERS: Final = 256
"""Characters of an entity's name."""
MAX_HALF_LIFE_DAYS: Final = 36_500
MAX_LIMIT: Final = 100
"""Hits, tools or documents that a caller may ask for."""


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A question.

    Args:
        text: the question, at most 2,000 characters.
        mode: which legs may answer; ``auto`` asks all legs at once, or the graph first where the policy or the settings say so.
        limit: maximum number of hits.
        where: metadata filter, applied inside every leg.
        legs: only these legs, if given.
        without: legs and boosts to leave out of this query, for an ablation or because the caller knows better.
        explain: also return every leg's own ranking, and the figures behind each hit's terms.
        tag_strategy: how the tag leg matches.
        path_strategies: how titles, file names and section paths match.
        model: the embedding model to ask with; none for the one that the tenant's questions use.
        sort: the order of the hits; which chunks are hits is decided before.
        policy: changes to the retrieval policy; counts in the mode ``auto``.
        boosts: boosts to add to those that always count.
        recency_days: half-life in days of the boost for recent documents; none for that of the settings.
        windows: also compare each window of the hits with the question.

    Raises:
        InvalidInputError: the half-life is not above 0 and finite.
    """

    text: str
    mode: Mode = "auto"
    limit: int = 10
    where: Filter | None = None
    legs: tuple[LegName, ...] | None = None
    explain: bool = False
    without: frozenset[Signal] = frozenset()
    tag_strategy: TagStrategy = "prefix"
    path_strategies: tuple[PathStrategy, ...] = ("exact", "section")
    model: str | None = None
    sort: Sort = "relevance"
    policy: RetrievalPolicy | None = None
    boosts: frozenset[OptionalBoost] = frozenset()
    recency_days: float | None = None
    windows: bool = False

    def __post_init__(self) -> None:
        if self.recency_days is not None and not 0 < self.recency_days <= MAX_HALF_LIFE_DAYS:
            raise InvalidInputError(
                f"recency_days is {self.recency_days}; a half-life is above 0 and at most {MAX_HALF_LIFE_DAYS} days."
            )


@dataclass(frozen=True, slots=True)
class LegRank:
    """A hit's place in one leg: rank from 1, the leg's own score, its weight, and what it added to the fused score: weight / (k + rank)."""

    leg: str
    rank: int
    score: float
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a path through the graph: an entity, a chunk that mentions it, and the sentence that does."""

    entity_id: str
    entity_name: str
    chunk_id: str
    document_title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class LinkedChunk:
    """The hit whose document links to another hit's document, or is linked from it."""

    chunk_id: str
    document_id: str
    title: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that answers, and why.

    Args:
        rank: from 1.
        score: probability, by softmax over the candidates.
        chunk_id: the chunk.
        document_id: its document.
        title: the document's title.
        source_uri: where the document came from.
        section: headings above the chunk, joined by ``>``; empty at the document's top.
        text: the chunk.
        start: offset of its first character in the document's text.
        end: offset after its last character.
        tags: the document's tags.
        metadata: the document's other metadata.
        legs: its place in each leg that found it.
        path: how the graph reached it from an entity in the question; empty if it did not.
        boosts: terms of the rerank that decided its place, by name.
        cypher: a query for Neo4j Browser that shows the path, or the chunk with its document and entities.
        figures: what the terms were made of, when ``explain`` was asked for: ``rrf`` (sum of the legs' contributions), ``pagerank``
            (probability), ``similarity`` (cosine with the residual query), ``question_similarity`` (cosine with the whole question, -1 to 1)
            and ``nearness`` (1 / rank before the boost of the hit that it is linked with); for what a cross-encoder read, also
            ``cross_encoder`` (its score) and ``fused_rank`` (the place before, from 1). Of the optional boosts: ``relatedness`` (1 / relations to the nearest entity of the question),
            ``match`` (0 to 1, how directly it matches), ``degree`` (2·incoming + 1·outgoing links of its document, as a share of the
            highest among direct matches), ``freshness`` (½ to the power of its age in half-lives), ``date`` (nearness to the time
            asked about) and ``title`` (share of the question's words that the title holds). ``shared_terms``: similarity with the first
            candidates, in standard deviations above the mean. What is unknown is left out.
        linked_with: the best hit that its document is linked with; none where no link counted.
        sentence: the sentence of the text that covers most of what was asked and is not on the path already.
        position: the chunk's place in its document, from 0.
        section_type: what kind of section it stands in.
        created_at: when its document was created, according to its metadata; null if it does not say.
        modified_at: when its document was changed last.
        indexed_at: when this version of its document was read.
        browser_url: opens ``cypher`` in the editor of Neo4j Browser; empty where the settings name no Browser.
        window_similarities: the cosine (-1 to 1) of each of its windows of about thirty words with the question, in the order of the text; of answers, if
            the question was embedded.
    """

    rank: int
    score: float
    chunk_id: str
    document_id: str
    title: str
    source_uri: str
    section: str
    text: str
    start: int
    end: int
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    legs: tuple[LegRank, ...]
    path: tuple[PathStep, ...]
    boosts: Mapping[str, float]
    cypher: str
    figures: Mapping[str, float] = field(default_factory=dict)
    linked_with: LinkedChunk | None = None
    sentence: str = ""
    position: int = 0
    section_type: str = "body"
    created_at: str | None = None
    modified_at: str | None = None
    indexed_at: str | None = None
    browser_url: str = ""
    window_similarities: tuple[float, ...] = ()

    @property
    def dated(self) -> str:
        """The time it is sorted by; empty if it has none."""
        return self.modified_at or self.created_at or self.indexed_at or ""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document's chunk in one leg's own ranking."""

    chunk_id: str
    document_id: str
    source_uri: str
    score: float


@dataclass(frozen=True, slots=True)
class QueryResponse:
    """The answer to a question.

    Args:
        query: the question.
        hits: best first.
        intent: action, target, context and keywords as they were understood.
        weights: the fusion weights that every step used.
        entities: linked entities of the question, by name, with their weights as seeds.
        retrieval_mode: the mode that answered.
        retrieval_path: the legs that answered, in order.
        retrieval_reason: why, in a sentence.
        degraded: legs and steps that failed or were late.
        timings: milliseconds by leg and step, ``total`` among them; ``queued`` is the longest wait for a thread, where there was one.
        effort: how much work the answer took: legs, hops, candidates and tokens, Λ under ``lambda`` (``domain.effort``); and the chunks,
            entities, mentions and links among them.
        rankings: every leg's own ranking and the ``fused`` one, when ``explain`` was asked for.
        strategies: how the legs that need no embedding searched: ``tags``, ``paths``, and ``filter`` where one was applied.
        pack: the hits packed into a token budget, when that was asked for.
    """

    query: str
    hits: tuple[Hit, ...]
    intent: Mapping[str, Any]
    weights: Mapping[str, float]
    entities: Mapping[str, float]
    retrieval_mode: str
    retrieval_path: tuple[str, ...]
    retrieval_reason: str
    degraded: tuple[str, ...]
    timings: Mapping[str, float]
    effort: Mapping[str, float]
    rankings: Mapping[str, tuple[Ranked, ...]] = field(default_factory=dict)
    strategies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pack: Pack | None = None


SearchQuestions = Callable[[str, QueryRequest], QueryResponse]
"""Answers a question of a tenant with hits."""
