"""The table of weights by what a query is about, as settings may change it."""

from typing import Annotated, Literal, get_args

from pydantic import Field

from interlace.settings_groups import Group

Weight = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Target = Literal["git", "database", "skill", "code", "docs", "web", "knowledge"]
TARGETS: tuple[Target, ...] = get_args(Target)


class TargetWeights(Group):
    """The scales of one target; what is left out keeps its built-in value."""

    proximity: Weight | None = None
    graph_rerank: Weight | None = None
    vector: Weight | None = None
    keyword: Weight | None = None
    entity: Weight | None = None
