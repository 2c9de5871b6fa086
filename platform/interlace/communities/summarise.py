"""Extractive titles and summaries: the most central entities, and quotations that cover them.

Pure functions of entities, sentences and their order, so that equal graphs give equal texts.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import orjson

from interlace.domain.ids import checksum
from interlace.text.excerpts import one_line
from interlace.text.sentences import sentence_spans

CENTRAL = 12
"""Most central entities of a community, which its text is about."""
QUOTES = 5
MAX_SENTENCE_CHARACTERS = 400
"""Characters of a sentence that may be quoted; longer ones are rarely one sentence."""

_TITLE_NAMES = 3
_REPEATED = 0.5  # weight of an entity that a quotation covers again


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that a summary may quote.

    Args:
        source: id of the fact or chunk that holds it.
        sentence: its text, verbatim.
        entities: ids of the central entities in it.
    """

    source: str
    sentence: str
    entities: frozenset[str]


@dataclass(frozen=True, slots=True)
class CommunityText:
    """Title and summary of a community.

    Args:
        title: its most central entities.
        summary: quotations; empty if no sentence mentions its central entities.
        cited: ids of the facts or chunks that are quoted, in order.
    """

    title: str
    summary: str
    cited: tuple[str, ...]


def member_hash(members: Iterable[str]) -> str:
    """Return a digest of the members of a community."""
    return checksum("\n".join(sorted(members)))


def fact_hash(central: Mapping[str, str], candidates: Iterable[Sentence]) -> str:
    """Return a digest of everything that ``write_text`` reads: equal digests need no new text."""
    sentences = sorted([one.source, one.sentence, *sorted(one.entities)] for one in candidates)
    return checksum(orjson.dumps([list(central.items()), sentences]))


def write_text(central: Mapping[str, str], candidates: Iterable[Sentence]) -> CommunityText:
    """Return title and summary: names of the central entities by id, the most central first, and chosen sentences."""
    chosen = choose(list(central), candidates)
    quotes = (f"“{one_line(one.sentence)}”" for one in chosen)
    return CommunityText(title_of(list(central.values())), " ".join(quotes), tuple(one.source for one in chosen))


def title_of(names: Sequence[str]) -> str:
    """Return the first three names as a title: "A, B and C"."""
    *rest, last = names[:_TITLE_NAMES]
    return f"{', '.join(rest)} and {last}" if rest else last


def choose(central: Sequence[str], candidates: Iterable[Sentence]) -> list[Sentence]:
    """Return at most five distinct sentences that together cover the central entities best, chosen greedily.

    An entity counts by its rank, discounted by the logarithm, and half as much each time it is covered again. This is the greedy rule for
    submodular coverage of Lin and Bilmes, "A Class of Submodular Functions for Document Summarization" (2011).
    """
    worth = {entity: 1.0 / math.log2(rank + 2) for rank, entity in enumerate(central)}
    left = _distinct(candidates)
    chosen: list[Sentence] = []
    while left and len(chosen) < QUOTES:
        best = min(left, key=lambda one: (-_gain(one, worth), len(one.sentence), one.sentence))
        if not _gain(best, worth):
            break
        chosen.append(best)
        left.remove(best)
        for entity in best.entities & worth.keys():
            worth[entity] *= _REPEATED
    return chosen


def sentences_of(chunk: str, text: str, mentions: Mapping[str, Sequence[int]]) -> list[Sentence]:
    """Return the sentences of a chunk that mention central entities, for communities without facts.

    Args:
        chunk: id of the chunk.
        text: its text.
        mentions: start and end offsets, alternating, of each central entity; none if only the document's title mentions it.
    """
    found = []
    for start, end in sentence_spans(text, wrapped=True):
        entities = {entity for entity, offsets in mentions.items() if any(start <= at < end for at in offsets[::2])}
        if entities and end - start <= MAX_SENTENCE_CHARACTERS:
            found.append(Sentence(chunk, text[start:end], frozenset(entities)))
    return found


def _gain(candidate: Sentence, worth: Mapping[str, float]) -> float:
    # Summed in a fixed order, so that the order of a set cannot break ties.
    return sum(worth[entity] for entity in sorted(candidate.entities & worth.keys()))


def _distinct(candidates: Iterable[Sentence]) -> list[Sentence]:
    """Return each sentence once, with all entities it was found for and the smallest id of its sources."""
    merged: dict[str, Sentence] = {}
    for one in sorted(candidates, key=lambda one: (one.source, one.sentence)):
        line = one_line(one.sentence)
        if line and len(line) <= MAX_SENTENCE_CHARACTERS:
            earlier = merged.get(line, one)
            merged[line] = Sentence(earlier.source, earlier.sentence, earlier.entities | one.entities)
    return list(merged.values())
