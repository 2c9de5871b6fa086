"""What every embedder promises: unit vectors of a fixed length, which depend on their own text alone."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.support.memory_models import HashingEmbedder

from interlace.adapters.onnx.embedder import OnnxEmbedder
from interlace.ports.models import Embedder
from interlace.settings import default_home
from interlace_stack.fetch import fetch_model
from interlace_stack.layout import Layout

TEXTS = ["Paris is the capital of France.", "The frog jumps over a stone.", "Å", "", "word " * 2000, "\x00\ufeff"]


@pytest.fixture(scope="module", params=["memory", pytest.param("onnx", marks=pytest.mark.vectors)])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "memory":
        return HashingEmbedder()
    return OnnxEmbedder(fetch_model(Layout(default_home(), "default"), print), "bge-small-en-v1.5")


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


def test_the_model_has_a_name(embedder: Embedder) -> None:
    assert embedder.model
