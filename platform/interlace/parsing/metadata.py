"""A document's own metadata, as JSON values within limits."""

import datetime as dt
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from interlace.domain.errors import InvalidInputError, ParseError
from interlace.parsing.decoding import clean, one_line
from interlace.parsing.sandbox.limits import ParseLimits

_INT64 = 2**63
# What programs write as the title if the author gave none: a word for "untitled", or, in files of word processors, a file name.
_UNTITLED = re.compile(
    r"^\W*(?:untitled(?: (?:document|page))?|no title|title|(?:new )?(?:document|page|presentation)|powerpoint.presentation|slide)\W*\d*$",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"^(?:\W*microsoft word(?: document)?(?:\s*-.*)?|.*\.(?:pdf|docx?|xlsx?|pptx?|indd|tex|dvi|ps|eps|rtf|txt|html?|qxd|fm|p65|odt))\W*\d*$",
    re.IGNORECASE,
)


def stated_title(title: str, *, file_names: bool = True) -> str:
    """Return a title that its author gave; empty if a program made it up, or with ``file_names`` false, if it is the name of a file."""
    return "" if _UNTITLED.search(title) or (not file_names and _FILE_NAME.search(title)) else title


def json_values(values: Mapping[Any, Any], limits: ParseLimits, name: str) -> dict[str, Any]:
    """Return the mapping with string keys and JSON values: dates as ISO 8601, and whatever JSON cannot represent as strings.

    Raises:
        ParseError: reason ``limit``; too many values, too deep, or a text too long.
    """
    budget = _MetadataBudget(limits, name)
    return {one_line(str(key))[:200]: budget.convert(value, 1) for key, value in values.items()}


class _MetadataBudget:
    """Counts values while it converts them, so that YAML aliases cannot multiply without bound."""

    def __init__(self, limits: ParseLimits, name: str) -> None:
        self._limits = limits
        self._name = name
        self._left = limits.metadata_values

    def convert(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise self._refuse(f"holds more than {self._limits.metadata_values} metadata values")
        if depth > self._limits.metadata_depth:
            raise self._refuse(f"nests metadata deeper than {self._limits.metadata_depth} levels")
        if isinstance(value, Mapping):
            return {one_line(str(key))[:200]: self.convert(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.convert(item, depth + 1) for item in value]
        if isinstance(value, set | frozenset):
            return sorted(self.convert(str(item), depth + 1) for item in value)
        return self._scalar(value)

    def _scalar(self, value: Any) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return value if -_INT64 <= value < _INT64 else hex(value)
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if isinstance(value, dt.datetime | dt.date | dt.time):
            return value.isoformat()
        text = clean(value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value))
        if len(text) > self._limits.metadata_characters:
            raise self._refuse(
                f"has a metadata text of {len(text)} characters (limit {self._limits.metadata_characters})"
            )
        return text

    def _refuse(self, problem: str) -> ParseError:
        return ParseError(f"{self._name} {problem}. Move it into the document's text or shorten it.", reason="limit")


def words_of(value: Any) -> list[str]:
    """Return the non-blank items of a list or of a comma-separated text."""
    if value is None or isinstance(value, Mapping):
        return []
    text = str(value)
    # A bracket that is never closed is what is left of a list in broken YAML.
    parts: Iterable[Any] = (
        value if isinstance(value, list | tuple) else (text if "]" in text else text.lstrip(" [")).split(",")
    )
    return [name for part in parts if isinstance(part, str | int | float) and (name := one_line(str(part)))]


def tags_of(values: Iterable[str]) -> tuple[str, ...]:
    """Return tags sorted, unique and in lower case, without ``#`` and without empty levels (``a//b`` is ``a/b``)."""
    tags = set()
    for value in values:
        levels = (level.strip() for level in one_line(value).lstrip("#").lower().split("/"))
        tags.add("/".join(level for level in levels if level)[:256])
    return tuple(sorted(tags - {""}))


def check_tags(values: Iterable[str]) -> None:
    """Refuse what is no tag.

    Raises:
        InvalidInputError: nothing of one of them is left as a tag.
    """
    for value in values:
        if not tags_of([value]):
            raise InvalidInputError(f"{value!r} is not a tag; a tag has at least one character other than # and /.")


def unique(values: Iterable[str]) -> tuple[str, ...]:
    """Return the values in order, each once."""
    return tuple(dict.fromkeys(values))
