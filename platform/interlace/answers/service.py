"""The way from a question to an answer: retrieve, decide whether the evidence suffices, then cite sentences or abstain."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from interlace.answers.asked_words import AskedWords
from interlace.answers.evidence import split_hits
from interlace.answers.extractive import choose_sentences, present_sentences
from interlace.answers.scoring import ScoredSentence, score_sentences
from interlace.answers.sufficiency import assess_sufficiency, missing_sentence
from interlace.domain.answers import MOST_SENTENCES, Answer, AnswerRequest, AnswerSentence, Citation, Sufficiency
from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import QueryRequest, QueryResponse

Search = Callable[[str, QueryRequest], QueryResponse]


@dataclass(frozen=True, slots=True)
class WeighedEvidence:
    """What was retrieved for a question, and whether it suffices.

    Args:
        response: the hits.
        chosen: the sentences that would answer, best first.
        asked: the words of the question.
        sufficiency: how likely the evidence holds the answer.
    """

    response: QueryResponse
    chosen: tuple[ScoredSentence, ...]
    asked: AskedWords
    sufficiency: Sufficiency


class AnswerService:
    """Answers questions in sentences, each with what it rests on; safe for use by several threads.

    Args:
        search: answers a question with hits.
    """

    def __init__(self, search: Search) -> None:
        self._search = search

    def answer(self, tenant: str, request: AnswerRequest) -> Answer:
        """Return the answer to a question, or why there is none.

        Raises:
            InvalidInputError: the request is invalid.
            UnavailableError: the graph does not answer.
        """
        *_, last = self.follow(tenant, request)
        if not isinstance(last, Answer):
            raise TypeError("the last event of an answer is the answer")
        return last

    def follow(self, tenant: str, request: AnswerRequest) -> Iterator[Sufficiency | AnswerSentence | Answer]:
        """Yield the answer as it comes: whether the evidence suffices, each sentence, and the whole answer last.

        Raises:
            InvalidInputError: the request is invalid.
            UnavailableError: the graph does not answer.
        """
        check_request(request)
        response = self._search(tenant, request.query)
        started = time.perf_counter()
        evidence = weigh_evidence(response, request.sentences)
        yield evidence.sufficiency
        if not evidence.chosen or not (evidence.sufficiency.sufficient or request.insist):
            yield compose(evidence, started)
            return
        sentences, citations = present_sentences(evidence.chosen)
        yield from sentences
        yield compose(evidence, started, sentences, citations)


def weigh_evidence(response: QueryResponse, sentences: int) -> WeighedEvidence:
    """Choose the sentences that would answer, and say how likely they do.

    Args:
        response: the hits.
        sentences: sentences wanted at most.
    """
    scored, asked = score_sentences(response.query, split_hits(response.hits))
    chosen = tuple(choose_sentences(scored, asked, sentences))
    return WeighedEvidence(response, chosen, asked, assess_sufficiency(response, chosen, asked))


def compose(
    evidence: WeighedEvidence,
    started: float,
    sentences: tuple[AnswerSentence, ...] = (),
    citations: tuple[Citation, ...] = (),
) -> Answer:
    """Put the answer together; without sentences it abstains, and says what is missing.

    Args:
        evidence: what was retrieved.
        started: reading of ``time.perf_counter`` when the hits were there.
        sentences: what answers.
        citations: what the sentences cite.
    """
    response = evidence.response
    missing = "" if sentences else missing_sentence(evidence.sufficiency, found=bool(response.hits))
    spent = round((time.perf_counter() - started) * 1000, 2)
    return Answer(
        question=response.query,
        mode="extractive",
        sentences=sentences,
        citations=citations,
        abstained=not sentences,
        missing=missing,
        sufficiency=evidence.sufficiency,
        hits=response.hits,
        degraded=response.degraded,
        timings={**response.timings, "answer": spent},
        effort=response.effort,
    )


def check_request(request: AnswerRequest) -> None:
    """Refuse a request that asks for what there is not.

    Raises:
        InvalidInputError: the number of sentences is out of range.
    """
    if not 1 <= request.sentences <= MOST_SENTENCES:
        raise InvalidInputError(f"{request.sentences} sentences: from 1 to {MOST_SENTENCES} can be wanted.")
