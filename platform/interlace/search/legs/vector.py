"""The dense leg: chunks with a window whose embedding is near the query's."""

from dataclasses import dataclass
from typing import ClassVar

from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex, windows_of
from interlace.search.candidates import Candidate
from interlace.search.legs.chunk_points import chunk_points
from interlace.search.legs.protocol import Input, SearchContext


@dataclass(frozen=True, slots=True)
class VectorLeg:
    """Dense search in the vector index, by the cosine of each chunk's nearest window."""

    graph: GraphDatabase
    vectors: VectorIndex
    name: ClassVar[str] = "vector"
    needs: ClassVar[Input] = "embedding"

    def search(self, context: SearchContext) -> list[Candidate]:
        """Return the nearest chunks; none without an embedding."""
        if context.embedding is None:
            return []
        found = chunk_points(self.graph, self.vectors, context.scope, context.embedding, windows_of(context.model))
        return [Candidate(point.id, point.score) for point in found]
