"""Seed entities: the entities in a question, each weighed by its inverse document frequency, and the residual query.

An entity that few chunks mention is strong evidence. The residual query, the question without its entities, says what is asked about
them; it is compared with chunks and with the context of mentions.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interlace.text.rarity import inverse_frequency
from interlace.text.tokenizer import Token, content_words, tokens

_MIN_RESIDUAL_WORDS = 2
_BETWEEN = frozenset({"a", "and", "at", "de", "del", "du", "for", "in", "la", "of", "on", "the", "to", "van", "von"})
_MAX_WORDS_BETWEEN = 2
# What precedes the first word of a sentence, of a list item, or of the words after a colon. A full stop after a capitalised word
# ends an abbreviation, not a sentence: ``Dr. Mira``.
_SENTENCE_START = re.compile(
    r"(?:\A|[!?:;\n\u2026]|(?<!\w)(?:[a-z]\w*|\d+)[.])[\s\"'\u201c\u2018(\[*#>\u2022\u2013\u2014-]*(?:\d{1,3}[.)]\s+)?\Z"
)
# Only nouns precede these: ``Rome was`` and ``Rome's`` ask about Rome, but ``Set a`` does not ask about Set.
_AFTER_NOUNS = frozenset({"is", "was", "are", "were", "has", "had", "did", "does", "vs", "versus"})
_JOINS = frozenset({"and", "or"})
# ``Rome's``, and ``Rome, salt and trade``: the verb of a request takes no comma.
_POSSESSIVE_OR_COMMA = re.compile(r"['\u2019]s?(?!\w)|,")
_ORPHAN = re.compile(r"(?<!\w)['\u2019]s?(?!\w)|[\"\u201c\u201d]\s*[\"\u201c\u201d]|\(\s*\)")


@dataclass(frozen=True, slots=True)
class SeedMatch:
    """An entity that the linker found in the question.

    Args:
        entity: its id.
        start: offset of its first character in the question.
        end: offset after its last character.
        degree: number of chunks that mention the entity.
        title: whether some document is about the entity.
        confidence: above 0 to 1; below 1 where the question misspells the alias.
    """

    entity: str
    start: int
    end: int
    degree: int
    title: bool = False
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seed entities of a question.

    Args:
        weights: entity to weight, above 0; unnormalised.
        matches: the matches that were kept, in order of appearance.
        residual: the question without the matches, or the whole question where too little would remain.
        residual_terms: content words of the residual query, case-folded, in order, unique.
        titled_specificity: the highest weight of an entity that some document is about; 0 without one.
        total_chunks: number of chunks of the tenant.
    """

    weights: dict[str, float]
    matches: tuple[SeedMatch, ...]
    residual: str
    residual_terms: tuple[str, ...]
    titled_specificity: float = 0.0
    total_chunks: int = 1

    @property
    def specificity(self) -> float:
        """The highest weight; 0 without entities."""
        return max(self.weights.values(), default=0.0)


def find_seeds(question: str, matches: Iterable[SeedMatch], *, total_chunks: int) -> Seeds:
    """Weigh the entities that the linker found in the question.

    Matches in lower case are dropped where the question capitalises others, unless some document is about them: they are phrases
    such as ``city of``. A word that is capitalised only because it begins a sentence or a list item is no name: ``Set`` in
    ``Set a timeout`` (``named_by_place``).

    Args:
        question: as asked.
        matches: what the linker found; several entities may share a span.
        total_chunks: number of chunks of the tenant.
    """
    ordered = sorted(set(matches), key=lambda match: (match.start, match.end, match.entity))
    ordered = [match for match in ordered if match.degree > 0 and not named_by_place(question, match, ordered)]
    kept = tuple(match for match in ordered if _is_entity(question, match, ordered))
    weights: dict[str, float] = {}
    for match in kept:
        weight = match.confidence * inverse_frequency(match.degree, total_chunks)
        weights[match.entity] = max(weights.get(match.entity, 0.0), weight)
    residual = _without(question, kept)
    terms = content_words(residual)
    if len(terms) < _MIN_RESIDUAL_WORDS:
        residual = question
    titled = max((weights[match.entity] for match in kept if match.title), default=0.0)
    return Seeds(weights, kept, residual, terms, titled, total_chunks)


def named_by_place(question: str, match: SeedMatch, matches: Sequence[SeedMatch]) -> bool:
    """Return whether a match is one word that is capitalised only because a sentence or a list item begins with it.

    It is still a name if it is the whole question, if it is the subject (``Rome was``, ``Rome's``, ``Rome and Athens``, ``Rome, salt and
    trade``), if it has further capitals or digits (``GPU``, ``McKay``, ``OAuth2``), or if the next word is capitalised and no match
    itself: ``Install`` in ``Install Debian`` is a name only where ``Debian`` is none.
    """
    word, rest = question[match.start : match.end], question[match.end :]
    if len(tokens(word)) > 1 or not word[1:].islower() or not _SENTENCE_START.search(question[: match.start]):
        return False
    following = tokens(rest)
    if not following:
        return bool(tokens(question[: match.start]))
    return not (
        _POSSESSIVE_OR_COMMA.match(rest) or _is_subject(following) or _goes_on(following[0], match.end, matches)
    )


def _is_subject(following: Sequence[Token]) -> bool:
    first, second = following[0], following[1] if len(following) > 1 else None
    return first.form in _AFTER_NOUNS or (first.form in _JOINS and second is not None and second.capital)


def _goes_on(word: Token, offset: int, matches: Sequence[SeedMatch]) -> bool:
    return word.capital and not any(match.start <= word.start + offset < match.end for match in matches)


def unlinked_spans(question: str, matches: Sequence[SeedMatch]) -> list[tuple[int, int]]:
    """Return the offsets of runs of capitalised words that no match covers in full.

    A run has two words or more and may hold small words between capitals (``Battle of the Reeds``). Numbers and small words that are
    capitalised alone do not count.
    """
    words = tokens(question)
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        last = _run_end(words, at)
        run = words[at : last + 1]
        if last > at and any(_is_significant(word) and not _covered(word, matches) for word in run):
            spans.append((run[0].start, run[-1].end))
        at = max(at, last) + 1
    return spans


def lone_names(question: str) -> list[tuple[int, int]]:
    """Return the offsets of capitalised words that have no capitalised neighbour and may be somebody's name: ``Will Piet come?``.

    A word that begins the question, and in a question without small letters any word, is capitalised anyway.
    """
    words = tokens(question)
    capitals = [word.capital for word in words] + [False]
    alone = (at for at in range(1, len(words)) if capitals[at] and not capitals[at - 1] and not capitals[at + 1])
    return [(words[at].start, words[at].end) for at in alone if _is_significant(words[at])]


def _run_end(words: Sequence[Token], at: int) -> int:
    """Return the index of the last word of the run of capitals that begins at ``at``; ``at - 1`` if none does."""
    if not words[at].capital or (at == 0 and not content_words(words[at].form)):
        return at - 1
    last = at
    for index in range(at + 1, len(words)):
        if words[index].capital:
            last = index
        elif words[index].form not in _BETWEEN or index - last > _MAX_WORDS_BETWEEN:
            break
    return last


def _is_significant(word: Token) -> bool:
    return word.capital and not word.form.isdigit() and bool(content_words(word.form))


def _covered(word: Token, matches: Sequence[SeedMatch]) -> bool:
    return any(match.start <= word.start < match.end for match in matches)


def first_stage(*lists: Sequence[str], limit: int) -> dict[str, float]:
    """Return the chunks that the restart includes: the first of each list, weighted by 1/rank, summed over lists.

    Args:
        lists: chunk ids of the dense and the keyword leg, best first.
        limit: chunks taken of each.
    """
    weights: dict[str, float] = {}
    for chunks in lists:
        for rank, chunk in enumerate(chunks[:limit], 1):
            weights[chunk] = weights.get(chunk, 0.0) + 1 / rank
    return weights


def _is_entity(question: str, match: SeedMatch, matches: Sequence[SeedMatch]) -> bool:
    if match.title or _capitalised(question, match):
        return True
    return not any(_capitalised(question, other) for other in matches)


def _capitalised(question: str, match: SeedMatch) -> bool:
    """Return whether a match holds a capital that is not due to its place at the beginning of a sentence."""
    words = tokens(question[match.start : match.end])
    by_place = _SENTENCE_START.search(question[: match.start]) is not None and len(words) > 1
    return any(word.capital for word in words[by_place:])


def _without(question: str, matches: Sequence[SeedMatch]) -> str:
    kept: list[str] = []
    at = 0
    for match in matches:
        kept.append(question[at : max(at, match.start)])
        at = max(at, match.end)
    kept.append(question[at:])
    return " ".join(_ORPHAN.sub(" ", " ".join(kept)).split())
