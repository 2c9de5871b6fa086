"""Pack: what is taken, what is left, and why."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.hits import Hit
from interlace.domain.packing import PackItem, PackRequest
from interlace.ports.graph import Row
from interlace.search.knapsack import PackWeights, pack
from interlace.search.packing import Packer
from interlace.settings import PackSettings

PLAIN = PackWeights({}, {}, 0.0)


def item(name: str, score: float, tokens: int, category: str = "body", epistemic: str = "") -> PackItem:
    return PackItem(name, score, tokens, category, epistemic, name)


def taken(items: list[PackItem], budget: int, weights: PackWeights = PLAIN) -> list[str]:
    return [each.id for each in pack(items, budget, weights) if each.taken]


def test_the_best_that_fits_is_taken_and_what_does_not_fit_is_left_with_its_reason() -> None:
    found = pack([item("a", 1.0, 60), item("b", 0.9, 60), item("c", 0.5, 40)], 100, PLAIN)
    assert [(each.id, each.place) for each in found] == [("a", 1), ("c", 2), ("b", None)]
    assert found[0].reason == "It was worth most of what fitted into the 100 tokens that were left."
    assert "60 tokens; 0 were left" in found[2].reason


def test_weights_decide_and_nought_leaves_out() -> None:
    items = [item("a", 1.0, 50, "Notes"), item("b", 0.9, 50, "Usage"), item("c", 0.8, 50, "Usage", "opinion")]
    weights = PackWeights({"Usage": 2.0, "Notes": 0.0}, {"opinion": 0.1}, 0.0)
    assert taken(items, 200, weights) == ["b", "c"]
    assert pack(items, 200, weights)[-1].reason == "Its score times its weights is 0."


def test_a_category_that_is_in_already_is_penalised() -> None:
    items = [item("a", 1.0, 10), item("b", 0.9, 10), item("c", 0.7, 10, "Usage")]
    assert taken(items, 30, PLAIN) == ["a", "b", "c"]
    assert taken(items, 30, PackWeights({}, {}, 0.3)) == ["a", "c", "b"]
    left = pack(items, 30, PackWeights({}, {}, 1.0))[-1]
    assert (left.id, left.taken, left.penalty) == ("b", False, 1.0)
    assert "'body' exceeds its value" in left.reason


def test_among_equals_the_earlier_is_taken() -> None:
    assert taken([item("x", 1.0, 10), item("a", 1.0, 10)], 10) == ["x"]


def kinds(*, tenant: str, ids: list[str]) -> list[Row]:
    """Return what kind the chunks are."""
    assert tenant == "t"
    row = {"context": "Title", "tokens": 9, "sectionType": "Usage", "category": None, "epistemic": "opinion"}
    return [{**row, "id": each} for each in ids if each != "gone"]


class Letters:
    """A tokenizer whose tokens are letters."""

    name = "letters"

    def count(self, texts: Any) -> list[int]:
        return [len(text) for text in texts]


def hit(name: str, score: float) -> Hit:
    return Hit(1, score, name, "d", "Title", "u", "", "Some words.", 0, 11, (), {}, (), (), {}, "")


def packer(counter: Any, weights: Mapping[str, Mapping[str, float]] = MappingProxyType({})) -> Packer:
    settings = PackSettings.model_validate({"weights": weights})
    return Packer(CollectingGraph({"chunks/pack_chunks": kinds}), None, lambda: counter, settings)  # type: ignore[arg-type]


def test_tokens_are_the_models_own_or_estimated_by_words() -> None:
    counted = packer(Letters()).pack_hits("t", [hit("a", 0.2), hit("gone", 0.1)], PackRequest(1000))
    assert (counted.tokenizer, counted.tokens, counted.text) == (
        "letters",
        len("Title\nSome words.\n\n"),
        "Title\nSome words.",
    )
    (only,) = counted.items
    assert (only.category, only.epistemic_weight, only.score) == ("Usage", 0.5, 1.0)
    guessed = packer(None).pack_hits("t", [hit("a", 0.2)], PackRequest(1000))
    assert (guessed.tokenizer, guessed.tokens) == ("words", 13)


def test_the_callers_weights_win() -> None:
    asked = PackRequest(1000, {"Usage": 3.0}, {"opinion": 1.0}, diversity=1.0)
    found = packer(Letters()).pack_hits("t", [hit("a", 0.2), hit("b", 0.2)], asked)
    assert [(each.category_weight, each.epistemic_weight, each.penalty) for each in found.items] == [
        (3.0, 1.0, 0.0),
        (3.0, 1.0, 1.0),
    ]


def test_the_settings_weights_win_over_the_built_in_ones_and_leave_the_others() -> None:
    by = packer(None, {"category": {"Usage": 2.0}, "epistemic": {"fact": 1.5}})._weights(
        PackRequest(1000, {"Note": 3.0})
    )
    assert by.category == {"Usage": 2.0, "Note": 3.0}
    assert (by.epistemic["fact"], by.epistemic["opinion"], by.diversity) == (1.5, 0.5, 0.1)


def test_foreign_texts_are_packed_likewise() -> None:
    found = packer(None).pack([item("Three short words", 5.0, 0), item("More", 1.0, 0)], PackRequest(5))
    assert [(each.id, each.taken, each.score) for each in found.items] == [
        ("Three short words", True, 1.0),
        ("More", False, 0.2),
    ]
    assert found.tokens == 4


@pytest.mark.parametrize("scores", [[], [0.0, 0.0]])
def test_nothing_and_scores_of_nought_are_no_error(scores: list[float]) -> None:
    hits = [hit(str(number), score) for number, score in enumerate(scores)]
    assert len(packer(None).pack_hits("t", hits, PackRequest(1000)).items) == len(scores)


def test_ordinary_chunks_count_by_document_so_that_the_budget_is_used() -> None:
    items = [PackItem(f"{n}", 0.9, 100, "body", "", f"{n}", document=f"d{n}") for n in range(8)]
    decided = pack(items, 800, PackWeights({}, {}, 0.3))
    assert sum(item.taken for item in decided) == 8
    same = [PackItem(f"{n}", 0.8, 100, "body", "", f"{n}", document="d") for n in range(8)]
    assert sum(item.taken for item in pack(same, 800, PackWeights({}, {}, 1.0))) == 1


def test_without_a_category_nothing_counts_as_a_repetition() -> None:
    items = [PackItem(f"{n}", 1.0 - n / 20, 100, "", "", f"Text {n}") for n in range(15)]
    decided = pack(items, 100_000, PackWeights({}, {}, 0.1))
    assert [(item.id, item.penalty) for item in decided if item.taken] == [(f"{n}", 0.0) for n in range(15)]
    assert all(item.taken for item in pack(items, 100_000, PackWeights({}, {}, 1.0)))


def test_the_penalty_for_a_document_orders_and_leaves_no_budget_unused() -> None:
    steep = [PackItem(f"{n}", 0.9**n / 5, 100, "body", "", f"{n}", document="d") for n in range(8)]
    other = PackItem("o", 0.01, 100, "body", "", "o", document="e")
    nought = PackItem("z", 0.0, 100, "body", "", "z", document="f")
    decided = pack([*steep, other, nought], 800, PackWeights({}, {}, 0.1))
    assert [item.id for item in decided if item.taken] == ["0", "1", "o", "2", "3", "4", "5", "6"]
    assert decided[-1].reason == "Its score times its weights is 0."


def test_of_equal_texts_the_best_is_packed() -> None:
    texts = {"a": "Wind\nfrom the west.", "b": "wind from the West.", "c": "Rain."}
    items = [PackItem(name, 0.5, 10, "body", "", f"{name}\n{text}", name, text) for name, text in texts.items()]
    decided = pack(items, 100, PLAIN)
    assert [(item.id, item.taken) for item in decided] == [("a", True), ("c", True), ("b", False)]
    assert decided[-1].reason == "Its text is that of a, which is packed."
