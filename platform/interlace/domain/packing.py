"""Packing hits into a token budget: the request, the candidates, and what became of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PackRequest:
    """How to pack.

    Args:
        budget: tokens that the packed text may have.
        category_weights: weight by category; they win over the settings'.
        epistemic_weights: weight by epistemic status; likewise.
        diversity: penalty (0 to 1) for each hit of the same category that is already packed; 0.1 if none.
        candidates: hits to choose from; 50 if none.
    """

    budget: int
    category_weights: Mapping[str, float] = field(default_factory=dict)
    epistemic_weights: Mapping[str, float] = field(default_factory=dict)
    diversity: float | None = None
    candidates: int | None = None


@dataclass(frozen=True, slots=True)
class PackItem:
    """A hit that may be packed.

    Args:
        id: the chunk.
        score: 0 to 1, the best hit's being 1.
        tokens: what it costs.
        category: what kind of text it is.
        epistemic: how sure its author is; empty if unsaid.
        text: what is packed.
        document: its document; too many hits of one document say the same. Empty if unknown.
        content: the text without title and headings, by which duplicates are recognised; that of ``text`` if empty.
        information_gain: how much it tells that is new, as a factor of its value.
        epistemic_weight: weight of its own; none for that of its epistemic status.
    """

    id: str
    score: float
    tokens: int
    category: str
    epistemic: str
    text: str
    document: str = ""
    content: str = ""
    information_gain: float = 1.0
    epistemic_weight: float | None = None


@dataclass(frozen=True, slots=True)
class PackedItem:
    """What became of a hit.

    Args:
        id: the chunk.
        taken: whether it was packed.
        reason: why it was taken or left, in a sentence.
        place: order in which it was taken, from 1; none for what was left.
        score: the hit's score as a share of the best hit's.
        category: what kind of text it is.
        category_weight: what that is worth.
        epistemic: how sure its author is; empty if unsaid.
        epistemic_weight: what that is worth, or the item's own weight.
        information_gain: how much it tells that is new, as a factor.
        penalty: subtracted because of what was already packed.
        value: score times information gain times weights, less the penalty, when it was decided on.
        tokens: what it costs.
    """

    id: str
    taken: bool
    reason: str
    place: int | None
    score: float
    category: str
    category_weight: float
    epistemic: str
    epistemic_weight: float
    information_gain: float
    penalty: float
    value: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Pack:
    """Hits packed into a budget.

    Args:
        budget: tokens that the text may have.
        tokens: tokens that it has.
        tokenizer: name of the model that counted them, or ``words`` for the estimate by words when embeddings are off.
        text: what was taken, in the order of the hits, each under its title and headings, separated by blank lines.
        items: every candidate: what was taken in the order of taking, then the rest in the order of the hits.
    """

    budget: int
    tokens: int
    tokenizer: str
    text: str
    items: tuple[PackedItem, ...]
