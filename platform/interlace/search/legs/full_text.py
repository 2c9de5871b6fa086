"""Chunks that share words with the query by the graph alone, for the keyword leg while the vector index is away.

A full-text index chooses the candidates, by whole words of their text. They are weighed here as in the vector index, with stems, title and
headings, so that statistics of other tenants, or of documents hidden from the reader, are in no score; a term's frequency is that among the candidates.
"""

from collections import Counter
from collections.abc import Sequence

from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import ChunksByWordsRow, chunks_by_words
from interlace.search.candidates import Candidate
from interlace.search.legs.protocol import Scope
from interlace.text.bm25 import chunk_terms
from interlace.text.lucene import any_of, in_field, in_tenant
from interlace.text.rarity import inverse_frequency
from interlace.text.tokenizer import content_words
from interlace.vectors.projection import model_text


def chunks_with_words(graph: GraphDatabase, scope: Scope, asked: Sequence[int], timeout: float) -> list[Candidate]:
    """Return the chunks in the scope that match the ids of the query's terms best.

    Raises:
        UnavailableError: the graph does not answer within ``timeout`` seconds.
    """
    words = sorted(content_words(scope.text))
    if not words:
        return []
    rows = chunks_by_words(
        graph,
        tenant=scope.tenant,
        # The words begin with letters and digits and are case-folded, so none is Lucene syntax, not even ``c++``; in capitals AND, OR and NOT would be.
        search=in_tenant(scope.tenant, in_field("terms", any_of(words))),
        limit=scope.limit,
        filter=scope.filter,
        timeout=timeout,
    )
    return _weighed(rows, frozenset(asked))


def _weighed(rows: Sequence[ChunksByWordsRow], asked: frozenset[int]) -> list[Candidate]:
    """Return the chunks by BM25."""
    weights = {
        row.chunk: {
            term: weight
            for term, weight in zip(*chunk_terms(model_text(row.context, row.text), row.language), strict=True)
            if term in asked
        }
        for row in rows
    }
    frequency = Counter(term for terms in weights.values() for term in terms)
    scores = {
        chunk: sum(weight * inverse_frequency(frequency[term], len(rows)) for term, weight in terms.items())
        for chunk, terms in weights.items()
    }
    ranked = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
    return [Candidate(chunk, scores[chunk]) for chunk in ranked if scores[chunk]]
