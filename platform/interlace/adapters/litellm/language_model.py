"""A language model of any provider that LiteLLM supports, or of a self-hosted server with OpenAI's protocol."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interlace.adapters.litellm.failures import Service
from interlace.adapters.litellm.package import load_litellm, quoted
from interlace.adapters.litellm.providers import lacks_provider
from interlace.adapters.litellm.streaming import STREAMED, join_stream
from interlace.adapters.litellm.structured_output import METHODS, Method, instruction, parameters, read, text_of
from interlace.domain.errors import InvalidOutputError, NoProviderError
from interlace.domain.usage import NO_USAGE, CallUsage
from interlace.ports.language_model import Message, ModelOutput, OutputSchema

OnText = Callable[[str], None]
_REFUSED = frozenset({400, 422})
# Words of a refusal that is about the form of the answer, not about its content.
_FORM = ("response_format", "json_schema", "json_object", "json mode", "tool", "function", "structured", "schema")
_STREAM = ("stream",)
_CHARACTERS = 4  # per token


@dataclass(slots=True)
class _Spent:
    usage: CallUsage = NO_USAGE

    def invalid(self, message: str) -> InvalidOutputError:
        return InvalidOutputError(message, usage=self.usage)


class LiteLlmLanguageModel:
    """Asks a provider for JSON; may be called from several threads at once. The package is loaded by the first call.

    Args:
        model: provider and model as LiteLLM writes them, ``PROVIDER/MODEL``.
        url: address of the server; empty for the provider's own.
        api_key: key; empty for the one in the provider's own environment variable, or none.
        timeout: seconds that a request may take.
    """

    def __init__(self, model: str, *, url: str = "", api_key: str = "", timeout: float = 60.0) -> None:
        self._model = model
        self._url = url
        self._key = api_key
        self._timeout = timeout
        self._service = Service("The language model", model, "INTERLACE_LLM", api_key)
        self._lock = threading.Lock()
        self._method: Method | None = None

    @property
    def model(self) -> str:
        """Provider and model."""
        return self._model

    @cached_property
    def _package(self) -> Any:
        return load_litellm()

    @property
    def _lacks_provider(self) -> bool:
        return lacks_provider(self._model, self._url)

    def complete(
        self, messages: Sequence[Message], schema: OutputSchema, *, max_tokens: int, on_text: OnText | None = None
    ) -> ModelOutput:
        """Return the model's answer as JSON of the schema, after one repair if it needs one."""
        if self._lacks_provider:
            raise NoProviderError(
                f"The language model {self._model} has no provider that LiteLLM knows. INTERLACE_LLM__MODEL (or the setting of a purpose, such as "
                "INTERLACE_LLM__ANSWERS) is PROVIDER/MODEL: openai/gpt-4o-mini, or openai/ and the model's name for a server of your own at "
                "INTERLACE_LLM__URL."
            )
        spent = _Spent()
        text = self._ask(messages, schema, max_tokens, spent, on_text)
        value, problem = read(text, schema)
        if value is None:
            value, problem = read(self._ask(_repair(messages, text, problem), schema, max_tokens, spent), schema)
        if value is None:
            raise spent.invalid(
                f"The language model {self._model} twice returned output that violates the schema {schema.name}: {problem}. Another "
                "model may help."
            )
        return ModelOutput(value, spent.usage)

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return the number of tokens of the messages by the model's tokenizer, or by OpenAI's if the model's is not available."""
        if self._lacks_provider:
            # A guess does for a model that no one can ask.
            return sum(len(message.content) for message in messages) // _CHARACTERS
        return int(self._package.token_counter(model=self._model, messages=_plain(messages)))

    def price(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the price of so many tokens in US dollars by LiteLLM's list; 0 if unknown."""
        if self._lacks_provider:
            return 0.0
        try:
            prices = self._package.cost_per_token(
                model=self._model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens
            )
        except Exception:  # noqa: BLE001 - the list raises several exceptions for unknown models
            return 0.0
        return float(sum(prices))

    def _ask(
        self,
        messages: Sequence[Message],
        schema: OutputSchema,
        max_tokens: int,
        spent: _Spent,
        on_text: OnText | None = None,
    ) -> str:
        """Return the text of one answer, by the best method that the provider supports; an immediate refusal costs nothing."""
        for method in self._methods():
            broken = None
            try:
                response = self._request(messages, method, schema, max_tokens, stream=on_text is not None)
                if on_text:
                    response, broken = join_stream(self._package, response, _plain(messages), self._timeout, on_text)
            except Exception as error:  # noqa: BLE001 - each provider has exceptions of its own
                if on_text and _refuses(error, _STREAM):
                    return self._ask(messages, schema, max_tokens, spent)
                if method != METHODS[-1] and _refuses(error, _FORM):
                    continue
                failure = self._service.failure(error)
                failure.usage = spent.usage
                # Not chained: the provider's message may contain the key.
                raise failure from None
            self._method = method
            self._count(response, spent)
            if broken and read(_written(response), schema)[0] is None:
                said = quoted(broken, self._key)
                raise spent.invalid(f"The language model {self._model} broke off its output {schema.name} ({said}).")
            return self._text(response, schema, max_tokens, spent)
        raise AssertionError  # the last method either returns or raises

    def _text(self, response: Any, schema: OutputSchema, max_tokens: int, spent: _Spent) -> str:
        text, choices = _written(response), getattr(response, "choices", None)
        if choices and choices[0].finish_reason == "length" and read(text, schema)[0] is None:
            # A repair would be truncated at the same place.
            raise spent.invalid(
                f"The language model {self._model} needs more than {max_tokens} tokens for the output {schema.name}. Ask for less "
                "at once, or choose a model that writes less."
            )
        return text

    def _methods(self) -> Sequence[Method]:
        with self._lock:
            if self._method is None:
                self._method = self._best_method()
            return METHODS[METHODS.index(self._method) :]

    def _best_method(self) -> Method:
        """Return the best method by LiteLLM's list, or the best of all for a model that is not in it."""
        try:
            known: Mapping[str, Any] = self._package.get_model_info(self._model)
        except Exception:  # noqa: BLE001 - the list raises bare exceptions for unknown models
            return "schema"
        if known.get("supports_response_schema"):
            return "schema"
        return "tool" if known.get("supports_function_calling") else "json"

    def _request(
        self, messages: Sequence[Message], method: Method, schema: OutputSchema, max_tokens: int, *, stream: bool
    ) -> Any:
        form = instruction(method, schema)
        extra = [Message("system", form)] if form else []
        return self._package.completion(
            model=self._model,
            messages=_plain([*extra, *messages]),
            api_base=self._url or None,
            # A self-hosted server may need none, but the client of OpenAI's protocol refuses to start without one.
            api_key=self._key or ("none" if self._url else None),
            timeout=self._timeout,
            temperature=0,
            max_tokens=max_tokens,
            # Callers retry, because they know budgets and deadlines.
            num_retries=0,
            max_retries=0,
            # Otherwise a tool call imports the package mcp, which LiteLLM does not require.
            _skip_mcp_handler=True,
            **parameters(method, schema),
            **(STREAMED if stream else {}),
        )

    def _count(self, response: Any, spent: _Spent) -> None:
        usage = getattr(response, "usage", None)
        prompt, completion = (int(getattr(usage, name, 0) or 0) for name in ("prompt_tokens", "completion_tokens"))
        spent.usage += CallUsage(prompt, completion, self.price(prompt, completion), calls=1)


def _written(response: Any) -> str:
    choices = getattr(response, "choices", None)
    return text_of(choices[0].message) if choices else ""


def _plain(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in messages]


def _repair(messages: Sequence[Message], text: str, problem: str) -> list[Message]:
    wish = f"That output cannot be used: {problem}. Give the whole output again, as JSON that satisfies the schema."
    return [*messages, Message("assistant", text or "(nothing)"), Message("user", wish)]


def _refuses(error: Exception, marks: Sequence[str]) -> bool:
    """Return whether the provider refuses the request for something that one of these words names."""
    said = str(error).lower()
    return getattr(error, "status_code", None) in _REFUSED and any(mark in said for mark in marks)
