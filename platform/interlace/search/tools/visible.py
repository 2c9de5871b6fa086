"""Tools and skills for a reader who is restricted to groups: what ``queries.tools`` returns to others, rebuilt from visible documents.

Relations are counted from the facts that these state; names and types follow from their evidence (``entities.visible``).
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from interlace.domain.extraction import DECLARED_TYPES
from interlace.domain.relations import STRUCTURAL
from interlace.entities.visible import VisibleEntity, visible_entities
from interlace.ports.graph import GraphDatabase
from interlace.queries import tools as queries
from interlace.queries.relations import VisibleRelationsRow, visible_relations

_Relations = Mapping[str, Sequence[VisibleRelationsRow]]
_Known = Mapping[str, VisibleEntity]


def expand_to_visible_tools(
    graph: GraphDatabase, *, tenant: str, seeds: Sequence[str], hub_cap: int, limit: int, timeout: float | None = None
) -> list[queries.ExpandToToolsRow]:
    """Return what ``tools/expand_to_tools`` returns, whose parameters these are."""
    first = _relations(graph, tenant, seeds, hub_cap, timeout)
    near = _ends_of(first)
    known = visible_entities(graph, tenant, near | set(seeds), timeout=timeout)
    found = _relations(graph, tenant, near & known.keys(), hub_cap, timeout)
    second = {via: rows for via, rows in found.items() if known[via].state.type in DECLARED_TYPES or _documents(rows)}
    known |= visible_entities(graph, tenant, _ends_of(second) - known.keys(), timeout=timeout)
    return [row for seed in seeds if seed in first for row in _tools_from(seed, first[seed], second, known, limit)]


def _tools_from(
    seed: str, direct: Sequence[VisibleRelationsRow], second: _Relations, known: _Known, limit: int
) -> Iterator[queries.ExpandToToolsRow]:
    """Yield the tools that one entity leads to: itself, its neighbours, and their neighbours."""
    if _is(known, seed, "Tool"):
        yield queries.ExpandToToolsRow(seed, seed, 0, None, None, None)
    near = sorted({row.id for row in direct})
    for tool in [each for each in near if _is(known, each, "Tool")][:limit]:
        yield queries.ExpandToToolsRow(seed, tool, 1, None, None, None)
    beyond = {(row.id, via) for via in near for row in second.get(via, ()) if row.id != seed}
    for tool, via in sorted(pair for pair in beyond if _is(known, pair[0], "Tool"))[:limit]:
        state = known[via].state
        yield queries.ExpandToToolsRow(seed, tool, 2, via, state.name, state.type)


def describe_visible_tools(
    graph: GraphDatabase, *, tenant: str, chunks: Sequence[str], tools: Sequence[str], links: int
) -> list[queries.DescribeToolsRow]:
    """Return what ``tools/describe_tools`` returns, whose parameters these are."""
    rows = queries.visible_tools(graph, tenant=tenant, chunks=chunks, tools=tools, links=links)
    ends = {end for row in rows for end in (row.tool, row.skill)}
    relations = _relations(graph, tenant, ends)
    known = visible_entities(graph, tenant, ends | _ends_of(relations))
    return [
        queries.DescribeToolsRow(
            row.hit,
            row.chunk,
            row.text,
            row.tool,
            known[row.tool].state.name,
            row.skill,
            known[row.skill].state.name,
            row.document,
            row.source_uri,
            [
                queries.DescribeToolsKeyword(*each)
                for each in _related(row.tool, "RELATED_TO", "Concept", relations, known)
            ],
            [
                queries.DescribeToolsKeyword(*each)
                for each in _related(row.skill, "RELATED_TO", "Concept", relations, known)
            ],
            row.documents,
            row.linked,
        )
        for row in rows
        if _is(known, row.tool, "Tool") and _is(known, row.skill, "Skill")
    ]


def list_visible_skills(
    graph: GraphDatabase, *, tenant: str, limit: int, after: str | None
) -> list[queries.SkillListRow]:
    """Return what ``tools/skill_list`` returns, whose parameters these are."""
    found: list[queries.SkillListRow] = []
    while len(found) < limit:
        rows = queries.visible_skills(graph, tenant=tenant, limit=limit, after=after)
        relations = _relations(graph, tenant, {row.skill for row in rows})
        known = visible_entities(graph, tenant, {row.skill for row in rows} | _ends_of(relations))
        # A decision may merge a skill with an entity that most of its evidence gives another type.
        found += [_summary(row, relations, known) for row in rows if _is(known, row.skill, "Skill")]
        if len(rows) < limit:
            break
        after = rows[-1].document
    return found[:limit]


def _summary(row: queries.VisibleSkillsRow, relations: _Relations, known: _Known) -> queries.SkillListRow:
    keywords = _related(row.skill, "RELATED_TO", "Concept", relations, known)
    tools = _related(row.skill, "CONTAINS", "Tool", relations, known)
    named = [[name for _, name in each] for each in (keywords, tools)]
    return queries.SkillListRow(row.skill, known[row.skill].state.name, row.source_uri, row.document, *named)


def _relations(
    graph: GraphDatabase,
    tenant: str,
    ids: Collection[str],
    max_relations: int | None = None,
    timeout: float | None = None,
) -> dict[str, list[VisibleRelationsRow]]:
    """Return the structural relations of some entities; entities with more than ``max_relations`` are left out."""
    found: dict[str, list[VisibleRelationsRow]] = defaultdict(list)
    for row in visible_relations(graph, tenant=tenant, ids=sorted(ids), timeout=timeout) if ids else ():
        if row.predicate in STRUCTURAL:
            found[row.via].append(row)
    return {each: found[each] for each in ids if max_relations is None or len(found[each]) <= max_relations}


def _ends_of(relations: _Relations) -> set[str]:
    return {row.id for rows in relations.values() for row in rows}


def _related(entity: str, predicate: str, kind: str, relations: _Relations, known: _Known) -> list[tuple[str, str]]:
    """Return id and name of the entities of a type that a predicate relates an entity to, by name."""
    ids = {row.id for row in relations[entity] if row.predicate == predicate and row.direction == "out"}
    named = [(each, known[each].state.name) for each in ids if _is(known, each, kind)]
    return sorted(named, key=lambda pair: (pair[1], pair[0]))


def _is(known: _Known, entity: str, kind: str) -> bool:
    return entity in known and known[entity].state.type == kind


def _documents(rows: Sequence[VisibleRelationsRow]) -> bool:
    return any(row.predicate == "DOCUMENTED_IN" and row.direction == "in" for row in rows)
