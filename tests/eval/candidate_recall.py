"""How much of a labelled set the queue of candidates finds, and how precise its scores are there."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.eval.name_variants import Variant, inject
from tests.integration.ingestion_world import World

from interlace.domain.documents import Source
from interlace.entities.candidates import Candidates
from interlace.entities.normalization import normalize_name
from interlace.parsing.chunking import chunk
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.queries.entities import entity_named

FIRST = 20
BANDS = (0.75, 0.6, 0.4)
_WORDS = 400  # of a chunk


@dataclass(slots=True)
class Found:
    """Counts by rule: ``apart`` are variants that became an entity of their own, ``by_variant`` and ``by_name`` those whose other side is among its first 20.

    ``bands`` counts the pairs offered for variants by band of score: those with their name, and all.
    """

    made: Counter[str] = field(default_factory=Counter)
    apart: Counter[str] = field(default_factory=Counter)
    by_variant: Counter[str] = field(default_factory=Counter)
    by_name: Counter[str] = field(default_factory=Counter)
    bands: dict[float, list[int]] = field(default_factory=lambda: {band: [0, 0] for band in BANDS})
    missed: list[Variant] = field(default_factory=list)


def labelled(
    world: World, texts: Mapping[str, tuple[str, str]], seed: int, max_variants: int
) -> tuple[list[Source], list[Variant]]:
    """Return documents with variants in them, and the variants.

    Args:
        world: has loaded the extractor.
        texts: document to title and text.
        seed: of every choice.
        max_variants: variants wanted.
    """
    plain = {name: text for name, (_, text) in texts.items()}
    changed, made = inject(plain, _mentions(world, texts), seed, max_variants)
    return [record(name, texts[name][0], text) for name, text in changed.items()], made


def _mentions(world: World, texts: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    parsed = {name: parse(record(name, title, text), ParseLimits()) for name, (title, text) in texts.items()}
    chunks = [(name, each) for name, document in parsed.items() for each in chunk(name, document, _WORDS)]
    for (name, _), found in zip(chunks, world.platform.extractor.extract([each for _, each in chunks]), strict=True):
        yield from ((name, mention.surface, mention.type) for mention in found.mentions)


def record(name: str, title: str, text: str) -> Source:
    """Return a document as an evaluation hands it in."""
    content = json.dumps({"id": name, "title": title, "text": text})
    return Source(f"{name}.json", "application/json", content.encode())


def measure(world: World, tenant: str, made: Sequence[Variant]) -> Found:
    """Return what the queue finds of variants in the graph of a tenant."""
    graph, found = world.platform.graph, Found()
    queue = Candidates(graph, tenant)
    ids: dict[str, str] = defaultdict(str)
    for each in made:
        for surface in (each.name, each.surface):
            rows = entity_named(graph, tenant=tenant, key=normalize_name(surface), types=[], limit=1)
            ids[surface] = rows[0].id if rows else ""
    for each in made:
        found.made[each.kind] += 1
        name, variant = ids[each.name], ids[each.surface]
        if not name or not variant or name == variant:
            continue
        found.apart[each.kind] += 1
        pairs = queue.of(variant, limit=FIRST)
        if any(pair.other.id == name for pair in pairs):
            found.by_variant[each.kind] += 1
        else:
            found.missed.append(each)
        found.by_name[each.kind] += any(pair.other.id == variant for pair in queue.of(name, limit=FIRST))
        for pair in pairs:
            band = next(least for least in BANDS if pair.score >= least)
            found.bands[band][0] += pair.other.id == name
            found.bands[band][1] += 1
    return found
