"""Alignment of a language model's mentions with those that a chunk already has: which are the same, and which give way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from interlace.domain.extraction import BY_AUTHORS, RESOLVED, Extraction, Mention
from interlace.entities.normalization import normalize_name
from interlace.extraction.grounding import VIA
from interlace.extraction.merge import words_of_name
from interlace.queries.extractions import ReadEnrichmentRow

_CERTAIN = BY_AUTHORS | RESOLVED


@dataclass(frozen=True, slots=True)
class ExistingMention:
    """A mention that the chunk has from another extractor; ``origin`` is its entity by form alone, before any decisions."""

    origin: str
    via: str
    start: int
    end: int
    surface: str


@dataclass(frozen=True, slots=True)
class Aligned:
    """A model's extraction aligned with the mentions of the chunk.

    Args:
        extraction: the mentions that are added, and all facts.
        known: origins of other entities that facts may refer to, by normalised form.
    """

    extraction: Extraction
    known: dict[str, str] = field(default_factory=dict)


def existing_mentions(row: ReadEnrichmentRow) -> list[ExistingMention]:
    """Return the mentions of a chunk that no language model made, in order of offset."""
    found = [
        ExistingMention(mention.origin, mention.via, start, end, row.text[start:end])
        for mention in row.mentions
        if mention.via not in {VIA, "title"} and mention.offsets
        for start, end in zip(mention.offsets[::2], mention.offsets[1::2], strict=True)
    ]
    return sorted(found, key=lambda mention: (mention.start, mention.end, mention.via, mention.origin))


def align(extraction: Extraction, row: ReadEnrichmentRow) -> Aligned:
    """Return what a model's extraction adds to a chunk.

    A reference that the author marked, or a short form that the chunk defines, takes precedence. Where spaCy found the same
    name, both count for the same entity, in spaCy's spelling. Within a longer name, of spaCy's or of the model's own, a shorter one is not
    a mention: ``Mexican`` in *Mexican Revolution*, as in entity linking (``entities.gazetteer``).
    """
    existing = existing_mentions(row)
    known = {
        normalize_name(row.title): mention.origin for mention in row.mentions if mention.via == "title" and row.title
    }
    for mention in existing:
        known.setdefault(normalize_name(mention.surface), mention.origin)
    kept: dict[tuple[int, int], Mention] = {}
    for found in extraction.mentions:
        if (aligned := _aligned(found, existing, known)) is not None:
            kept.setdefault((aligned.start, aligned.end), aligned)
    spans = {*kept, *((other.start, other.end) for other in existing)}
    named = tuple(kept[span] for span in sorted(kept) if not _is_within_longer(span, spans))
    return Aligned(replace(extraction, mentions=named), known)


def _is_within_longer(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    start, end = span
    return any(first <= start and end <= last and last - first > end - start for first, last in others)


def _aligned(found: Mention, existing: Sequence[ExistingMention], known: dict[str, str]) -> Mention | None:
    overlapping = [other for other in existing if other.start < found.end and found.start < other.end]
    if any(other.via in _CERTAIN for other in overlapping):
        return None
    words = words_of_name(found.surface)
    same = next((other for other in overlapping if words_of_name(other.surface) == words), None)
    if same is None:
        return found
    known.setdefault(normalize_name(found.surface), same.origin)
    return replace(found, surface=same.surface, start=same.start, end=same.end)
