"""Bodies that write points, and those that read them without a query."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from interlace_edge.bodies.base import UNSIGNED_32, Name, PointId, StrictBody
from interlace_edge.bodies.filters import EdgeFilter

Payload = dict[str, Any]


class SparseValues(StrictBody):
    """A sparse vector: unique unsigned 32 bit indices and as many weights."""

    indices: list[Annotated[int, Field(ge=0, le=UNSIGNED_32)]]
    values: list[float]

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if len(self.indices) != len(self.values):
            raise ValueError(f"{len(self.indices)} indices but {len(self.values)} values")
        if len(set(self.indices)) != len(self.indices):
            raise ValueError("the indices of a sparse vector must be unique")
        return self


DenseVector = Annotated[list[float], Field(min_length=1)]
MultiVector = Annotated[list[DenseVector], Field(min_length=1)]
Vector = DenseVector | MultiVector | SparseValues
NamedVectors = dict[Name, Vector]


class PointBody(StrictBody):
    """A point with its vectors by name."""

    id: PointId
    vector: NamedVectors
    payload: Payload = Field(default_factory=dict)


class Upsert(StrictBody):
    """Points to write as a whole."""

    points: list[PointBody]


class PointVectors(StrictBody):
    """New vectors for an existing point; those not named stay."""

    id: PointId
    vector: NamedVectors


class UpdateVectors(StrictBody):
    """New vectors for existing points."""

    points: list[PointVectors]


class DeletePoints(StrictBody):
    """Points to delete, by id."""

    points: list[PointId]


class OverwritePayload(StrictBody):
    """The payload that replaces those of the matching points."""

    payload: Payload
    filter: EdgeFilter


class PayloadUpdate(StrictBody):
    """One update of a batch: Interlace sends new payloads only."""

    overwrite_payload: OverwritePayload


class UpdateBatch(StrictBody):
    """Updates to apply in order."""

    operations: list[PayloadUpdate]


class Retrieve(StrictBody):
    """Points by id."""

    ids: list[PointId]
    with_payload: bool = True
    with_vector: bool | list[str] = False


class Scroll(StrictBody):
    """Points in order of id, from ``offset`` on."""

    offset: PointId | None = None
    limit: int = Field(10, ge=1)
    filter: EdgeFilter | None = None
    with_payload: bool = True
    with_vector: bool | list[str] = False


class Count(StrictBody):
    """The exact number of points."""

    exact: Literal[True] = True
