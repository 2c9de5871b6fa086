"""Tools as skills declare them: read from the graph by the chunks that a leg found, or by the tools that an expansion reached."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interlace.domain.reader import reader_groups
from interlace.ports.graph import GraphDatabase
from interlace.queries.tools import DescribeToolsRow, describe_tools
from interlace.search.tools.visible import describe_visible_tools

_LINKS = 200


@dataclass(frozen=True, slots=True)
class ToolCandidates:
    """Candidates by the chunk that declares them, and chunk found → chunk that declares its tool."""

    tools: Mapping[str, DescribeToolsRow]
    declared_in: Mapping[str, str]


def read_candidates(
    graph: GraphDatabase, tenant: str, *, chunks: Sequence[str], tools: Iterable[str]
) -> ToolCandidates:
    """Return the tools that some chunks are about, and those with the given ids."""
    describe = describe_tools if reader_groups() is None else describe_visible_tools
    rows = describe(graph, tenant=tenant, chunks=list(chunks), tools=sorted(tools), links=_LINKS)
    found = {row.chunk: row for row in rows}
    return ToolCandidates(found, {row.hit: row.chunk for row in rows if row.hit})


def keywords_of(tool: DescribeToolsRow) -> dict[str, str]:
    """Return id to name of the concepts that tool or skill are related to."""
    return {keyword.id: keyword.name for keyword in (*tool.keywords, *tool.skill_keywords)}
