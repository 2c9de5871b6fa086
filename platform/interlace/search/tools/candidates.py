"""Tools as skills declare them: read from the graph by the texts that a leg found, or by the tools that a walk reached."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from interlace.cypher_files import query
from interlace.ports.graph import GraphDatabase, Row

_DESCRIBE = query("tools/describe_tools")
_LINKS = 200


@dataclass(frozen=True, slots=True)
class Candidate:
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
        linked: ids of documents that the skill's document links to, or that link to it.
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
    linked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates by the chunk that declares them, and chunk found → chunk that declares the tool it speaks of."""

    tools: Mapping[str, Candidate]
    declared_in: Mapping[str, str]


def read_candidates(graph: GraphDatabase, tenant: str, *, texts: Sequence[str], tools: Iterable[str]) -> Candidates:
    """Return the tools that texts speak of, and those with these ids."""
    rows = graph.run(_DESCRIBE, tenant=tenant, chunks=list(texts), tools=sorted(tools), links=_LINKS)
    found = {row["chunk"]: _candidate(row) for row in rows}
    return Candidates(found, {row["hit"]: row["chunk"] for row in rows if row["hit"]})


def _candidate(row: Row) -> Candidate:
    return Candidate(
        chunk=row["chunk"],
        tool=row["tool"],
        name=row["name"],
        skill=row["skill"],
        skill_name=row["skillName"],
        document=row["document"],
        source_uri=row["sourceUri"],
        text=row["text"],
        keywords={item["id"]: item["name"] for item in (*row["keywords"], *row["skillKeywords"])},
        linked=frozenset(row["linked"]),
    )
