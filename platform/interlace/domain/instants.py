"""Dates in one format, so that every store compares them as instants: by comparing texts, or as it compares dates."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

# Narrower than ISO 8601: what looks like a number or a week (``20240531``, ``2024-W22``) stays a text.
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}"
    r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?\s?(?:Z|[+-]\d{2}:\d{2})?)?",
    re.ASCII,
)


def instant(text: str) -> str | None:
    """Return the instant that a date names as ``2024-05-31T12:00:00.000000Z``; None for anything else.

    The width is fixed, so that the order of texts is the order of instants. A day is its first moment, and a time without an offset is UTC.
    """
    if not _DATE.fullmatch(text):
        return None
    try:
        date = datetime.fromisoformat(text.replace(" ", "T", 1).replace(" ", ""))
        moment = date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def now() -> str:
    """Return the present instant."""
    return f"{datetime.now(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


RELATIVE: Final = r"-\s?(\d{1,6})\s?(second|minute|hour|day|week|month|year)s?"
"""Pattern of ``-7 days``, in small letters."""
_RELATIVE = re.compile(RELATIVE, re.ASCII)
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


def relative_instant(text: str) -> str | None:
    """Return the instant that a duration such as ``-7 days`` before now denotes; None for any other text.

    A month has 30 days and a year 365.
    """
    match = _RELATIVE.fullmatch(text.strip().lower())
    if match is None:
        return None
    count, unit = int(match[1]), match[2]
    span = timedelta(days=count * _DAYS[unit]) if unit in _DAYS else timedelta(**{f"{unit}s": count})
    try:
        moment = datetime.now(UTC).replace(tzinfo=None) - span
    except OverflowError:
        return None
    return f"{moment.isoformat(timespec='microseconds')}Z"
