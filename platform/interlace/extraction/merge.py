"""Merges several extractions of the same chunk into one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from interlace.domain.extraction import BY_AUTHORS, Extraction, Fact, Mention
from interlace.entities.normalization import normalize_name
from interlace.text.tokenizer import stems

_OTHER = "Other"


def merge(extractions: Sequence[Extraction]) -> Extraction:
    """Return what the extractors found together, in order of appearance; the order of the extractors does not matter.

    Mentions are the same if their normalised names are equal and their offsets overlap: the most confident one is kept, and takes its
    type from another if it has none. A reference that the author marked wins over any guess that overlaps it. Facts
    are the same if subject, predicate and object are, and the most confident one is kept.
    """
    mentions = _merge_mentions(mention for extraction in extractions for mention in extraction.mentions)
    facts = _merge_facts(fact for extraction in extractions for fact in extraction.facts)
    return Extraction(mentions, facts)


def _merge_mentions(found: Iterable[Mention]) -> tuple[Mention, ...]:
    kept: list[Mention] = []
    for mention in sorted(found, key=_precedence):
        overlapping = [other for other in kept if other.start < mention.end and mention.start < other.end]
        same = next(
            (other for other in overlapping if words_of_name(other.surface) == words_of_name(mention.surface)), None
        )
        if same is not None:
            if same.type == _OTHER and mention.type != _OTHER:
                kept[kept.index(same)] = replace(same, type=mention.type)
        elif not any(other.via in BY_AUTHORS for other in overlapping):
            kept.append(mention)
    return tuple(sorted(kept, key=lambda mention: (mention.start, mention.end, mention.surface)))


def _precedence(mention: Mention) -> tuple[bool, float, int, int, str, str]:
    """Return the sort key of a mention: the author's references first, then by confidence; the rest makes the order total."""
    return mention.via not in BY_AUTHORS, -mention.confidence, mention.start, -mention.end, mention.via, mention.type


def _merge_facts(found: Iterable[Fact]) -> tuple[Fact, ...]:
    best: dict[tuple[str, ...], Fact] = {}
    for fact in sorted(
        found, key=lambda fact: (-fact.confidence, fact.start, fact.extractor, fact.subject, fact.object)
    ):
        best.setdefault(
            (*_end(fact.subject, fact.subject_type), fact.predicate, *_end(fact.object, fact.object_type)), fact
        )
    return tuple(
        sorted(best.values(), key=lambda fact: (fact.start, fact.end, fact.subject, fact.predicate, fact.object))
    )


def _end(name: str, declared: str) -> tuple[str, str]:
    # A declared name must match word for word: two tools, `create_event` and `create_events`, are different.
    return declared, normalize_name(name) if declared else words_of_name(name)


def words_of_name(name: str) -> str:
    """Return the distinctive words of a name, so that "the Beatles" equals "Beatles"; the name itself if it has only stop words."""
    return " ".join(word.term for word in stems(name) if not word.stop) or name.casefold()
