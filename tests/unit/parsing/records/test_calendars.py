"""Calendars and contact cards: a document for each entry, in lines that a reader understands."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.sources import LIMITS, faults, find, uris, write

from interlace.domain.documents import ParsedDocument, Source
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

FLIGHT = """BEGIN:VCALENDAR
BEGIN:VTIMEZONE
TZID:Europe/Oslo
END:VTIMEZONE
BEGIN:VEVENT
UID:f1@x.example
DTSTAMP:20250301T090000Z
LAST-MODIFIED:20250302T100000Z
DTSTART:20250612T063500Z
DTEND;TZID="Europe/Oslo":20250612T114000
SUMMARY:Flight to
  Bergen
LOCATION:Hamburg\\, Terminal 2
ORGANIZER;CN="Osterloh, Greta":mailto:g@x.example
ATTENDEE;CN=Finn Osterloh;ROLE=REQ-PARTICIPANT:mailto:f@x.example
ATTENDEE:mailto:kai@x.example
STATUS:CONFIRMED
CATEGORIES:Travel,Family
RRULE:FREQ=WEEKLY;UNTIL=20250701
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
DESCRIPTION:Seats 14A.\\nOne bag\\; 23 kg.
END:VEVENT
BEGIN:VTODO
DUE;VALUE=DATE:20250601
SUMMARY:Pack
END:VTODO
END:VCALENDAR
"""


def _documents(path: Path, name: str, content: str | bytes) -> list[ParsedDocument]:
    found = find(write(path / name, content))
    assert not faults(found)
    return [parse(each, LIMITS) for each in found if isinstance(each, Source)]


def test_each_event_is_a_document(tmp_path: Path) -> None:
    flight, pack = _documents(tmp_path, "trip.ics", FLIGHT.replace("\n", "\r\n"))
    assert flight.title == "Flight to Bergen"
    assert flight.text == (
        "Start: 2025-06-12 06:35 UTC\nEnd: 2025-06-12 11:40 (Europe/Oslo)\nRepeats: weekly until 2025-07-01\n"
        "Location: Hamburg, Terminal 2\nOrganizer: Osterloh, Greta\nAttendees: Finn Osterloh, kai@x.example\nStatus: confirmed\n\n"
        "Seats 14A.\nOne bag; 23 kg."
    )
    assert flight.tags == ("family", "travel")
    assert flight.metadata["created_at"] == "2025-06-12T06:35:00Z"
    assert flight.metadata["modified_at"] == "2025-03-02T10:00:00Z"
    assert (pack.title, pack.text, pack.metadata["created_at"]) == ("Pack", "Due: 2025-06-01", "2025-06-01")


def test_events_keep_their_ids_and_what_has_none_its_number(tmp_path: Path) -> None:
    again = FLIGHT.replace("END:VCALENDAR", "").rstrip() + FLIGHT.partition("END:VTIMEZONE")[2]
    assert uris(find(write(tmp_path / "a.ics", FLIGHT))) == ["a.ics#f1@x.example", "a.ics#2"]
    assert uris(find(write(tmp_path / "b.ics", again))) == ["b.ics#f1@x.example", "b.ics#2", "b.ics#3", "b.ics#4"]


@pytest.mark.parametrize(
    ("ends", "shown"),
    [("20250613", "Start: 2025-06-12"), ("20250615", "Start: 2025-06-12\nEnd: 2025-06-14")],
)  # fmt: skip
def test_the_end_of_whole_days_is_the_last_of_them(tmp_path: Path, ends: str, shown: str) -> None:
    event = f"BEGIN:VEVENT\nDTSTART;VALUE=DATE:20250612\nDTEND;VALUE=DATE:{ends}\nEND:VEVENT\n"
    (document,) = _documents(tmp_path, "days.ics", event)
    assert (document.title, document.text) == ("Start: 2025-06-12", shown)


@pytest.mark.parametrize(
    ("card", "title", "text"),
    [
        ("FN:Petra Wolters\nTEL:+49 40 1234", "Petra Wolters", "Phone: +49 40 1234"),
        ("FN:Ada\nORG:Acme;Sales\nitem1.ADR;TYPE=work:;;1 Quay\\, East;Oslo;;;Norway\nTEL;TYPE=CELL,VOICE:tel:+47 1\nBDAY:19850412\nNOTE:Rows.", "Ada",
         "Organization: Acme, Sales\nPhone (cell): +47 1\nAddress (work): 1 Quay, East, Oslo, Norway\nBirthday: 1985-04-12\n\nRows."),
        ("N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=\n=B6we;Ilse;;;\nEMAIL:i@x.example", "Ilse Möwe", "Email: i@x.example"),
        ("FN:Only A Name\nPHOTO;ENCODING=b:AAAA\n BBBB", "Only A Name", "Only A Name"),
    ],
)  # fmt: skip
def test_each_card_is_a_document(tmp_path: Path, card: str, title: str, text: str) -> None:
    other = "BEGIN:VCARD\nFN:Ben\nNICKNAME:Benny\nEND:VCARD\n"
    document, ben = _documents(tmp_path, "people.vcf", f"BEGIN:VCARD\nVERSION:3.0\n{card}\nEND:VCARD\n{other}")
    assert (document.title, document.text) == (title, text)
    assert (ben.title, ben.aliases) == ("Ben", ("Benny",))


def test_a_file_without_entries_and_an_entry_that_is_too_large_are_reported(tmp_path: Path) -> None:
    assert faults(find(write(tmp_path / "a.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n"))) == [("a.ics#1", "empty")]
    large: Any = "BEGIN:VCARD\nFN:A\nPHOTO:" + "A" * 70_000 + "\nEND:VCARD\nBEGIN:VCARD\nFN:B\nEND:VCARD\n"
    found = find(write(tmp_path / "b.vcf", large), limits=ParseLimits(max_bytes=1_000))
    assert (faults(found), uris(found)) == ([("b.vcf#1", "too-large")], ["b.vcf#2"])


def test_odd_times_and_properties_without_values_stop_no_other_entry(tmp_path: Path) -> None:
    odd = (
        "BEGIN:VEVENT\nSUMMARY:Odd\nDTSTART:99999999\nDTEND;VALUE=DATE:00010101\nRRULE:UNTIL=\nORGANIZER:\nEND:VEVENT\n"
    )
    documents = _documents(tmp_path, "odd.ics", odd + "BEGIN:VTODO\nSUMMARY:Pack\nDUE:20250601\nEND:VTODO\n")
    assert [each.title for each in documents] == ["Odd", "Pack"]
    assert "created_at" not in documents[0].metadata
