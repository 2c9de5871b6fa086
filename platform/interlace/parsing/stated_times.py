"""When a document was created and changed, as it says itself: in its metadata, under the names that formats give it, or in a line at its head.

Filters, orders by time and questions about a time know only ``created_at`` and ``modified_at``.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from interlace.domain.documents import ParsedDocument
from interlace.domain.instants import instant
from interlace.text.dates import dates_in

# In order of preference, case-folded and without separators.
_NAMES: Final = MappingProxyType(
    {
        "created_at": (
            "createdat",
            "created",
            "date",
            "datecreated",
            "creationdate",
            "published",
            "publishedat",
            "datepublished",
            "sent",
            "sentat",
        ),
        "modified_at": (
            "modifiedat",
            "modified",
            "updatedat",
            "updated",
            "lastmodified",
            "datemodified",
            "modificationdate",
            "lastmod",
        ),
    }
)
_SEPARATORS = re.compile(r"[-_ ]")
_OFFSET = re.compile(r" ?(?:([+-]\d\d):?(\d\d)|UTC|GMT)$", re.ASCII)
_EPOCHS = (datetime(1990, 1, 1, tzinfo=UTC).timestamp(), datetime(2100, 1, 1, tzinfo=UTC).timestamp())
_UNITS = (1, 1_000)  # in a second
_HEAD_LINES = 12
# A row of a table at the head is a line too.
_LABELLED = re.compile(
    r"^\W{0,4}(?:(?:meeting )?(?:date|created|opened|published|posted|reported|sent)(?: on)?\s?(?::| \|)"
    r"|(?:created|posted|published|written) by [^|:,]{1,60}? on)\s*(\S.{0,60})",
    re.IGNORECASE,
)

_NEXT_FIELD = re.compile(r"\| [^|:]+: ")  # lines that go on so are rows of a table where they are several


def with_stated_times(parsed: ParsedDocument, sent: Mapping[str, Any]) -> ParsedDocument:
    """Return a document whose metadata has the times that it or its sender states, as ``created_at`` and ``modified_at``.

    The document's own metadata comes before its sender's, a file's time among them. A line of the text counts only where neither has a time. Other
    keys stay as they are.

    Args:
        parsed: the document with its own metadata.
        sent: what its sender says of it.
    """
    own = parsed.metadata
    times = {}
    for key, names in _NAMES.items():
        time = _in_metadata(own, names)
        if time is None and instant(str(sent.get(key, ""))) is None:
            time = _in_metadata(sent, names)
        if time is not None:
            times[key] = time
    if "created_at" not in {**sent, **own, **times} and (day := _at_head(parsed.text)):
        times["created_at"] = day
    return replace(parsed, metadata={**parsed.metadata, **times}) if times else parsed


def _in_metadata(metadata: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the time under the first of several names that has one."""
    known = {_SEPARATORS.sub("", key).casefold(): value for key, value in metadata.items()}
    return next((time for name in names if (time := _time(known.get(name)))), None)


def _at_head(text: str) -> str | None:
    """Return the day in a labelled line among a text's first lines: ``Date: Tuesday 3 September 2024, 9:00``, ``Created by Ada on 3 May 2024``."""
    labelled = map(_LABELLED.match, text.split("\n", _HEAD_LINES)[:_HEAD_LINES])
    lines = [match[1] for match in labelled if match]
    rows = [line for line in lines if _NEXT_FIELD.search(line)]
    return next((day for line in lines if (line not in rows or rows == [line]) and (day := _day(line))), None)


def _time(value: Any) -> str | None:
    """Return an instant, as it is written where that is ISO 8601, otherwise that of a number, or the day that a text names."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _counted(value)
    if not isinstance(value, str):
        return None
    written = _OFFSET.sub(lambda offset: f"{offset[1]}:{offset[2]}" if offset[1] else "Z", value.strip())
    return next((time for time in (value, written) if instant(time)), None) or _day(value)


def _counted(number: float) -> str | None:
    """Return the instant that many seconds or milliseconds after the beginning of 1970, if it is one from 1990 to 2099."""
    first, last = _EPOCHS
    unit = next((unit for unit in _UNITS if first * unit <= number < last * unit), None)
    return datetime.fromtimestamp(number / unit, UTC).isoformat(timespec="seconds") if unit else None


def _day(text: str) -> str | None:
    """Return the first date of a text as ISO 8601, if it is a whole one."""
    date = next(iter(dates_in(text)), None)
    if date is None or date.last_day or not (date.year and date.month and date.day):
        return None
    day = f"{date.year:04}-{date.month:02}-{date.day:02}"
    return day if instant(day) else None
