"""Draws what moved each hit: a table of its evidence, and the path of the graph to it as a tree."""

from collections.abc import Sequence
from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from interlace.domain.hits import PROXIMITY, Hit, PathStep
from interlace.text.excerpts import shortened

_COLUMNS = ("#", "moved by", "rank", "score", "weight", "adds")
_FIGURES = {
    "rrf": "fused: sum of the legs",
    "pagerank": "PageRank: probability",
    "similarity": "similarity: cosine",
    "question_similarity": "whole question: cosine",
    "nearness": "link: nearness",
    "relatedness": "entity: 1 / relations",
    "match": "precision: direct match",
    "degree": "degree: links of the document",
    "freshness": "recency: freshness",
    "date": "dates: nearness in time",
    "title": "title words: share",
    "shared_terms": "feedback: shared terms",
    "cross_encoder": "cross-encoder: score",
    "fused_rank": "cross-encoder: rank before",
}
_NAME = "bold green"
_SENTENCE = 160


def draw_evidence(hits: Sequence[Hit]) -> RenderableType:
    """Return each hit's evidence: every leg's rank, score, weight and contribution, the figures, and the features that decide."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), show_edge=False, header_style="dim")
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column == "moved by" else "right", no_wrap=column != "moved by")
    for hit in hits:
        table.add_row(str(hit.rank), Text(hit.title, style="bold"), "", "", "", Text(f"{hit.score:.4f}", style="bold"))
        for leg in hit.legs:
            figures = f"{leg.score:.4g}", f"{leg.weight:.3g}", f"+{leg.contribution:.5f}"
            table.add_row("", f"leg: {leg.leg}", str(leg.rank), *figures)
        for name, value in hit.figures.items():
            table.add_row("", Text(_FIGURES.get(name, name), style="dim"), "", f"{value:.4g}", "", "")
        for name, amount in hit.boosts.items():
            table.add_row("", _term(name, hit), "", "", "", f"{amount:+.3f}")
        table.add_section()
    return table


def _term(name: str, hit: Hit) -> Text:
    term = Text(f"term: {name}")
    return term.append(f", linked with {hit.linked_with.title}") if name == PROXIMITY and hit.linked_with else term


def draw_paths(hits: Sequence[Hit]) -> RenderableType:
    """Return the paths of the graph to the hits, one tree a hit that it reached."""
    return Group(*(Padding(_path_tree(hit), (1, 0, 0, 0), expand=False) for hit in hits if hit.path))


def _path_tree(hit: Hit) -> Tree:
    """Return a tree: the entity it starts at, each chunk with the sentence that mentions it, the entities it leads to, the hit."""
    start = Text(hit.path[0].entity_name, style=_NAME)
    tree = Tree(start.append(f"  path to hit {hit.rank}", style="dim not bold default"), guide_style="dim")
    here, shown = tree, hit.path[0].entity_id
    for chunk, group in groupby(hit.path, key=lambda step: step.chunk_id):
        steps = list(group)
        here = here.add(_chunk(steps, arrived=chunk == hit.chunk_id))
        for step in steps:
            if step.entity_id != shown:
                here, shown = here.add(Text(step.entity_name, style=_NAME)), step.entity_id
    if hit.path[-1].chunk_id != hit.chunk_id:
        here.add(_arrival(hit.title))
    return tree


def _chunk(steps: Sequence[PathStep], *, arrived: bool) -> Text:
    title, sentence = steps[-1].document_title, steps[-1].sentence
    line = _arrival(title) if arrived else Text(title)
    return line.append(f': "{shortened(sentence, _SENTENCE)}"', style="dim") if sentence else line


def _arrival(title: str) -> Text:
    return Text("▶ ", style="bold").append(title)
