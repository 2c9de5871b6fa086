"""A request as route functions see it, and the check of its query parameters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import ValidationError

from interlace_edge.bodies.base import StrictBody, read_json, refusal
from interlace_edge.errors import EdgeError
from interlace_edge.storage.catalog import Catalog
from interlace_edge.storage.collection import EdgeCollection

Body = TypeVar("Body", bound=StrictBody)
# Writes are acknowledged once they are durable and searches answer at once, so both promises hold without extra work.
PARAMETERS: Mapping[str, Callable[[str], bool]] = {
    "wait": lambda value: value == "true",
    "timeout": lambda value: value.isdecimal() and int(value) >= 1,
}


@dataclass(frozen=True, slots=True)
class EdgeRequest:
    """A request: the collections, the names in its path, and the raw body."""

    catalog: Catalog
    path: Mapping[str, str]
    body: bytes

    @property
    def name(self) -> str:
        """The collection's name."""
        return self.path["collection"]

    @property
    def collection(self) -> EdgeCollection:
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
    """Refuse query parameters, or values of them, that this server does not support.

    Raises:
        EdgeError: 400, with the parameter's name.
    """
    for name, value in parameters.items():
        allowed = PARAMETERS.get(name)
        if allowed is None:
            raise EdgeError(400, f"Bad request: unknown query parameter `{name}`")
        if not allowed(value):
            raise EdgeError(400, f"Bad request: query parameter `{name}` cannot be `{value}`")
