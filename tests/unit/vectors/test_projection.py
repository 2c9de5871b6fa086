"""Chunks as points of the vector index."""

import numpy as np
from tests.support.memory_models import HashingEmbedder

from interlace.ports.vectors import windows_of
from interlace.text.bm25 import chunk_terms
from interlace.vectors.projection import chunk_point, embed, model_text


def test_an_embedding_model_reads_what_is_said_and_keyword_search_everything() -> None:
    text = "[09:08] Ada: We meet at ten.\n[09:09] Bob: Where?"
    embedder = HashingEmbedder()
    dense = embed([embedder], [text])
    np.testing.assert_array_equal(dense[embedder.model], embedder.embed_texts(["Ada, Bob\n We meet at ten.\n Where?"]))
    point = chunk_point("1", text, dense, 0, {})
    assert point.sparse["bm25"].indices == chunk_terms(text)[0]


def test_each_window_of_a_chunk_has_a_vector_with_title_and_headings() -> None:
    long, short = "We met at the old mill. " * 8 + "The key is under the third stone.", "One sentence."
    embedder = HashingEmbedder()
    dense = embed([embedder], [model_text("House > Keys", long), model_text("House", short)])
    first, second = dense[windows_of(embedder.model)]
    whole, alone = dense[embedder.model]
    assert (first.shape, second.shape) == ((2, embedder.dimensions), (1, embedder.dimensions))
    np.testing.assert_array_equal(second, [alone])
    last = "We met at the old mill. We met at the old mill. We met at the old mill. The key is under the third stone."
    (window,) = embedder.embed_texts([model_text("House > Keys", last)])
    np.testing.assert_allclose(first[1], 0.7 * whole + 0.3 * window, rtol=1e-5)
    asked = embedder.embed_query("key under the third stone")
    assert max(first @ asked / np.linalg.norm(first, axis=1)) > whole @ asked


def test_nothing_is_embedded_without_texts_or_models() -> None:
    assert embed([HashingEmbedder()], []) == {}
    assert embed([], ["a"]) == {}
