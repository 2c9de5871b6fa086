"""The keyword leg: chunks that share words with the query, by BM25 over sparse vectors (Robertson and Zaragoza 2009)."""

import time
from dataclasses import dataclass
from typing import ClassVar

from interlace.domain.errors import UnavailableError
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import SparseVector, VectorIndex
from interlace.search.candidates import Candidate
from interlace.search.legs.chunk_points import chunk_points
from interlace.search.legs.full_text import chunks_with_words
from interlace.search.legs.protocol import Input, SearchContext
from interlace.text.bm25 import query_terms


@dataclass(frozen=True, slots=True)
class KeywordLeg:
    """Sparse search in the vector index; while that is away, full-text search in the graph, which is named as degraded."""

    graph: GraphDatabase
    vectors: VectorIndex
    name: ClassVar[str] = "keyword"
    needs: ClassVar[Input] = "query"

    def search(self, context: SearchContext) -> list[Candidate]:
        """Return the chunks that match best; none if the query has no words."""
        scope, terms = context.scope, sparse(context.scope.text)
        if not terms.indices:
            return []
        started = time.perf_counter()
        try:
            found = chunk_points(self.graph, self.vectors, scope, terms, "bm25")
        except UnavailableError:
            left = scope.timeout - (time.perf_counter() - started)
            if left <= 0:
                raise
            of_graph = chunks_with_words(self.graph, scope, terms.indices, left)
            context.degraded.append(self.name)
            return of_graph
        return [Candidate(point.id, point.score) for point in found]


def sparse(text: str) -> SparseVector:
    """Return a query's terms as a sparse vector."""
    indices, values = query_terms(text)
    return SparseVector(indices, values)
