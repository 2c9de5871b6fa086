"""``interlace mcp``: the tools of this server for agents, over standard input and output or over HTTP."""

from typing import Annotated, Literal

import typer

from interlace.cli.output import TenantOption, settings_for
from interlace.cli.terminal import write_line
from interlace.domain.errors import SettingsError, StackError
from interlace.settings import MCP_API_KEY

_SECONDS = 60.0


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(mcp)


def mcp(
    transport: Annotated[
        Literal["stdio", "http"], typer.Option(help="How the agent connects: standard input and output, or HTTP.")
    ] = "stdio",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="Port of 127.0.0.1 for --transport http.")] = 8766,
    url: Annotated[str | None, typer.Option(help="Address of the API.", show_default="the local stack's")] = None,
    api_key: Annotated[
        str, typer.Option(envvar=MCP_API_KEY, help="API key, if the API requires one.", show_default=False)
    ] = "",
    tenant: TenantOption = None,
) -> None:
    """Serve search, answer, entity and path as tools of the Model Context Protocol."""
    try:
        from interlace.mcp_server.server import mcp_server
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        raise SettingsError(
            "The package `mcp` is missing; install Interlace with its extra: `interlace[mcp]`."
        ) from None
    from interlace.client.http import Http
    from interlace_stack.connect import connect
    from interlace_stack.readiness import api_url, port_is_free

    if transport == "http" and not port_is_free(port):
        raise StackError(f"Port {port} is taken by another program. Stop that program, or give a free --port.")
    given = settings_for(tenant)
    settings = connect(given)
    # Without a tenant the key decides: it may be for one alone.
    chosen = given.tenant if "tenant" in given.model_fields_set else None
    address = url or api_url(settings.api.host, settings.api.port)
    http = Http(address, api_key=api_key, tenant=chosen, timeout=_SECONDS, transport=None)
    server = mcp_server(http, port=port)
    if transport == "http":
        import sys

        write_line(f"MCP at http://127.0.0.1:{port}/mcp, over the API at {address}", sys.stderr)
    server.run("streamable-http" if transport == "http" else "stdio")
