"""Draws an explained answer for people, at its best from 80 columns on."""

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from interlace.cli.views import effort
from interlace.cli.views.brief import nothing_found, print_brief
from interlace.cli.views.explain import draw_evidence, draw_paths
from interlace.cli.views.marks import degraded, draw_path, highlighted, snippet
from interlace.domain.hits import Hit, LegRank, QueryResponse, Ranked

_RANKINGS = 5
_LEG_STYLES = {
    "graph": "green", "vector": "blue", "keyword": "magenta", "community": "cyan", "tags": "yellow", "paths": "red",
}  # fmt: skip
_NAME = "bold yellow"


def print_answer(console: Console, response: QueryResponse, tenant: str, *, explain: bool = False) -> None:
    """Write the answer: in few words, or with how it was found, every figure, the paths, and the Cypher for Neo4j Browser."""
    console.print()
    if not explain:
        print_brief(console, response, tenant)
        return
    console.print(Text(response.query, style="bold"))
    console.print(_summary(response))
    console.print()
    if not response.hits:
        console.print(Text(nothing_found(tenant)))
    else:
        console.print(_hits(response.hits, list(response.entities), expand=console.is_terminal))
        console.print(draw_evidence(response.hits))
        console.print(draw_paths(response.hits))
        console.print(Group(*(_cypher(hit, linked=console.is_terminal) for hit in response.hits)))
    console.print(_rankings(response.rankings, ruled=console.is_terminal))
    console.print(_footer(response))


def _summary(response: QueryResponse) -> Text:
    line = Text()
    line.append(response.retrieval_mode, style="bold green")
    line.append(" via ", style="dim")
    for number, leg in enumerate(response.retrieval_path):
        line.append(" + " if number else "", style="dim")
        line.append(leg, style=_LEG_STYLES.get(leg, ""))
    line.append(f" · {response.retrieval_reason}", style="dim")
    if response.entities:
        line.append("\nentities in the question: ", style="dim")
        for number, (name, weight) in enumerate(response.entities.items()):
            line.append(", " if number else "")
            line.append(name, style=_NAME)
            line.append(f" {weight:.2f}", style="dim")
    if response.degraded:
        line.append("\n").append_text(degraded(response.degraded))
    return line


def _hits(hits: Sequence[Hit], names: Sequence[str], *, expand: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), expand=expand, show_edge=False, header_style="dim")
    table.add_column("#", justify="right", style="bold", width=3)
    table.add_column("chunk", ratio=1)
    table.add_column("found by", no_wrap=True)
    for hit in hits:
        table.add_row(str(hit.rank), _chunk(hit, names), _legs(hit))
        table.add_section()
    return table


def _chunk(hit: Hit, names: Sequence[str]) -> RenderableType:
    head = Text(hit.title, style="bold")
    head.append(f"  {hit.source_uri}", style="dim not bold")
    if hit.section:
        head.append(f" > {hit.section}", style="dim not bold")
    parts: list[RenderableType] = [head, highlighted(snippet(hit.text, names), names)]
    if hit.path:
        parts.append(draw_path(hit.path))
    return Group(*parts)


def _legs(hit: Hit) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    for justify in ("left", "right", "right", "right"):
        grid.add_column(justify=justify, no_wrap=True)
    for leg in sorted(hit.legs, key=lambda leg: -leg.contribution):
        grid.add_row(*_leg_cells(leg))
    grid.add_row(Text("fused", style="dim"), "", "", Text(f"{hit.score:.4f}", style="bold"))
    for name, amount in hit.boosts.items():
        grid.add_row(Text(name, style="dim"), "", "", Text(f"{amount:+.2f}", style="dim"))
    return grid


def _leg_cells(leg: LegRank) -> tuple[Text, Text, Text, Text]:
    return (
        Text(leg.leg, style=_LEG_STYLES.get(leg.leg, "")),
        Text(f"#{leg.rank}"),
        Text(f"{leg.score:.3g}", style="dim"),
        Text(f"+{leg.contribution:.4f}"),
    )


def _cypher(hit: Hit, *, linked: bool) -> RenderableType:
    head = Text(f"hit {hit.rank} in Neo4j Browser", style="dim")
    shown = [Text(hit.cypher, style="cyan")]
    if hit.browser_url:
        # Only a terminal can follow what lies behind a text; a file or a pipe gets the address itself.
        shown.append(
            Text("open it there", style=f"underline link {hit.browser_url}") if linked else Text(hit.browser_url)
        )
    return Group(Padding(head, (1, 0, 0, 0), expand=False), *shown)


def _rankings(rankings: Mapping[str, Sequence[Ranked]], *, ruled: bool) -> RenderableType:
    parts: list[RenderableType] = []
    for leg, ranked in rankings.items():
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right", style="bold")
        table.add_column(justify="right", style="dim", no_wrap=True)
        table.add_column(overflow="ellipsis", no_wrap=True)
        for number, item in enumerate(ranked[:_RANKINGS], start=1):
            table.add_row(str(number), f"{item.score:.4g}", Text(item.source_uri))
        title = Text(f"{leg} ({len(ranked)})", style=_LEG_STYLES.get(leg, "bold"))
        # rich takes a table without rows for as wide as it may be, and would pad the others to that.
        parts += [Rule(title, align="left", style="dim") if ruled else title, *([table] if ranked else [])]
    return Padding(Group(*parts), (1, 0, 0, 0), expand=False)


def _footer(response: QueryResponse) -> Text:
    timings = [f"{name} {spent:.0f}" for name, spent in response.timings.items() if name != "total"]
    total = response.timings.get("total")
    spent = f"{total:.0f} ms" if total is not None else "time"
    work = effort.spent(response.effort)
    line = f"\n{spent}" + (f" ({', '.join(timings)})" if timings else "") + (f" · {work}" if work else "")
    return Text(line, style="dim")
