"""When a document was created and changed, as it says itself: in its metadata, under the names that formats give it, in a line at its head, or in the name of its file.

Filters, orders by time and questions about a time know only ``created_at`` and ``modified_at``.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from interlace.domain.documents import ParsedDocument
from interlace.domain.instants import instant
from interlace.text.dates import dates_in, placed_dates

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
_KINDS = "application|filing|incident|invoice|issue|letter|meeting|publication|report"
_DONE = "created|filed|issued|opened|posted|published|received|reported|sent|started|submitted"
# A row of a table at the head is a line too.
_LABELLED = re.compile(
    rf"^\W{{0,4}}(?:(?:(?:(?:{_KINDS}) )?(?:date|datum|data|fecha|dato)(?: (?:of (?:the )?(?:{_KINDS}|receipt)|{_DONE}))?"
    rf"|(?:{_DONE}))(?: on)?(?:[ \t]{{0,40}}:| \|)"
    r"|(?:created|posted|published|written) by [^|:,]{1,60}? on)\s*(\S.{0,60})",
    re.IGNORECASE,
)
_NEXT_FIELD = re.compile(r"\| [^|:]+: ")  # lines that go on so are rows of a table where they are several
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag "
    "lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo "
    "lunedì martedì mercoledì giovedì venerdì sabato domenica segunda-feira terça-feira quarta-feira quinta-feira sexta-feira "
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag poniedziałek wtorek środa czwartek piątek sobota niedziela "
    "måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag"
)
# Before a date that is a line of its own: a place, a weekday, an article.
_BEFORE_DATE = re.compile(
    r"\W{0,4}(?:[^\W\d_a-z][\w.'\u2019-]{1,20}(?: [\w.'\u2019-]{1,20}){0,2}, ?)?"
    rf"(?i:(?:(?:{'|'.join(_WEEKDAYS.split())}),? ?)?(?:(?:am|dated|den|el|le|li|the) )?)"
)
_AFTER_DATE = re.compile(r"(?: r\.)?(?:,? (?:at )?\d\d?[:.]\d\d\b.{0,12})?\W{0,4}", re.IGNORECASE)
_OTHER_DAY = re.compile(r"birth|born|deadline|\bdue\b|expir|until|valid|[:|]\s*$", re.IGNORECASE)
_LINE_CHARACTERS = 80
_FILE_DAY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)", re.ASCII)


def with_stated_times(parsed: ParsedDocument, sent: Mapping[str, Any], file_name: str = "") -> ParsedDocument:
    """Return a document whose metadata has the times that it or its sender states, as ``created_at`` and ``modified_at``.

    The document's own metadata comes before its sender's, a file's time among them. A line of the text counts only where neither has a time, the day with
    which the name of a file begins only where no line has one. Other keys stay as they are.

    Args:
        parsed: the document with its own metadata.
        sent: what its sender says of it.
        file_name: of a file that is one document.
    """
    own = parsed.metadata
    times = {}
    for key, names in _NAMES.items():
        time = _in_metadata(own, names)
        if time is None and instant(str(sent.get(key, ""))) is None:
            time = _in_metadata(sent, names)
        if time is not None:
            times[key] = time
    named = _FILE_DAY.match(file_name)
    if "created_at" not in {**sent, **own, **times} and (day := _at_head(parsed.text) or (named and _day(named[0]))):
        times["created_at"] = day
    return replace(parsed, metadata={**parsed.metadata, **times}) if times else parsed


def _in_metadata(metadata: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the time under the first of several names that has one."""
    known = {_SEPARATORS.sub("", key).casefold(): value for key, value in metadata.items()}
    return next((time for name in names if (time := _time(known.get(name)))), None)


def _at_head(text: str) -> str | None:
    """Return the day in a labelled line among a text's first lines (``Date: Tuesday 3 September 2024, 9:00``, ``Created by Ada on 3 May 2024``), else of the only one that is a date."""
    head = text.split("\n", _HEAD_LINES)[:_HEAD_LINES]
    lines = [match[1] for match in map(_LABELLED.match, head) if match]
    rows = [line for line in lines if _NEXT_FIELD.search(line)]
    labelled = (day for line in lines if (line not in rows or rows == [line]) and (day := _day(line)))
    alone = [day for above, line in pairwise(["", *head]) if (day := _alone(above, line))]
    return next(labelled, alone[0] if len(alone) == 1 else None)


def _alone(above: str, line: str) -> str | None:
    """Return the day of a line that says nothing else but a weekday, a place and an hour, unless it or the line above calls it another day."""
    if len(line) > _LINE_CHARACTERS or _OTHER_DAY.search(line) or _OTHER_DAY.search(above):
        return None
    dates = placed_dates(line)
    if len(dates) != 1:
        return None
    is_alone = _BEFORE_DATE.fullmatch(line[: dates[0].start]) and _AFTER_DATE.fullmatch(line[dates[0].end :])
    return _day(line) if is_alone else None


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
