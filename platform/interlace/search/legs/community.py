"""The community leg: chunks of the communities whose summaries are near the query (GraphRAG's global search, arXiv 2404.16130)."""

from dataclasses import dataclass
from typing import ClassVar

from interlace.domain.errors import NotFoundError
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import SparseVector, Vector, VectorIndex
from interlace.queries.communities import community_chunks, community_list
from interlace.search.candidates import Candidate
from interlace.search.legs.keyword import sparse
from interlace.search.legs.protocol import Input, SearchContext
from interlace.search.profile import RankingProfile


@dataclass(frozen=True, slots=True)
class CommunityLeg:
    """Search among summaries, then the chunks that mention their central members."""

    graph: GraphDatabase
    vectors: VectorIndex
    profile: RankingProfile
    name: ClassVar[str] = "community"
    needs: ClassVar[Input] = "embedding"

    def search(self, context: SearchContext) -> list[Candidate]:
        """Return chunks by similarity of the summary times the share of central members that they mention."""
        summaries = self._summaries(context)
        if not summaries:
            return []
        scope, bounds = context.scope, self.profile.graph
        rows = community_chunks(
            self.graph,
            tenant=scope.tenant,
            ids=sorted(summaries),
            members=self.profile.communities.members,
            chunks_per_entity=bounds.chunks_per_entity,
            hub_cap=bounds.hub_cap,
            limit=scope.limit,
            filter=scope.filter,
            timeout=scope.timeout,
        )
        best: dict[str, float] = {}
        for row in rows:
            best[row.chunk] = max(best.get(row.chunk, 0.0), row.score * summaries[row.community])
        ranked = sorted(best, key=lambda chunk: (-best[chunk], chunk))
        return [Candidate(chunk, best[chunk]) for chunk in ranked[: scope.limit]]

    def _summaries(self, context: SearchContext) -> dict[str, float]:
        """Return community to similarity: by the embedding, or by words without one.

        Raises:
            NotFoundError: the index lost the tenant's communities.
        """
        scope, embedding, limit = context.scope, context.embedding, self.profile.communities.communities
        vector: Vector | SparseVector = sparse(scope.text) if embedding is None else embedding
        using = "bm25" if embedding is None else context.model
        try:
            found = self.vectors.search(
                scope.tenant, "communities", vector, using=using, limit=limit, timeout=scope.timeout
            )
        except NotFoundError:
            if community_list(self.graph, tenant=scope.tenant, level=None, size=None, after=None, limit=1):
                raise
            return {}
        return {point.id: point.score for point in found}
