"""The registered skills of a tenant."""

from interlace.domain.tools import SkillSummary
from interlace.ports.graph import GraphDatabase
from interlace.queries.tools import skill_list


class Skills:
    """Lists skills."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph

    def list(self, tenant: str, *, limit: int, after: str | None = None) -> list[SkillSummary]:
        """Return registered skills by the id of their document, those after a given one."""
        return [
            SkillSummary(row.id, row.name, row.source_uri, row.document_id, tuple(row.keywords), tuple(row.tools))
            for row in skill_list(self._graph, tenant=tenant, limit=limit, after=after)
        ]
