"""One set of weights a query: the table of intents, and the base weights of the legs from the settings."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from interlace.domain.errors import InvalidInputError
from interlace.retrieval.intent import Intent
from interlace.settings import QuerySettings

LEGS = ("vector", "keyword", "graph", "community", "tags", "paths")


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """What a query makes of each kind of evidence; every step takes its weight from here.

    Args:
        proximity: scale of the boost for documents that link to each other.
        graph_rerank: scale of the graph's word in the rerank.
        vector: scale of the dense leg and of similarity in the rerank.
        keyword: scale of the keyword leg.
        entity: scale of the boost for related names.
        legs: base weight of each leg.

    Raises:
        InvalidInputError: a weight is negative or not a finite number; the message names it.
    """

    proximity: float = 1.0
    graph_rerank: float = 1.0
    vector: float = 1.0
    keyword: float = 1.0
    entity: float = 1.0
    legs: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scales = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "legs"}
        for name, value in {**scales, **{f"legs.{leg}": weight for leg, weight in self.legs.items()}}.items():
            if not math.isfinite(value) or value < 0:
                raise InvalidInputError(f"The weight {name} is {value}; it must be a finite number of at least 0.")

    def of_leg(self, leg: str) -> float:
        """Return the leg's weight for this query: base weight times the scale of its kind (0 for unknown legs)."""
        return self.legs.get(leg, 0.0) * {"vector": self.vector, "keyword": self.keyword}.get(leg, 1.0)


_DOCUMENTS = {"proximity": 1.5, "graph_rerank": 1.3, "vector": 0.9, "keyword": 1.0}
_CODE = {"proximity": 0.7, "graph_rerank": 1.0, "vector": 1.2, "keyword": 1.3}
_GIT = {"proximity": 0.8, "graph_rerank": 1.0, "vector": 1.0, "keyword": 1.4}
INTENT_SCALES: Mapping[str, Mapping[str, float]] = {
    "knowledge": _DOCUMENTS,
    "docs": _DOCUMENTS,
    "code": _CODE,
    "database": _CODE,
    "skill": _CODE,
    "git": _GIT,
}


def base_weights(settings: QuerySettings) -> dict[str, float]:
    """Return leg to base weight, as configured."""
    return {leg: float(getattr(settings, f"{leg}_weight")) for leg in LEGS}


def weights_for(
    intent: Intent,
    settings: QuerySettings,
    *,
    scales: Mapping[str, Mapping[str, float]] = INTENT_SCALES,
    overrides: Mapping[str, float] | None = None,
) -> FusionWeights:
    """Return the weights of a query.

    Args:
        intent: what the question is about.
        settings: base weights.
        scales: target to scales; targets without a row have scale 1.
        overrides: scales the caller set for this query; they win.

    Raises:
        InvalidInputError: a scale is unknown, negative or not finite; the message names it.
    """
    chosen = {**scales.get(intent.target, {}), **(overrides or {})}
    known = {item.name for item in fields(FusionWeights)} - {"legs"}
    for name in chosen:
        if name not in known:
            raise InvalidInputError(f"There is no weight {name!r}; known ones are {', '.join(sorted(known))}.")
    return FusionWeights(**chosen, legs=base_weights(settings))
