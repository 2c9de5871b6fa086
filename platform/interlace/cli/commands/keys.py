"""``interlace keys``: API keys, what they open, and the audit log."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Final

import typer

from interlace.cli.output import JsonOption, print_json, print_table, say, settings_for
from interlace.cli.terminal import write_line

if TYPE_CHECKING:
    from interlace.access.administration import KeyAdministration
    from interlace.ports.graph import GraphDatabase

_PERIODS: Final = {"d": "days", "h": "hours", "w": "weeks"}
KeyId = Annotated[str, typer.Argument(help="The key's id, the part before the dot.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="API keys: who may do what over HTTP.", no_args_is_help=True)
    group.command()(create)
    group.command("list")(list_keys)
    group.command()(revoke)
    group.command()(rotate)
    group.command()(audit)
    app.add_typer(group, name="keys")


def create(
    name: Annotated[str, typer.Argument(help="What the key is for.", show_default=False)],
    tenant: Annotated[
        list[str] | None,
        typer.Option(
            "--tenant", help="A tenant that it has access to; '*' for all.", show_default="INTERLACE_TENANT, or default"
        ),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope", help="What it may do: read, ingest, delete, decide, cypher, admin.", show_default="read"
        ),
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option("--group", help="A group of readers it belongs to; '*' for all.")
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(help="When it expires: 90d, 12h, 4w, or a date such as 2027-01-31.", show_default="never"),
    ] = None,
    rate: Annotated[
        int | None, typer.Option(help="Requests a minute.", show_default="INTERLACE_API__REQUESTS_PER_MINUTE")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Create a key and print it. It is shown only once: the database stores only its SHA-256."""
    from interlace.access.keys import Grant

    grant = Grant(
        name,
        tuple(tenant or (settings_for().tenant,)),
        tuple(scope or ("read",)),
        tuple(group or ()),
        None if expires is None else int(_end(expires).timestamp() * 1000),
        rate,
    )
    with _administration() as administration:
        # Before there is a key: nothing may fail between its creation and its only print.
        _note_missing_tenants(administration.graph, grant.tenants)
        made = administration.create(grant)
    _print_made(made.id, made.key, as_json=as_json)


def list_keys(as_json: JsonOption = False) -> None:
    """List every key without its secret, newest first, and say which of their tenants are not there yet."""
    with _administration() as administration:
        found = administration.list()
        if not as_json:
            active = {tenant for key in found if key.state == "active" for tenant in key.tenants}
            _note_missing_tenants(administration.graph, sorted(active))
    if as_json:
        print_json([{**_plain(key), "state": key.state} for key in found])
        return
    rows = [
        (
            key.id,
            key.name,
            key.state,
            ", ".join(key.tenants),
            ", ".join(key.scopes),
            ", ".join(key.groups),
            key.rate,
            _shown(key.expires_at),
            _shown(key.last_used_at),
        )
        for key in found
    ]
    print_table(("id", "name", "state", "tenants", "scopes", "groups", "rate", "expires", "last used"), rows)


def revoke(key_id: KeyId, as_json: JsonOption = False) -> None:
    """Revoke a key for good; every process refuses it within a second."""
    with _administration() as administration:
        key = administration.revoke(key_id)
    if as_json:
        print_json({**_plain(key), "state": key.state})
        return
    say(f"The key {key.id} ({key.name}) is revoked.")


def rotate(key_id: KeyId, as_json: JsonOption = False) -> None:
    """Give a key a new secret and print it; the old one is refused within a second."""
    with _administration() as administration:
        made = administration.rotate(key_id)
    _print_made(made.id, made.key, as_json=as_json)


def audit(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Entries to return.")] = 50, as_json: JsonOption = False
) -> None:
    """Show the newest entries of the audit log: refusals, changes of keys, Cypher statements."""
    with _administration() as administration:
        found = administration.audit(limit)
    if as_json:
        print_json(found)
        return
    rows = [
        (_shown(entry.at), entry.event, entry.key, entry.count, f"{entry.method} {entry.path}".strip(), entry.detail)
        for entry in found
    ]
    print_table(("time", "event", "key", "times", "request", "detail"), rows)


@contextmanager
def _administration() -> Iterator["KeyAdministration"]:
    """Open the keys on behalf of whoever has the database's password, who may do everything."""
    from interlace.access.administration import KeyAdministration
    from interlace.access.audit import AuditLog
    from interlace.access.callers import EVERYBODY
    from interlace.bootstrap import Platform

    with closing(Platform.open(settings_for())) as platform, closing(AuditLog(platform.graph)) as log:
        yield KeyAdministration(platform.graph, log, EVERYBODY)


def _note_missing_tenants(graph: "GraphDatabase", tenants: Sequence[str]) -> None:
    """Say which tenants of a key are not there yet: perhaps their names are misspelt."""
    from interlace.access.callers import EVERY_TENANT
    from interlace.documents.tenants import Tenants

    for sentence in Tenants(graph).missing(each for each in tenants if each != EVERY_TENANT):
        say(sentence)


def _end(text: str) -> datetime:
    """Return when a key ends: after a number of days, hours or weeks, or at the beginning of a day (UTC)."""
    from interlace.domain.errors import InvalidInputError

    if text[-1:] in _PERIODS and text[:-1].isascii() and text[:-1].isdecimal() and len(text) < len("100000d"):
        return datetime.now(UTC) + timedelta(**{_PERIODS[text[-1]]: int(text[:-1])})
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInputError(f"--expires: {text!r} is not a time; write 90d, 12h, 4w or 2027-01-31.") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _print_made(key_id: str, key: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"id": key_id, "key": key})
        return
    write_line(key)
    say(
        f"Store it now: it is not shown again. Send it as `Authorization: Bearer KEY`; `interlace keys revoke {key_id}` revokes it."
    )


def _plain(key: object) -> dict[str, object]:
    from dataclasses import asdict

    return asdict(key)  # type: ignore[call-overload,no-any-return]


def _shown(milliseconds: int | None) -> str | None:
    return None if milliseconds is None else f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S}"
