"""The score of a sentence: how likely it is to hold the answer.

score(s) = Σ weight · feature. The weights lie between those of two logistic regressions over the same sentences, one for sentences that hold
the answer and one for sentences of a relevant document: an answer needs both. Each feature lies between 0 and 1:

- ``rank``: 1 / rank of the hit.
- ``words``: share of the question's weight that the sentence holds.
- ``context``: the same for the sentence with the title and the headings above it, to which its pronouns refer.
- ``neighbours``: the same for the sentences before and after it.
- ``chunk``: the same for its whole chunk.
- ``type``: whether it names the kind of thing that is asked for.
- ``new``: whether it names anything that the question does not, without which it is no answer.
- ``bridge``: whether it names the subject of another hit, or its own hit's subject is named in another: a hop of the path.
- ``opening``: whether it opens its chunk with a word of the question, as a letterhead or a heading rarely does.
- ``meaning``: the cosine of its window and the question, scaled from the lowest to the highest of all sentences and of its own chunk's, the mean
  of both (ADR 183); 0 without embeddings.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from interlace.answers.answer_types import names_type, new_names
from interlace.answers.evidence import EvidenceSentence
from interlace.answers.question_words import QuestionWords, weigh_words
from interlace.answers.ties import subject_words
from interlace.domain.hits import Hit
from interlace.text.tokenizer import tokens
from interlace.vectors.windows import windows_read

WEIGHTS: Mapping[str, float] = {
    "rank": 3.0, "words": 1.0, "context": 2.5, "neighbours": 0.3, "chunk": 0.4, "type": 0.8, "new": 0.3,
    "bridge": 0.3, "opening": 0.5, "meaning": 1.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of the evidence with its score.

    Args:
        sentence: the sentence.
        terms: its terms, title and headings left out.
        context: its terms with those of the title and the headings.
        features: the values behind the score.
        score: weighted sum of the features.
    """

    sentence: EvidenceSentence
    terms: frozenset[str]
    context: frozenset[str]
    features: Mapping[str, float]
    score: float


def score_sentences(question: str, sentences: Sequence[EvidenceSentence]) -> tuple[list[ScoredSentence], QuestionWords]:
    """Return the sentences with their scores, in the order given, and the words of the question."""
    question_words, sentence_terms = weigh_words(question, [each.text for each in sentences])
    chunks: dict[str, frozenset[str]] = {}
    for each, terms in zip(sentences, sentence_terms, strict=True):
        chunks[each.hit.chunk_id] = chunks.get(each.hit.chunk_id, frozenset()) | terms
    hits = [each.hit for each in sentences if each.place == 0]
    bridges, terms_above = _bridges(hits), {hit.chunk_id: question_words.terms_above(hit) for hit in hits}
    meanings, scored = _meanings(sentences), list[ScoredSentence]()
    for at, (each, terms) in enumerate(zip(sentences, sentence_terms, strict=True)):
        around = [sentence_terms[other] for other in (at - 1, at + 1) if _beside(sentences, at, other)]
        above = terms_above[each.hit.chunk_id]
        features = {
            "rank": 1 / each.hit.rank,
            "words": question_words.coverage(terms),
            "context": question_words.coverage(terms | above),
            "neighbours": max((question_words.coverage(other) for other in around), default=0.0),
            "chunk": question_words.coverage(chunks[each.hit.chunk_id] | above),
            "type": float(names_type(question_words.kind, each.quote, question_words.casefolded)),
            "new": float(bool(new_names(each.quote, question_words.casefolded))),
            "bridge": float(bridges.crosses(each)),
            "opening": float(each.place == 0 and bool(question_words.covered(terms))),
            "meaning": meanings[at],
        }
        total = sum(WEIGHTS[name] * value for name, value in features.items())
        scored.append(ScoredSentence(each, terms, terms | above, features, total))
    return scored, question_words


def _beside(sentences: Sequence[EvidenceSentence], at: int, other: int) -> bool:
    return 0 <= other < len(sentences) and sentences[other].hit is sentences[at].hit


def _meanings(sentences: Sequence[EvidenceSentence]) -> list[float]:
    """Return how near each sentence's window is to the question, among all sentences and among those of its chunk; 0 where nothing was compared."""
    words = {
        hit.chunk_id: [frozenset(text.split()) for text in windows_read(hit.text)]
        for hit in {each.hit.chunk_id: each.hit for each in sentences}.values()
        if hit.window_similarities
    }
    cosines = [_cosine(each, words.get(each.hit.chunk_id, ())) for each in sentences]
    known: defaultdict[str | None, list[float]] = defaultdict(list)  # of all sentences under None
    for each, cosine in zip(sentences, cosines, strict=True):
        for group in (None, each.hit.chunk_id):
            known[group] += [] if cosine is None else [cosine]
    bounds = {group: (min(some), max(some)) for group, some in known.items() if some}
    return [
        0.0 if cosine is None else fmean(_scaled(cosine, *bounds[group]) for group in (None, each.hit.chunk_id))
        for each, cosine in zip(sentences, cosines, strict=True)
    ]


def _scaled(value: float, lowest: float, highest: float) -> float:
    """Return a value as a share of the way from the lowest to the highest; 1 where all are alike."""
    return (value - lowest) / (highest - lowest) if highest > lowest else 1.0


def _cosine(sentence: EvidenceSentence, windows: Sequence[frozenset[str]]) -> float | None:
    """Return the cosine of the window that holds most words of a sentence: what models read of a chat is not the text itself."""
    cosines, said = sentence.hit.window_similarities, frozenset(sentence.quote.split())
    if len(cosines) != len(windows):  # the text was divided otherwise when it was embedded
        return max(cosines, default=None)
    held = zip(windows, cosines, strict=True)
    return max(((len(said & words), cosine) for words, cosine in held), default=(0, None))[1]


@dataclass(frozen=True, slots=True)
class Bridges:
    """The subjects of the hits: the words of each document's title."""

    subjects: Mapping[str, frozenset[str]]

    def crosses(self, sentence: EvidenceSentence) -> bool:
        """Return whether a sentence names the subject of another hit's document."""
        words = {token.form for token in tokens(sentence.quote)}
        return any(
            subject <= words for document, subject in self.subjects.items() if document != sentence.hit.document_id
        )


def _bridges(hits: Sequence[Hit]) -> Bridges:
    subjects = {hit.document_id: subject_words(hit.title) for hit in hits}
    return Bridges({document: words for document, words in subjects.items() if words})
