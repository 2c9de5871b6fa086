"""Look up communities."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interlace.domain.errors import NotFoundError
from interlace.domain.generated_text import GeneratedText
from interlace.entities.generated_texts import read_generated_texts
from interlace.ports.graph import GraphDatabase
from interlace.queries import communities as queries


@dataclass(frozen=True, slots=True)
class Community:
    """A group of closely related entities.

    Args:
        id: stays the same from one refresh to the next as long as its members mostly do.
        level: 0 for the finest.
        title: its most central entities; none before it was summarised.
        summary: quotations about its members; none before it was summarised.
        size: members.
        rating: its members' share of PageRank, 0 to 10.
        parents: ids of the communities above it.
        generated: a language model's summary; null if no model writes one, or if a document that it was made of changed.
    """

    id: str
    level: int
    title: str | None
    summary: str | None
    size: int
    rating: float | None
    parents: tuple[str, ...]
    generated: GeneratedText | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """An entity of a community and the chunks that mention it."""

    id: str
    name: str
    type: str
    mentions: int


@dataclass(frozen=True, slots=True)
class RelatedCommunity:
    """A community directly above or below another."""

    id: str
    level: int
    title: str | None
    size: int


@dataclass(frozen=True, slots=True)
class CommunityDetail:
    """A community with its most central members and its place in the hierarchy."""

    community: Community
    members: tuple[Member, ...]
    parents: tuple[RelatedCommunity, ...]
    children: tuple[RelatedCommunity, ...]


@dataclass(frozen=True, slots=True)
class CommunityRepository:
    """Reads communities."""

    graph: GraphDatabase

    def list(
        self, tenant: str, *, level: int | None = None, limit: int = 50, after: tuple[int, str] | None = None
    ) -> list[Community]:
        """Return a page of communities, the largest first: of one level if it is given, after the size and id of the last one of the page before."""
        size, last = after or (None, None)
        rows = queries.community_list(self.graph, tenant=tenant, level=level, size=size, after=last, limit=limit)
        texts = read_generated_texts(self.graph, tenant, [row.id for row in rows])
        return [_community(row, row.parents, texts) for row in rows]

    def get(self, tenant: str, community_id: str, *, members: int = 100) -> CommunityDetail:
        """Return one community with at most ``members`` of its members.

        Raises:
            NotFoundError: the tenant has no such community.
        """
        row = queries.community_detail(self.graph, tenant=tenant, id=community_id, members=members)
        if row is None:
            raise NotFoundError(f"There is no community {community_id}; `interlace communities list` lists them.")
        parents = tuple(RelatedCommunity(each.id, each.level, each.title, each.size) for each in row.parents)
        return CommunityDetail(
            _community(row, [each.id for each in parents], read_generated_texts(self.graph, tenant, [row.id])),
            members=tuple(Member(each.id, each.name, each.type, each.mentions) for each in row.members),
            parents=parents,
            children=tuple(RelatedCommunity(each.id, each.level, each.title, each.size) for each in row.children),
        )


def _community(
    row: queries.CommunityListRow | queries.CommunityDetailRow,
    parents: Iterable[str],
    texts: Mapping[str, GeneratedText],
) -> Community:
    return Community(row.id, row.level, row.title, row.summary, row.size, row.rating, tuple(parents), texts.get(row.id))
