"""What callers give, as the API takes it."""

from collections.abc import Iterable
from typing import TypeVar

from interlace.domain.errors import InvalidInputError

T = TypeVar("T")


def several(name: str, given: Iterable[T]) -> list[T]:
    """Return what an argument lists.

    Args:
        name: the argument's name.
        given: a list, an array or the like.

    Raises:
        InvalidInputError: it is one text, which would be taken for a list of letters.
    """
    if isinstance(given, str):
        raise InvalidInputError(f"{name}: give a list, such as [{given!r}].")
    return list(given)
