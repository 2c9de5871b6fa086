"""Answers with their citations: the request, the sentences that are shown, and the evidence for each of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from interlace.domain.hits import Hit, QueryRequest

MAX_SENTENCES = 10
DEFAULT_SENTENCES = 3
TOKEN_BUDGET = "token_budget"  # noqa: S105 - the name of a limit
"""Marks an answer as degraded because the daily token budget allowed no call, or no further one."""


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """A question that wants an answer rather than hits.

    Args:
        query: the question, and how to retrieve; its ``limit`` is the number of hits that the answer may draw on.
        sentences: maximum number of sentences, 1 to 10.
        insist: answer even where the evidence seems insufficient.
        extractive: quote only, even where a language model is available to write.
    """

    query: QueryRequest
    sentences: int = DEFAULT_SENTENCES
    insist: bool = False
    extractive: bool = False


@dataclass(frozen=True, slots=True)
class Citation:
    """The place that supports a sentence.

    Args:
        number: footnote number, from 1.
        chunk_id: the chunk.
        document_id: its document.
        title: the document's title.
        source_uri: where the document came from.
        section: headings above the chunk, joined by ``>``; empty at the document's top.
        start: offset of the quote's first character in the document's text.
        end: offset after its last character.
        quote: the text between them, verbatim.
    """

    number: int
    chunk_id: str
    document_id: str
    title: str
    source_uri: str
    section: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of an answer.

    Args:
        text: the sentence on one line.
        citations: numbers of its citations; there is at least one.
    """

    text: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CitedSentence(AnswerSentence):
    """A sentence that is shown before the whole answer is there.

    Args:
        footnotes: its citations.
    """

    footnotes: tuple[Citation, ...]


def with_footnotes(sentences: Sequence[AnswerSentence], citations: Sequence[Citation]) -> list[CitedSentence]:
    """Return sentences with their citations."""
    numbered = {each.number: each for each in citations}
    return [
        CitedSentence(each.text, each.citations, tuple(numbered[number] for number in each.citations))
        for each in sentences
    ]


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Whether the evidence is likely to hold the answer.

    Args:
        probability: calibrated, 0 to 1.
        threshold: below it there is no answer.
        features: what the probability was made of, by name, each 0 to 1.
        uncovered: words and names of the question that no evidence contains, as the question has them.
    """

    probability: float
    threshold: float
    features: Mapping[str, float] = field(default_factory=dict)
    uncovered: tuple[str, ...] = ()

    @property
    def sufficient(self) -> bool:
        """Whether the probability reaches the threshold."""
        return self.probability >= self.threshold


@dataclass(frozen=True, slots=True)
class Generation:
    """What a language model did for an answer.

    Args:
        model: its name, ``provider/model``.
        rounds: answered calls; after each but the last, what the model named as missing was retrieved.
        short: the answer in a few words that occur in what it cites, or yes or no; empty where there is none.
        dropped: how many of its citations and sentences were not shown, by reason: ``evidence`` (no such number), ``quote`` (not in that
            chunk), ``names``, ``numbers`` and ``words`` (not in what is cited), ``markup`` (also addresses that are not quoted), ``length``.
        refused: why no tokens of the daily budget could be reserved for a call, or for a further one, in a sentence; empty where they could.
        failed: that the model failed, in a sentence with the remedy and without its words or the provider's; empty where it did not.
    """

    model: str
    rounds: int
    short: str = ""
    dropped: Mapping[str, int] = field(default_factory=dict)
    refused: str = ""
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, or why there is none.

    Args:
        question: as asked.
        mode: who wrote the sentences: ``extractive``, the documents did; ``generated``, a language model did, and each was verified.
        sentences: best first; empty where the answer abstains.
        citations: what the sentences cite, by number.
        abstained: whether there is no answer.
        missing: where it abstained, what the documents lack, in a sentence; else empty.
        sufficiency: whether the evidence is likely to hold the answer.
        hits: the hits that the answer draws on, explained.
        degraded: legs and steps that failed or were late; ``language_model`` where the model failed or nothing that it wrote was
            verified, ``token_budget`` where none of the day's tokens could be reserved.
        timings: milliseconds by step: those of the query, and ``answer`` in addition.
        effort: work, with Λ under ``lambda``.
        tokens: tokens that a language model read and wrote; none where none was asked.
        cost: their price in US dollars, 0 where it is unknown.
        generation: what the language model did, or that the budget forbade it; null where none was to be asked.
    """

    question: str
    mode: Literal["extractive", "generated"]
    sentences: tuple[AnswerSentence, ...]
    citations: tuple[Citation, ...]
    abstained: bool
    missing: str
    sufficiency: Sufficiency
    hits: tuple[Hit, ...]
    degraded: tuple[str, ...]
    timings: Mapping[str, float]
    effort: Mapping[str, float]
    tokens: int = 0
    cost: float = 0.0
    generation: Generation | None = None
