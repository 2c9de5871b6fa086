"""Measures of answers: do their sentences hold the known answer, do they cite relevant documents, and do they abstain where those are gone?

Exact match and F1 are those of SQuAD (Rajpurkar et al. 2016): texts are compared without case, punctuation and articles, F1 over their words.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from interlace.domain.answers import Answer, AnswerSentence
from interlace.evaluation.abstention import Abstention
from interlace.evaluation.collection import Collection, corpus_id
from interlace.evaluation.intervals import Interval, mean_interval
from interlace.text.stop_words import ARTICLES
from interlace.text.tokenizer import tokens

STRING_AT: Final = (1, 3, 5)
_CITED: Final = 3
MEASURES: Final = (
    *(f"string@{count}" for count in STRING_AT),
    "ceiling", "exact match", "F1", "citation precision", "citation recall", "answered", "precision if answered",
)  # fmt: skip


@dataclass(slots=True)
class AnswerEvaluation:
    """The answers to a collection's questions.

    Args:
        values: mode (``extractive``, ``generated``) to measure to one value per question, 0 to 1; where a question has no known answer, or
            an answer no citation or no sufficient evidence, the measures that need one have no value.
        tokens: mode to the mean number of tokens per question.
        abstention: how well the sufficiency separates questions from those whose relevant documents were deleted; none if not measured.
    """

    values: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    tokens: dict[str, float] = field(default_factory=dict)
    abstention: Abstention | None = None

    def means(self, mode: str) -> dict[str, tuple[float, Interval]]:
        """Return each measure with a value: its mean in percent, and its 95 % interval."""
        return {
            name: (round(100 * sum(values) / len(values), 1), mean_interval(values))
            for name, values in self.values[mode].items()
            if values
        }

    def report(self) -> dict[str, object]:
        """Return the figures as JSON values."""
        return {
            "modes": {
                mode: {name: [mean, *bounds] for name, (mean, bounds) in self.means(mode).items()}
                for mode in self.values
            },
            "tokens": self.tokens,
            "abstention": self.abstention.report() if self.abstention else None,
        }


def measure_answers(collection: Collection, answers: Mapping[str, Answer]) -> dict[str, list[float]]:
    """Return each of ``MEASURES``, with a value for each question that has one."""
    texts = collection.texts(collection.relevant)
    measured: dict[str, list[float]] = {name: [] for name in MEASURES}
    for query, answer in sorted(answers.items()):
        known, relevant = collection.answers.get(query, ()), collection.qrels[query]
        found = _cited(answer, relevant)
        if known:
            found |= _matched(answer, known)
            found["ceiling"] = float(holds_answer("\n".join(texts.get(each, "") for each in relevant), known))
        for name, value in found.items():
            measured[name].append(value)
    return measured


def holds_answer(text: str, known: Sequence[str]) -> bool:
    """Return whether a text holds one of the known answers, word for word."""
    padded = f" {plain(text)} "
    return any(f" {plain(answer)} " in padded for answer in known if plain(answer))


def exact_match(text: str, known: Sequence[str]) -> float:
    """Return 1 if a text is one of the known answers, else 0."""
    return float(any(plain(text) == plain(answer) for answer in known))


def word_f1(text: str, known: Sequence[str]) -> float:
    """Return the greatest harmonic mean of precision and recall of a text's words over the known answers."""
    return max((_f1(plain(text).split(), plain(answer).split()) for answer in known), default=0.0)


def plain(text: str) -> str:
    """Return a text without case, accents, punctuation and articles, its words joined by single spaces."""
    return " ".join(token.form for token in tokens(text) if token.form not in ARTICLES)


def _f1(words: Sequence[str], known: Sequence[str]) -> float:
    common = sum((Counter(words) & Counter(known)).values())
    return 2 * common / (len(words) + len(known)) if common else 0.0


def _matched(answer: Answer, known: Sequence[str]) -> dict[str, float]:
    """Return where a known answer occurs, and how closely the short answer or the first sentence matches it."""
    first = answer.generation.short if answer.generation else ""
    first = first or _joined(answer.sentences[:1])
    return {
        **{f"string@{count}": float(holds_answer(_joined(answer.sentences[:count]), known)) for count in STRING_AT},
        "exact match": exact_match(first, known),
        "F1": word_f1(first, known),
    }


def _cited(answer: Answer, relevant: Mapping[str, int]) -> dict[str, float]:
    """Return precision over the citations of the first three sentences, and recall over the relevant documents.

    With abstention on, only the answers with sufficient evidence would be shown: ``answered`` and the precision of these.
    """
    answered = answer.sufficiency.sufficient
    numbers = {number for sentence in answer.sentences[:_CITED] for number in sentence.citations}
    cited = [corpus_id(each.source_uri) for each in answer.citations if each.number in numbers]
    found = {"citation recall": len(relevant.keys() & set(cited)) / len(relevant), "answered": float(answered)}
    if cited:
        precision = sum(each in relevant for each in cited) / len(cited)
        found |= {"citation precision": precision} | ({"precision if answered": precision} if answered else {})
    return found


def _joined(sentences: Sequence[AnswerSentence]) -> str:
    return "\n".join(each.text for each in sentences)
