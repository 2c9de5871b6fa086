"""Chunks as points of the vector index."""

import numpy as np
from tests.support.memory_models import HashingEmbedder

from interlace.text.bm25 import chunk_terms
from interlace.vectors.projection import chunk_point, embed


def test_an_embedding_model_reads_what_is_said_and_keyword_search_everything() -> None:
    text = "[09:08] Ada: We meet at ten.\n[09:09] Bob: Where?"
    embedder = HashingEmbedder()
    dense = embed([embedder], [text])
    np.testing.assert_array_equal(dense[embedder.model], embedder.embed_texts(["Ada, Bob\n We meet at ten.\n Where?"]))
    point = chunk_point("1", text, dense, 0, {})
    assert point.sparse["bm25"].indices == chunk_terms(text)[0]
