"""Titles and summaries without a language model: the most central names, and quotations that cover them.

Pure functions of names, sentences and their order, so that equal texts come of equal graphs.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import orjson

from interlace.domain.ids import checksum
from interlace.text.sentences import sentence_spans

CENTRAL = 12
"""Central names of a community that its text is about."""
QUOTES = 5
LONGEST = 400
"""Characters of a sentence that may be quoted; what is longer is rarely one sentence."""

_TITLE_NAMES = 3
_AGAIN = 0.5  # what mentioning a name once more is worth


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that might be quoted.

    Args:
        source: id of the fact or chunk that holds it.
        sentence: as it stands there.
        names: ids of the central names in it.
    """

    source: str
    sentence: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Text:
    """What a community is called and said to be.

    Args:
        title: its most central names.
        summary: quotations; empty if no sentence mentions its central names.
        cited: ids of the facts or chunks that are quoted, in order.
    """

    title: str
    summary: str
    cited: tuple[str, ...]


def member_hash(members: Iterable[str]) -> str:
    """Return a digest of who is in a community."""
    return checksum("\n".join(sorted(members)))


def fact_hash(central: Mapping[str, str], candidates: Iterable[Candidate]) -> str:
    """Return a digest of everything that ``write_text`` reads: equal digests need no new text."""
    sentences = sorted([one.source, one.sentence, *sorted(one.names)] for one in candidates)
    return checksum(orjson.dumps([list(central.items()), sentences]))


def write_text(central: Mapping[str, str], candidates: Iterable[Candidate]) -> Text:
    """Return title and summary.

    Args:
        central: id and name of the central names, the most central first.
        candidates: sentences to choose from.
    """
    chosen = choose(list(central), candidates)
    quotes = (f"“{_in_one_line(one.sentence)}”" for one in chosen)
    return Text(title_of(list(central.values())), " ".join(quotes), tuple(one.source for one in chosen))


def title_of(names: Sequence[str]) -> str:
    """Return the first three names as a title: "A, B and C"."""
    *rest, last = names[:_TITLE_NAMES]
    return f"{', '.join(rest)} and {last}" if rest else last


def choose(central: Sequence[str], candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return at most five distinct sentences that together cover the central names best, chosen greedily.

    A name counts by its rank, discounted by the logarithm, and half as much each time it is covered again. This is the greedy rule for
    submodular coverage of Lin and Bilmes, "A Class of Submodular Functions for Document Summarization" (2011).
    """
    worth = {name: 1.0 / math.log2(rank + 2) for rank, name in enumerate(central)}
    left = _distinct(candidates)
    chosen: list[Candidate] = []
    while left and len(chosen) < QUOTES:
        best = min(left, key=lambda one: (-_gain(one, worth), len(one.sentence), one.sentence))
        if not _gain(best, worth):
            break
        chosen.append(best)
        left.remove(best)
        for name in best.names & worth.keys():
            worth[name] *= _AGAIN
    return chosen


def sentences_of(chunk: str, text: str, mentions: Mapping[str, Sequence[int]]) -> list[Candidate]:
    """Return the sentences of a chunk that mention central names, for communities that no fact ties together.

    Args:
        chunk: id of the chunk.
        text: its text.
        mentions: start and end offsets, alternating, of each central name; none where only the document's title names it.
    """
    found = []
    for start, end in sentence_spans(text, wrapped=True):
        names = {name for name, offsets in mentions.items() if any(start <= at < end for at in offsets[::2])}
        if names and end - start <= LONGEST:
            found.append(Candidate(chunk, text[start:end], frozenset(names)))
    return found


def _gain(candidate: Candidate, worth: Mapping[str, float]) -> float:
    # Summed in a fixed order, so that no set's order can decide between equals.
    return sum(worth[name] for name in sorted(candidate.names & worth.keys()))


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return each sentence once, with all names it was found for and the smallest id that holds it."""
    merged: dict[str, Candidate] = {}
    for one in sorted(candidates, key=lambda one: (one.source, one.sentence)):
        line = _in_one_line(one.sentence)
        if line and len(line) <= LONGEST:
            earlier = merged.get(line, one)
            merged[line] = Candidate(earlier.source, earlier.sentence, earlier.names | one.names)
    return list(merged.values())


def _in_one_line(sentence: str) -> str:
    return " ".join(sentence.split())
