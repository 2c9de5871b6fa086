"""How much a caller may ask for."""

from interlace.domain.errors import InvalidInputError
from interlace.settings import QuerySettings


def check_limit(limit: int, settings: QuerySettings) -> None:
    """Refuse a number of hits that is out of range.

    Raises:
        InvalidInputError: it is below 1 or above the ceiling of the settings.
    """
    if not 1 <= limit <= settings.max_limit:
        raise InvalidInputError(f"limit is {limit}; it must be 1 to {settings.max_limit} (INTERLACE_QUERY__MAX_LIMIT).")
