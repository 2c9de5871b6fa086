"""Pages of lists: cursors that name the last item, so that what is added or removed meanwhile repeats and skips nothing."""

import base64
import binascii
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import orjson
from pydantic import BaseModel, Field

from interlace.domain.errors import InvalidInputError

T = TypeVar("T")


class Page(BaseModel, Generic[T]):
    """A part of a list."""

    items: list[T] = Field(description="in order")
    next_cursor: str | None = Field(None, description="send it as `cursor` for the next page; none on the last")


def page(items: Sequence[T], limit: int, *last: str) -> dict[str, Any]:
    """Return a page's fields: a full page may be followed by another, whose cursor holds attributes of the last item.

    Lists therefore return fewer than ``limit`` only at their end.
    """
    cursor = None
    if len(items) == limit:
        values = [getattr(items[-1], name) for name in last]
        cursor = base64.urlsafe_b64encode(orjson.dumps(values)).decode().rstrip("=")
    return {"items": items, "next_cursor": cursor}


def read_cursor(cursor: str | None, *types: type) -> tuple[Any, ...] | None:
    """Return the values of a cursor; None without one.

    Raises:
        InvalidInputError: it is not a cursor of this list.
    """
    if cursor is None:
        return None
    try:
        values = orjson.loads(base64.urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error):
        values = None
    if (
        not isinstance(values, list)
        or len(values) != len(types)
        or not all(_is_one(value, wanted) for value, wanted in zip(values, types, strict=True))
    ):
        raise InvalidInputError("cursor: is not a cursor of this list. Start again without it.")
    return tuple(values)


def _is_one(value: Any, wanted: type) -> bool:
    """Return whether a value is of a type; a number must also be one that the database can hold."""
    return isinstance(value, wanted) and (not isinstance(value, int) or -(2**63) <= value < 2**63)
