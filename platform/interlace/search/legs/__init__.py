"""The legs of a search and their registry: one file per leg, all behind one protocol."""

from collections.abc import Mapping

from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.search.legs.community import CommunityLeg
from interlace.search.legs.graph import GraphLeg
from interlace.search.legs.keyword import KeywordLeg
from interlace.search.legs.paths import PathLeg
from interlace.search.legs.protocol import Leg
from interlace.search.legs.tags import TagLeg
from interlace.search.legs.vector import VectorLeg
from interlace.search.profile import RankingProfile


def leg_registry(graph: GraphDatabase, vectors: VectorIndex, profile: RankingProfile) -> Mapping[str, Leg]:
    """Return every leg of questions by name."""
    legs: tuple[Leg, ...] = (
        VectorLeg(graph, vectors),
        KeywordLeg(graph, vectors),
        GraphLeg(graph, profile.graph),
        CommunityLeg(graph, vectors, profile),
        TagLeg(graph, profile.graph.seed_cap),
        PathLeg(graph),
    )
    return {leg.name: leg for leg in legs}
