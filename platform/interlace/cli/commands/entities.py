"""``interlace entities``: the registry of names."""

from typing import Annotated

import typer

from interlace.cli.commands import decisions
from interlace.cli.options.entity import entity_id_of
from interlace.cli.output import JsonOption, TenantOption, print_json, print_table, say, say_if_more
from interlace.cli.session import platform_for
from interlace.cli.views.effort import spent
from interlace.cli.waiting import counted
from interlace.domain.errors import InvalidInputError
from interlace.domain.relations import Direction
from interlace.entities.repository import EntityRepository
from interlace.entities.results import Relation
from interlace.entities.traversal import MAX_HOPS, MAX_PATH_HOPS, EntityTraversal, RelationFilter

EntityArgument = Annotated[str, typer.Argument(help="An entity's id, or an unambiguous name.", show_default=False)]
RelationsFrom = Annotated[Direction, typer.Option(help="Relations from an entity (out), to it (in), or both.")]
Predicates = Annotated[
    list[str] | None,
    typer.Option("--predicate", help="Only relations with this predicate; may be repeated.", show_default=False),
]
LeastConfidence = Annotated[float, typer.Option(min=0, max=1, help="Minimum confidence of a relation, 0 to 1.")]
LimitOption = Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of results.")]


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="Entities of the graph, and decisions about them.", no_args_is_help=True)
    for command in (search, show, neighbors, paths, facts):
        group.command()(command)
    decisions.register(group)
    app.add_typer(group, name="entities")


def search(
    name: Annotated[str, typer.Argument(help="A name; misspelt and partial names match too.", show_default=False)],
    kind: Annotated[
        list[str] | None, typer.Option("--type", help="Only this type; may be repeated.", show_default=False)
    ] = None,
    limit: LimitOption = 10,
    min_confidence: Annotated[float, typer.Option(help="Minimum confidence of a match, 0 to 1.")] = 0.0,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find entities by name: exact and alias, fuzzy, by words, and by embeddings where there are any."""
    if not name.strip():
        raise InvalidInputError("The name is empty; give one, or a part of it.")
    if not 0 <= min_confidence <= 1:
        raise InvalidInputError(f"--min-confidence {min_confidence}: use a number from 0 to 1.")
    with platform_for(tenant) as (platform, whose):
        found = EntityRepository(platform.graph, platform.name_vectors).search(
            whose, name, types=kind or (), limit=limit, min_confidence=min_confidence
        )
    if as_json:
        print_json(found)
        return
    rows = [
        (
            item.entity.id,
            item.entity.name,
            item.entity.type,
            item.entity.mentions,
            item.via,
            f"{item.confidence:.2f}",
            " + ".join(f"{signal} {part.share:.2f}" for signal, part in item.signals.items() if part.share),
            ", ".join(item.entity.aliases[:3]),
        )
        for item in found.matches
    ]
    if found.degraded:
        say("compared without embeddings: their model does not answer")
    print_table(("id", "name", "type", "mentions", "match", "confidence", "made of", "also called"), rows)
    say(spent(found.effort))


def show(name: EntityArgument, tenant: TenantOption = None, as_json: JsonOption = False) -> None:
    """Show one entity: its aliases, the documents about it, its communities."""
    with platform_for(tenant) as (platform, whose):
        repository = EntityRepository(platform.graph)
        detail = repository.get(whose, entity_id_of(repository, whose, name))
    if as_json:
        print_json(detail)
        return
    entity = detail.entity
    rows: list[tuple[str, object]] = [
        ("id", entity.id),
        ("name", entity.name),
        ("type", f"{entity.type} ({entity.confidence:.0%} of the evidence)"),
        ("also called", ", ".join(entity.aliases)),
        *((("described by a model as", written.text),) if (written := detail.generated) else ()),
        *((("described as", f"{said.text} ({said.source_uri})"),) if (said := detail.description) else ()),
        (
            "mentioned in",
            f"{counted(detail.chunks, 'chunk', 'chunks')} of {counted(detail.documents, 'document', 'documents')}",
        ),
        ("facts", detail.facts),
        *(("documents about it", f"{item.title} ({item.source_uri})") for item in detail.about),
        *((f"community, level {item.level}", f"{item.title or ''} {item.id}") for item in detail.communities),
    ]
    print_table(("", ""), rows)


def neighbors(
    name: EntityArgument,
    hops: Annotated[int, typer.Option(min=1, max=MAX_HOPS, help="Maximum distance in relations.")] = 1,
    kind: Annotated[
        list[str] | None, typer.Option("--type", help="Only this type; may be repeated.", show_default=False)
    ] = None,
    direction: RelationsFrom = "both",
    predicate: Predicates = None,
    min_confidence: LeastConfidence = 0.0,
    limit: LimitOption = 25,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the entities related to one, nearest first, then strongest, with the sentences that say so."""
    where = RelationFilter(direction, tuple(predicate or ()), min_confidence)
    with platform_for(tenant) as (platform, whose):
        entity = entity_id_of(EntityRepository(platform.graph), whose, name)
        found = EntityTraversal(platform.graph).neighbors(
            whose, entity, hops=hops, types=kind or (), where=where, limit=limit
        )
    if as_json:
        print_json(found)
        return
    rows = [
        (
            item.hops,
            item.via_name,
            ", ".join(map(_arrow, item.relations)),
            item.name,
            item.type,
            item.weight,
            item.relations[0].sentence,
        )
        for item in found
    ]
    print_table(("hops", "from", "relation", "entity", "type", "facts", "sentence"), rows)


def paths(
    name: EntityArgument,
    other: Annotated[str, typer.Argument(help="The other entity: its id or its name.", show_default=False)],
    direction: RelationsFrom = "both",
    predicate: Predicates = None,
    min_confidence: LeastConfidence = 0.0,
    limit: LimitOption = 5,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the shortest paths between two entities, with the sentence behind every relation."""
    where = RelationFilter(direction, tuple(predicate or ()), min_confidence)
    with platform_for(tenant) as (platform, whose):
        repository = EntityRepository(platform.graph)
        ends = entity_id_of(repository, whose, name), entity_id_of(repository, whose, other)
        found = EntityTraversal(platform.graph).paths(whose, *ends, where=where, limit=limit)
    if as_json:
        print_json(found)
        return
    if not found:
        say(f"No path of at most {MAX_PATH_HOPS} relations connects {name} and {other}.")
    rows = [
        (number, path.names[place], _arrow(relation), path.names[place + 1], relation.sentence)
        for number, path in enumerate(found, start=1)
        for place, relation in enumerate(path.relations)
    ]
    print_table(("path", "from", "relation", "to", "sentence"), rows)


def _arrow(relation: Relation) -> str:
    return {"out": "─{}→", "in": "←{}─"}[relation.direction].format(relation.predicate)


def facts(
    name: EntityArgument,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Facts to return.")] = 25,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the facts that name an entity, each with the sentence that states it."""
    with platform_for(tenant) as (platform, whose):
        repository = EntityRepository(platform.graph)
        found = repository.facts(whose, entity_id_of(repository, whose, name), limit=limit + 1)
    shown = found[:limit]
    if as_json:
        print_json(shown)
    else:
        rows = [(f"{item.subject} {item.predicate} {item.object or ''}", item.sentence, item.title) for item in shown]
        print_table(("fact", "sentence", "document"), rows)
    say_if_more(found, limit)
