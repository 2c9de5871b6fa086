"""Greedy knapsack: repeatedly take the hit of the highest value that still fits, until none does; of equal texts, only one.

The value of a hit is score * information gain * category weight * epistemic weight, less a penalty for each hit of its kind that is
already packed: of its category, or, for the category ``body`` that most chunks have, of its document
(greedy selection against redundancy, as in Carbonell and Goldstein, "The Use of MMR" (1998), here by kind instead of by words). Without a
category there is none: nothing says that two such hits are alike. The penalty for a document only delays: a hit that is worth less than its
penalty is taken at the end if tokens are left, unless ``diversity`` is 1.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interlace.domain.packing import PackedItem, PackItem

_ORDINARY = "body"


@dataclass(frozen=True, slots=True)
class PackWeights:
    """Weights by category and by epistemic status, 1 where none is named, and the penalty (0 to 1) for each repetition."""

    category: Mapping[str, float]
    epistemic: Mapping[str, float]
    diversity: float


@dataclass(frozen=True, slots=True)
class _Valued:
    """A candidate with its weights, and the text by which duplicates are recognised."""

    item: PackItem
    category_weight: float
    epistemic_weight: float
    text: str

    @property
    def worth(self) -> float:
        return self.item.score * self.item.information_gain * self.category_weight * self.epistemic_weight


def pack(items: Sequence[PackItem], budget: int, weights: PackWeights) -> tuple[PackedItem, ...]:
    """Decide on every item: those taken come first, in the order in which they were taken, then the others in their given order.

    Together, those taken never cost more than the budget; among equals the earlier one is taken.

    Args:
        items: in the order of the hits, best first.
        budget: tokens that those taken may cost together.
        weights: weights of categories and statuses, and the penalty.
    """
    left = [_valued(item, weights) for item in items]
    taken: list[PackedItem] = []
    seen: Counter[str] = Counter()
    remaining = budget
    texts: dict[str, str] = {}
    while True:
        fitting = [each for each in left if each.item.tokens <= remaining and each.text not in texts]
        fitting = [each for each in fitting if _value(each, seen, weights) > 0] or [
            each for each in fitting if _may_fill(each, weights)
        ]
        if not fitting:
            break
        best = max(fitting, key=lambda each: _value(each, seen, weights))
        reason = f"It was worth most of what fitted into the {remaining} tokens that were left."
        taken.append(_decided(best, seen, weights, reason, place=len(taken) + 1))
        left.remove(best)
        if best.text:
            texts[best.text] = best.item.id
        seen[_kind(best.item)] += 1
        remaining -= best.item.tokens
    reasons = [
        f"Its text is that of {texts[each.text]}, which is packed."
        if each.text in texts
        else _why_left(each, seen, weights, remaining)
        for each in left
    ]
    return (*taken, *(_decided(each, seen, weights, why) for each, why in zip(left, reasons, strict=True)))


def _may_fill(each: _Valued, weights: PackWeights) -> bool:
    """Return whether a hit is taken although the penalty for its document exceeds its value."""
    return each.worth > 0 and weights.diversity < 1 and _kind(each.item) != each.item.category


def _valued(item: PackItem, weights: PackWeights) -> _Valued:
    by_status = weights.epistemic.get(item.epistemic, 1.0)
    own = item.epistemic_weight
    text = " ".join((item.content or item.text).casefold().split())
    return _Valued(item, weights.category.get(item.category, 1.0), by_status if own is None else own, text)


def _penalty(each: _Valued, seen: Counter[str], weights: PackWeights) -> float:
    kind = _kind(each.item)
    return weights.diversity * seen[kind] if kind else 0.0


def _kind(item: PackItem) -> str:
    return f"{_ORDINARY} of {item.document}" if item.category == _ORDINARY and item.document else item.category


def _value(each: _Valued, seen: Counter[str], weights: PackWeights) -> float:
    return each.worth - _penalty(each, seen, weights)


def _why_left(each: _Valued, seen: Counter[str], weights: PackWeights, remaining: int) -> str:
    if _value(each, seen, weights) <= 0 and not _may_fill(each, weights):
        if each.worth <= 0:
            return "Its score times its weights is 0."
        kind = _kind(each.item)
        group = f"category {kind!r}" if kind == each.item.category else "document"
        return f"The penalty for {seen[kind]} taken of the {group} exceeds its value."
    return f"It costs {each.item.tokens} tokens; {remaining} were left when nothing else was worth more and fitted."


def _decided(
    each: _Valued, seen: Counter[str], weights: PackWeights, reason: str, *, place: int | None = None
) -> PackedItem:
    return PackedItem(
        id=each.item.id,
        taken=place is not None,
        reason=reason,
        place=place,
        score=each.item.score,
        category=each.item.category,
        category_weight=each.category_weight,
        epistemic=each.item.epistemic,
        epistemic_weight=each.epistemic_weight,
        information_gain=each.item.information_gain,
        penalty=_penalty(each, seen, weights),
        value=_value(each, seen, weights),
        tokens=each.item.tokens,
    )
