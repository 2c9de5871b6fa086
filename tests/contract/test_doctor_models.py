"""``interlace doctor`` asks each language model once and says what is wrong in a sentence."""

import json

import pytest
from pydantic import SecretStr
from tests.support.recorded_provider import DOWN, NONSENSE, OUT_OF_QUOTA, RATE_LIMITED, Fault, RecordedProvider

from interlace.cli.doctor.models import examine_models
from interlace.settings import EmbeddingSettings, LlmSettings, Settings


def settings(provider: RecordedProvider, **more: str) -> Settings:
    values = {"model": "openai/recorded", "url": provider.url, "api_key": SecretStr("k-1234"), **more}
    return Settings(llm=LlmSettings.model_validate(values))


def test_no_model_is_fine_and_costs_nothing() -> None:
    (finding,) = examine_models(Settings())
    assert (finding.level, "no token is spent" in finding.detail) == ("ok", True)


def test_a_model_that_answers_is_asked_once_whatever_it_is_for() -> None:
    with RecordedProvider(lambda _: json.dumps({"ready": True})) as provider:
        (finding,) = examine_models(settings(provider))
        assert finding.level == "ok"
        assert "openai/recorded for " in finding.detail
        assert provider.calls == 1
        assert examine_models(settings(provider, model=""))[0].level == "ok"
        assert [each.level for each in examine_models(settings(provider, answers="openai/other"))].count("ok") >= 1
        assert "openai/other for answers" in str(examine_models(settings(provider, answers="openai/other")))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault(401), "INTERLACE_LLM__API_KEY"),
        (OUT_OF_QUOTA, "no quota left"),
        (RATE_LIMITED, "refuses further requests for 1 s"),
        (DOWN, "did not answer"),
        (NONSENSE, "violates the schema"),
        (Fault(404, kind="model_not_found"), "INTERLACE_LLM__MODEL is PROVIDER/MODEL"),
    ],
)
def test_what_is_wrong_is_a_sentence(fault: Fault, said: str) -> None:
    with RecordedProvider(lambda _: "{}") as provider:
        provider.always = fault
        (finding,) = examine_models(settings(provider))
    assert finding.level == "error"
    assert said in finding.remedy
    assert "k-1234" not in finding.remedy


def test_a_model_without_provider_is_named_without_a_call() -> None:
    with RecordedProvider(lambda _: "{}") as provider:
        (finding,) = examine_models(settings(provider, model="foo"))
        assert provider.requests == 0
    assert finding.level == "error"
    assert "foo has no provider" in finding.remedy
    assert "openai/gpt-4o-mini" in finding.remedy


def test_an_embedding_service_is_asked_once() -> None:
    with RecordedProvider(lambda _: "{}") as provider:
        chosen = EmbeddingSettings(model="first", service="openai/recorded")
        found = Settings(llm=LlmSettings(url=provider.url), embedding=chosen)
        none, service = examine_models(found)
        assert (none.level, service.level) == ("ok", "ok")
        assert service.detail == "first returns vectors of 64 dimensions"
        provider.always = Fault(401)
        assert [each.level for each in examine_models(found)] == ["ok", "error"]
