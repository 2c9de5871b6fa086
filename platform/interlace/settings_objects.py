"""The base class of settings groups, and settings that are one JSON object each, which keep the built-in value of what they leave out."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from interlace.domain.policy import MAX_HITS, First

Port = Annotated[int, Field(ge=1, le=65_535)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Target = Literal["git", "database", "skill", "code", "docs", "web", "knowledge"]


class Group(BaseModel):
    """A frozen group of settings that refuses names it does not know, and numbers that are not finite."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


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
    """The policy of requests that have none of their own: who answers first, and the thresholds below which the graph alone is not enough."""

    first: First = "all"
    min_graph_hits: Annotated[int, Field(ge=0, le=MAX_HITS)] = 10
    min_graph_score: Share = 0.02
    min_source_coverage: Share = 0.3
    min_overlap: Share = 0.3


class TableWeights(Group):
    """What hits weigh in a pack, by category and by epistemic status."""

    category: dict[str, Weight] = Field({})
    epistemic: dict[str, Weight] = Field({})


class StackPorts(Group):
    """The ports of the local stack's servers."""

    bolt: Port = 7687
    browser: Port = 7474
    qdrant: Port = 6333
    redis: Port = 6379

    @model_validator(mode="after")
    def _check_ports_differ(self) -> "StackPorts":
        if len(set(dict(self).values())) < len(dict(self)):
            raise ValueError("each server needs its own port")
        return self
