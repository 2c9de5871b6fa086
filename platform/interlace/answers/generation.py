"""Generated answers: a language model reads the evidence, names what is missing, and writes sentences; only verified ones are kept."""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace

from interlace.answers.circuit_breaker import CircuitBreaker, Emit
from interlace.answers.partial_output import read_beginning
from interlace.answers.prompt import SCHEMA, write_prompt
from interlace.answers.verification import Verification, VerifiedAnswer, plain_text
from interlace.domain.answers import AnswerRequest, CitedSentence, with_footnotes
from interlace.domain.errors import InterlaceError, InvalidOutputError, NoProviderError, UnavailableError
from interlace.domain.hits import Hit, QueryResponse, SearchQuestions
from interlace.domain.usage import CallUsage
from interlace.language_models.budget import TokenBudget
from interlace.language_models.calls import max_tokens_of
from interlace.language_models.pauses import Pause
from interlace.ports.language_model import LanguageModel, Message, ModelOutput

Written = str | ModelOutput | Pause
"""What a call emits: deltas of the output, then the whole of it, or why there was no call."""

ROUNDS = 2
"""Calls per answer: one, and one more if the model names what is missing."""
MAX_TOKENS = 12_000
"""Tokens an answer may read and write, over all rounds; a repair of broken output comes on top."""
OUTPUT_TOKENS = 1_000
_FURTHER_HITS = 5
# What a provider or a model said stays with operators: it may be a document's words, which nothing verified, or a secret.
_NO_ANSWER = "The language model gave no answer; `interlace doctor` asks it and explains what is wrong."
_UNUSABLE = "The language model's output could not be used; another model may help."
_MAX_SEARCH_CHARACTERS = 200
_NOTHING = VerifiedAnswer((), (), "", {})


@dataclass(slots=True)
class Draft:
    """What a model has written so far.

    Args:
        hits: the evidence as it is numbered.
        verified: what remains of the last round that wrote anything.
        shown: how many of its sentences were shown while the model wrote; they are never taken back.
        answerable: whether the model found an answer.
        rounds: calls that were answered, or broke off after a sentence was shown.
        tokens: tokens read and written.
        cost: their price in US dollars.
        failed: why the model failed, in a sentence; the rest is from earlier rounds. Empty where it did not.
        refused: why no tokens could be reserved for a further call, in a sentence; empty where they could.
    """

    hits: tuple[Hit, ...]
    verified: VerifiedAnswer = _NOTHING
    shown: int = 0
    answerable: bool = True
    rounds: int = 0
    tokens: int = 0
    cost: float = 0.0
    failed: str = ""
    refused: str = ""
    dropped: dict[str, int] = field(default_factory=dict)

    def show(self, verified: VerifiedAnswer) -> Iterator[CitedSentence]:
        """Yield what was verified since the last time, in a round that is known to be the last."""
        for each in with_footnotes(verified.sentences, verified.citations)[self.shown :]:
            self.verified = verified
            self.shown += 1
            yield each

    def record_round(self, made: ModelOutput, verification: Verification) -> str:
        """Record a round; return what to search for next, empty if nothing is missing."""
        self.rounds += 1
        self.add_usage(made.usage)
        verification.read(made.output["sentences"], self.hits)
        verified = verification.result(made.output["short"])
        if verified.sentences:
            self.verified = verified
        self.answerable = bool(made.output["answerable"] or self.verified.sentences)
        return "" if self.shown else plain_text(str(made.output["missing"]))[:_MAX_SEARCH_CHARACTERS]

    def add_usage(self, usage: CallUsage) -> None:
        """Record what a call took."""
        self.tokens += usage.tokens
        self.cost += usage.cost

    def end(self, verification: Verification) -> None:
        """Record what a round leaves, however it ended."""
        for reason, count in verification.result().dropped.items():
            self.dropped[reason] = self.dropped.get(reason, 0) + count
        if self.failed and self.shown:
            self.rounds += 1


@dataclass(frozen=True, slots=True)
class AnswerGenerator:
    """Has a language model write answers; safe for use by several threads.

    Args:
        language_model: writes them.
        search: answers a question with hits.
        timeout: seconds that an answer may take, all rounds together.
        breaker: makes the calls.
        budget: the tokens that they may use in a day; without one there is no limit.
    """

    language_model: LanguageModel
    search: SearchQuestions
    timeout: float
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    budget: TokenBudget | None = None

    @property
    def model(self) -> str:
        """The model's name."""
        return self.language_model.model

    def warm(self) -> None:
        """Load the model's library, which takes seconds, without a call."""
        self.language_model.count_tokens([Message("user", "warm")])

    def write(
        self, tenant: str, request: AnswerRequest, response: QueryResponse
    ) -> Generator[CitedSentence, None, Draft]:
        """Yield sentences as they are verified, and return what the model wrote; if it fails, the draft says so and nothing is raised."""
        deadline = time.monotonic() + self.timeout
        draft = Draft(response.hits)
        while draft.rounds < ROUNDS and (left := deadline - time.monotonic()) > 0:
            missing = yield from self._round(tenant, draft, request, left)
            if not missing or not self._find(tenant, request, missing, draft):
                break
        return draft

    def _round(
        self, tenant: str, draft: Draft, request: AnswerRequest, timeout: float
    ) -> Generator[CitedSentence, None, str]:
        """Ask the model once; return what to search for next, empty if there is no further round."""
        hits, rounds, budget = draft.hits, draft.rounds, MAX_TOKENS - draft.tokens - OUTPUT_TOKENS
        verification, text, missing = Verification(request.query.text, request.sentences), "", ""

        def work(emit: Emit[tuple[tuple[Hit, ...], Written]]) -> bool:
            # Evidence keeps its numbers from round to round, so only the first round leaves any out.
            fitting, need = self._fitting(request, hits, budget, least=len(hits) if rounds else 1)
            if not fitting:
                return False
            messages = write_prompt(request.query.text, fitting, request.sentences)
            made = self._complete(tenant, messages, need, lambda delta: emit((fitting, delta)))
            emit((fitting, made))
            return isinstance(made, ModelOutput)

        try:
            for draft.hits, written in self.breaker.call(work, timeout):
                if isinstance(written, Pause):
                    draft.refused = written.reason
                elif isinstance(written, ModelOutput):
                    missing = draft.record_round(written, verification)
                else:
                    text += written
                    if "}" in written:
                        yield from draft.show(_verified(text, draft.hits, verification, last=rounds == ROUNDS - 1))
        except InvalidOutputError as error:
            draft.add_usage(error.usage)
            draft.failed = _UNUSABLE
        except NoProviderError as error:
            draft.failed = error.message
        except UnavailableError as error:
            draft.add_usage(error.usage)
            draft.failed = _NO_ANSWER
        draft.end(verification)
        return missing

    def _complete(
        self, tenant: str, messages: list[Message], need: int, on_text: Callable[[str], None]
    ) -> ModelOutput | Pause:
        """Make a call if its tokens can be reserved in the day's budget."""

        def call() -> ModelOutput:
            return self.language_model.complete(messages, SCHEMA, max_tokens=OUTPUT_TOKENS, on_text=on_text)

        return self.budget.spend(tenant, max_tokens_of(need, OUTPUT_TOKENS), call) if self.budget else call()

    def _fitting(
        self, request: AnswerRequest, hits: tuple[Hit, ...], budget: int, least: int
    ) -> tuple[tuple[Hit, ...], int]:
        """Return the first hits whose prompt is within the budget, and its tokens; none if not even ``least`` hits fit."""
        while len(hits) >= least:
            need = self.language_model.count_tokens(write_prompt(request.query.text, hits, request.sentences))
            if need <= budget:
                return hits, need
            hits = hits[: min(len(hits) - 1, len(hits) * budget // need)]
        return (), 0

    def _find(self, tenant: str, request: AnswerRequest, missing: str, draft: Draft) -> bool:
        """Add the hits of a further search to the evidence; return whether there were any new ones."""
        try:
            found = self.search(tenant, replace(request.query, text=missing))
        except InterlaceError:
            return False
        known = {hit.chunk_id for hit in draft.hits}
        new = [hit for hit in found.hits if hit.chunk_id not in known][:_FURTHER_HITS]
        draft.hits += tuple(replace(hit, rank=len(draft.hits) + place) for place, hit in enumerate(new, start=1))
        return bool(new)


def _verified(text: str, hits: tuple[Hit, ...], verification: Verification, *, last: bool) -> VerifiedAnswer:
    """Return what is verified of an output that is being written; nothing while a further round may replace it."""
    begun = read_beginning(text)
    if not last and (begun.missing is None or plain_text(begun.missing)):
        return _NOTHING
    verification.read(begun.sentences, hits)
    return verification.result()
