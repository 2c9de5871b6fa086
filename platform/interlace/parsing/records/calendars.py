"""Calendars (iCalendar, RFC 5545) and contact cards (vCard, RFC 6350): a record for each event, task, entry of a journal and card."""

import io
import quopri
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from interlace.parsing.decoding import encoding_of, one_line

_CARD = "VCARD"
_BEGINS = {f"BEGIN:{kind}": kind for kind in ("VEVENT", "VTODO", "VJOURNAL", _CARD)}
_BLOCK = 1 << 16
_CONTINUED = re.compile(r"\n[ \t]")
_SOFT_BREAKS = re.compile(r"^[^:\n]{0,200}QUOTED-PRINTABLE[^:\n]{0,200}:(?:.*=\n)+", re.IGNORECASE | re.MULTILINE)
_PROPERTY = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;(?:[^:\"]|\"[^\"]*\")*+)?):(.*)")
_PARAMETER = re.compile(r";([\w-]+)=(\"[^\"]*\"|[^;]*)")
_ESCAPED = re.compile(r"\\([\\;,:nN])")
_PARTS = re.compile(r"(?<!\\);")
_TIME = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?\d\d)?(Z)?)?")
# What is shown of an event, and of a card, by the label of its line.
_OF_EVENTS = {
    "DTSTART": "Start", "DTEND": "End", "DUE": "Due", "COMPLETED": "Completed", "RRULE": "Repeats", "LOCATION": "Location",
    "ORGANIZER": "Organizer", "ATTENDEE": "Attendees", "CONTACT": "Contact", "STATUS": "Status", "URL": "URL",
}  # fmt: skip
_OF_CARDS = {
    "ORG": "Organization", "TITLE": "Job title", "ROLE": "Role", "TEL": "Phone", "EMAIL": "Email", "ADR": "Address",
    "URL": "URL", "BDAY": "Birthday", "NICKNAME": "Nickname",
}  # fmt: skip
_NO_TYPES = frozenset({"internet", "pref", "voice"})


class _Property(NamedTuple):
    """A value with its parameters by their names in capitals."""

    value: str
    parameters: Mapping[str, str]

    @property
    def text(self) -> str:
        return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], self.value).strip()


_Entry = Mapping[str, Sequence[_Property]]


def read_entries(stream: BinaryIO, limit: int) -> Iterator[dict[str, Any] | None]:
    """Yield a record for each event, task, entry or card, whose ``id`` is its ``UID`` where no earlier one has that; None for one of more characters than the limit.

    Alarms, time zones and pictures are left out.
    """
    seen: set[str] = set()
    text = io.TextIOWrapper(stream, encoding_of(stream) or "utf-8", "replace")
    try:
        for kind, content in _contents(text, limit):
            if content is None:
                yield None
                continue
            entry = _properties(content)
            record = _card(entry) if kind == _CARD else _event(entry)
            identity = " ".join(filter(None, (_first(entry, "UID"), _first(entry, "RECURRENCE-ID"))))
            if identity and identity not in seen:
                seen.add(identity)
                record["id"] = identity
            yield {key: value for key, value in record.items() if value}
    finally:
        text.detach()


def _contents(text: io.TextIOWrapper, limit: int) -> Iterator[tuple[str, str | None]]:
    """Yield the kind of each entry and its lines; None instead of too many."""
    kind, lines, size = "", list[str](), 0
    for line in iter(partial(text.readline, _BLOCK), ""):
        mark = line.strip().upper()
        if not kind:
            kind, lines, size = _BEGINS.get(mark, ""), [], 0
        elif mark == f"END:{kind}":
            yield kind, "".join(lines) if size <= limit else None
            kind = ""
        elif (size := size + len(line)) <= limit:
            lines.append(line)


def _properties(content: str) -> _Entry:
    """Return the properties of an entry by their names, without those of the parts in it."""
    content = _CONTINUED.sub("", _SOFT_BREAKS.sub(lambda found: found[0].replace("=\n", ""), content))
    entry: dict[str, list[_Property]] = {}
    part = ""
    for found in filter(None, map(_PROPERTY.match, content.split("\n"))):
        name, value = found[1].upper(), found[3]
        if name == "BEGIN":
            part = part or value
        elif name == "END":
            part = "" if value == part else part
        elif not part:
            parameters = {key.upper(): each.strip('"') for key, each in _PARAMETER.findall(found[2])}
            if "QUOTED-PRINTABLE" in found[2].upper():
                value = quopri.decodestring(value.encode()).decode("utf-8", "replace").replace("\n", "\\n")
            entry.setdefault(name, []).append(_Property(value, parameters))
    return entry


def _event(entry: _Entry) -> dict[str, Any]:
    lines = [
        f"{label}: {', '.join(shown)}"
        for name, label in _OF_EVENTS.items()
        if (shown := [each for each in (_shown(name, value, entry) for value in entry.get(name, ())) if each])
    ]
    begins = next((entry[name][0] for name in ("DTSTART", "DUE") if name in entry), None)
    day = _TIME.match(begins.value) if begins else None
    return {
        **_record(_first(entry, "SUMMARY"), lines, _first(entry, "DESCRIPTION"), entry),
        "date": f"{day[1]}-{day[2]}-{day[3]}" + (f"T{day[4]}:{day[5]}:00Z" if day[6] else "") if day else "",
        "modified_at": _instant(_first(entry, "LAST-MODIFIED")),
    }


def _shown(name: str, value: _Property, entry: _Entry) -> str:
    """Return what a reader is shown of a property of an event."""
    if name == "RRULE":
        rule = dict(part.split("=", 1) for part in value.value.split(";") if "=" in part)
        until = f" until {_time(rule['UNTIL'])}" if "UNTIL" in rule else ""
        return rule.get("FREQ", "").lower() + until
    if name in {"ORGANIZER", "ATTENDEE"}:
        return value.parameters.get("CN") or value.text.partition(":")[2] or value.text
    if name == "STATUS":
        return value.text.lower()
    if name == "DTEND" and "T" not in value.value:  # the day after the last one
        last = _day_before(value.value)
        return "" if "DTSTART" in entry and last == _time(entry["DTSTART"][0].value) else last
    zone = value.parameters.get("TZID", "")
    return _time(value.text) + (f" ({zone})" if zone else "")


def _card(entry: _Entry) -> dict[str, Any]:
    lines = [
        f"{label}{_types(value)}: {shown}"
        for name, label in _OF_CARDS.items()
        for value in entry.get(name, ())
        if (shown := _time(_listed(value.value)).removeprefix("tel:"))
    ]
    names = [each.strip() for each in _PARTS.split(entry["N"][0].value)] if "N" in entry else []
    name = " ".join(filter(None, [*names[1:3], *names[:1]]))
    title = _first(entry, "FN") or name or _listed(_first(entry, "ORG")) or _first(entry, "EMAIL")
    aliases = [each for value in entry.get("NICKNAME", ()) for each in value.text.split(",")]
    return {
        **_record(title, lines, _first(entry, "NOTE"), entry),
        "aliases": aliases,
        "modified_at": _instant(_first(entry, "REV")),
    }


def _record(title: str, lines: Sequence[str], words: str, entry: _Entry) -> dict[str, Any]:
    text = "\n\n".join(filter(None, ("\n".join(map(one_line, lines)), words))) or title
    tags = [each for value in entry.get("CATEGORIES", ()) for each in value.text.split(",")]
    return {"title": one_line(title or text.partition("\n")[0]), "text": text, "tags": tags}


def _first(entry: _Entry, name: str) -> str:
    return next((each.text for each in entry.get(name, ())), "")


def _listed(value: str) -> str:
    """Return the parts of a value that has several, such as an address."""
    parts: Iterable[str] = (_Property(part, {}).text for part in _PARTS.split(value))
    return ", ".join(one_line(part) for part in parts if part)


def _types(value: _Property) -> str:
    """Return of what types a number or an address of a card is, in brackets."""
    types = [each for each in value.parameters.get("TYPE", "").lower().split(",") if each and each not in _NO_TYPES]
    return f" ({', '.join(types)})" if types else ""


def _time(value: str) -> str:
    """Return a time as a reader writes it, ``2025-06-12 06:35 UTC``; what is none as it is."""
    if not (found := _TIME.fullmatch(value)):
        return value
    hour = f" {found[4]}:{found[5]}" if found[4] else ""
    return f"{found[1]}-{found[2]}-{found[3]}{hour}{' UTC' if found[6] else ''}"


def _instant(value: str) -> str:
    found = _TIME.fullmatch(value)
    return f"{found[1]}-{found[2]}-{found[3]}T{found[4]}:{found[5]}:00Z" if found and found[6] else ""


def _day_before(value: str) -> str:
    try:
        return (date.fromisoformat(_time(value)) - timedelta(days=1)).isoformat()
    except (OverflowError, ValueError):
        return _time(value)
