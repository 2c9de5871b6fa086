"""Reranking by a service that LiteLLM supports, public or self-hosted."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from interlace.adapters.litellm.failures import Service
from interlace.adapters.litellm.package import load_litellm
from interlace.domain.errors import UnavailableError


class LiteLlmReranker:
    """Scores chunks with one request for each call; may be called from several threads at once.

    Args:
        model: provider and model as LiteLLM writes them, ``PROVIDER/MODEL``.
        url: address of the server; empty for the provider's own.
        api_key: key; empty for the one in the provider's own environment variable, or none.
        timeout: seconds that a request may take.

    Raises:
        UnavailableError: ``litellm`` is not installed.
    """

    def __init__(self, model: str, *, url: str = "", api_key: str = "", timeout: float = 5.0) -> None:
        self._rerank: Callable[..., Any] = load_litellm().rerank
        self._model = model
        self._url = url
        self._key = api_key
        self._timeout = timeout
        self._service = Service(
            "The reranker", model, "INTERLACE_RERANKER", api_key, named_by="INTERLACE_RERANKER__SERVICE"
        )

    def score(self, question: str, chunks: Sequence[str]) -> list[float]:
        """Return the service's relevance score of each chunk, mostly 0 to 1.

        Raises:
            UnavailableError: the service did not answer in time, refused the key, or did not score every chunk.
        """
        if not chunks:
            return []
        try:
            response = self._rerank(
                model=self._model,
                query=question,
                documents=list(chunks),
                top_n=len(chunks),
                return_documents=False,
                api_base=self._url or None,
                api_key=self._key or None,
                timeout=self._timeout,
            )
        except Exception as error:  # noqa: BLE001 - each provider has exceptions of its own, and some are bare ones
            # Not chained: the provider's message may contain the key.
            raise self._service.failure(error) from None
        return self._in_order(response.results or (), len(chunks))

    def _in_order(self, results: Iterable[Mapping[str, Any]], count: int) -> list[float]:
        """Return the scores in the order of the chunks: services return the best first."""
        try:
            scores = {int(found["index"]): float(found["relevance_score"]) for found in results}
        except (KeyError, TypeError, ValueError):
            scores = {}
        if set(scores) != set(range(count)) or not all(map(math.isfinite, scores.values())):
            raise UnavailableError(
                f"The reranker {self._model} did not return one finite score for each of {count} chunks. Is it a reranker, and "
                "does INTERLACE_RERANKER__URL name its server?"
            )
        return [scores[index] for index in range(count)]
