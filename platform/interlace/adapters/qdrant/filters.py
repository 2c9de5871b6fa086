"""Filters of queries as Qdrant filters on the payload keys of the same names.

``prefix`` needs Qdrant 1.18 or later (``match: {"prefix": …}``), served by keyword indexes made with the ``prefix`` option.
"""

import re
from datetime import datetime

from qdrant_client import models

from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Condition, Filter, Scalar

WORDS = frozenset({"source", "source_type", "tags", "document_id", "section_type"})
DATES = frozenset({"created_at", "modified_at"})
METADATA = "metadata."
RANGES = ("gt", "gte", "lt", "lte")
PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")


def compile_filter(where: Filter | None) -> models.Filter | None:
    """Return Qdrant's filter, None for one without conditions.

    Raises:
        InvalidInputError: a field is unknown, or its operator and value do not go together.
    """
    if where is None or not (where.must or where.should or where.must_not):
        return None
    return models.Filter(must=_all(where.must), should=_all(where.should), must_not=_all(where.must_not))


def _all(parts: tuple[Condition | Filter, ...]) -> list[models.Condition] | None:
    return [_part(part) for part in parts] or None


def _part(part: Condition | Filter) -> models.Condition:
    if isinstance(part, Filter):
        return compile_filter(part) or models.Filter()
    key = payload_key(part.field)
    if part.operator in RANGES:
        return _range(key, part)
    if part.operator == "prefix":
        return _prefix(key, part)
    return _one_of(key, part, part.value) if isinstance(part.value, tuple) else _equals(key, part, part.value)


def payload_key(field: str) -> str:
    """Return the payload path of a field; parts of a metadata key that are no plain words are quoted.

    Raises:
        InvalidInputError: no such field.
    """
    if field in WORDS or field in DATES:
        return field
    if not field.startswith(METADATA) or '"' in field or not all(field.split(".")):
        known = ", ".join(sorted(WORDS | DATES))
        raise InvalidInputError(f"`{field}` is no field to filter by; there are {known} and metadata.<key>.")
    parts = field.split(".")
    return ".".join(part if PLAIN_KEY.fullmatch(part) else f'"{part}"' for part in parts)


def _one_of(key: str, condition: Condition, values: tuple[Scalar, ...]) -> models.Condition:
    """Membership; an empty choice matches no point."""
    words = [value for value in values if isinstance(value, str)]
    if len(words) == len(values) and condition.field not in DATES:
        return models.FieldCondition(key=key, match=models.MatchAny(any=words))
    return models.Filter(should=[_equals(key, condition, value) for value in values])


def _equals(key: str, condition: Condition, value: Scalar) -> models.Condition:
    """Equality; with a list in the payload: the list holds the value. A number or a date is a range of one value."""
    if condition.field in DATES:
        day = _date(condition, value)
        return models.FieldCondition(key=key, range=models.DatetimeRange(gte=day, lte=day))
    if isinstance(value, float):
        return models.FieldCondition(key=key, range=models.Range(gte=value, lte=value))
    if isinstance(value, int) and not isinstance(value, bool):
        return models.FieldCondition(key=key, range=models.Range(gte=float(value), lte=float(value)))
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))


def _range(key: str, condition: Condition) -> models.FieldCondition:
    value = condition.value
    if isinstance(value, str):
        if condition.field in WORDS:
            raise _senseless(condition, "words have no order here; use eq, in or prefix")
        dates = models.DatetimeRange(**{condition.operator: _date(condition, value)})
        return models.FieldCondition(key=key, range=dates)
    if condition.field in DATES or isinstance(value, bool | tuple):
        raise _senseless(condition, "compare dates with a date like 2024-05-31T00:00:00Z, other values with a number")
    return models.FieldCondition(key=key, range=models.Range(**{condition.operator: float(value)}))


def _prefix(key: str, condition: Condition) -> models.FieldCondition:
    if condition.field in DATES or not isinstance(condition.value, str):
        raise _senseless(condition, "prefix compares words with a word")
    return models.FieldCondition(key=key, match=models.MatchPrefix(prefix=condition.value))


def _date(condition: Condition, value: object) -> datetime:
    """A date without an offset is UTC, in Qdrant as well."""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass
    raise _senseless(condition, "dates are written like 2024-05-31 or 2024-05-31T12:00:00Z")


def _senseless(condition: Condition, remedy: str) -> InvalidInputError:
    return InvalidInputError(
        f"The filter {condition.field} {condition.operator} {condition.value!r} makes no sense: {remedy}."
    )
