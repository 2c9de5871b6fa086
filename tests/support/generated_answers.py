"""A model that writes what a test tells it to, and the service that asks it, without a stack."""

import json
from collections.abc import Mapping
from typing import Any

from tests.support.answers import TWO_HOPS, response, said
from tests.support.recorded_provider import RecordedProvider

from interlace.adapters.litellm.language_model import LiteLlmLanguageModel
from interlace.answers.circuit_breaker import CircuitBreaker
from interlace.answers.generation import AnswerGenerator
from interlace.answers.service import AnswerService
from interlace.domain.hits import Hit, QueryRequest, QueryResponse
from interlace.language_models.budget import TokenBudget

DIRECTED = ("It was directed by Orla Venning.", [(1, "It was directed by Orla Venning")])
MARRIED = ("Orla Venning married Knud Strand.", [(2, "and married Knud Strand")])
NO_ANSWER = {"answerable": False, "missing": "", "sentences": [], "short": ""}


class Author:
    """What the provider answers, call by call; the last answer is repeated."""

    def __init__(self) -> None:
        self.script: list[Mapping[str, Any]] = [said(DIRECTED, MARRIED, short="Knud Strand")]
        self.prompts: list[str] = []

    def __call__(self, body: Mapping[str, Any]) -> str:
        self.prompts.append(body["messages"][-1]["content"])
        return json.dumps(self.script.pop(0) if len(self.script) > 1 else self.script[0])


class Shelf:
    """Finds the same hits for a question, and others for what a model misses."""

    def __init__(self, *hits: Hit, further: tuple[Hit, ...] = ()) -> None:
        self.hits = hits
        self.further = further
        self.asked: list[str] = []

    def search(self, _tenant: str, request: QueryRequest) -> QueryResponse:
        self.asked.append(request.text)
        return response(request.text, *(self.hits if request.text == TWO_HOPS else self.further))


def service(
    provider: RecordedProvider,
    shelf: Shelf,
    *,
    timeout: float = 120,
    name: str = "openai/recorded",
    budget: TokenBudget | None = None,
) -> AnswerService:
    """Return a service whose model is the provider."""
    model = LiteLlmLanguageModel(name, url=provider.url, timeout=timeout)
    return AnswerService(shelf.search, AnswerGenerator(model, shelf.search, timeout, CircuitBreaker(), budget))
