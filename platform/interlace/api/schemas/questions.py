"""Questions as callers send them."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from interlace.api.schemas.filters import FilterBody, within_limits
from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import LegName, Mode, QueryRequest
from interlace.settings import QuerySettings

_MAX_QUESTION = 2000
Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=_MAX_QUESTION)]


class QueryBody(BaseModel):
    """A question to all documents of a tenant."""

    model_config = ConfigDict(extra="forbid")

    query: Question = Field(
        description="the question", examples=["Who founded the company that built the first turbine?"]
    )
    mode: Mode = Field("auto", description="which legs may answer; `auto` starts with the graph and escalates")
    filters: Annotated[FilterBody, AfterValidator(within_limits)] | None = Field(
        None, description="metadata that every hit must have; applied inside every leg"
    )
    limit: int = Field(10, ge=1, le=1000, description="hits wanted; the server may allow fewer")
    legs: list[LegName] | None = Field(None, min_length=1, max_length=6, description="only these legs")
    explain: bool = Field(default=False, description="also return every leg's own ranking")

    def to_domain(self, limits: QuerySettings) -> QueryRequest:
        """Return the question in the domain's words.

        Raises:
            InvalidInputError: more hits are wanted than this server gives.
        """
        if self.limit > limits.max_limit:
            raise InvalidInputError(
                f"limit: {self.limit} is more than the {limits.max_limit} hits that this server gives."
            )
        return QueryRequest(
            text=self.query,
            mode=self.mode,
            limit=self.limit,
            where=self.filters.to_domain() if self.filters else None,
            legs=tuple(self.legs) if self.legs else None,
            explain=self.explain,
        )


class EntitySearchBody(BaseModel):
    """A name to look for in the registry."""

    model_config = ConfigDict(extra="forbid")

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=256)] = Field(
        description="a name, also misspelt or in part"
    )
    types: tuple[Annotated[str, StringConstraints(max_length=64)], ...] = Field(
        (), max_length=20, description="only entities of these types"
    )
    limit: int = Field(10, ge=1, le=100, description="entities wanted")
