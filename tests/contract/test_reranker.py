"""What every reranker promises, and what each adapter refuses."""

import math
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.contract.fakes_rerankers import LiteLlmStandIn, WordReranker, write_cross_encoder

from interlace.adapters.litellm.reranker import LiteLlmReranker
from interlace.adapters.onnx.cross_encoder import OnnxCrossEncoder
from interlace.domain.errors import InterlaceError, SettingsError, UnavailableError
from interlace.ports.models import Reranker

QUESTION = "Who painted the harbour of Viborg?"
CHUNKS = [
    "Mix flour and water and wait a night.",
    "Knud Strand painted the harbour of Viborg.",
    "Viborg is a town.",
    "The harbour",
]


def words(*texts: str) -> list[str]:
    return " ".join(texts).lower().replace("?", " ").replace(".", " ").split()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_cross_encoder(tmp_path, words(QUESTION, *CHUNKS))


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> LiteLlmStandIn:
    """The stand-in in place of the package, whether that is installed or not."""
    made = LiteLlmStandIn()
    monkeypatch.setitem(sys.modules, "litellm", made)
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    return made


@pytest.fixture(params=["memory", "onnx", "litellm"])
def reranker(request: pytest.FixtureRequest) -> Iterator[Reranker]:
    if request.param == "onnx":
        yield OnnxCrossEncoder(request.getfixturevalue("folder"))
    elif request.param == "litellm":
        request.getfixturevalue("package")
        yield LiteLlmReranker("provider/model")
    else:
        yield WordReranker()


def test_each_chunk_has_one_finite_score_in_the_order_given(reranker: Reranker) -> None:
    scores = reranker.score(QUESTION, CHUNKS)
    assert len(scores) == len(CHUNKS)
    assert all(isinstance(score, float) and math.isfinite(score) for score in scores)
    assert max(scores) == scores[1]
    assert scores[0] < scores[2] < scores[3] < scores[1]
    assert reranker.score(QUESTION, CHUNKS[::-1]) == scores[::-1]


def test_no_chunks_have_no_scores(reranker: Reranker) -> None:
    assert reranker.score(QUESTION, []) == []


@pytest.mark.parametrize("texts", [[""], ["", "Å"], ["word " * 5000, CHUNKS[1]]])
def test_empty_foreign_and_long_texts_are_scored(reranker: Reranker, texts: Sequence[str]) -> None:
    for question in (QUESTION, "why " * 2000, ""):
        assert len(reranker.score(question, texts)) == len(texts)


def test_threads_do_not_disturb_each_other(reranker: Reranker) -> None:
    expected = reranker.score(QUESTION, CHUNKS)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: reranker.score(QUESTION, CHUNKS), range(20)))
    assert found == [expected] * 20


def test_the_model_reads_the_pair_and_not_the_chunk_alone(folder: Path) -> None:
    encoder = OnnxCrossEncoder(folder)
    assert encoder.score("viborg", CHUNKS) == [0, 1, 1, 0]
    assert encoder.score("flour", CHUNKS) == [1, 0, 0, 0]


def test_a_folder_without_the_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"model\.onnx and tokenizer\.json in .*INTERLACE_RERANKER__FOLDER"
    ) as raised:
        OnnxCrossEncoder(tmp_path)
    assert str(tmp_path) in raised.value.message


def test_a_model_of_several_classes_is_refused(tmp_path: Path) -> None:
    write_cross_encoder(tmp_path, ["viborg"], logits=3)
    with pytest.raises(SettingsError, match=r"shape \(1, 3\).*one logit"):
        OnnxCrossEncoder(tmp_path)


def test_a_file_that_is_no_model_is_named(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(SettingsError, match=r"model\.onnx is not a model"):
        OnnxCrossEncoder(folder)


def test_a_score_that_is_no_number_is_refused(tmp_path: Path) -> None:
    write_cross_encoder(tmp_path, ["viborg"], factor=math.nan)
    with pytest.raises(UnavailableError, match="is nan, not a finite number"):
        OnnxCrossEncoder(tmp_path).score("Viborg?", ["Viborg"])


def test_a_slow_model_gives_up_by_itself(folder: Path) -> None:
    with pytest.raises(UnavailableError, match=r"read \d+ of 10000 chunks in 1e-05 s.*INTERLACE_RERANKER__TIMEOUT"):
        OnnxCrossEncoder(folder, timeout=1e-5).score(QUESTION, CHUNKS[:1] * 10_000)


def test_the_service_is_asked_as_it_was_set(package: LiteLlmStandIn) -> None:
    LiteLlmReranker("provider/model", url="http://127.0.0.1:1", api_key="k", timeout=3).score("q", ["a", "b"])
    LiteLlmReranker("provider/model").score("q", ["a"])
    first, second = package.calls
    assert first == {
        "model": "provider/model",
        "query": "q",
        "documents": ["a", "b"],
        "top_n": 2,
        "return_documents": False,
        "api_base": "http://127.0.0.1:1",
        "api_key": "k",
        "timeout": 3,
    }
    assert (second["api_base"], second["api_key"]) == (None, None)
    assert package.suppress_debug_info


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(UnavailableError, match=r"litellm is not installed.*make install"):
        LiteLlmReranker("provider/model")


class RefusedError(Exception):
    status_code = 401


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RefusedError("who is k-12345?"), r"has no valid API key\. Set INTERLACE_RERANKER__API_KEY"),
        (ValueError("Provider API key is required, please set it"), "has no valid API key"),
        (TimeoutError("no answer"), r"did not answer \(TimeoutError: no answer\)\. Check INTERLACE_RERANKER__SERVICE"),
        (RuntimeError("bad\nkey k-12345"), r"RuntimeError: bad key \*\*\*"),
    ],
)
def test_a_service_that_fails_is_named_without_the_key(package: LiteLlmStandIn, error: Exception, said: str) -> None:
    package.error = error
    with pytest.raises(UnavailableError, match=said) as raised:
        LiteLlmReranker("provider/model", api_key="k-12345").score("q", ["a"])
    assert "k-12345" not in raised.value.message
    assert raised.value.__suppress_context__


@pytest.mark.parametrize(
    "results",
    [
        [],
        [{"index": 0, "relevance_score": 0.5}],
        [{"index": 0, "relevance_score": 0.5}, {"index": 2, "relevance_score": 0.5}],
        [{"index": 0, "relevance_score": 0.5}, {"index": 1, "relevance_score": math.inf}],
        [{"index": 0, "relevance_score": None}, {"index": 1}],
    ],
)
def test_a_service_that_does_not_score_every_chunk_is_refused(
    package: LiteLlmStandIn, results: list[dict[str, float]]
) -> None:
    package.results = results
    with pytest.raises(InterlaceError, match="one finite score for each of 2 chunks"):
        LiteLlmReranker("provider/model").score("q", ["a", "b"])
