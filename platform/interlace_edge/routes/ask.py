"""A request as route functions see it, and the check of its query parameters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from interlace_edge.errors import EdgeError
from interlace_edge.storage.catalog import Catalog
from interlace_edge.storage.collection import Collection
from interlace_edge.wire.base import Wire, read_json, refusal

Body = TypeVar("Body", bound=Wire)
# One node answers from memory and acknowledges durable writes only, so every value of these is kept without doing more.
PARAMETERS: Mapping[str, Callable[[str], bool]] = {
    "wait": lambda value: value in ("true", "false"),
    "ordering": lambda value: value in ("weak", "medium", "strong"),
    "consistency": lambda value: value in ("majority", "quorum", "all") or value.isdecimal(),
    "timeout": lambda value: value.isdecimal() and int(value) >= 1,
}


@dataclass(frozen=True, slots=True)
class Ask:
    """A request: the collections, what the path named, and the raw body."""

    catalog: Catalog
    path: Mapping[str, str]
    body: bytes

    @property
    def name(self) -> str:
        """The collection's name."""
        return self.path["collection"]

    @property
    def collection(self) -> Collection:
        """The collection.

        Raises:
            EdgeError: 404, there is none of that name.
        """
        return self.catalog.get(self.name)

    def read(self, kind: type[Body]) -> Body:
        """Return the body as ``kind``.

        Raises:
            EdgeError: 400 or 422, the body is malformed; the message names the place.
        """
        try:
            return kind.model_validate(read_json(self.body))
        except ValidationError as error:
            raise refusal(error) from None


def check_parameters(parameters: Mapping[str, str]) -> None:
    """Refuse query parameters that Qdrant does not have, or has but not with that value.

    Raises:
        EdgeError: 400, with the parameter's name.
    """
    for name, value in parameters.items():
        allowed = PARAMETERS.get(name)
        if allowed is None:
            raise EdgeError(400, f"Bad request: unknown query parameter `{name}`")
        if not allowed(value):
            raise EdgeError(400, f"Bad request: query parameter `{name}` cannot be `{value}`")


def completed(number: int) -> dict[str, Any]:
    """Return the answer to an update."""
    return {"operation_id": number, "status": "completed"}
