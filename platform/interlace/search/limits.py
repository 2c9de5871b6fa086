"""Bounds on what a caller may ask for."""

from interlace.domain.errors import InvalidInputError
from interlace.settings import QuerySettings

LONGEST_QUERY = 2000
"""Characters of a query that are read."""


def check_text(text: str) -> None:
    """Refuse a query without text, or one that is too long.

    Raises:
        InvalidInputError: it is empty or has more than 2,000 characters.
    """
    if not text.strip():
        raise InvalidInputError("The query is empty; it needs text.")
    if len(text) > LONGEST_QUERY:
        raise InvalidInputError(f"The query has {len(text)} characters; at most {LONGEST_QUERY} are read.")


def check_limit(limit: int, settings: QuerySettings) -> None:
    """Refuse a number of hits that is out of range.

    Raises:
        InvalidInputError: it is below 1 or above the ceiling of the settings.
    """
    if not 1 <= limit <= settings.max_limit:
        raise InvalidInputError(f"limit is {limit}; it must be 1 to {settings.max_limit} (INTERLACE_QUERY__MAX_LIMIT).")
