"""The four signals of entity search, and the confidence that they add up to."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import UnavailableError
from interlace.entities.matching import above_unrelated, overlap, score_match
from interlace.entities.name_vectors import NameVectors
from interlace.entities.repository import MAX_COMPARED, EntityRepository
from interlace.entities.results import EntitySearch
from interlace.ports.graph import Row
from interlace.ports.models import Embedder

KEYS = st.lists(st.sampled_from(["ada", "adam", "lovelace", "byron", "of", "king"]), min_size=1, max_size=4).map(
    " ".join
)
COSINES = st.one_of(st.none(), st.floats(-1, 1))


class Letters:
    """Embeds a name as the counts of its letters, or fails; remembers what it was given."""

    model = "letters"
    dimensions = 26

    def __init__(self) -> None:
        self.embedded: list[str] = []
        self.failure: Exception | None = None

    def embed_texts(self, texts: Sequence[str]) -> Any:
        if self.failure:
            raise self.failure
        self.embedded += texts
        counts = [[text.lower().count(chr(97 + letter)) for letter in range(26)] for text in texts]
        vectors = np.array(counts, dtype=np.float32)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def row(name: str, identity: str = "", *, aliases: Sequence[str] = (), mentions: int = 1) -> Row:
    keys = [each.lower() for each in (name, *aliases)]
    fixed = {"type": "Person", "keys": keys, "confidence": 1.0, "mentions": mentions}
    return {"id": identity or name, "name": name, "aliases": list(aliases), **fixed}


def search(rows: list[Row], name: str, letters: Letters | None = None, **options: Any) -> EntitySearch:
    embedders = cast("Mapping[str, Embedder]", {"letters": letters} if letters else {})
    graph = CollectingGraph({"entities/entity_search": rows})
    return EntityRepository(graph, NameVectors(embedders)).search("t", name, **options)


@given(KEYS, KEYS, st.lists(KEYS, max_size=3), COSINES, st.booleans())
def test_confidence_is_the_sum_of_the_shares_and_in_range(
    key: str, own: str, keys: list[str], cosine: float | None, vectors: bool
) -> None:
    found = score_match(key, own, keys, cosine=cosine, vectors=vectors)
    assert 0 <= found.confidence <= 1
    assert found.confidence == pytest.approx(sum(part.share for part in found.signals.values()))
    assert ("vector" in found.signals) is vectors
    assert found.via in {"exact", "alias", "words", "fuzzy"}
    assert (found.confidence == 1) is (key == own)
    if found.via in {"words", "fuzzy"}:
        assert found.confidence <= 0.9 < score_match("x", "y", ["x"], cosine=cosine, vectors=vectors).confidence < 1


@given(KEYS, KEYS, st.floats(-1, 1), st.floats(-1, 1))
def test_the_nearer_the_embedding_the_higher_the_confidence(key: str, own: str, one: float, other: float) -> None:
    low, high = sorted((one, other))
    far, near = (score_match(key, own, [], cosine=cosine, vectors=True).confidence for cosine in (low, high))
    assert far <= near


def test_words_count_whatever_their_order_and_what_is_left_out_costs_less_than_what_is_wrong() -> None:
    assert score_match("lovelace ada", "ada lovelace", []).confidence == pytest.approx(0.9)
    assert overlap("ada", "ada lovelace") > overlap("ada lovelace", "ada") > overlap("ada", "byron") == 0


def test_a_cosine_of_unrelated_names_says_nothing() -> None:
    assert [above_unrelated(cosine) for cosine in (-1, 0.5, 0.75, 1, 1.0000001)] == [0, 0, 0.5, 1, 1]


def test_exact_then_alias_then_words_then_spelling_and_ties_by_mentions_then_id() -> None:
    rows = [
        row("Adam"),
        row("Ada Lovelace"),
        row("Countess", aliases=["Ada"]),
        row("Ada", "b"),
        row("Ada", "a"),
        row("Ada", "z", mentions=2),
    ]
    for shuffled in (rows, rows[::-1]):
        found = search(shuffled, "ada").matches
        assert [match.entity.id for match in found] == ["z", "a", "b", "Countess", "Ada Lovelace", "Adam"]
        assert [match.via for match in found] == ["exact"] * 3 + ["alias", "words", "fuzzy"]
    assert [match.entity.id for match in search(rows, "ada", limit=2).matches] == ["z", "a"]
    assert len(search(rows, "ada", min_confidence=0.95).matches) == 4


def test_embeddings_take_part_where_there_are_any_and_only_twenty_names_are_compared() -> None:
    letters = Letters()
    rows = [row(f"Analytical engine {number}") for number in range(MAX_COMPARED + 5)]
    found = search(rows, "engine", letters, limit=50)
    assert (found.model, found.degraded, found.effort["legs"]) == ("letters", (), 3)
    assert len(letters.embedded) == MAX_COMPARED + 1
    compared = [match.signals["vector"].value is not None for match in found.matches]
    assert sum(compared) == MAX_COMPARED
    off = search(rows, "engine", limit=50)
    assert (off.model, off.degraded, off.effort["legs"]) == (None, (), 2)
    assert all("vector" not in match.signals for match in off.matches)
    assert off.effort["lambda"] < found.effort["lambda"]


def test_a_model_that_fails_is_named_and_the_other_signals_answer() -> None:
    letters = Letters()
    letters.failure = UnavailableError("The model is not here.")
    found = search([row("Ada")], "ada", letters)
    assert (found.model, found.degraded, found.matches[0].confidence) == (None, ("vector",), 1.0)


def test_numbers_of_a_broken_model_reach_no_one() -> None:
    class Broken(Letters):
        def embed_texts(self, texts: Sequence[str]) -> Any:
            return np.full((len(texts), 26), math.nan, dtype=np.float32)

    found = search([row("Ada Lovelace")], "ada", Broken())
    assert found.degraded == ("vector",)
    assert math.isfinite(found.matches[0].confidence)


def test_names_are_embedded_once_and_those_used_last_are_kept() -> None:
    letters = Letters()
    vectors = NameVectors(cast("Mapping[str, Embedder]", {"letters": letters}), max_size=2)
    assert vectors.cosines("ab", ["ab", "c"]) == pytest.approx([1, 0])
    vectors.cosines("ab", ["c"])
    assert letters.embedded == ["ab", "c"]
    vectors.cosines("c", ["d"])
    vectors.cosines("c", ["ab"])
    assert letters.embedded == ["ab", "c", "d", "ab"]
    assert NameVectors({}).cosines("ab", ["c"]) == []
