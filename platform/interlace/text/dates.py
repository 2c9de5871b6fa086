"""Dates in texts: days, months and years as people write them in English, whole days also in other languages, and how near a date is to the time that a question asks about."""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Final, NamedTuple

_MONTHS = MappingProxyType(
    {
        name: number
        for number, names in enumerate(
            (
                "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
                "september sept sep", "october oct", "november nov", "december dec",
            ),
            start=1,
        )
        for name in names.split()
    }
)  # fmt: skip
# German, Dutch, Danish, Norwegian, Swedish, French, Spanish, Italian, Portuguese and Polish; only between a day and a year, because some are English words.
_MONTHS_ELSEWHERE = MappingProxyType(
    {
        name: number
        for number, names in enumerate(
            (
                "januar jänner januari janvier enero gennaio janeiro stycznia", "februar februari février febrero febbraio fevereiro lutego",
                "märz maart marts mars marzo março marca", "april avril abril aprile kwietnia", "mai mei maj mayo maggio maio maja",
                "juni juin junio giugno junho czerwca", "juli juillet julio luglio julho lipca", "august augustus augusti août agosto sierpnia",
                "september septembre septiembre settembre setembro września", "oktober octobre octubre ottobre outubro października",
                "november novembre noviembre novembro listopada", "dezember december desember décembre diciembre dicembre dezembro grudnia",
            ),
            start=1,
        )
        for name in names.split()
    }
)  # fmt: skip
_NUMBERS = {**_MONTHS_ELSEWHERE, **_MONTHS}
# Words that are not months unless something next to them says so: ``may`` and ``march`` are verbs, the short forms are words or names.
_DOUBTFUL = frozenset({"may", "march", "mar", "jan", "sept", "sep", "dec", "jun"})
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
# Parts of a month: their first and last day.
_PARTS = MappingProxyType(
    {
        **dict.fromkeys(("early", "beginning", "start"), (1, 10)),
        **dict.fromkeys(("mid", "middle"), (11, 20)),
        **dict.fromkeys(("late", "end"), (21, 31)),
        **dict.fromkeys(("first week", "1st week"), (1, 7)),
        **dict.fromkeys(("second week", "2nd week"), (8, 14)),
        **dict.fromkeys(("third week", "3rd week"), (15, 21)),
        **dict.fromkeys(("fourth week", "4th week"), (22, 28)),
        "last week": (25, 31),
        "first half": (1, 15),
        "second half": (16, 31),
    }
)
_PART = rf"\b(?P<part>{'|'.join(_PARTS)})(?:\s+(?:of|in))?[\s-]+"
_PATTERNS: Final = (
    re.compile(r"(?<![\d-])(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?(?![\d-])"),
    re.compile(r"(?<![\w/.-])(?P<year>(?:19|20)\d\d)/(?P<month>\d\d?)/(?P<day>\d\d?)(?![\w/-]|\.\d)"),
    re.compile(r"(?<![\w./-])(?P<day>\d\d?)\.(?P<month>\d\d?)\.(?P<year>(?:19|20)\d\d)(?![\w/-]|\.\d)"),
    # Of two numbers before a year, that above 12 is the day; without one it is open which is.
    re.compile(r"(?<![\w./-])(?P<day>1[3-9]|[23]\d)/(?P<month>\d\d?)/(?P<year>(?:19|20)\d\d)(?![\w/-]|\.\d)"),
    re.compile(r"(?<![\w./-])(?P<month>\d\d?)/(?P<day>1[3-9]|[23]\d)/(?P<year>(?:19|20)\d\d)(?![\w/-]|\.\d)"),
    # As databases, spreadsheets and web servers write it.
    re.compile(
        rf"(?<![\w./-])(?P<day>\d\d?)(?P<mark>[-/.])(?P<month>{'|'.join(_NUMBERS)})(?P=mark)(?P<year>(?:19|20)?\d\d)(?![\w/-]|\.\d)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<![\w./-])(?P<year>(?:19|20)\d\d)-(?P<month>{'|'.join(_NUMBERS)})-(?P<day>\d\d?)(?![\w/-]|\.\d)",
        re.IGNORECASE,
    ),
    # Chinese, Japanese and Korean.
    re.compile(r"(?P<year>(?:19|20)\d\d)\s?[年년]\s?(?P<month>\d\d?)\s?[月월](?:\s?(?P<day>\d\d?)\s?[日일])?"),
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:\.|er|[º°])?\s+(?:de\s+)?(?P<month>{'|'.join(_MONTHS_ELSEWHERE)})\s+(?:del?\s+)?{_YEAR}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?", re.IGNORECASE),
    re.compile(rf"\b{_MONTH}\s+{_DAY}\b(?:,?\s+{_YEAR})?", re.IGNORECASE),
    re.compile(rf"(?:{_PART})?\b{_MONTH},?\s+(?:of\s+)?{_YEAR}", re.IGNORECASE),
    re.compile(
        rf"(?:{_PART}|\b(?P<before>in|last|of|since|until|during|next|this|by|on)\s+)?\b{_MONTH}", re.IGNORECASE
    ),
    re.compile(rf"(?<![\w.,-]){_YEAR}(?![.,]\d|-\d)"),
)
_HINT = re.compile(rf"{'|'.join(sorted({name[:3] for name in _MONTHS}))}|(?:19|20)\d\d", re.IGNORECASE)
_AROUND: Final = 40  # characters of a date on either side of its month or year
# Distance in days that halves the nearness.
_HALF_LIFE = 7.0
_LAST_DAY = 31


class CalendarDate(NamedTuple):
    """A day, some days of a month, a month or a year; parts that were not given are None.

    Args:
        year: of four digits.
        month: from 1.
        day: the only day, or the first one.
        last_day: of several days; in a shorter month, that month's last day.
    """

    year: int | None
    month: int | None
    day: int | None
    last_day: int | None = None

    def bounds(self, year: int) -> tuple[date, date]:
        """Return its first and its last day, in the given year if it has none."""
        year = self.year or year
        first, last = self.month or 1, self.month or 12
        if self.day:
            return _day(year, first, self.day), _day(year, first, self.last_day or self.day)
        return date(year, first, 1), _day(year, last, _LAST_DAY)

    def signs(self) -> tuple[str, ...]:
        """Return what a text in lower case has at least one of if it names a day within the date."""
        if self.month is None:
            return (str(self.year),)
        names = dict.fromkeys(name[:3] for name, number in _NUMBERS.items() if number == self.month)
        return (
            *names,
            f"-{self.month:02}",
            f".{self.month:02}.",
            f".{self.month}.",
            f"{self.month}/",
            f"{self.month}月",
            f"{self.month}월",
        )


class PlacedDate(NamedTuple):
    """A date with the offsets of its words in the text."""

    start: int
    end: int
    date: CalendarDate


def dates_in(text: str) -> tuple[CalendarDate, ...]:
    """Return the dates of a text in order, each once: ``8th December, 2023``, ``July 24``, ``2022-03-16``, ``16.3.2022``, ``last May``, ``late April``, ``in 2022``, ``2. Mai 2022``."""
    return tuple(dict.fromkeys(each.date for each in placed_dates(text)))


def placed_dates(text: str) -> list[PlacedDate]:
    """Return the dates of a text in order, with their places."""
    found: list[PlacedDate] = []
    places = list(_places(text))
    for pattern in _PATTERNS:
        for match in (each for start, end in places for each in pattern.finditer(text, start, end)):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            read = _read(match)
            if read is not None:
                found.append(PlacedDate(*match.span(), read))
    return sorted(found)


def outside_dates(text: str) -> str:
    """Return what a text says beside the days, months and years that it names."""
    left, at = "", 0
    for placed in placed_dates(text):
        left, at = f"{left}{text[at : placed.start]} ", placed.end
    return left + text[at:]


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Yield where dates may be, in order and apart from each other: reading whole texts with each pattern takes about twice as long."""
    start = end = 0
    for hint in _HINT.finditer(text):
        if hint.start() - _AROUND > end:
            if end:
                yield start, end
            start = hint.start() - _AROUND
        end = hint.end() + _AROUND
    if end:
        yield max(start, 0), end


def nearness(dates: Sequence[CalendarDate], known: Sequence[CalendarDate]) -> float:
    """Return how near something is to a time asked about: 1 within it, half of that a week away, 0 if either has no date.

    Args:
        dates: dates of a question.
        known: dates of a document or section; those without both year and month are too vague to count.
    """
    days = [each.bounds(each.year)[0] for each in known if each.year and each.month]
    values = [0.5 ** (_days_between(each, day) / _HALF_LIFE) for each in dates for day in days]
    return max(values, default=0.0)


def names_time(dates: Sequence[CalendarDate], text: str) -> bool:
    """Return whether a text has a date within a time asked about."""
    lower = text.lower()
    known = dates_in(text) if any(sign in lower for each in dates for sign in each.signs()) else ()
    return any(is_within(one, each) for each in dates for one in known)


def is_within(known: CalendarDate, asked: CalendarDate) -> bool:
    """Return whether a date lies within a time asked about; a day without a year, in either, is the same day of any year."""
    if asked.year and known.year:
        return known.month is not None and not _days_between(asked, known.bounds(known.year)[0])
    return known.day is not None and (known.month, known.day) == (asked.month, asked.day)


def _days_between(asked: CalendarDate, day: date) -> int:
    """Return how many days a day lies outside the time asked about; without a year, outside that of the nearest year."""
    years = (asked.year,) if asked.year else (day.year - 1, day.year, day.year + 1)
    spans = [asked.bounds(year) for year in years]
    return min(max((first - day).days, (day - last).days, 0) for first, last in spans)


def _read(match: re.Match[str]) -> CalendarDate | None:
    parts = match.groupdict()
    year, month, day = parts.get("year"), parts.get("month"), parts.get("day")
    number = None
    if month:
        number = int(month) if month.isdigit() else _NUMBERS[month.lower()]
        if not (year or day) and not _is_month(month, parts):
            return None
        if number not in _MONTHS.values():
            return None
    if day and not 1 <= int(day) <= _LAST_DAY:
        return None
    first, last = _PARTS[parts["part"].lower()] if parts.get("part") else (int(day) if day else None, None)
    return CalendarDate(_full_year(year) if year else None, number, first, last)


def _full_year(digits: str) -> int:
    """Return a year; those of two digits are from 1969 to 2068, as in POSIX."""
    year = int(digits)
    return year if year > 99 else (year + 31) % 100 + 1969  # noqa: PLR2004


def _is_month(word: str, parts: Mapping[str, str | None]) -> bool:
    """Return whether a word without day and year is a month: by its capital, or by what stands before it."""
    doubtful = word.lower() in _DOUBTFUL
    if word[0].islower():
        return bool(parts.get("part")) and not doubtful
    return not doubtful or bool(parts.get("part") or parts.get("before"))


def _day(year: int, month: int, day: int) -> date:
    """Return the day, or the month's last day if it has no such day."""
    return date(year, month, min(day, monthrange(year, month)[1]))
