"""Draws an answer in few words: for each hit the sentence that matters, its source, and one line that says why it is there."""

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from interlace.cli.output import in_tenant
from interlace.cli.views.marks import degraded, draw_path, highlighted
from interlace.cli.waiting import counted
from interlace.domain.hits import Hit, QueryResponse
from interlace.text.excerpts import shortened

_SENTENCE = 320
_INDENT = 4


def print_brief(console: Console, response: QueryResponse, tenant: str) -> None:
    """Write the hits in three lines each; figures, Cypher and rankings are for ``--explain``."""
    if response.query:
        console.print(Text(response.query, style="bold"))
    if response.degraded:
        console.print(degraded(response.degraded))
    if not response.hits:
        console.print(Text(nothing_found(tenant)))
        return
    names = list(response.entities)
    for hit in response.hits:
        console.print()
        sentence = highlighted(shortened(hit.sentence or hit.text, _SENTENCE), names)
        _print_line(console, Text(f"{hit.rank:>2}  ", style="bold").append_text(sentence), hanging=True)
        _print_line(console, _source(hit))
        _print_line(console, why(hit))
    total = response.timings.get("total")
    spent = f" in {total:.0f} ms" if total is not None else ""
    console.print()
    hits = counted(len(response.hits), "hit", "hits")
    console.print(Text(f"{hits}{spent}. --explain shows the figures behind their order.", style="dim"))


def nothing_found(tenant: str) -> str:
    """Return what to say where a question has no hit."""
    return in_tenant("Nothing was found. `interlace documents list` shows what there is to ask about.", tenant)


def why(hit: Hit) -> Text:
    """Return why a hit is there: the path of the graph if it leads from one entity to another, else the legs or the filter that found it."""
    if len({step.entity_id for step in hit.path}) > 1:
        return draw_path(hit.path)
    named = f"names {hit.path[0].entity_name} · " if hit.path else ""
    legs = sorted(hit.legs, key=lambda leg: (leg.rank, leg.leg))
    found = [f"{leg.leg} (#{leg.rank})" for leg in legs]
    return Text(f"{named}found by {', '.join(found) or 'the filter'}", style="dim")


def _source(hit: Hit) -> Text:
    place = f"{hit.source_uri} > {hit.section}" if hit.section else hit.source_uri
    return Text(hit.title, style="bold").append(f" · {place}", style="dim not bold")


def _print_line(console: Console, line: Text, *, hanging: bool = False) -> None:
    """Print a line with its indent: wrapped below itself on a terminal, and as one line elsewhere."""
    if not console.is_terminal:
        console.print(line if hanging else Text(" " * _INDENT).append_text(line), soft_wrap=True)
    elif hanging:
        rest = line[_INDENT:]
        first, *others = rest.wrap(console, max(console.width - _INDENT, 20))
        console.print(line[:_INDENT].append_text(first))
        for other in others:
            console.print(Padding(other, (0, 0, 0, _INDENT), expand=False))
    else:
        console.print(Padding(line, (0, 0, 0, _INDENT), expand=False))
