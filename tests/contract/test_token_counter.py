"""What every token counter promises: one count a text, of the text alone."""

import pytest
from tests.support.memory_models import WordCounter

from interlace.adapters.onnx.tokens import OnnxTokenCounter
from interlace.ports.tokens import TokenCounter
from interlace.settings import default_home
from interlace_stack.fetch import fetch_model
from interlace_stack.layout import Layout

SENTENCE = "Metropolis was directed by Fritz Lang."


@pytest.fixture(scope="module", params=["memory", pytest.param("onnx", marks=pytest.mark.vectors)])
def counter(request: pytest.FixtureRequest) -> TokenCounter:
    if request.param == "memory":
        return WordCounter()
    return OnnxTokenCounter(fetch_model(Layout(default_home(), "default"), print), "bge-small-en-v1.5")


def test_each_text_has_its_count_in_the_order_given(counter: TokenCounter) -> None:
    counts = counter.count([SENTENCE, "", "Paris"])
    assert counts == [*counter.count([SENTENCE]), 0, *counter.count(["Paris"])]
    assert counts[0] > counts[2] >= 1
    assert counter.count([]) == []


def test_marks_around_a_text_are_not_counted(counter: TokenCounter) -> None:
    assert counter.count(["Paris"]) == [1]


def test_a_long_text_is_counted_whole(counter: TokenCounter) -> None:
    (once,) = counter.count([SENTENCE])
    assert counter.count([f"{SENTENCE} " * 500]) == [500 * once]


def test_the_model_has_a_name(counter: TokenCounter) -> None:
    assert counter.name
