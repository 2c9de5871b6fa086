"""Bounds on what a caller may ask for."""

from interlace.domain.errors import InvalidInputError

MAX_QUERY_CHARACTERS = 2000
"""Characters of a query that are read."""


def check_text(text: str) -> None:
    """Refuse a query without text, or one that is too long.

    Raises:
        InvalidInputError: it is empty or has more than 2,000 characters.
    """
    if not text.strip():
        raise InvalidInputError("The query is empty; it needs text.")
    if len(text) > MAX_QUERY_CHARACTERS:
        raise InvalidInputError(f"The query has {len(text)} characters; at most {MAX_QUERY_CHARACTERS} are allowed.")


def check_range(name: str, value: int, maximum: int) -> None:
    """Refuse a number that is out of range.

    Raises:
        InvalidInputError: it is below 1 or above ``maximum``.
    """
    if not 1 <= value <= maximum:
        raise InvalidInputError(f"{name} is {value}; it must be 1 to {maximum}.")
