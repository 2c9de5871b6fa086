"""Tools as skills declare them: read from the graph by the chunks that a leg found, or by the tools that an expansion reached."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from interlace.domain.reader import reader_groups
from interlace.ports.graph import GraphDatabase
from interlace.queries.tools import DescribeToolsRow, describe_tools
from interlace.search.tools.visible import describe_visible_tools

_LINKS = 200


@dataclass(frozen=True, slots=True)
class ToolCandidate:
    """A tool of a skill; a tool that several skills contain is several candidates.

    Args:
        chunk: id of the chunk that declares it.
        tool: the tool's entity.
        name: its name.
        skill: the skill's entity.
        skill_name: its name.
        document: id of the skill's document.
        source_uri: where that came from.
        text: the chunk.
        keywords: id to name of the concepts that tool or skill are related to.
        documents: ids of the skill's document and of those that it is documented in.
        linked: ids of documents that one of these links to, or that link to one.
    """

    chunk: str
    tool: str
    name: str
    skill: str
    skill_name: str
    document: str
    source_uri: str
    text: str
    keywords: Mapping[str, str] = field(default_factory=dict)
    documents: frozenset[str] = frozenset()
    linked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ToolCandidates:
    """Candidates by the chunk that declares them, and chunk found → chunk that declares its tool."""

    tools: Mapping[str, ToolCandidate]
    declared_in: Mapping[str, str]


def read_candidates(
    graph: GraphDatabase, tenant: str, *, chunks: Sequence[str], tools: Iterable[str]
) -> ToolCandidates:
    """Return the tools that some chunks are about, and those with the given ids."""
    describe = describe_tools if reader_groups() is None else describe_visible_tools
    rows = describe(graph, tenant=tenant, chunks=list(chunks), tools=sorted(tools), links=_LINKS)
    found = {row.chunk: _candidate(row) for row in rows}
    return ToolCandidates(found, {row.hit: row.chunk for row in rows if row.hit})


def _candidate(row: DescribeToolsRow) -> ToolCandidate:
    return ToolCandidate(
        chunk=row.chunk,
        tool=row.tool,
        name=row.name,
        skill=row.skill,
        skill_name=row.skill_name,
        document=row.document,
        source_uri=row.source_uri,
        text=row.text,
        keywords={
            **{keyword.id: keyword.name for keyword in row.keywords},
            **{keyword.id: keyword.name for keyword in row.skill_keywords},
        },
        documents=frozenset(row.documents),
        linked=frozenset(row.linked),
    )
