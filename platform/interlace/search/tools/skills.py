"""The registered skills of a tenant."""

from interlace.domain.reader import reader_groups
from interlace.domain.tools import SkillSummary
from interlace.ports.graph import GraphDatabase
from interlace.queries.tools import skill_list
from interlace.search.tools.visible import list_visible_skills


def registered_skills(graph: GraphDatabase, tenant: str, *, limit: int, after: str | None = None) -> list[SkillSummary]:
    """Return registered skills by the id of their document, those after a given one."""
    listed = skill_list if reader_groups() is None else list_visible_skills
    return [
        SkillSummary(row.id, row.name, row.source_uri, row.document_id, tuple(row.keywords), tuple(row.tools))
        for row in listed(graph, tenant=tenant, limit=limit, after=after)
    ]
