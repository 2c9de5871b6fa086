"""``interlace up``, ``down``, ``status`` and ``doctor``: the local stack."""

import signal
import threading
from typing import TYPE_CHECKING, Annotated

import typer

from interlace.cli.output import JsonOption, print_json, print_table, say, settings_for
from interlace.cli.session import platform_for
from interlace.settings import Settings

if TYPE_CHECKING:
    from interlace_stack.doctor import Finding

# As for `systemctl status` and the Linux Standard Base, 3 means that a program does not run.
_NOT_RUNNING = 3

DetachOption = Annotated[
    bool,
    typer.Option("--detach/--attach", help="Return once everything is ready, or stay and stop everything on Ctrl-C."),
]

RepairOption = Annotated[bool, typer.Option("--repair", help="Repair the data; safe while workers run.")]
CheckedTenantOption = Annotated[
    str | None, typer.Option("--tenant", help="Tenant to check.", show_default="every tenant's")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command()(up)
    app.command()(down)
    app.command()(status)
    app.command()(doctor)


def up(detach: DetachOption = True, as_json: JsonOption = False) -> None:
    """Start everything: Neo4j, Qdrant, Redis, API, worker, beat. Safe to repeat."""
    from interlace.search.browser_links import browser_link
    from interlace_stack.layout import layout_of
    from interlace_stack.readiness import api_url
    from interlace_stack.up import up as start

    settings = settings_for()
    result = start(settings, migrate=_migrate, progress=say)
    addresses = {
        "api": api_url(settings.api.host, settings.api.port),
        "neo4j_browser": browser_link(result.settings.neo4j),
        "neo4j": result.settings.neo4j.uri,
        "qdrant": result.settings.qdrant.url,
    }
    if as_json:
        print_json(
            {
                "started": result.started,
                "already_running": result.already_running,
                "external": result.external,
                "addresses": addresses,
            }
        )
    else:
        print_table(("", ""), [(name.replace("_", " "), address) for name, address in addresses.items()])
        if "neo4j" not in result.external:
            say(f"Neo4j's user is {settings.neo4j.user}; its password is in {layout_of(settings).state_file}.")
    if not detach:
        _stay(settings)


def down(as_json: JsonOption = False) -> None:
    """Stop everything. Data stays. Safe to repeat."""
    from interlace_stack.down import down as stop

    stopped = stop(settings_for(), progress=say)
    if as_json:
        print_json({"stopped": stopped})
    else:
        say(f"Stopped {', '.join(stopped)}." if stopped else "Nothing was running.")


def status(as_json: JsonOption = False) -> None:
    """Show each process: state, id, port, uptime, memory. Exits with 3 unless all of them run."""
    from interlace_stack.external import external_servers
    from interlace_stack.status import status as ask

    settings = settings_for()
    programs = [program for program in ask(settings) if program.name not in external_servers(settings)]
    if as_json:
        print_json(programs)
    else:
        rows = [
            (each.name, each.state.lower(), each.pid, each.port, _duration(each.uptime), _size(each.memory))
            for each in programs
        ]
        print_table(("process", "state", "pid", "port", "uptime", "memory"), rows)
    if any(program.state != "RUNNING" for program in programs):
        raise typer.Exit(_NOT_RUNNING)


def doctor(repair: RepairOption = False, tenant: CheckedTenantOption = None, as_json: JsonOption = False) -> None:
    """Check this machine, the stack and the data, and give a remedy for each problem. Exits with 1 if there is any.

    The checks of the data compare the vector index with the graph, and the graph with itself. Only --repair changes anything.
    """
    from interlace.cli.doctor.languages import examine_languages
    from interlace.cli.doctor.models import examine_models
    from interlace.cli.doctor.servers import examine_servers
    from interlace_stack.doctor import doctor as examine

    settings = settings_for(tenant)
    findings = examine(settings)
    findings += examine_servers(settings, findings)
    findings += [examine_languages(settings), *examine_models(settings)]
    findings += _data(findings, tenant, repair=repair)
    if as_json:
        print_json(findings)
    else:
        print_table(
            ("", "check", "found", "remedy"), [(each.level, each.check, each.detail, each.remedy) for each in findings]
        )
    if any(finding.level == "error" for finding in findings):
        raise typer.Exit(1)


def _data(findings: "list[Finding]", tenant: str | None, *, repair: bool) -> "list[Finding]":
    from interlace.cli.doctor.invariants import examine_data, no_tenant, skipped
    from interlace.domain.errors import NotFoundError

    away = skipped(findings, repair=repair)
    if away:
        return [away]
    try:
        with platform_for(tenant, new=tenant is None) as (platform, _):
            return examine_data(platform, tenant, repair=repair)
    except NotFoundError as error:
        return [no_tenant(error)]


def _stay(settings: Settings) -> None:
    """Wait for Ctrl-C or SIGTERM, then stop everything."""
    from interlace_stack.down import down as stop

    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: ended.set())
    say("Ctrl-C stops everything.")
    ended.wait()
    stop(settings, progress=say)


def _migrate(settings: Settings) -> None:
    from interlace.bootstrap import Platform

    graph = Platform(settings).graph
    try:
        graph.migrate()
    finally:
        graph.close()


def _duration(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _size(size: int | None) -> str | None:
    return None if size is None else f"{size / 2**20:.0f} MiB"
