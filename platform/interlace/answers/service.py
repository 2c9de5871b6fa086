"""The answer pipeline: retrieve, decide whether the evidence suffices, then write or quote sentences, or abstain."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from interlace.answers.evidence import split_hits
from interlace.answers.extractive import choose_sentences, present_sentences
from interlace.answers.generation import AnswerGenerator, Draft
from interlace.answers.question_words import QuestionWords
from interlace.answers.scoring import ScoredSentence, score_sentences
from interlace.answers.sufficiency import assess_sufficiency, missing_sentence
from interlace.domain.answers import (
    MAX_SENTENCES,
    TOKEN_BUDGET,
    Answer,
    AnswerRequest,
    AnswerSentence,
    Citation,
    CitedSentence,
    Generation,
    Sufficiency,
    with_footnotes,
)
from interlace.domain.effort import with_tokens
from interlace.domain.hits import QueryResponse, SearchQuestions
from interlace.search.limits import check_range

LANGUAGE_MODEL = "language_model"
"""The degradation of an answer whose language model failed."""
_NOT_FOUND = "The language model read the documents that were found, and found no answer in them."


@dataclass(frozen=True, slots=True)
class WeighedEvidence:
    """What was retrieved for a question, and whether it suffices.

    Args:
        response: the hits.
        chosen: the sentences that would answer, best first.
        question_words: the words of the question.
        sufficiency: how likely the evidence holds the answer.
    """

    response: QueryResponse
    chosen: tuple[ScoredSentence, ...]
    question_words: QuestionWords
    sufficiency: Sufficiency


@dataclass(frozen=True, slots=True)
class AnswerService:
    """Answers questions in sentences, each with its citations; safe for use by several threads.

    Args:
        search: answers a question with hits.
        generator: has a language model write; without it answers are extractive.
    """

    search: SearchQuestions
    generator: AnswerGenerator | None = None

    def warm(self) -> None:
        """Load what the first answer would wait for."""
        if self.generator:
            self.generator.warm()

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

    def follow(self, tenant: str, request: AnswerRequest) -> Iterator[Sufficiency | CitedSentence | Answer]:
        """Yield the answer as it is made: whether the evidence suffices, each sentence, and the whole answer of these sentences last.

        Raises:
            InvalidInputError: the request is invalid.
            UnavailableError: the graph does not answer.
        """
        check_request(request)
        response = self.search(tenant, replace(request.query, windows=True))
        started = time.perf_counter()
        evidence = weigh_evidence(response, request.sentences)
        yield evidence.sufficiency
        if not evidence.chosen or not (evidence.sufficiency.sufficient or request.insist):
            yield compose(evidence, started)
            return
        shown = 0
        if self.generator and not request.extractive:
            draft = yield from self.generator.write(tenant, request, response)
            shown = draft.shown
            answer = self._generated(self.generator, draft, request, evidence, started)
        else:
            answer = compose(evidence, started, *present_sentences(evidence.chosen))
        yield from with_footnotes(answer.sentences, answer.citations)[shown:]
        yield answer

    def _generated(
        self,
        generator: AnswerGenerator,
        draft: Draft,
        request: AnswerRequest,
        evidence: WeighedEvidence,
        started: float,
    ) -> Answer:
        """Return the verified part of what the model wrote; if nothing was verified, quote instead."""
        if draft.verified.sentences:
            answer = compose(evidence, started, draft.verified.sentences, draft.verified.citations)
            answer = replace(answer, mode="generated", hits=draft.hits)
        elif not (draft.answerable or draft.failed or request.insist):
            answer = replace(compose(evidence, started), mode="generated", missing=_NOT_FOUND, hits=draft.hits)
        else:
            answer = compose(evidence, started, *present_sentences(evidence.chosen))
        # A model that finds no answer has not failed, even if the caller insists on one.
        failed = bool(draft.failed) or (draft.answerable and not draft.verified.sentences and not draft.refused)
        without = [LANGUAGE_MODEL] * failed + [TOKEN_BUDGET] * bool(draft.refused)
        return replace(
            answer,
            degraded=(*answer.degraded, *without),
            effort=with_tokens(answer.effort, draft.tokens),
            tokens=draft.tokens,
            cost=draft.cost,
            generation=_generation(generator, draft),
        )


def _generation(generator: AnswerGenerator, draft: Draft) -> Generation:
    return Generation(generator.model, draft.rounds, draft.verified.short, draft.dropped, draft.refused, draft.failed)


def weigh_evidence(response: QueryResponse, sentences: int) -> WeighedEvidence:
    """Choose the sentences that would answer, and estimate how likely they do."""
    scored, question_words = score_sentences(response.query, split_hits(response.hits))
    chosen = tuple(choose_sentences(scored, question_words, sentences))
    return WeighedEvidence(response, chosen, question_words, assess_sufficiency(response, chosen, question_words))


def compose(
    evidence: WeighedEvidence,
    started: float,
    sentences: tuple[AnswerSentence, ...] = (),
    citations: tuple[Citation, ...] = (),
) -> Answer:
    """Assemble the answer; without sentences it abstains, and says what is missing.

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
    """Refuse an invalid request.

    Raises:
        InvalidInputError: the number of sentences is out of range.
    """
    check_range("sentences", request.sentences, MAX_SENTENCES)
