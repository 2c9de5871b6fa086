"""Provider failures: each becomes an error of ours that says what to do, without the key."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from interlace.adapters.litellm.package import quoted
from interlace.domain.errors import RateLimitedError, UnavailableError

FURTHER_MODELS = "INTERLACE_EMBEDDING__MODELS"

_UNAUTHORISED = frozenset({401, 403})
_NOT_FOUND = 404
_TOO_MANY = 429
_QUOTA = ("insufficient_quota", "exceeded your current quota", "billing", "credit balance")


class NoAnswerError(UnavailableError):
    """The service could not be reached, was late or failed by itself."""


@dataclass(frozen=True, slots=True)
class Service:
    """The service that is called, for error messages.

    Args:
        what: for example "The language model".
        model: its name.
        settings: the settings group that configures it, such as ``INTERLACE_LLM``, or ``FURTHER_MODELS``, whose entries do.
        key: its API key, which no message may hold.
        named_by: the setting that names the model.
    """

    what: str
    model: str
    settings: str
    key: str = ""
    named_by: str = "INTERLACE_LLM__MODEL"

    def failure(self, error: Exception) -> UnavailableError:
        """Return our error for one of a provider's: each provider has its own exceptions, and some are bare ones."""
        said = quoted(error, self.key)
        name = f"{self.what} {self.model}"
        status = getattr(error, "status_code", None)
        if any(mark in said.lower() for mark in _QUOTA):
            return UnavailableError(
                f"{name} has no quota left ({said}). Raise the limit of its account, or choose another model in {self.named_by}."
            )
        if status == _TOO_MANY:
            wait = retry_after(error)
            duration = f" for {wait:g} s" if wait is not None else ""
            return RateLimitedError(
                f"{name} refuses further requests{duration}. They are retried later automatically; fewer workers or a higher account limit help.",
                retry_after=wait,
            )
        if status in _UNAUTHORISED or "api key" in said.lower():
            return UnavailableError(
                f"{name} has no valid API key. Set {self.setting('api_key')} or the provider's own variable."
            )
        if status == _NOT_FOUND or "provider not provided" in said.lower():
            return UnavailableError(
                f"{name} is unknown to its provider ({said}). {self.named_by} is PROVIDER/MODEL as LiteLLM writes them, "
                f"{self.setting('url')} the address of a server of your own."
            )
        timeout = f"{'INTERLACE_LLM' if self.settings == FURTHER_MODELS else self.settings}__TIMEOUT"
        return NoAnswerError(
            f"{name} did not answer ({type(error).__name__}: {said}). Check {self.named_by}, {self.setting('url')} and {timeout}."
        )

    def setting(self, name: str) -> str:
        """Return where a field of its settings is set, as a user writes it."""
        return (
            f"its {name} in {FURTHER_MODELS}" if self.settings == FURTHER_MODELS else f"{self.settings}__{name.upper()}"
        )


def is_transient(error: UnavailableError) -> bool:
    """Return whether a retry may help soon: not for a wrong key, an unknown model or an empty account."""
    return isinstance(error, (RateLimitedError, NoAnswerError))


def retry_after(error: Exception) -> float | None:
    """Return the seconds that a provider asks to wait, from the header ``Retry-After`` (seconds or a date); None if there is none."""
    headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", None) or {}
    text = headers.get("retry-after", "") or (getattr(error, "litellm_response_headers", None) or {}).get(
        "retry-after", ""
    )
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None
