"""The ranking profile: every constant that decides ranks, and its source. Operators never set these; measurements do.

Changing one changes ranks: measure with ``interlace eval`` on several collections first (docs/evaluation.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from interlace.domain.hits import OptionalBoost

_DOCUMENTS = {"proximity": 1.5, "graph_rerank": 1.3, "vector": 0.9, "keyword": 1.0}
_CODE = {"proximity": 0.7, "graph_rerank": 1.0, "vector": 1.2, "keyword": 1.3}
_GIT = {"proximity": 0.8, "graph_rerank": 1.0, "vector": 1.0, "keyword": 1.4}
# Pages link to each other, and addresses are words.
_WEB = {"proximity": 1.2, "graph_rerank": 1.0, "vector": 1.0, "keyword": 1.1}
_SCALES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "knowledge": _DOCUMENTS, "docs": _DOCUMENTS, "web": _WEB, "code": _CODE, "database": _CODE, "skill": _CODE,
        "git": _GIT,
    }
)  # fmt: skip
_EPISTEMIC: Mapping[str, float] = MappingProxyType(
    {"verified": 1.2, "fact": 1.1, "inference": 0.8, "hypothesis": 0.6, "opinion": 0.5, "deprecated": 0.2}
)
_MEANING: Mapping[str, tuple[float, float]] = MappingProxyType({"bge-small-en-v1.5": (0.7, 0.8)})


@dataclass(frozen=True, slots=True)
class GraphProfile:
    """The graph leg: bounds of the expansion, and personalised PageRank over it.

    Restart, title, context and iterations were measured on 2wiki, musique and hotpotqa (ADR 8), ``bridges`` in ADR 17; the bounds
    keep the expansion at tens of milliseconds (docs/evaluation.md). The damping factor is that of Page et al. 1999.

    Args:
        seeds: entities of a question that are expanded, the rarest first.
        chunks_per_entity: chunks that the expansion takes from an entity.
        entities_per_chunk: entities that it takes from a chunk, the rarest first.
        bridges: entities of the reached chunks that are expanded next: first those mentioned most here and least elsewhere.
        hub_cap: mentions above which an entity is not expanded.
        seed_cap: mentions, or documents of a tag, above which not even the question's own entity is expanded in full.
        first_stage: first chunks of the dense and the keyword leg that the restart includes.
        damping: probability of following an edge rather than restarting.
        first_stage_restart: share of the restart that falls on first-stage chunks where entities are known.
        title: how many mentions a title counts as.
        context: exponent of the gain of a mention whose context holds all words of the residual query.
        iterations: rounds of the power iteration.
    """

    seeds: int = 20
    chunks_per_entity: int = 30
    entities_per_chunk: int = 20
    bridges: int = 100
    hub_cap: int = 200
    seed_cap: int = 2000
    first_stage: int = 5
    damping: float = 0.85
    first_stage_restart: float = 0.07
    title: float = 7.0
    context: float = 2.0
    iterations: int = 20


@dataclass(frozen=True, slots=True)
class FeedbackProfile:
    """Pseudo-relevance feedback where no entity is linked (ADR 155 has the measurements).

    Args:
        weight: of the damped, standardised similarity with the first candidates.
        first: candidates that are taken for relevant, by their probabilities.
        terms: strongest terms of these that count.
        kept: first candidates whose places feedback leaves alone.
        compared: candidates whose terms are read.
        least_spread: standard deviation below which similarities do not tell candidates apart.
    """

    weight: float = 0.5
    first: int = 10
    terms: int = 20
    kept: int = 2
    compared: int = 50
    least_spread: float = 0.01


@dataclass(frozen=True, slots=True)
class RerankProfile:
    """Fusion and rerank of questions.

    The weight of similarity and the bounds of the fused list's weight were measured in ADR 8: a larger weight of similarity helps where
    questions read like their chunks and hurts where they do not. Trust was measured in ADR 30, on 2026-11-23, over hotpotqa, musique, locomo
    and cranfield, and its bounds in ADR 175, on 2026-11-29, over these and twelve more. What counts where no entity is linked was measured in
    ADR 33, on 2026-11-24, over cranfield and the product documentation of tests/eval; the margin in ADR 34, on the same day, over locomo,
    hotpotqa and musique; the best cosine and the margin of the vector leg in ADR 116, on the same day, over all of
    these and four collections of frequently asked questions.

    Args:
        compared: candidates whose similarity with the question is computed exactly.
        similarity: weight of the standardised cosine.
        similarity_unlinked: the same where no entity is linked, so that the whole question is compared.
        keyword: weight of the standardised BM25 score where the graph has no trust.
        margin: weight of the keyword leg's first candidate by how far it is above the second.
        margin_untrusted: what is added to it where the graph has no trust.
        margin_vector: weight of the nearest candidate to the whole query by how far it is above the second, where entities are linked.
        margin_vector_unlinked: the same where no entity is linked (ADR 140).
        keyword_unlinked: weight of the damped BM25 score where no entity is linked.
        document: weight of the evidence in all of a chunk's document, where no entity is linked.
        graph_untrusted: share of PageRank's weight that is left where the graph has no trust.
        specificity_none: specificity of the seed entities up to which the graph has no trust: of one in 5 % of the chunks.
        specificity_full: specificity from which it has full trust: of one in 0.7 % of them.
        small_corpus: chunks below which these two fall in proportion to the number of chunks.
        untitled: share of its specificity that counts of an entity that no document is about (ADR 175).
        coverage_full: share of the question's names that are linked from which on trust is whole; with none it is halved (ADR 153).
        overlap_none: share of the question's words that are linked up to which the graph has no trust where nothing is compared (ADR 160).
        overlap_full: share from which it has full trust there.
        meaning: embedding model to the best cosine up to which the meaning of the whole query says nothing, and that from which text is ranked
            by it alone where the graph has no trust. Cosines of another model lie elsewhere; where they are not known, it says nothing.
        meaning_trusted: share of the text where a chunk means what the query means, although the graph has full trust (ADR 140).
        meaning_untitled: the same where no document is about an entity of the query (ADR 175).
        foreign: share of their weight that vectors keep where the embedding model was not made for the question's language.
        least_spread: standard deviation below which cosines do not tell candidates apart.
        fused_least: weight of the fused list beside PageRank where the graph knows every name in the question.
        fused_most: the same where it knows none.
        cross_encoded: first candidates that a cross-encoder reads and orders, where one is chosen.
        linked: first candidates whose links are read: a link to the fiftieth would be worth a hundredth.
        dates: scale of the boost by date, where a question names a time (ADR 70).
        dates_in_text: value of a date in a chunk's text beside that of a title, which is 1 (ADR 173).
        title_words: scale of the boost by words in titles, where entities are linked and the graph is doubted (ADR 70).
        redundancy: penalty for a chunk that only mentions an entity whose own document comes first, where the graph has full trust (ADR 154).
        identifiers: scale of the boost for chunks that hold the question's identifiers (ADR 165).
        feedback: what the first candidates say about the others, where no entity is linked.
        boosts: optional boosts that apply without being requested; ADR 57 has the measurements of each.
    """

    compared: int = 150
    similarity: float = 0.6
    similarity_unlinked: float = 1.0
    keyword: float = 1.0
    margin: float = 0.5
    margin_untrusted: float = 1.0
    margin_vector: float = 1.5
    margin_vector_unlinked: float = 1.0
    keyword_unlinked: float = 0.8
    document: float = 0.4
    graph_untrusted: float = 0.5
    specificity_none: float = 3.0
    specificity_full: float = 5.0
    small_corpus: int = 100
    untitled: float = 0.8
    coverage_full: float = 0.75
    overlap_none: float = 0.1
    overlap_full: float = 0.3
    meaning: Mapping[str, tuple[float, float]] = field(default_factory=lambda: _MEANING)
    meaning_trusted: float = 0.3
    meaning_untitled: float = 0.6
    foreign: float = 0.1
    least_spread: float = 0.02
    fused_least: float = 0.1
    fused_most: float = 0.3
    cross_encoded: int = 20
    linked: int = 50
    dates: float = 8.0
    dates_in_text: float = 0.25
    title_words: float = 4.0
    redundancy: float = 1.5
    identifiers: float = 2.0
    feedback: FeedbackProfile = field(default_factory=FeedbackProfile)
    boosts: frozenset[OptionalBoost] = frozenset()


@dataclass(frozen=True, slots=True)
class CommunityProfile:
    """The community leg: communities taken, and members of each, the most central first, whose chunks the leg takes."""

    communities: int = 5
    members: int = 10


@dataclass(frozen=True, slots=True)
class LinkProfile:
    """Links between documents.

    Args:
        fan_out: documents that a step takes from one document, in each direction; a question does not follow a direction with more links.
        documents: documents that an expansion may reach.
        candidates: documents that a search takes by their names.
        incoming: what a link to a document adds to its degree.
        outgoing: what a link from a document adds to its degree.
        precision: boost of direct links, and of names that a planned search's query holds, times the intent's proximity.
    """

    fan_out: int = 50
    documents: int = 500
    candidates: int = 100
    incoming: float = 2.0
    outgoing: float = 1.0
    precision: float = 0.5


@dataclass(frozen=True, slots=True)
class ToolProfile:
    """Tool routing: base weights of what the graph adds, and how many tools support others (docs/skills-and-tools.md has the figures)."""

    associative: float = 0.1
    links: float = 0.1
    graph: float = 0.2
    supporters: int = 3


@dataclass(frozen=True, slots=True)
class AtomProfile:
    """Search among atoms, as its design specifies: field weights, query expansion, decomposition, and the rerank by embeddings.

    Args:
        exact: weight of a name that the query holds in full.
        name: weight of a term's frequency in the name.
        description: likewise.
        tags: likewise.
        content: likewise.
        bigram: weight of two terms that follow each other in the name too.
        coverage_power: exponent of the share of the query's terms that an atom holds.
        expansion_discount: weight of a term that only an alias added.
        expansions: most aliases that expand a query.
        decompose_from: number of distinct terms from which a query is decomposed.
        decomposition_bonus: share of its score that an atom gains if several sub-queries find it.
        lexical_share: share of the normalised score in the rerank; the cosine has the rest.
        independent: whether sub-queries score on their own and their scores are summed (ADR 59).
        terms_list: weight of the list by terms in the fusion.
        vector_list: weight of the list by embeddings.
        candidates: atoms that each search of the index may return.
        frequency_cap: number up to which the atoms that hold a term are counted.
    """

    exact: float = 5.0
    name: float = 3.0
    description: float = 1.5
    tags: float = 1.25
    content: float = 1.0
    bigram: float = 2.0
    coverage_power: float = 0.5
    expansion_discount: float = 0.35
    expansions: int = 8
    decompose_from: int = 4
    decomposition_bonus: float = 0.25
    lexical_share: float = 0.7
    independent: bool = False
    terms_list: float = 1.0
    vector_list: float = 1.0
    candidates: int = 100
    frequency_cap: int = 10_000


@dataclass(frozen=True, slots=True)
class PackProfile:
    """Packing; ``tokens_per_word`` counts where there is no tokenizer (English, WordPiece)."""

    candidates: int = 50
    tokens_per_word: float = 1.3
    epistemic: Mapping[str, float] = field(default_factory=lambda: _EPISTEMIC)  # a missing status weighs 1
    diversity: float = 0.1  # penalty for each hit of the same kind that is already packed


@dataclass(frozen=True, slots=True)
class RankingProfile:
    """All ranking constants.

    Args:
        graph: the graph leg.
        communities: the community leg.
        rerank: fusion and rerank of questions.
        links: links between documents.
        tools: tool routing.
        atoms: search among atoms.
        packing: packing into a token budget.
        scales: intent's target to the scales of its weights; targets without a row have scale 1.
        candidates: hits that a leg may return.
        rrf_k: the constant k of reciprocal rank fusion, as Cormack et al. 2009 give it; higher flattens the lists.
    """

    graph: GraphProfile = field(default_factory=GraphProfile)
    communities: CommunityProfile = field(default_factory=CommunityProfile)
    rerank: RerankProfile = field(default_factory=RerankProfile)
    links: LinkProfile = field(default_factory=LinkProfile)
    tools: ToolProfile = field(default_factory=ToolProfile)
    atoms: AtomProfile = field(default_factory=AtomProfile)
    packing: PackProfile = field(default_factory=PackProfile)
    scales: Mapping[str, Mapping[str, float]] = field(default_factory=lambda: _SCALES)
    candidates: int = 100
    rrf_k: int = 60


PROFILE: Final = RankingProfile()
"""The constants in use."""
