"""``interlace communities``: groups of closely related entities."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

from interlace.cli.output import JsonOption, TenantOption, print_json, print_table, say, say_if_more
from interlace.cli.session import platform_for
from interlace.cli.terminal import write_line
from interlace.cli.waiting import interruptible, retry_on_conflict
from interlace.communities.repository import CommunityRepository
from interlace.domain.errors import InvalidInputError

if TYPE_CHECKING:
    from interlace.bootstrap import Platform
    from interlace.communities.service import RefreshReport

_RETRY_SECONDS = 3600.0
"""A refresh of a large tenant takes minutes; one whose process died gives up its lease within minutes too."""
REFRESH_STOPPED: Final = (
    "Stopped before the communities were all refreshed; `interlace communities refresh` begins again."
)


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="Communities of entities: refresh, list, show.", no_args_is_help=True)
    group.command()(refresh)
    group.command("list")(list_communities)
    group.command()(show)
    app.add_typer(group, name="communities")


def refresh(
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ignore the last partition, so that the result depends on the graph alone.")
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Refresh in this process, or leave it to a worker.")
    ] = True,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Detect and summarise communities. Summaries of unchanged ones are kept."""
    if fresh and not wait:
        raise InvalidInputError("--fresh runs in this process only; omit --no-wait.")
    with platform_for(tenant) as (platform, name):
        if not wait:
            platform.queue.enqueue("refresh_communities", name)
            say("A worker will refresh the communities.")
            if as_json:
                print_json({"tenant": name, "queued": True})
            return
        with interruptible(REFRESH_STOPPED, name):
            report = refresh_with_retry(platform, name, fresh=fresh)
    if as_json:
        print_json(report)
    else:
        write_line(
            f"{report.communities:,} communities on {report.levels} levels ({report.redone:,} summarised, "
            f"{report.reused:,} unchanged) · modularity {report.modularity:.3f} · {report.seconds:.1f} s"
        )


def list_communities(
    level: Annotated[
        int | None, typer.Option(min=0, help="Only this level; 0 is the finest.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Communities to return.")] = 20,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """List communities, largest first."""
    with platform_for(tenant) as (platform, name):
        found = CommunityRepository(platform.graph).list(name, level=level, limit=limit + 1)
    if as_json:
        print_json(found[:limit])
    else:
        rows = [(item.id, item.level, item.size, item.title) for item in found[:limit]]
        print_table(("id", "level", "size", "title"), rows)
    say_if_more(found, limit)


def show(
    community_id: Annotated[str, typer.Argument(help="The community's id.", show_default=False)],
    members: Annotated[int, typer.Option(min=1, max=10_000, help="Members to return.")] = 30,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one community: its summary, its members, what is above and below it."""
    with platform_for(tenant) as (platform, name):
        detail = CommunityRepository(platform.graph).get(name, community_id, members=members)
    if as_json:
        print_json(detail)
        return
    community = detail.community
    write_line(f"{community.title or community.id} · level {community.level} · {community.size:,} members")
    summary = community.generated.text if community.generated else community.summary
    if summary:
        write_line(f"\n{summary}\n")
    print_table(("member", "type", "mentions"), [(item.name, item.type, item.mentions) for item in detail.members])
    for word, related in (("above", detail.parents), ("below", detail.children)):
        if related:
            write_line(f"{word}: " + ", ".join(f"{item.title or item.id} ({item.size:,})" for item in related))


def refresh_with_retry(platform: "Platform", tenant: str, *, fresh: bool = False) -> "RefreshReport":
    """Refresh once no other refresh of the tenant is running; raises ``ConflictError`` after an hour."""
    return retry_on_conflict(lambda: platform.communities.refresh(tenant, fresh=fresh), timeout=_RETRY_SECONDS)
