"""Connections between the chunks of an answer: paths of the graph leg, and names of documents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interlace.domain.hits import Hit
from interlace.text.tokenizer import tokens


@dataclass(frozen=True, slots=True)
class Ties:
    """The connections between the chunks of some hits.

    Args:
        hops: chunk id to the chunks that are on a path with it.
        words: chunk id to the case-folded words of its text.
    """

    hops: Mapping[str, frozenset[str]]
    words: Mapping[str, frozenset[str]]

    def share_path(self, chunk_id: str, others: Iterable[str]) -> bool:
        """Return whether a chunk is on a path with one of the others."""
        return any(chunk_id in self.hops.get(other, ()) for other in others)

    def named(self, hit: Hit, others: Iterable[str]) -> bool:
        """Return whether one of some other chunks names the subject of a hit's document."""
        subject = subject_words(hit.title)
        return bool(subject) and any(subject <= self.words[other] for other in others)


def ties_between(hits: Sequence[Hit]) -> Ties:
    """Return the ties between the chunks of some hits, which may repeat."""
    hops: dict[str, set[str]] = {}
    distinct = {hit.chunk_id: hit for hit in hits}
    for hit in distinct.values():
        stations = {hit.chunk_id, *(step.chunk_id for step in hit.path)}
        for chunk in stations:
            hops.setdefault(chunk, set()).update(stations - {chunk})
    return Ties(
        {chunk: frozenset(others) for chunk, others in hops.items()},
        {chunk: frozenset(token.form for token in tokens(hit.text)) for chunk, hit in distinct.items()},
    )


def subject_words(title: str) -> frozenset[str]:
    """Return the case-folded words of a title without the part in brackets that distinguishes namesakes."""
    return frozenset(token.form for token in tokens(title.partition("(")[0]))
