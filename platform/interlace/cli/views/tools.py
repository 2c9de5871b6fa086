"""Draws which tools fit a request, and why."""

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from interlace.cli.output import in_tenant
from interlace.cli.views.effort import spent
from interlace.cli.views.marks import degraded
from interlace.domain.tools import RouteResponse, ToolHit
from interlace.text.excerpts import shortened

_DESCRIPTION = 160
_NONE = "No tool fits. `interlace tools list` lists them; SKILL.md files declare tools."


def print_route(console: Console, response: RouteResponse, tenant: str, *, explain: bool) -> None:
    """Write the tools, and with ``explain`` under each what its score is made of."""
    console.print(Text(response.query, style="bold"))
    console.print(_summary(response))
    if not response.tools:
        console.print(Text(in_tenant(_NONE, tenant)))
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), show_edge=False, header_style="dim")
    for column, justify in (
        ("#", "right"),
        ("tool", "left"),
        ("skill", "left"),
        ("score", "right"),
        ("what it does", "left"),
    ):
        table.add_column(column, justify="right" if justify == "right" else "left", overflow="fold")
    for hit in response.tools:
        row = (str(hit.rank), Text(hit.tool, style="bold"), Text(hit.skill), f"{hit.score:.3f}")
        table.add_row(*row, Text(shortened(hit.description, _DESCRIPTION)))
        for name, amount, reason in _reasons(hit) if explain else ():
            table.add_row("", Text(f"  {name}", style="dim"), "", Text(amount, style="dim"), Text(reason, style="dim"))
    console.print(table)
    if explain:
        console.print(Text(response.tools[0].cypher, style="dim"))
    console.print(Text(spent(response.effort), style="dim"))


def _summary(response: RouteResponse) -> Text:
    line = Text(
        f"found by {' + '.join(response.retrieval_path) or 'nothing'}: {response.retrieval_reason}", style="dim"
    )
    if response.keywords:
        line.append(f" · known keywords: {', '.join(response.keywords)}")
    if response.degraded:
        line.append("\n").append_text(degraded(response.degraded))
    return line


def _reasons(hit: ToolHit) -> Iterator[tuple[str, str, str]]:
    legs = ", ".join(f"{leg.leg} rank {leg.rank}" for leg in hit.legs)
    yield "hybrid", f"{hit.parts['hybrid']:+.3f}", legs
    yield "similarity", f"{hit.parts['similarity']:+.3f}", ""
    supported = ", ".join(f"{item.skill}/{item.tool}" for item in hit.supporters if item.similarity)
    yield "associative", f"+{hit.parts['associative']:.3f}", f"similar to {supported}" if supported else ""
    linked = ", ".join(f"{item.skill}/{item.tool}" for item in hit.supporters if item.linked)
    yield "links", f"+{hit.parts['links']:.3f}", f"linked with {linked}" if linked else ""
    paths = ", ".join(" → ".join(filter(None, (path.keyword, path.via, hit.tool))) for path in hit.paths)
    yield "graph", f"+{hit.parts['graph']:.3f}", paths
