"""Verification of what a language model wrote: only sentences whose citations exist and hold their names and numbers are kept.

A citation counts if its number is one of the evidence and its quote is located in that chunk. A sentence is shown if it has such a citation, if
each of its names occurs in the cited chunks or their titles, if each of its numbers occurs in the quotes or the titles, and if half of
its other words occur in the cited chunks or in the question. That a sentence *follows* from its quotes is not verified: the quotes
are shown beside it, in the document's own spelling.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from interlace.answers.evidence import cite
from interlace.answers.prompt import MAX_CHUNK_CHARACTERS
from interlace.answers.question_words import term_set
from interlace.domain.answers import AnswerSentence, Citation
from interlace.domain.hits import Hit
from interlace.text.quantities import numbers_in
from interlace.text.quotes import find_quote
from interlace.text.similarity import share_stem
from interlace.text.stop_words import ENTITY_STOP_WORDS, QUESTION_STOP_WORDS
from interlace.text.tokenizer import Token, tokens

Reason = Literal["evidence", "quote", "names", "numbers", "words", "markup", "length"]
"""Why something was dropped: no such evidence, the quote is not in it, names, numbers or words that the citations do not hold, markup or an
address, or too long."""

_QUOTED_WORDS = 3
_SUPPORTED = 0.5
_MAX_SENTENCE_CHARACTERS = 600
_MAX_SHORT_CHARACTERS = 120
_YES_NO = frozenset({"yes", "no"})
_NO_NAMES = ENTITY_STOP_WORDS | QUESTION_STOP_WORDS | _YES_NO
# What may separate the words of one name: a space, a hyphen, the full stop of an initial.
_JOINT = re.compile(r"\.? |[-'\u2019]")
_FOOTNOTE = re.compile(r"\s*[\[【]\d+(?:\s*,\s*\d+)*[\]】]")
_MARKUP = re.compile(r"<[a-z/!?][^>]*>|!?\[[^\]]*\]\s*[(\[]|`", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]*://|\bwww\.|\b(?:mailto|javascript|data|file):)\S*|\b[\w-]+\.(?:com|org|net|io|dev|app)\b\S*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class VerifiedAnswer:
    """What remains of a model's answer.

    Args:
        sentences: in the model's order.
        citations: what they cite, by number.
        short: the answer in a few words; empty where the citations do not hold it.
        dropped: how many citations and sentences were dropped, by reason.
    """

    sentences: tuple[AnswerSentence, ...]
    citations: tuple[Citation, ...]
    short: str
    dropped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Located:
    hit: Hit
    start: int
    end: int

    @property
    def quote(self) -> str:
        return self.hit.text[self.start : self.end]

    @property
    def place(self) -> str:
        return f"{self.hit.title} {self.hit.section}"


def verify_answer(output: Mapping[str, Any], hits: Sequence[Hit], question: str, max_sentences: int) -> VerifiedAnswer:
    """Return the part of a model's answer that the evidence holds.

    Args:
        output: an object of the answer's schema.
        hits: the evidence as it was numbered.
        question: as asked.
        max_sentences: sentences wanted.
    """
    verification = Verification(question, max_sentences)
    verification.read(output["sentences"], hits)
    return verification.result(output["short"])


@dataclass(slots=True)
class Verification:
    """What has been verified of an answer so far; a sentence that was kept stays."""

    question: str
    max_sentences: int
    _kept: list[AnswerSentence] = field(default_factory=list)
    _citations: dict[tuple[str, int, int], Citation] = field(default_factory=dict)
    _cited: list[_Located] = field(default_factory=list)
    _dropped: Counter[str] = field(default_factory=Counter)
    _read: list[Mapping[str, Any]] = field(default_factory=list)

    def read(self, sentences: Iterable[Mapping[str, Any]], hits: Sequence[Hit]) -> None:
        """Verify those of a model's sentences that have not been read yet, by hits in the order in which they were numbered."""
        for sentence in sentences:
            text = plain_text(sentence["text"])
            # A repair gives the whole output again.
            if sentence in self._read or any(each.text == text for each in self._kept):
                continue
            if len(self._kept) == self.max_sentences:
                break
            self._read.append(sentence)
            located = _located(sentence["citations"], hits, self._dropped)
            reason = _refused(text, located, self.question)
            if reason:
                self._dropped[reason] += 1
            elif located:
                numbers = dict.fromkeys(_number(each, self._citations) for each in located)
                self._kept.append(AnswerSentence(text, tuple(numbers)))
                self._cited += located

    def result(self, short: str = "") -> VerifiedAnswer:
        """Return what is verified, with the answer in a few words if the citations hold it."""
        short = _short(short, self._cited)
        return VerifiedAnswer(tuple(self._kept), tuple(self._citations.values()), short, dict(self._dropped))


def plain_text(text: str) -> str:
    """Return a model's text on one line, without footnote numbers and non-printing characters."""
    spaced = "".join(letter if letter.isprintable() else " " for letter in _FOOTNOTE.sub("", text))
    return " ".join(spaced.split())


def _located(citations: Sequence[Mapping[str, Any]], hits: Sequence[Hit], dropped: Counter[str]) -> list[_Located]:
    found = []
    for citation in citations:
        number = citation["evidence"]
        if not 1 <= number <= len(hits):
            dropped["evidence"] += 1
            continue
        hit = hits[number - 1]
        span = find_quote(hit.text[:MAX_CHUNK_CHARACTERS], citation["quote"], min_words=_QUOTED_WORDS)
        if span is None or not term_set(hit.text[slice(*span)]):
            dropped["quote"] += 1
        else:
            found.append(_Located(hit, *span))
    return found


def _refused(text: str, located: Sequence[_Located], question: str) -> Reason | None:
    """Return why a sentence may not be shown; none if it may, or if it has no citation left, which is already counted."""
    if not located:
        return None
    if not 0 < len(text) <= _MAX_SENTENCE_CHARACTERS:
        return "length"
    quotes = " ".join(each.quote for each in located)
    if _has_markup(text, quotes):
        return "markup"
    places = " ".join(each.place for each in located)
    chunks = [f"{each.place}\n{each.hit.text[:MAX_CHUNK_CHARACTERS]}" for each in located]
    if not all(any(_has_name(chunk, name) for chunk in chunks) for name in _names(text)):
        return "names"
    if not numbers_in(text) <= numbers_in(f"{quotes} {places}"):
        return "numbers"
    return None if _supported(text, "\n".join([*chunks, question])) else "words"


def _has_markup(text: str, quotes: str) -> bool:
    if _MARKUP.search(text):
        return True
    return any(match[0].rstrip(".,;)") not in quotes for match in _ADDRESS.finditer(text))


def _names(text: str) -> list[str]:
    """Return the runs of words with capitals of a sentence, including its first word, which may be an invented name."""
    runs = list[str]()
    end = -1
    for token in tokens(text):
        word = text[token.start : token.end]
        if not _is_name(word, token, text):
            continue
        joined = bool(runs) and _JOINT.fullmatch(text, end, token.start)
        runs[-1:] = [f"{runs[-1]} {word}"] if joined else [*runs[-1:], word]
        end = token.end
    return runs


def _is_name(word: str, token: Token, text: str) -> bool:
    """Return whether a word has a capital anywhere (*eBay*); a function word counts if it is all capitals (*WHO*), but *I* and *A* never do."""
    if token.form in _NO_NAMES:
        return len(word) > 1 and word.isupper() and not text.isupper()
    return any(map(str.isupper, word)) or (token.capital and not token.form[0].isdigit())


def _has_name(chunk: str, name: str) -> bool:
    """Return whether a chunk has a name in any case; one that is also a function word counts in its own case only."""
    if name.lower() in _NO_NAMES:
        return any(chunk[token.start : token.end] == name for token in tokens(chunk))
    return find_quote(chunk, name) is not None


def _supported(text: str, evidence: str) -> bool:
    evidence_terms = term_set(evidence)
    wanted = [term for term in term_set(text) if term not in _YES_NO]
    known = sum(term in evidence_terms or any(share_stem(term, other) for other in evidence_terms) for term in wanted)
    return known >= _SUPPORTED * len(wanted)


def _short(text: str, cited: Sequence[_Located]) -> str:
    """Return the short answer if it is yes or no, or occurs word for word in a chunk that a kept sentence cites."""
    short = plain_text(text)
    if not cited or not 0 < len(short) <= _MAX_SHORT_CHARACTERS or _has_markup(short, ""):
        return ""
    if short.lower().rstrip(".") in _YES_NO:
        return short
    stands = any(find_quote(f"{each.place} {each.hit.text[:MAX_CHUNK_CHARACTERS]}", short) for each in cited)
    return short if stands else ""


def _number(located: _Located, citations: dict[tuple[str, int, int], Citation]) -> int:
    key = (located.hit.chunk_id, located.start, located.end)
    if key not in citations:
        citations[key] = cite(located.hit, located.start, located.end, len(citations) + 1)
    return citations[key].number
