"""Where a walk over the graph starts: the names of a question, each with the weight of its evidence.

A name says the more, the fewer chunks mention it, so seeds weigh their inverse document frequency. What is left of the question
without its names is what it *asks of* them: that remainder is matched with chunks and with the words around mentions.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interlace.text.rarity import inverse_frequency
from interlace.text.tokenizer import Token, content_words, tokens

_MIN_REMAINDER = 2
_BETWEEN = frozenset({"a", "and", "at", "de", "del", "du", "for", "in", "la", "of", "on", "the", "to", "van", "von"})
_LONGEST_BETWEEN = 2
_ORPHAN = re.compile(r"(?<!\w)['\u2019]s?(?!\w)|[\"\u201c\u201d]\s*[\"\u201c\u201d]|\(\s*\)")


@dataclass(frozen=True, slots=True)
class SeedMatch:
    """A known name as it stands in the question.

    Args:
        entity: id of an entity that answers to the name.
        start: offset of its first character in the question.
        end: offset after its last character.
        degree: number of chunks that mention the entity.
        title: whether the entity is what some document is about.
        sure: how surely the entity is meant, above 0 to 1: below 1 where the question spells its name otherwise.
    """

    entity: str
    start: int
    end: int
    degree: int
    title: bool = False
    sure: float = 1.0


@dataclass(frozen=True, slots=True)
class Seeds:
    """The starting names of a question.

    Args:
        weights: entity to weight, above 0; unnormalised.
        matches: the matches that were kept, in order of appearance.
        remainder: the question without the kept names, or the whole question where too little would remain.
        asked: content words of the remainder, folded, in order, unique.
    """

    weights: dict[str, float]
    matches: tuple[SeedMatch, ...]
    remainder: str
    asked: tuple[str, ...]


def find_seeds(question: str, matches: Iterable[SeedMatch], *, total_chunks: int) -> Seeds:
    """Weigh the names that the linker found in the question.

    Names in lower case are dropped where the question capitalises others, unless some document is about them: they are phrases
    such as ``city of``.

    Args:
        question: as asked.
        matches: what the linker found; several entities may share a span.
        total_chunks: number of chunks of the tenant.
    """
    ordered = sorted(set(matches), key=lambda match: (match.start, match.end, match.entity))
    kept = tuple(match for match in ordered if match.degree > 0 and _is_name(question, match, ordered))
    weights: dict[str, float] = {}
    for match in kept:
        weight = match.sure * inverse_frequency(match.degree, total_chunks)
        weights[match.entity] = max(weights.get(match.entity, 0.0), weight)
    remainder = _without(question, kept)
    asked = content_words(remainder)
    if len(asked) < _MIN_REMAINDER:
        remainder = question
    return Seeds(weights, kept, remainder, asked)


def unknown_names(question: str, matches: Sequence[SeedMatch]) -> list[tuple[int, int]]:
    """Return the offsets of runs of capitalised words that the linker knows only in part or not at all.

    A run has two words or more and may hold small words between capitals (``Battle of the Reeds``). Numbers and small words that are
    capitalised alone make no name unknown.

    Args:
        question: as asked.
        matches: what the linker found.
    """
    words = tokens(question)
    names: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        last = _run_end(words, at)
        run = words[at : last + 1]
        if last > at and any(_says_name(word) and not _covered(word, matches) for word in run):
            names.append((run[0].start, run[-1].end))
        at = max(at, last) + 1
    return names


def _run_end(words: Sequence[Token], at: int) -> int:
    """Return the index of the last word of the run of capitals that begins at ``at``; ``at - 1`` if none does."""
    if not words[at].capital or (at == 0 and not content_words(words[at].form)):
        return at - 1
    last = at
    for index in range(at + 1, len(words)):
        if words[index].capital:
            last = index
        elif words[index].form not in _BETWEEN or index - last > _LONGEST_BETWEEN:
            break
    return last


def _says_name(word: Token) -> bool:
    return word.capital and not word.form.isdigit() and bool(content_words(word.form))


def _covered(word: Token, matches: Sequence[SeedMatch]) -> bool:
    return any(match.start <= word.start < match.end for match in matches)


def first_stage(*lists: Sequence[str], count: int) -> dict[str, float]:
    """Return the chunks a walk also starts on: the first of each list, weighed 1/rank, summed over lists.

    Args:
        lists: chunk ids of the dense and the keyword leg, best first.
        count: chunks taken of each.
    """
    weights: dict[str, float] = {}
    for chunks in lists:
        for rank, chunk in enumerate(chunks[:count], 1):
            weights[chunk] = weights.get(chunk, 0.0) + 1 / rank
    return weights


def _is_name(question: str, match: SeedMatch, matches: Sequence[SeedMatch]) -> bool:
    if match.title or _capitalised(question, match):
        return True
    return not any(_capitalised(question, other) for other in matches)


def _capitalised(question: str, match: SeedMatch) -> bool:
    return any(token.capital for token in tokens(question[match.start : match.end]))


def _without(question: str, matches: Sequence[SeedMatch]) -> str:
    kept: list[str] = []
    at = 0
    for match in matches:
        kept.append(question[at : max(at, match.start)])
        at = max(at, match.end)
    kept.append(question[at:])
    return " ".join(_ORPHAN.sub(" ", " ".join(kept)).split())
