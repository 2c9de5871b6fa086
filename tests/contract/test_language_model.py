"""What every language model promises: JSON of the schema, tokens counted, typed errors; through LiteLLM to a server on loopback."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from tests.support.recorded_provider import CUT, DOWN, NONSENSE, OUT_OF_QUOTA, RATE_LIMITED, Fault, RecordedProvider

from interlace.adapters.litellm.language_model import LiteLlmLanguageModel
from interlace.adapters.litellm.package import load_litellm
from interlace.adapters.litellm.providers import lacks_provider
from interlace.domain.errors import InvalidOutputError, RateLimitedError, UnavailableError
from interlace.domain.usage import NO_USAGE
from interlace.ports.language_model import LanguageModel, Message, OutputSchema

SCHEMA = OutputSchema(
    "greeting",
    MappingProxyType(
        {
            "type": "object",
            "properties": {"greeting": {"type": "string"}, "loud": {"type": "boolean"}},
            "required": ["greeting", "loud"],
            "additionalProperties": False,
        }
    ),
)
ASKED = [Message("system", "Be polite."), Message("user", "Greet Ada.")]
KEY = "k-0123456789"


def greet(body: Mapping[str, Any]) -> str:
    name = body["messages"][-1]["content"].split()[-1].strip(".")
    return json.dumps({"greeting": f"Good day, {name}", "loud": False})


@pytest.fixture
def provider() -> Iterator[RecordedProvider]:
    with RecordedProvider(greet) as started:
        yield started


@pytest.fixture
def model(provider: RecordedProvider) -> LanguageModel:
    return LiteLlmLanguageModel("openai/recorded", url=provider.url, api_key=KEY, timeout=60)


def complete(model: LanguageModel) -> Mapping[str, Any]:
    return model.complete(ASKED, SCHEMA, max_tokens=100).output


def test_the_answer_is_json_of_the_schema_with_its_tokens(provider: RecordedProvider, model: LanguageModel) -> None:
    answer = model.complete(ASKED, SCHEMA, max_tokens=100)
    assert answer.output == {"greeting": "Good day, Ada", "loud": False}
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.calls) == (4, 6, 1)
    assert answer.usage.tokens == 10
    assert answer.usage.cost == 0
    assert provider.calls == provider.requests == 1
    sent = provider.bodies[0]
    assert sent["response_format"]["json_schema"]["strict"] is True
    assert (sent["max_tokens"], sent["temperature"], sent["model"]) == (100, 0, "recorded")


@pytest.mark.parametrize(
    ("forms", "tools", "refused"),
    [
        ({"json_schema"}, False, 0),
        ({"json_object"}, True, 1),
        ({"json_object"}, False, 2),
        (set(), False, 3),
    ],
)
def test_the_best_form_of_the_provider_is_found_once(
    provider: RecordedProvider, model: LanguageModel, forms: set[str], tools: bool, refused: int
) -> None:
    provider.forms, provider.tools = frozenset(forms), tools
    assert complete(model)["greeting"] == "Good day, Ada"
    assert provider.requests == refused + 1
    complete(model)
    assert provider.requests == refused + 2
    if refused > 1:
        assert '"required"' in provider.bodies[0]["messages"][0]["content"]


def test_a_fenced_answer_is_read(provider: RecordedProvider, model: LanguageModel) -> None:
    provider.faults = [Fault(text='```json\n{"greeting": "Hi", "loud": true}\n```')]
    assert complete(model) == {"greeting": "Hi", "loud": True}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"greeting": 1, "loud": true}',
        '{"greeting": "", "loud": true, "x": 1}',
        r'{"greeting": "\ud800", "loud": true}',
        '{"greeting": NaN, "loud": true}',
        "[" * 100_000,
    ],
)
def test_output_that_breaks_the_schema_is_repaired_once(
    provider: RecordedProvider, model: LanguageModel, text: str
) -> None:
    provider.faults = [Fault(text=text), Fault(text='{"greeting": "Sorry", "loud": false}')]
    answer = model.complete(ASKED, SCHEMA, max_tokens=100)
    assert (answer.output["greeting"], answer.usage.calls) == ("Sorry", 2)
    assert "cannot be used" in provider.bodies[1]["messages"][-1]["content"]


def test_nonsense_twice_is_an_error_with_what_it_cost(provider: RecordedProvider, model: LanguageModel) -> None:
    provider.always = NONSENSE
    with pytest.raises(
        InvalidOutputError, match="twice returned output that violates the schema greeting: it is not valid JSON"
    ) as raised:
        complete(model)
    assert provider.calls == 2
    assert raised.value.usage.prompt_tokens > 4
    assert (raised.value.usage.completion_tokens, raised.value.usage.calls) == (10, 2)


@pytest.mark.parametrize("fault", [DOWN, CUT, OUT_OF_QUOTA, RATE_LIMITED])
@pytest.mark.parametrize("streamed", [True, False])
def test_a_repair_that_fails_has_the_usage_of_the_first_answer(
    provider: RecordedProvider, model: LanguageModel, fault: Fault, streamed: bool
) -> None:
    provider.faults = [NONSENSE, fault]
    with pytest.raises(UnavailableError) as raised:
        model.complete(ASKED, SCHEMA, max_tokens=100, on_text=list[str]().append if streamed else None)
    assert (raised.value.usage.tokens, raised.value.usage.calls) == (provider.tokens, 1)
    provider.faults = [fault]
    with pytest.raises(UnavailableError) as raised:
        complete(model)
    assert raised.value.usage == NO_USAGE


@pytest.mark.parametrize(("forms", "tools"), [({"json_schema"}, False), (set(), True), (set(), False)])
@pytest.mark.parametrize("counts", [True, False])
def test_a_stream_gives_the_same_in_pieces(
    provider: RecordedProvider, model: LanguageModel, forms: set[str], tools: bool, counts: bool
) -> None:
    provider.forms, provider.tools, provider.counts = frozenset(forms), tools, counts
    pieces = list[str]()
    streamed = model.complete(ASKED, SCHEMA, max_tokens=100, on_text=pieces.append)
    assert len(pieces) > 3
    assert json.loads("".join(pieces)) == streamed.output == complete(model)
    if counts:
        assert streamed == model.complete(ASKED, SCHEMA, max_tokens=100)
        assert streamed.usage.tokens == provider.tokens / provider.calls
    # Where the provider sends no usage, the tokenizer of the model counts.
    assert (streamed.usage.prompt_tokens >= 4, streamed.usage.completion_tokens >= 6, streamed.usage.calls) == (
        True,
        True,
        1,
    )
    assert provider.bodies[0]["stream_options"] == {"include_usage": True}


def test_a_stream_that_breaks_off_is_unusable_and_costs_what_was_written(
    provider: RecordedProvider, model: LanguageModel
) -> None:
    provider.always = Fault(breaks=15)
    pieces = list[str]()
    with pytest.raises(InvalidOutputError, match="broke off its output greeting") as raised:
        model.complete(ASKED, SCHEMA, max_tokens=100, on_text=pieces.append)
    assert "".join(pieces) == '{"greeting": "Good day, Ada", "loud": false}'[: len("".join(pieces))]
    assert 0 < raised.value.usage.completion_tokens < 15
    assert raised.value.usage.prompt_tokens >= 4
    assert KEY not in raised.value.message
    assert provider.requests == 1


def test_a_stream_ends_in_the_time_of_a_request(model: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(monotonic=partial(next, count(0, 36)))
    monkeypatch.setattr("interlace.adapters.litellm.streaming.time", clock)
    pieces = list[str]()
    with pytest.raises(InvalidOutputError, match="took longer than 60 s"):
        model.complete(ASKED, SCHEMA, max_tokens=100, on_text=pieces.append)
    assert len(pieces) == 2


def test_a_provider_that_refuses_to_stream_is_asked_without(provider: RecordedProvider, model: LanguageModel) -> None:
    provider.streams = False
    pieces = list[str]()
    streamed = model.complete(ASKED, SCHEMA, max_tokens=100, on_text=pieces.append)
    assert (streamed.output["loud"], streamed.usage.calls, pieces, provider.requests) == (False, 1, [], 2)


def test_a_rate_limit_within_a_stream_is_a_rate_limit(provider: RecordedProvider, model: LanguageModel) -> None:
    provider.faults = [Fault(429, kind="rate_limit_exceeded", within=True)]
    pieces = list[str]()
    with pytest.raises(RateLimitedError, match="refuses further requests"):
        model.complete(ASKED, SCHEMA, max_tokens=100, on_text=pieces.append)
    assert (pieces, provider.requests) == ([], 1)


def test_a_whole_output_is_used_although_its_stream_breaks(provider: RecordedProvider, model: LanguageModel) -> None:
    whole = greet({"messages": [{"content": "Ada."}]})
    provider.always = Fault(breaks=len(whole))
    streamed = model.complete(ASKED, SCHEMA, max_tokens=100, on_text=lambda _: None)
    assert (streamed.output, streamed.usage.calls) == (json.loads(whole), 1)
    assert streamed.usage.completion_tokens > 0
    assert provider.requests == 1


@pytest.mark.parametrize("fault", [DOWN, CUT, OUT_OF_QUOTA, RATE_LIMITED, Fault(401, kind=f"bad_key {KEY}")])
def test_before_the_first_piece_a_stream_fails_as_any_request(
    provider: RecordedProvider, model: LanguageModel, fault: Fault
) -> None:
    provider.always = fault
    raised, pieces = [], list[str]()
    for on_text in (None, pieces.append):
        with pytest.raises(UnavailableError) as error:
            model.complete(ASKED, SCHEMA, max_tokens=100, on_text=on_text)
        raised.append((type(error.value), error.value.message, getattr(error.value, "retry_after", None)))
    assert raised[0] == raised[1]
    assert provider.requests == 2


@pytest.mark.parametrize(("text", "tokens"), [('{"greeting": "Good d', 3), ("", 0)])
def test_an_answer_that_was_cut_is_not_repaired(
    text: str, tokens: int, provider: RecordedProvider, model: LanguageModel
) -> None:
    provider.faults = [Fault(text=text, finish="length")]
    with pytest.raises(InvalidOutputError, match="needs more than 100 tokens") as raised:
        complete(model)
    assert (provider.calls, raised.value.usage.completion_tokens) == (1, tokens)


@pytest.mark.parametrize(("header", "seconds"), [("7", 7.0), ("", None), ("soon", None)])
def test_a_rate_limit_says_how_long_to_wait(
    provider: RecordedProvider, model: LanguageModel, header: str, seconds: float | None
) -> None:
    provider.faults = [Fault(429, retry_after=header, kind="rate_limit_exceeded")]
    with pytest.raises(RateLimitedError, match="refuses further requests") as raised:
        complete(model)
    assert raised.value.retry_after == seconds
    assert complete(model)["loud"] is False
    assert provider.requests == 2


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (DOWN, "did not answer"),
        (CUT, "did not answer"),
        (Fault(slow=60), "did not answer"),
        (OUT_OF_QUOTA, "no quota left"),
        (Fault(401, kind=f"bad_key {KEY}"), "has no valid API key"),
        (Fault(404, kind="model_not_found"), "unknown to its provider"),
        (Fault(400, kind=f"something {KEY}"), "did not answer"),
    ],
)
def test_a_provider_that_fails_is_named_without_the_key(provider: RecordedProvider, fault: Fault, said: str) -> None:
    model = LiteLlmLanguageModel("openai/recorded", url=provider.url, api_key=KEY, timeout=2 if fault.slow else 60)
    provider.always = fault
    with pytest.raises(UnavailableError, match=said) as raised:
        complete(model)
    assert not isinstance(raised.value, RateLimitedError)
    assert KEY not in raised.value.message
    assert raised.value.__suppress_context__
    assert provider.requests == 1, "the callers repeat, who know budgets"


def test_threads_do_not_disturb_each_other(model: LanguageModel) -> None:
    def ask(name: str) -> str:
        return str(model.complete([Message("user", f"Greet {name}.")], SCHEMA, max_tokens=9).output["greeting"])

    names = [f"Ada{number}" for number in range(20)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, names)) == [f"Good day, {name}" for name in names]


def test_tokens_are_counted_and_priced_without_asking(provider: RecordedProvider, model: LanguageModel) -> None:
    few, many = (model.count_tokens([Message("user", "word " * count)]) for count in (10, 1000))
    assert 10 <= few < 30
    assert 1000 <= many < 1100
    assert model.price(1000, 1000) == 0
    assert LiteLlmLanguageModel("openai/gpt-4o-mini").price(1_000_000, 0) > 0
    # The tokenizers of these are on a hub; counting fetches none.
    for name in ("openai/meta-llama-3-8b", "anthropic/claude-3-haiku-20240307", "cohere_chat/command-r"):
        assert LiteLlmLanguageModel(name).count_tokens([Message("user", "word " * 100)]) >= 100
    assert provider.requests == 0


def test_neither_the_api_nor_making_a_model_loads_the_package() -> None:
    code = (
        "import sys, interlace.api.app, interlace.bootstrap; "
        "from interlace.adapters.litellm.language_model import LiteLlmLanguageModel as Model; "
        "Model('openai/x'); sys.exit('litellm' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_model_without_provider_is_refused_before_the_package_is_loaded() -> None:
    code = (
        "import sys; from interlace.adapters.litellm.language_model import LiteLlmLanguageModel as Model\n"
        "from interlace.domain.errors import NoProviderError\n"
        "from interlace.ports.language_model import Message, OutputSchema\n"
        "for name, url in (('foo', ''), ('foo/bar', ''), ('my-model', 'http://127.0.0.1:8000/v1')):\n"
        "    model, asked = Model(name, url=url), [Message('user', 'Greet Ada, please.')]\n"
        "    assert (model.count_tokens(asked), model.price(9, 9)) == (4, 0)\n"
        "    try: model.complete(asked, OutputSchema('x', {}), max_tokens=1)\n"
        "    except NoProviderError as error: assert name in error.message and 'PROVIDER/MODEL' in error.message\n"
        "    else: raise AssertionError(name)\n"
        "sys.exit('litellm' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_model_that_the_package_would_take_is_refused() -> None:
    package = load_litellm()
    providers = {str(getattr(each, "value", each)) for each in package.provider_list}
    assert {"openai", "anthropic", "ollama_chat"} <= providers
    named = {f"{provider}/any" for provider in providers} | set(package.model_cost) | {"anthropic.claude-v2", "qvv0xeq"}
    assert [name for name in sorted(named) if lacks_provider(name)] == []
    assert lacks_provider("foo")
    # LiteLLM infers the provider from these.
    assert not lacks_provider("llama-3.3-70b-versatile", "https://api.groq.com/openai/v1")
    assert not lacks_provider("ft:gpt-4o-mini:acme::1")


def test_the_package_is_of_no_compromised_version() -> None:
    from importlib.metadata import version

    assert version("litellm") not in {"1.82.7", "1.82.8"}
    assert not version("litellm").startswith("1.107.")


def test_the_package_reports_to_no_one() -> None:
    assert load_litellm().telemetry is False
