"""How the tools that fit a request are printed."""

import io

from rich.console import Console

from interlace.cli.views.tools import print_route
from interlace.domain.tools import RouteResponse


def test_where_no_tool_fits_it_says_how_to_list_those_of_the_tenant() -> None:
    file = io.StringIO()
    console = Console(file=file, width=200)
    nothing = RouteResponse("fly", (), {}, {}, {}, "hybrid", (), "no tool is known", (), {}, {})
    print_route(console, nothing, "acme", explain=False)
    assert "`interlace tools list --tenant acme` lists them" in file.getvalue()
