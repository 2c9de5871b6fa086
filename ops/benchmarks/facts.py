"""Measures facts: a random sample of them to be read, and their agreement with triples that another extractor found.

``.venv/bin/python ops/benchmarks/facts.py sample KIND=PATH … --size 50 --seed 1 --out sample.md`` writes facts with their sentences, as many
of each kind of text; ``silver PATH SILVER`` compares pairs of entities. ``PATH`` is anything that ``interlace ingest`` takes. Both run parser,
chunker and extraction pipeline in this process, as ingestion does, and need no running stack. How the sample is assessed: ``docs/facts.md``.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from interlace.adapters.spacy.parser import SpacyParser
from interlace.domain.documents import Chunk, ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.domain.extraction import Fact
from interlace.entities.normalization import normalize_name, title_forms
from interlace.extraction.pipeline import ExtractionPipeline
from interlace.extraction.structure import EXTRACTOR as STRUCTURE
from interlace.extraction.syntax import SyntaxExtractor
from interlace.parsing.chunking import chunk
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.settings import Settings

_BATCH = 64

Pair = frozenset[str]
"""Two normalised names, in no order: who is said to have to do with whom."""

app = typer.Typer(add_completion=False)


@app.command()
def sample(
    kinds: Annotated[list[str], typer.Argument(help="KIND=PATH: a kind of text and where it is.")],
    size: Annotated[int, typer.Option(help="Facts of each kind.")] = 50,
    seed: Annotated[int, typer.Option(help="Of the random choice.")] = 1,
    documents: Annotated[int, typer.Option(help="Documents of each kind, chosen at random.")] = 300,
    out: Annotated[Path, typer.Option(help="Where the sample goes, with an empty box for each judgement.")] = Path(
        "sample.md"
    ),
) -> None:
    """Write a sample of facts for reading. Facts that an author declared are left out: no extractor guessed them."""
    lines = []
    for kind, _, path in (each.partition("=") for each in kinds):
        facts = [
            (fact, text_chunk.text[fact.start : fact.end], document.title)
            for document, text_chunk, found in extracted(Path(path), documents, seed)
            for fact in found
            if fact.extractor != STRUCTURE
        ]
        typer.echo(f"{kind}: {len(facts):,} facts")
        chosen = random.Random(seed).sample(facts, min(size, len(facts)))  # noqa: S311 - a sample, no secret
        lines += [_line(f"{kind} {number}", *each) for number, each in enumerate(chosen, start=1)]
    out.write_text("\n".join(lines), encoding="utf-8")


@app.command()
def assessed(samples: Annotated[list[Path], typer.Argument(help="Samples with a letter in each box.")]) -> None:
    """Print the share of facts that were found right (``[r]``), wrong (``[w]``) and vague (``[v]``), by kind of text."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for path in samples:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("[") and line[2:3] == "]":
                counts[line[4:].split(" ")[0]][line[1]] += 1
    rows = [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]
    typer.echo("| text | read | right | wrong | vague |\n| --- | --- | --- | --- | --- |")
    for kind, found in rows:
        shares = (f"{100 * found[letter] / found.total():.0f} %" for letter in "rwv")
        typer.echo(f"| {kind} | {found.total()} | {' | '.join(shares)} |")


@app.command()
def silver(
    path: Annotated[Path, typer.Argument(help="The documents.")],
    triples: Annotated[Path, typer.Argument(help="JSON Lines: _id, entities and triples of a document.")],
) -> None:
    """Print precision and recall of pairs of entities that facts join, against those that the triples join."""
    wanted = {row["_id"]: row for row in map(orjson.loads, triples.open("rb"))}
    hits = found_pairs = same = wanted_pairs = facts = 0
    for document, found in by_document(path):
        pairs, gold = fact_pairs(wanted[document], found), silver_pairs(wanted[document])
        facts += len(found)
        found_pairs, wanted_pairs = found_pairs + len(pairs), wanted_pairs + len(gold)
        hits += sum(any(agree(pair, other) for other in gold) for pair in pairs)
        same += sum(any(agree(pair, other) for other in pairs) for pair in gold)
    typer.echo(f"{facts:,} facts join {found_pairs:,} pairs; {wanted_pairs:,} silver pairs")
    typer.echo(f"precision {100 * hits / max(found_pairs, 1):.1f} %, recall {100 * same / max(wanted_pairs, 1):.1f} %")


def extracted(
    path: Path, documents: int | None = None, seed: int = 1
) -> Iterator[tuple[ParsedDocument, Chunk, tuple[Fact, ...]]]:
    """Yield the chunks of documents below a path with their facts, as ingestion finds them; of ``documents`` chosen at random if given."""
    settings, limits = Settings(), ParseLimits()
    pipeline = ExtractionPipeline(SyntaxExtractor(SpacyParser(settings.spacy.pipeline)))
    sources = [each for each in find_sources([path], limits=limits) if isinstance(each, Source)]
    if documents is not None and documents < len(sources):
        sources = random.Random(seed).sample(sources, documents)  # noqa: S311 - a sample, no secret
    for start in range(0, len(sources), _BATCH):
        pairs = [
            (document, text_chunk)
            for source in sources[start : start + _BATCH]
            if (document := _parsed(source, limits))
            for text_chunk in chunk(source.uri, document, settings.ingest.chunk_words)
        ]
        for (document, text_chunk), found in zip(pairs, pipeline.extract(pairs), strict=True):
            yield document, text_chunk, found.facts


def by_document(path: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the id of each record below a path with subject and object of each fact."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for _, text_chunk, facts in extracted(path):
        found[text_chunk.document_id.rpartition("#")[2]] += [(fact.subject, fact.object) for fact in facts]
    yield from found.items()


def fact_pairs(wanted: Mapping[str, Any], found: Iterable[tuple[str, str]]) -> set[Pair]:
    """Return the pairs that facts join, of those whose two ends name silver entities of the document; the others cannot be compared."""
    names = silver_names(wanted["entities"])
    ends = ((_plain(subject), _plain(object_)) for subject, object_ in found)
    return {frozenset(pair) for pair in ends if pair[0] != pair[1] and all(_within(end, names) for end in pair)}


def silver_pairs(row: Mapping[str, Any]) -> set[Pair]:
    """Return the pairs of entities that the triples of a document join."""
    names = silver_names(row["entities"])
    ends = ((_plain(triple[0]), _plain(triple[-1])) for triple in row["triples"] if len(triple) > 1)
    return {frozenset(pair) for pair in ends if pair[0] != pair[1] and names.issuperset(pair)}


def silver_names(names: Iterable[str]) -> set[str]:
    """Return normalised names: what has a capital, and so is no date and no number."""
    return {_plain(name) for name in names if any(character.isupper() for character in name)} - {""}


def agree(pair: Pair, other: Pair) -> bool:
    """Return whether each name of a pair is one of the other pair, or stands in it as whole words, or holds it."""
    (a, b), (c, d) = sorted(pair), sorted(other)
    return (_same(a, c) and _same(b, d)) or (_same(a, d) and _same(b, c))


def _within(name: str, others: Iterable[str]) -> bool:
    return any(_same(name, other) for other in others)


def _same(one: str, other: str) -> bool:
    return f" {one} " in f" {other} " or f" {other} " in f" {one} "


def _plain(name: str) -> str:
    return next(iter(title_forms(name)[::-1]), normalize_name(name))


def _parsed(source: Source, limits: ParseLimits) -> ParsedDocument | None:
    try:
        return parse(source, limits)
    except ParseError:
        return None


def _line(label: str, fact: Fact, sentence: str, title: str) -> str:
    stated = " ".join(sentence.split())
    return f"[ ] {label} ({fact.confidence}) {fact.subject} | {fact.predicate} | {fact.object} <- {title}: {stated}"


if __name__ == "__main__":
    app()
