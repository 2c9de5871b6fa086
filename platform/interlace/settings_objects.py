"""Settings that are one JSON object each: a group of equal things, of which what is left out keeps its built-in value."""

from typing import Annotated, Literal

from pydantic import Field

from interlace.domain.policy import MOST_HITS, First
from interlace.settings_groups import Group

Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Target = Literal["git", "database", "skill", "code", "docs", "web", "knowledge"]


class TargetWeights(Group):
    """The scales of one target; what is left out keeps its built-in value."""

    proximity: Weight | None = None
    graph_rerank: Weight | None = None
    vector: Weight | None = None
    keyword: Weight | None = None
    entity: Weight | None = None


class LegWeights(Group):
    """The base weight of each leg."""

    vector: Weight = 0.3
    keyword: Weight = 0.3
    graph: Weight = 0.25
    community: Weight = 0.25
    tags: Weight = 0.25
    paths: Weight = 0.2


class DefaultPolicy(Group):
    """The policy of requests that bring none: who answers first, and the thresholds below which the graph alone is not enough."""

    first: First = "all"
    min_graph_hits: Annotated[int, Field(ge=0, le=MOST_HITS)] = 10
    min_graph_score: Share = 0.02
    min_source_coverage: Share = 0.3
    min_overlap: Share = 0.3
