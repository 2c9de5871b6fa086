"""Language models that answer in JSON: extraction, summaries and answers use them through this one port."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from interlace.domain.usage import CallUsage

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    Args:
        role: ``system`` for instructions, ``user`` for what is asked and for data, ``assistant`` for what the model said.
        content: its text.
    """

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class OutputSchema:
    """What an answer must look like.

    Args:
        name: a word of letters, digits, ``_`` and ``-`` that names the output to the provider.
        schema: a closed JSON schema whose root is an object. Every property is required and ``additionalProperties`` is false, as the
            strict modes of providers demand.
    """

    name: str
    schema: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class ModelOutput:
    """A parsed answer and what it took.

    Args:
        output: a JSON object that satisfies the schema.
        usage: what it took, a repair included.
    """

    output: Mapping[str, Any]
    usage: CallUsage


class LanguageModel(Protocol):
    """Answers in JSON; may be called from several threads at once."""

    @property
    def model(self) -> str:
        """The model's name, ``provider/model``."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        schema: OutputSchema,
        *,
        max_tokens: int,
        on_text: Callable[[str], None] | None = None,
    ) -> ModelOutput:
        """Return the model's answer as JSON of the schema; output that breaks it is sent back once to be repaired.

        Args:
            messages: the conversation; texts of documents stand in ``user`` messages only.
            schema: what the answer must look like.
            max_tokens: tokens that the model may write in one answer.
            on_text: is given each delta of the output as the model writes it, if the provider can stream; no delta of a repair.

        Raises:
            RateLimitedError: the provider refuses more requests for now; ``retry_after`` may say how long.
            UnavailableError: it did not answer in time, refuses the key or the model, or has no quota left; what it took before that is the
                error's ``usage``.
            InvalidOutputError: the output breaks the schema, also after the repair, or it broke off while it was streamed.
        """
        ...

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return how many tokens the messages are for this model, close to what the provider will count; makes no request."""
        ...

    def price(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the price of so many tokens in US dollars; 0 where it is unknown."""
        ...
