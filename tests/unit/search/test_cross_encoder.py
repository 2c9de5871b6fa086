"""The cross-encoder step: first hits change places among themselves, and what fails or is late changes nothing but ``degraded``."""

import logging
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.contract.fakes_rerankers import WordReranker

from interlace.bootstrap import Platform
from interlace.domain.errors import SettingsError, UnavailableError
from interlace.domain.hits import Hit, PathStep
from interlace.ports.models import Reranker
from interlace.search.candidates import Features, RankedCandidate
from interlace.search.cross_encoder import CrossEncoder, evidence, reordered
from interlace.search.execution import Run, TaskPool
from interlace.settings import RerankerSettings, Settings, load_settings
from interlace_stack import doctor

QUESTION = "Who painted the harbour?"
TEXTS = {"a": "Bread.", "b": "The harbour.", "c": "She painted the harbour.", "d": "Who painted the harbour?"}
FUSED = [
    RankedCandidate(chunk, score, {}, Features(0.0, 0.0), {"rrf": score / 2})
    for chunk, score in zip("abcd", (4, 3, 2, 1), strict=True)
]


def hit(chunk: str, *path: PathStep, title: str = "", section: str = "") -> Hit:
    return Hit(1, 0.5, chunk, "d", title, "u", section, TEXTS[chunk], 0, 9, (), {}, (), path, {}, "")


def hits_of(fused: Sequence[RankedCandidate]) -> list[Hit]:
    return [hit(one.id) for one in fused]


def order(ranked: Sequence[RankedCandidate]) -> str:
    return "".join(one.id for one in ranked)


class Answering:
    """A reranker that answers as a test says."""

    def __init__(self, answer: Callable[[], list[float]]) -> None:
        self.answer = answer

    def score(self, question: str, chunks: Sequence[str]) -> list[float]:
        assert question == QUESTION
        assert chunks
        return self.answer()


@pytest.fixture
def run() -> Iterator[Run]:
    pool = TaskPool(1)
    yield Run(pool, timeout=0.05)
    pool.close()


@pytest.fixture
def rerank(run: Run) -> Iterator[Callable[..., list[RankedCandidate]]]:
    """Rerank ``FUSED`` with a reranker and settings."""
    made: list[CrossEncoder] = []

    def ask(reranker: Reranker, timeout: float = 60, candidates: int = 20) -> list[RankedCandidate]:
        made.append(CrossEncoder(lambda: reranker, timeout, candidates))
        return made[-1].rerank(run, QUESTION, FUSED, hits_of)

    yield ask
    for each in made:
        each.close()


def test_the_first_hits_change_places_among_themselves(rerank: Callable[..., list[RankedCandidate]], run: Run) -> None:
    reranker = WordReranker()
    reranked = rerank(reranker, candidates=3)
    assert order(reranked) == "cbad", "the fourth would be the best, and was not read"
    assert len(reranker.read) == 3
    assert [one.score for one in reranked] == [4, 3, 2, 1], "probabilities belong to the places"
    assert reranked[0].figures["rrf"] == 1, "and everything else to the chunk"
    assert reranked[0].figures == {"rrf": 1, "cross_encoder": 3, "fused_rank": 3}
    assert {one.id for one in reranked if "cross_encoder" in one.figures} == set("abc")
    assert (run.degraded, [name for name in run.timings if name != "queued"]) == ([], ["cross_encoder"])


def test_equal_scores_change_nothing() -> None:
    reranked = reordered(FUSED, dict.fromkeys("abcd", 0.5))
    assert [one._replace(figures={}) for one in reranked] == [one._replace(figures={}) for one in FUSED]


def test_chunks_that_the_graph_lost_keep_their_places() -> None:
    assert order(reordered(FUSED, {"a": 0.1, "c": 0.2, "d": 0.3})) == "dbca"


def test_without_hits_no_one_is_asked(run: Run) -> None:
    def load() -> Reranker:
        raise AssertionError("it was loaded")

    encoder = CrossEncoder(load, timeout=60)
    assert encoder.rerank(run, QUESTION, [], hits_of) == []
    encoder.close()


def fail() -> list[float]:
    raise UnavailableError("The service is away.")


@pytest.mark.parametrize(
    "answer", [fail, lambda: [1.0, 2.0], lambda: [1.0, 2.0, 3.0, math.nan], lambda: [1.0, 2.0, math.inf, 4.0]]
)
def test_a_failing_reranker_is_named_and_the_order_stays(
    rerank: Callable[..., list[RankedCandidate]], run: Run, answer: Callable[[], list[float]]
) -> None:
    reranked = rerank(Answering(answer))
    assert reranked == FUSED
    assert run.degraded == ["cross_encoder"]


def test_a_late_reranker_is_named_and_the_order_stays(rerank: Callable[..., list[RankedCandidate]], run: Run) -> None:
    ended = threading.Event()

    def linger() -> list[float]:
        ended.wait(60)
        return [1.0, 2.0, 3.0, 4.0]

    reranked = rerank(Answering(linger), timeout=0.01)
    ended.set()
    assert (order(reranked), run.degraded) == ("abcd", ["cross_encoder"])


def test_its_own_deadline_counts_and_not_that_of_a_leg(rerank: Callable[..., list[RankedCandidate]], run: Run) -> None:
    legs_are_late = threading.Event()

    def slower_than_a_leg() -> list[float]:
        assert not legs_are_late.wait(2 * run.timeout)
        return [1.0, 2.0, 3.0, 4.0]

    assert order(rerank(Answering(slower_than_a_leg), timeout=30)) == "dcba"
    assert run.degraded == []


def test_a_reranker_that_cannot_be_loaded_is_tried_again_and_complains_once(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    broken = [SettingsError("The folder is empty."), SettingsError("The folder is empty.")]

    def load() -> Reranker:
        if broken:
            raise broken.pop()
        return WordReranker()

    encoder = CrossEncoder(load, timeout=60)
    with caplog.at_level(logging.WARNING):
        orders = [order(encoder.rerank(run, QUESTION, FUSED, hits_of)) for _ in range(3)]
    encoder.close()
    assert orders == ["abcd", "abcd", "dcba"]
    assert run.degraded == ["cross_encoder"] * 2
    assert [record.message for record in caplog.records] == ["The folder is empty."]


def test_it_reads_entities_and_bridging_sentences_before_the_chunk() -> None:
    path = (
        PathStep("1", "The Grey Ferry", "x", "The Grey Ferry", "It was directed by Orla Venning."),
        PathStep("2", "Orla Venning", "x", "The Grey Ferry", "It was directed by Orla Venning."),
        PathStep("2", "Orla Venning", "c", "Orla Venning", "She painted the harbour."),
    )
    assert evidence(hit("c", *path, title="Orla Venning", section="Life"), 2000).splitlines() == [
        "Orla Venning > Life",
        "The Grey Ferry → Orla Venning",
        "The Grey Ferry: It was directed by Orla Venning.",
        "She painted the harbour.",
    ]


def test_what_it_reads_is_bounded_and_leaves_space_for_the_chunk() -> None:
    step = PathStep("1", "Name", "x", "Title", "word " * 100)
    text = evidence(hit("c", step, title="Title"), 200)
    assert len(text) <= 200
    assert text.endswith("\nShe painted the harbour.")
    assert len(evidence(hit("d"), 10)) == 10


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"FOLDER": "/models/reader", "SERVICE": "provider/model"}, "either a folder or a service"),
        ({"URL": "http://127.0.0.1:1"}, "set INTERLACE_RERANKER__SERVICE"),
        ({"FOLDER": "/models/reader", "API_KEY": "k"}, "set INTERLACE_RERANKER__SERVICE"),
    ],
)
def test_half_a_choice_and_two_are_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, chosen: dict[str, str], said: str
) -> None:
    for name, value in chosen.items():
        monkeypatch.setenv(f"INTERLACE_RERANKER__{name}", value)
    with pytest.raises(SettingsError, match=f"INTERLACE_RERANKER: .*{said}"):
        load_settings()


def test_by_default_there_is_none_and_a_chosen_one_is_not_loaded_before_it_is_needed(tmp_path: Path) -> None:
    default = Platform(Settings())
    assert default.searches._cross_encoder is None
    chosen = Platform(Settings(reranker=RerankerSettings(folder=tmp_path)))
    assert chosen.searches._cross_encoder is not None
    with pytest.raises(SettingsError, match=r"needs model\.onnx"):
        chosen.searches._cross_encoder._ready()
    for platform in (default, chosen):
        platform.close()


def test_doctor_says_what_a_chosen_reranker_lacks(tmp_path: Path) -> None:
    def found(**chosen: object) -> list[tuple[str, str]]:
        settings = Settings(reranker=RerankerSettings.model_validate(chosen))
        return [(finding.level, finding.remedy.split(" ")[0]) for finding in doctor._reranker(settings)]

    assert found() == []
    assert found(folder=tmp_path) == [("error", "Set")]
    assert found(service="provider/model") == [("ok", "")]
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).touch()
    assert found(folder=tmp_path) == [("ok", "")]
