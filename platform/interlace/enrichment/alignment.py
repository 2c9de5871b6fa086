"""Agreement of a language model with what a chunk holds already: which of its mentions are the same, and which must give way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from interlace.domain.extraction import BY_AUTHORS, RESOLVED, Extraction, Mention
from interlace.entities.normalization import normalize_name
from interlace.extraction.grounding import VIA
from interlace.extraction.merge import words_of_name
from interlace.queries.extractions import ReadEnrichmentRow

_CERTAIN = BY_AUTHORS | RESOLVED


@dataclass(frozen=True, slots=True)
class HeldMention:
    """A mention that the chunk has from another extractor; ``origin`` is its entity by form alone, whatever decisions make of it."""

    origin: str
    via: str
    start: int
    end: int
    surface: str


@dataclass(frozen=True, slots=True)
class Aligned:
    """A model's extraction beside what the chunk holds.

    Args:
        extraction: the mentions that are added, and all facts.
        known: origins of entities that facts may be about besides, by normalised form.
    """

    extraction: Extraction
    known: dict[str, str] = field(default_factory=dict)


def held_mentions(row: ReadEnrichmentRow) -> list[HeldMention]:
    """Return the mentions of a chunk that no language model made, in order of place."""
    found = [
        HeldMention(mention.origin, mention.via, start, end, row.text[start:end])
        for mention in row.mentions
        if mention.via not in {VIA, "title"} and mention.offsets
        for start, end in zip(mention.offsets[::2], mention.offsets[1::2], strict=True)
    ]
    return sorted(found, key=lambda mention: (mention.start, mention.end, mention.via, mention.origin))


def align(extraction: Extraction, row: ReadEnrichmentRow) -> Aligned:
    """Return what a model's extraction adds to a chunk.

    Where an author marked a reference, or the chunk says what a short form stands for, that is known better. Where spaCy found the same
    name, both count for the same entity, by spaCy's spelling. Within a longer name, of spaCy's or of the model's own, a shorter one is not
    named: ``Mexican`` in *Mexican Revolution*, as where names are linked (``entities.gazetteer``).
    """
    held = held_mentions(row)
    known = {
        normalize_name(row.title): mention.origin for mention in row.mentions if mention.via == "title" and row.title
    }
    for mention in held:
        known.setdefault(normalize_name(mention.surface), mention.origin)
    kept: dict[tuple[int, int], Mention] = {}
    for found in extraction.mentions:
        if (aligned := _aligned(found, held, known)) is not None:
            kept.setdefault((aligned.start, aligned.end), aligned)
    spans = {*kept, *((other.start, other.end) for other in held)}
    named = tuple(kept[span] for span in sorted(kept) if not _is_within_longer(span, spans))
    return Aligned(replace(extraction, mentions=named), known)


def _is_within_longer(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    start, end = span
    return any(first <= start and end <= last and last - first > end - start for first, last in others)


def _aligned(found: Mention, held: Sequence[HeldMention], known: dict[str, str]) -> Mention | None:
    overlapping = [other for other in held if other.start < found.end and found.start < other.end]
    if any(other.via in _CERTAIN for other in overlapping):
        return None
    words = words_of_name(found.surface)
    same = next((other for other in overlapping if words_of_name(other.surface) == words), None)
    if same is None:
        return found
    known.setdefault(normalize_name(found.surface), same.origin)
    return replace(found, surface=same.surface, start=same.start, end=same.end)
