"""Sentence embeddings by a service that LiteLLM supports, public or self-hosted."""

import math
import random
import time
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from more_itertools import chunked
from numpy.typing import NDArray

from interlace.adapters.litellm.failures import FURTHER_MODELS, Service, is_transient
from interlace.adapters.litellm.package import load_litellm
from interlace.domain.errors import RateLimitedError, UnavailableError

BATCH = 64
"""Texts per request; providers accept from 96 to 2048."""
_ATTEMPTS = 4
_PAUSE = 0.5
_MAX_PAUSE_SECONDS = 20.0


class LiteLlmEmbedder:
    """Turns text into unit vectors by requests of up to 64 texts; may be called from several threads at once.

    A request with a transient failure is retried with growing pauses, or after the time that the service names.

    Args:
        service: provider and model as LiteLLM writes them, ``PROVIDER/MODEL``.
        model: name of the model and of its vector in the index.
        url: address of the server; empty for the provider's own.
        api_key: key; empty for the one in the provider's own environment variable, which goes to the provider's own address only.
        further: whether ``INTERLACE_EMBEDDING__MODELS`` configures it, for error messages.
        query_prefix: what the model expects before a question.
        timeout: seconds that a request may take.
    """

    def __init__(
        self,
        service: str,
        model: str,
        *,
        url: str = "",
        api_key: str = "",
        query_prefix: str = "",
        timeout: float = 30.0,
        further: bool = False,
    ) -> None:
        self._name = service
        self._model = model
        self._url = url
        self._key = api_key
        self._prefix = query_prefix
        self._timeout = timeout
        settings, named_by = (
            (FURTHER_MODELS, FURTHER_MODELS) if further else ("INTERLACE_LLM", "INTERLACE_EMBEDDING__SERVICE")
        )
        self._service = Service("The embedding model", service, settings, api_key, named_by)

    @property
    def model(self) -> str:
        """Name of the model, which is also the name of its vector in the index."""
        return self._model

    @cached_property
    def dimensions(self) -> int:
        """Length of a vector; the first use asks the service."""
        return int(self._request(["dimensions"]).shape[1])

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return ``(len(texts), dimensions) float32`` of length 1.

        Raises:
            UnavailableError: the service does not answer, refuses the key, or gives no vector for a text.
        """
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return np.concatenate([self._request(batch) for batch in chunked(texts, BATCH)])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return ``(dimensions,) float32`` of length 1 for a question."""
        row: NDArray[np.float32] = self._request([self._prefix + text])[0]
        return row

    @cached_property
    def _package(self) -> Any:
        return load_litellm()

    def _request(self, texts: Sequence[str]) -> NDArray[np.float32]:
        for attempt in range(_ATTEMPTS):
            try:
                return self._once(texts)
            except UnavailableError as error:
                pause = _pause(attempt, error)
                if attempt == _ATTEMPTS - 1 or not is_transient(error) or pause > _MAX_PAUSE_SECONDS:
                    raise
                time.sleep(pause)
        raise AssertionError  # the last attempt returns or raises

    def _once(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            response = self._package.embedding(
                model=self._name,
                # Services refuse empty texts.
                input=[text.replace("\x00", " ").strip() or "." for text in texts],
                api_base=self._url or None,
                api_key=self._key or ("none" if self._url else None),
                encoding_format="float",
                timeout=self._timeout,
                num_retries=0,
                max_retries=0,
            )
        except Exception as error:  # noqa: BLE001 - each provider has exceptions of its own
            # Not chained: the provider's message may contain the key.
            raise self._service.failure(error) from None
        return self._vectors(response.data, len(texts))

    def _vectors(self, found: Sequence[Any], count: int) -> NDArray[np.float32]:
        """Return the vectors in the order of the texts, with length 1."""
        try:
            rows = {int(each["index"]): np.asarray(each["embedding"], dtype=np.float32) for each in found}
        except (KeyError, TypeError, ValueError):
            rows = {}
        lengths = {index: math.sqrt(math.fsum(value * value for value in row.tolist())) for index, row in rows.items()}
        if set(rows) != set(range(count)) or not all(0 < length < math.inf for length in lengths.values()):
            raise UnavailableError(
                f"The embedding model {self._name} did not return one finite vector for each of {count} texts. Is it an embedding "
                f"model, and does {self._service.setting('url')} name its server?"
            )
        return np.stack([rows[index] / np.float32(lengths[index]) for index in range(count)])


def _pause(attempt: int, error: UnavailableError) -> float:
    """Return the seconds to wait: as many as the service names, else doubled each time, with jitter so that callers spread out."""
    if isinstance(error, RateLimitedError) and error.retry_after is not None:
        return error.retry_after
    return float(_PAUSE * 2**attempt) * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
