"""What callers give, as the API takes it."""

import json
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import date, time
from typing import Any, TypeVar
from urllib.parse import quote

from interlace.domain.errors import InvalidInputError, NotFoundError

T = TypeVar("T")


def several(name: str, given: Iterable[T]) -> list[T]:
    """Return what an argument of this name lists.

    Raises:
        InvalidInputError: it is one text, which would be taken for a list of letters.
    """
    if isinstance(given, str):
        raise InvalidInputError(f"{name}: give a list, such as [{given!r}].")
    return list(given)


def path_part(what: str, given: str) -> str:
    """Return what names one thing as one part of a path.

    Raises:
        NotFoundError: it is empty or only dots, which would name another path.
    """
    part = quote(str(given), safe="")
    if not part.strip("."):
        raise NotFoundError(f"There is no {what} {given!r}.")
    return part


def encoded(body: Mapping[str, Any]) -> bytes:
    """Return a body as JSON, with values of numpy and pandas, sets and times in it.

    Raises:
        InvalidInputError: it holds what JSON cannot, such as NaN.
    """
    try:
        return json.dumps(body, default=_plain, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise InvalidInputError(
            f"This cannot be sent as JSON: {error}; give texts, finite numbers, times, lists and mappings."
        ) from error


def _plain(given: Any) -> Any:
    if isinstance(given, AbstractSet):
        return list(given)
    if str(getattr(given, "dtype", "")).startswith("datetime64"):
        # A list of them would have nanoseconds as whole numbers.
        given = given.astype(str)
        if "NaT" in given.tolist():
            raise TypeError("it holds a NaT")
    if hasattr(given, "tolist"):
        return given.tolist()
    if isinstance(given, date | time) and (text := given.isoformat()) != "NaT":
        return text
    raise TypeError(f"it holds a {type(given).__name__}")
