"""Bodies that write points, and those that read them without a query."""

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from interlace_edge.wire.base import UNSIGNED_32, PointId, Wire
from interlace_edge.wire.filters import Filter

Payload = dict[str, Any]


class Sparse(Wire):
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


Vector = Annotated[list[float], Field(min_length=1)] | Sparse
Vectors = Annotated[list[float], Field(min_length=1)] | dict[str, Vector]


class PointStruct(Wire):
    """A point; ``vector`` is the unnamed vector or a mapping by name."""

    id: PointId
    vector: Vectors
    payload: Payload | None = None


class Batch(Wire):
    """Points by column."""

    ids: list[PointId]
    vectors: list[list[float]] | dict[str, list[Vector]]
    payloads: list[Payload | None] | None = None

    def rows(self) -> list[PointStruct]:
        """Return the points by row.

        Raises:
            ValueError: the columns differ in length.
        """
        count = len(self.ids)
        columns = list(self.vectors.values()) if isinstance(self.vectors, dict) else [self.vectors]
        payloads = self.payloads if self.payloads is not None else [None] * count
        if any(len(column) != count for column in [*columns, payloads]):
            raise ValueError(f"a batch of {count} ids needs as many vectors and payloads")
        return [
            PointStruct.model_construct(id=point, vector=self._vector(row), payload=payloads[row])
            for row, point in enumerate(self.ids)
        ]

    def _vector(self, row: int) -> Vectors:
        if isinstance(self.vectors, dict):
            return {name: column[row] for name, column in self.vectors.items()}
        return self.vectors[row]


class Upsert(Wire):
    """``points`` by row or ``batch`` by column."""

    points: list[PointStruct] | None = None
    batch: Batch | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.points is None) == (self.batch is None):
            raise ValueError("an upsert has either points or batch")
        if self.batch is not None:
            self.batch.rows()
        return self

    def rows(self) -> list[PointStruct]:
        """Return the points by row."""
        return self.points if self.points is not None else (self.batch.rows() if self.batch else [])


class Selector(Wire):
    """Which points: by ``points`` (ids) or by ``filter``."""

    points: list[PointId] | None = None
    filter: Filter | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.points is None) == (self.filter is None):
            raise ValueError("select by either points or filter")
        return self


class SetPayload(Selector):
    """Payload to merge in, or to put in place of the old one; below ``key`` if given."""

    payload: Payload
    key: str | None = Field(None, min_length=1)


class DeletePayload(Selector):
    """Payload keys to remove."""

    keys: list[Annotated[str, Field(min_length=1)]]


class PointVectors(Wire):
    """New vectors for an existing point; those not named stay."""

    id: PointId
    vector: Vectors


class UpdateVectors(Wire):
    """New vectors for existing points."""

    points: list[PointVectors]


class DeleteVectors(Selector):
    """Vectors to take away from points."""

    vector: list[str] = Field(min_length=1)


class PayloadSelector(Wire):
    """Payload keys to bring, or to leave out."""

    include: list[str] | None = None
    exclude: list[str] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("a payload selector has either include or exclude")
        return self


class Retrieve(Wire):
    """Points by id."""

    ids: list[PointId]
    with_payload: bool | list[str] | PayloadSelector = True
    with_vector: bool | list[str] = False


class OrderBy(Wire):
    """A payload field with a range index to order by."""

    key: str = Field(min_length=1)
    direction: str = Field("asc", pattern="^(asc|desc)$")
    start_from: int | float | str | None = None


class Scroll(Wire):
    """Points in order of id, from ``offset`` on; or by a payload field."""

    offset: PointId | None = None
    limit: int = Field(10, ge=1)
    filter: Filter | None = None
    with_payload: bool | list[str] | PayloadSelector = True
    with_vector: bool | list[str] = False
    order_by: str | OrderBy | None = None


class Count(Wire):
    """How many points match."""

    filter: Filter | None = None
    exact: bool = True


class Facet(Wire):
    """The most frequent values of an indexed payload field."""

    key: str = Field(min_length=1)
    limit: int = Field(10, ge=1)
    filter: Filter | None = None
    exact: bool = False
