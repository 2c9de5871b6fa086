"""Query filters as Qdrant filters on the payload keys of the same names.

``prefix`` needs Qdrant 1.18 or later (``match: {"prefix": …}``), served by keyword indexes made with the ``prefix`` option.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from qdrant_client import models

from interlace.domain.documents import ACCESS
from interlace.domain.filters import DATES, FIELDS, METADATA, RANGES, Condition, Filter, Scalar
from interlace.domain.instants import instant
from interlace.domain.reader import reader_groups
from interlace.ports.vectors import KEPT

INSTANTS = "instants."
PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")


def compile_filter(where: Filter | None) -> models.Filter | None:
    """Return Qdrant's filter, None for a filter without conditions."""
    if where is None or not where.parts:
        return None
    return models.Filter(must=_all(where.must), should=_all(where.should), must_not=_all(where.must_not))


def visible(where: models.Filter | None) -> models.Filter | None:
    """Return a filter that also excludes what the current reader may not see (``domain.reader``)."""
    groups = reader_groups()
    if groups is None:
        return where
    kept = models.FieldCondition(key=ACCESS, match=models.MatchValue(value=KEPT))
    mine = models.FieldCondition(key=ACCESS, match=models.MatchAny(any=list(groups)))
    seen = models.Filter(should=[models.Filter(must_not=[kept]), mine])
    return models.Filter(must=[seen, where] if where else [seen])


def only(ids: Sequence[str]) -> models.Filter:
    """Return a filter for points by id."""
    return models.Filter(must=[models.HasIdCondition(has_id=list(ids))])


def _all(parts: tuple[Condition | Filter, ...]) -> list[models.Condition] | None:
    return [_part(part) for part in parts] or None


def _part(part: Condition | Filter) -> models.Condition:
    if isinstance(part, Filter):
        return compile_filter(part) or models.Filter()
    key = payload_key(part)
    if part.operator in RANGES:
        return _range(key, part)
    if part.operator == "prefix":
        return models.FieldCondition(key=key, match=models.MatchPrefix(prefix=str(part.value)))
    return _one_of(key, part) if part.operator == "in" else _equals(key, part, *part.choices)


def payload_key(condition: Condition) -> str:
    """Return the payload path of a condition; a metadata key that is not a plain word is quoted."""
    if condition.field in FIELDS:
        return condition.field
    key = escaped(condition.field.removeprefix(METADATA))
    group = INSTANTS if condition.compares_instants else METADATA
    return group + (key if PLAIN_KEY.fullmatch(key) else f'"{key}"')


def escaped(key: str) -> str:
    """Return a metadata key without the characters that end or break a quoted part of a payload path."""
    return key.replace("%", "%25").replace('"', "%22").replace("\\", "%5C")


def escaped_payload(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a payload whose metadata keys can be used in payload paths."""
    groups = (METADATA.rstrip("."), INSTANTS.rstrip("."))
    changed = {
        group: {escaped(key): value for key, value in payload[group].items()}
        for group in groups
        if isinstance(payload.get(group), dict)
    }
    return {**payload, **changed}


def _one_of(key: str, condition: Condition) -> models.Condition:
    """Membership; an empty choice matches no point."""
    values = condition.choices
    words = [value for value in values if isinstance(value, str)]
    if not values or (len(words) == len(values) and not condition.compares_instants):
        return models.FieldCondition(key=key, match=models.MatchAny(any=words))
    return models.Filter(should=[_equals(key, condition, value) for value in values])


def _equals(key: str, condition: Condition, value: Scalar) -> models.Condition:
    """Equality; if the payload has a list, the list contains the value. A number or a date is a range of one value."""
    if condition.field in DATES:
        return models.FieldCondition(key=key, range=_dates(value, "gte", "lte"))
    if isinstance(value, str | bool):
        return models.FieldCondition(key=key, match=models.MatchValue(value=value))
    return models.FieldCondition(key=key, range=models.Range(gte=float(value), lte=float(value)))


def _range(key: str, condition: Condition) -> models.FieldCondition:
    (value,) = condition.choices
    if isinstance(value, str):
        return models.FieldCondition(key=key, range=_dates(value, condition.operator))
    return models.FieldCondition(key=key, range=models.Range(**{condition.operator: float(value)}))


def _dates(value: Scalar, *bounds: str) -> models.DatetimeRange:
    return models.DatetimeRange.model_validate(dict.fromkeys(bounds, instant(str(value))))
