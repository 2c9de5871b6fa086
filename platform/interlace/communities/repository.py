"""Communities as people and programs look them up."""

from dataclasses import dataclass

from interlace.cypher_files import query
from interlace.domain.errors import NotFoundError
from interlace.ports.graph import GraphDatabase

_LIST = query("communities/community_list")
_DETAIL = query("communities/community_detail")


@dataclass(frozen=True, slots=True)
class Community:
    """A group of entities that the text ties closely together.

    Args:
        id: stays the same from one refresh to the next as long as its members mostly do.
        level: 0 for the finest.
        title: a few words; none before it was summarised.
        summary: what its members have to do with each other; none if it is too small for one.
        size: members.
        rating: how much of the graph's importance its members hold, 0 to 10.
        parents: ids of the communities above it.
    """

    id: str
    level: int
    title: str | None
    summary: str | None
    size: int
    rating: float | None
    parents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """An entity of a community and the chunks that mention it."""

    id: str
    name: str
    type: str
    mentions: int


@dataclass(frozen=True, slots=True)
class Kin:
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
    parents: tuple[Kin, ...]
    children: tuple[Kin, ...]


class CommunityRepository:
    """Reads communities; holds nothing itself."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph

    def list(
        self, tenant: str, *, level: int | None = None, limit: int = 50, after: tuple[int, str] | None = None
    ) -> list[Community]:
        """Return a page of communities, the largest first.

        Args:
            tenant: whose.
            level: only this level.
            limit: communities wanted.
            after: size and id of the last community of the page before.
        """
        size, last = after or (None, None)
        rows = self._graph.run(_LIST, tenant=tenant, level=level, size=size, after=last, limit=limit)
        return [Community(**{**row, "parents": tuple(row["parents"])}) for row in rows]

    def get(self, tenant: str, community_id: str, *, members: int = 100) -> CommunityDetail:
        """Return one community with at most so many members.

        Raises:
            NotFoundError: the tenant has no such community.
        """
        rows = self._graph.run(_DETAIL, tenant=tenant, id=community_id, members=members)
        if not rows:
            raise NotFoundError(
                f"There is no community {community_id}; `interlace communities list` shows what there is."
            )
        row = rows[0]
        parents = tuple(Kin(**kin) for kin in row["parents"])
        return CommunityDetail(
            community=Community(
                id=row["id"],
                level=row["level"],
                title=row["title"],
                summary=row["summary"],
                size=row["size"],
                rating=row["rating"],
                parents=tuple(kin.id for kin in parents),
            ),
            members=tuple(Member(**member) for member in row["members"]),
            parents=parents,
            children=tuple(Kin(**kin) for kin in row["children"]),
        )
