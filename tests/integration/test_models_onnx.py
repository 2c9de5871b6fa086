"""The real embedding model: unit vectors that depend on their own text alone."""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from interlace.adapters.onnx.embedder import OnnxEmbedder
from interlace.domain.errors import SettingsError
from interlace.settings import default_home
from interlace_stack.fetch import fetch_model
from interlace_stack.layout import Layout

pytestmark = pytest.mark.vectors

TEXTS = [
    "Paris is the capital of France.",
    "The frog jumps over a stone.",
    "Metropolis was directed by Fritz Lang. " * 12,
    "Å",
    "",
    "word " * 2000,
]


@pytest.fixture(scope="module")
def folder() -> Path:
    return fetch_model(Layout(default_home(), "default"), print)


@pytest.fixture(scope="module")
def embedder(folder: Path) -> OnnxEmbedder:
    return OnnxEmbedder(folder, "bge-small-en-v1.5")


def test_vectors_have_the_promised_shape_and_length(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed_texts(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), embedder.dimensions) == (len(TEXTS), 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert embedder.embed_texts([]).shape == (0, 384)


def test_a_question_is_nearest_to_its_answer(embedder: OnnxEmbedder) -> None:
    scores = embedder.embed_texts(TEXTS[:3]) @ embedder.embed_query("Which city is France governed from?")
    assert scores.argmax() == 0


def test_a_question_is_not_embedded_like_a_chunk(embedder: OnnxEmbedder) -> None:
    assert not np.array_equal(embedder.embed_query(TEXTS[0]), embedder.embed_texts(TEXTS[:1])[0])


def test_neighbours_threads_and_thread_counts_change_no_bit(embedder: OnnxEmbedder, folder: Path) -> None:
    expected = embedder.embed_texts(TEXTS)
    assert np.array_equal(embedder.embed_texts(TEXTS[::-1])[::-1], expected)
    assert np.array_equal(OnnxEmbedder(folder, "two", threads=2).embed_texts(TEXTS), expected)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(found, expected) for found in pool.map(embedder.embed_texts, [TEXTS] * 4))


def test_the_runtime_reports_to_no_one(folder: Path, tmp_path: Path) -> None:
    """What the package has to report it keeps in the user's cache until it is sent."""
    program = "import pathlib, sys; from interlace.adapters.onnx.embedder import OnnxEmbedder; OnnxEmbedder(pathlib.Path(sys.argv[1]), 'm').embed_query('a')"
    # In continuous integration it reports nothing of its own accord.
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    subprocess.run([sys.executable, "-c", program, str(folder)], env=environment, check=True, timeout=120)
    assert list(tmp_path.rglob("*onnxruntime*")) == []


@pytest.mark.parametrize("processor", ["Prescott", "Sandybridge", "Haswell"])
def test_another_process_computes_the_same_bits(embedder: OnnxEmbedder, folder: Path, processor: str) -> None:
    """Also one in which numpy's linear algebra was made for another processor: workers and commands are started unlike each other."""
    program = (
        "import hashlib, sys, pathlib; from interlace.adapters.onnx.embedder import OnnxEmbedder;"
        "e = OnnxEmbedder(pathlib.Path(sys.argv[1]), 'm');"
        "print(hashlib.sha256(e.embed_texts(sys.argv[2:]).tobytes()).hexdigest())"
    )
    other = subprocess.run(
        [sys.executable, "-c", program, str(folder), *TEXTS],
        env={**os.environ, "OPENBLAS_CORETYPE": processor},
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout.strip() == hashlib.sha256(embedder.embed_texts(TEXTS).tobytes()).hexdigest()


def test_a_folder_without_the_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"model\.onnx and tokenizer\.json") as raised:
        OnnxEmbedder(tmp_path, "bge")
    assert str(tmp_path) in raised.value.message


def test_broken_files_are_named(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(SettingsError, match=r"tokenizer\.json is not a tokenizer"):
        OnnxEmbedder(tmp_path, "bge")
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    with pytest.raises(SettingsError, match=r"model\.onnx is not a model"):
        OnnxEmbedder(tmp_path, "bge")
