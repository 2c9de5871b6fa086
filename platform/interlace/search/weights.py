"""The fusion weights of a query: base weights of the legs from the settings, scaled by the intent."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import SIGNALS, Signal
from interlace.search.intent import Intent
from interlace.search.profile import RankingProfile
from interlace.settings import QuerySettings
from interlace.settings_objects import TargetWeights

_UNSCALED = {"legs", "without"}


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """The weight of each kind of evidence in a query; every stage takes its weights from here.

    Args:
        proximity: scale of the boost for documents that link to each other.
        graph_rerank: scale of PageRank in the rerank.
        vector: scale of the dense leg and of similarity in the rerank.
        keyword: scale of the keyword leg.
        entity: scale of the boost for related entities.
        legs: base weight of each leg.
        without: legs and boosts that are left out of this query.

    Raises:
        InvalidInputError: a weight is negative or not a finite number, or what is left out is unknown; the message names it.
    """

    proximity: float = 1.0
    graph_rerank: float = 1.0
    vector: float = 1.0
    keyword: float = 1.0
    entity: float = 1.0
    legs: Mapping[str, float] = field(default_factory=dict)
    without: frozenset[Signal] = frozenset()

    def __post_init__(self) -> None:
        for name, value in {**self._scales(), **{f"legs.{leg}": weight for leg, weight in self.legs.items()}}.items():
            if not math.isfinite(value) or value < 0:
                raise InvalidInputError(f"The weight {name} is {value}; it must be a finite number of at least 0.")
        for name in sorted(self.without.difference(SIGNALS)):
            raise InvalidInputError(f"There is no leg or boost {name!r} to leave out; use one of {', '.join(SIGNALS)}.")

    def uses(self, signal: Signal) -> bool:
        """Return whether a leg or boost counts in this query."""
        return signal not in self.without

    def of_leg(self, leg: str) -> float:
        """Return the leg's weight for this query: base weight times the scale of its kind (0 for unknown and left-out legs)."""
        if leg in self.without:
            return 0.0
        return self.legs.get(leg, 0.0) * {"vector": self.vector, "keyword": self.keyword}.get(leg, 1.0)

    def to_dict(self, legs: Iterable[str]) -> dict[str, float]:
        """Return each scale, and ``leg.NAME`` for each of some legs."""
        return {**self._scales(), **{f"leg.{leg}": self.of_leg(leg) for leg in legs}}

    def _scales(self) -> dict[str, float]:
        return {item.name: getattr(self, item.name) for item in fields(self) if item.name not in _UNSCALED}


def weights_for(
    intent: Intent, settings: QuerySettings, profile: RankingProfile, *, without: frozenset[Signal] = frozenset()
) -> FusionWeights:
    """Return the weights of a query.

    Args:
        intent: what the query is about.
        settings: base weights, and what they change in the table of targets.
        profile: the scales of each target.
        without: legs and boosts that the caller leaves out.

    Raises:
        InvalidInputError: what is left out is unknown; the message names it.
    """
    return FusionWeights(**scales_of(intent.target, settings, profile), legs=dict(settings.weights), without=without)


def scales_of(target: str, settings: QuerySettings, profile: RankingProfile) -> dict[str, float]:
    """Return the scales of a target: those of the settings, and the profile's where the settings name none."""
    chosen: Mapping[str, TargetWeights] = {str(name): scales for name, scales in settings.intent_weights.items()}
    given = chosen[target].model_dump(exclude_none=True) if target in chosen else {}
    return {**profile.scales.get(target, {}), **given}
