"""What every embedder promises: unit vectors of a fixed length, which depend on their own text alone."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import SecretStr
from tests.support.memory_models import HashingEmbedder
from tests.support.recorded_provider import CUT, DOWN, OUT_OF_QUOTA, Fault, RecordedProvider

from interlace.adapters.litellm.embedder import LiteLlmEmbedder
from interlace.adapters.onnx.embedder import OnnxEmbedder
from interlace.composition.connections import Connections
from interlace.domain.errors import SettingsError, UnavailableError
from interlace.ports.models import Embedder
from interlace.settings import EmbeddingSettings, FurtherModel, LlmSettings, Settings, default_home, load_settings
from interlace_stack.fetch import fetch_model
from interlace_stack.layout import Layout

TEXTS = ["Paris is the capital of France.", "The frog jumps over a stone.", "Å", "", "word " * 2000, "\x00\ufeff"]


@pytest.fixture(scope="module", params=["memory", "litellm", pytest.param("onnx", marks=pytest.mark.vectors)])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "memory":
        yield HashingEmbedder()
    elif request.param == "litellm":
        with RecordedProvider(lambda _: "{}") as provider:
            yield LiteLlmEmbedder("openai/recorded", "recorded", url=provider.url)
    else:
        yield OnnxEmbedder(fetch_model(Layout(default_home(), "default"), print), "bge-small-en-v1.5")


def test_vectors_are_of_length_one_and_one_a_text(embedder: Embedder) -> None:
    vectors = embedder.embed_texts(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_no_texts_have_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_texts([]).shape == (0, embedder.dimensions)


def test_a_question_is_a_unit_vector_nearest_to_its_answer(embedder: Embedder) -> None:
    asked = embedder.embed_query("What is the capital of France?")
    assert asked.dtype == np.float32
    assert asked.shape == (embedder.dimensions,)
    assert np.linalg.norm(asked) == pytest.approx(1.0, abs=1e-6)
    assert (embedder.embed_texts(TEXTS[:2]) @ asked).argmax() == 0


def test_a_vector_does_not_depend_on_neighbours_or_threads(embedder: Embedder) -> None:
    expected = embedder.embed_texts(TEXTS)
    assert np.array_equal(embedder.embed_texts(TEXTS[::-1])[::-1], expected)
    with ThreadPoolExecutor(4) as threads:
        for text, vector in zip(TEXTS, threads.map(lambda text: embedder.embed_texts([text])[0], TEXTS), strict=True):
            assert np.array_equal(vector, expected[TEXTS.index(text)])


@pytest.mark.vectors
def test_identifiers_are_read_as_their_words() -> None:
    embedder = OnnxEmbedder(fetch_model(Layout(default_home(), "default"), print), "bge-small-en-v1.5")
    written, apart, known = embedder.embed_texts(["Set maxRetryCount.", "Set max Retry Count.", "See YouTube."])
    assert np.array_equal(written, apart)
    assert np.array_equal(known, embedder.embed_texts(["See youtube."])[0])
    assert np.array_equal(embedder.embed_query("maxRetryCount"), embedder.embed_query("max retry count"))


def test_the_model_has_a_name(embedder: Embedder) -> None:
    assert embedder.model


@pytest.fixture
def provider() -> Iterator[RecordedProvider]:
    with RecordedProvider(lambda _: "{}") as started:
        yield started


def test_a_service_is_asked_in_batches(provider: RecordedProvider) -> None:
    embedder = LiteLlmEmbedder("openai/recorded", "recorded", url=provider.url)
    texts = [f"word{number}" for number in range(150)]
    assert embedder.embed_texts(texts).shape == (150, 64)
    assert provider.embedding_batches == [64, 64, 22]
    assert np.array_equal(embedder.embed_texts(texts[149:])[0], embedder.embed_texts(texts)[149])


def test_a_service_that_fails_in_passing_is_asked_again(provider: RecordedProvider) -> None:
    embedder = LiteLlmEmbedder("openai/recorded", "recorded", url=provider.url)
    provider.faults = [DOWN, CUT, Fault(429, retry_after="0")]
    assert embedder.embed_texts(["a"]).shape == (1, 64)
    assert provider.requests == 4


@pytest.mark.parametrize(
    ("fault", "said", "requests"),
    [
        (Fault(401), "has no valid API key", 1),
        (OUT_OF_QUOTA, "choose another model in INTERLACE_EMBEDDING__SERVICE", 1),
        (Fault(429, retry_after="3600"), "refuses further requests for 3600 s", 1),
        (Fault(503), "did not answer.*Check INTERLACE_EMBEDDING__SERVICE, INTERLACE_LLM__URL", 4),
    ],
)
def test_a_service_that_stays_away_is_named(provider: RecordedProvider, fault: Fault, said: str, requests: int) -> None:
    provider.always = fault
    embedder = LiteLlmEmbedder("openai/recorded", "recorded", url=provider.url, api_key="k-123456")
    with pytest.raises(UnavailableError, match=said) as raised:
        embedder.embed_texts(["a"])
    assert "k-123456" not in raised.value.message
    assert provider.requests == requests


def test_a_further_model_that_stays_away_is_named_with_its_own_settings(provider: RecordedProvider) -> None:
    embedder = LiteLlmEmbedder("openai/recorded", "recorded", url=provider.url, further=True)
    for fault, said in (
        (Fault(401), "Set its api_key in INTERLACE_EMBEDDING__MODELS"),
        (OUT_OF_QUOTA, "another model in INTERLACE_EMBEDDING__MODELS"),
        (
            Fault(503),
            "Check INTERLACE_EMBEDDING__MODELS, its url in INTERLACE_EMBEDDING__MODELS and INTERLACE_LLM__TIMEOUT",
        ),
    ):
        provider.always = fault
        with pytest.raises(UnavailableError, match=said):
            embedder.embed_texts(["a"])


def test_a_message_of_the_provider_does_not_decide_whether_to_ask_again(provider: RecordedProvider) -> None:
    """The words are those of our own message about a service that may answer a second later."""
    provider.always = Fault(404, kind="the model did not answer to that name")
    with pytest.raises(UnavailableError, match="is unknown to its provider"):
        LiteLlmEmbedder("openai/recorded", "recorded", url=provider.url).embed_texts(["a"])
    assert provider.requests == 1


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The keys that LiteLLM is given, in the order of its calls, none of which leaves the process."""
    given: list[object] = []

    def embedding(**call: object) -> SimpleNamespace:
        given.append(call["api_key"])
        return SimpleNamespace(data=[{"index": 0, "embedding": [1.0]}])

    monkeypatch.setattr(
        "interlace.adapters.litellm.embedder.load_litellm", lambda: SimpleNamespace(embedding=embedding)
    )
    return given


@pytest.mark.parametrize(
    ("further", "sent"),
    [
        ({}, None),  # LiteLLM takes the provider's own variable
        ({"url": "http://127.0.0.1:1/v1"}, "key-of-the-llm"),
        ({"url": "http://127.0.0.1:2/v1"}, "none"),
        ({"url": "http://127.0.0.1:1/v1", "api_key": "own"}, "own"),
        ({"api_key": "own"}, "own"),
    ],
)
def test_the_key_of_the_language_model_goes_to_its_own_server_alone(
    keys: list[object], further: dict[str, str], sent: str | None
) -> None:
    model = FurtherModel.model_validate({"service": "jina_ai/recorded", **further})
    for url in ("http://127.0.0.1:1/v1", ""):  # without a server of its own, no address is that of the language model
        llm = LlmSettings(url=url, api_key=SecretStr("key-of-the-llm"))
        settings = Settings(
            llm=llm, embedding=EmbeddingSettings(model="first", service="openai/first", models={"second": model})
        )
        Connections(settings).load_embedder("second").embed_query("a")
    assert keys[0] == sent
    assert keys[1] == ("none" if sent == "key-of-the-llm" else sent)


@pytest.mark.parametrize(
    ("model", "url", "sent"),
    [
        ("openai/any", "", "key-of-the-llm"),
        ("", "", "key-of-the-llm"),
        ("anthropic/any", "", None),  # LiteLLM takes the variable of the embedding model's provider
        ("anthropic/any", "http://127.0.0.1:1/v1", "key-of-the-llm"),
    ],
)
def test_the_first_model_has_the_key_of_its_own_provider(
    keys: list[object], model: str, url: str, sent: str | None
) -> None:
    llm = LlmSettings(model=model, url=url, api_key=SecretStr("key-of-the-llm"))
    settings = Settings(llm=llm, embedding=EmbeddingSettings(model="first", service="openai/first"))
    embedder = Connections(settings).embedder
    assert embedder is not None
    embedder.embed_query("a")
    assert keys == [sent]


def test_a_question_has_the_prefix_that_the_model_expects(provider: RecordedProvider) -> None:
    embedder = LiteLlmEmbedder("openai/recorded", "recorded", url=provider.url, query_prefix="query: ")
    assert np.array_equal(embedder.embed_query("Paris"), embedder.embed_texts(["query: Paris"])[0])


def test_settings_choose_a_service_or_a_folder(provider: RecordedProvider) -> None:
    settings = Settings(
        llm=LlmSettings(url=provider.url),
        embedding=EmbeddingSettings(
            model="first",
            service="openai/recorded",
            models={"second": FurtherModel(service="openai/recorded", url=provider.url)},
        ),
    )
    connections = Connections(settings)
    for name in ("first", "second"):
        embedder = connections.load_embedder(name)
        assert (embedder.model, embedder.dimensions) == (name, 64)
    with pytest.raises(SettingsError, match="either a folder or a service"):
        load_settings(embedding={"models": {"neither": {}}})
