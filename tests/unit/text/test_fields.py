"""Fields of mails, minutes and tickets: labels, and the people whom fields name."""

from typing import Any

import pytest

from interlace.text.fields import is_field_label, participants


@pytest.mark.parametrize("label", ["Agenda", "Cc", "from", "ATTENDEES"])
def test_labels_of_fields_are_known_however_they_are_written(label: str) -> None:
    assert is_field_label(label)


@pytest.mark.parametrize("speaker", ["Ada", "Ada Byron", "Grace", "Mark", "Will"])
def test_names_of_speakers_are_no_labels(speaker: str) -> None:
    assert not is_field_label(speaker)


@pytest.mark.parametrize(
    ("text", "metadata", "names"),
    [
        ("Attendees: Ada Byron, Charles Babbage (chair) and Mary Somerville", {}, {"Ada Byron", "Charles Babbage", "Mary Somerville"}),
        ("- **Present:** Ada Byron; Jean-Luc Martin\n", {}, {"Ada Byron", "Jean-Luc Martin"}),
        ('From: Ada Byron <ada@x.example>\nTo: "Louis van Gaal" <l@x.example>', {}, {"Ada Byron", "Louis van Gaal"}),
        ("Customer: Uwe Kessler, Kessler Baumarkt\nOpened: 2025-01-09 | Agent: Yusuf", {}, {"Uwe Kessler", "Yusuf"}),
        ("", {"from": "Ada Byron <ada@x.example>", "to": "b@x.example"}, {"Ada Byron"}),
        ("", {"attendees": ["Ada Byron", "Charles Babbage"], "rating": 5, "author": "Mary Somerville"}, {"Ada Byron", "Charles Babbage"}),
        ("Host: Apache\nTo: Engineering\nFrom: x@x.example\nTitle: Ada Byron", {}, set()),
        ("They say: from Ada Byron\nApologies: none.", {}, set()),
        ("He said it to: Ada Byron", {}, set()),
        ("Minutes taken by: Ada Byron\nAssigned to: Mary Somerville, Acme\nReported by: Cron", {}, {"Ada Byron", "Mary Somerville"}),
        ("", {"project name": "Blue Heron", "Minutes taken by": "Ada Byron", "met by": "Mary Somerville"}, {"Ada Byron"}),
        ("", {"assigned_to": "Ada Byron", "minutes-taken-by": "Mary Somerville", "project_name": "Blue Heron"}, {"Ada Byron", "Mary Somerville"}),
        ("Present: Dr. Ines Baumann, Prof. Dr. med. Ada Byron, Dipl.-Ing. Karl Huber, Ing-Marie Dahl", {}, {"Ines Baumann", "Ada Byron", "Karl Huber", "Ing-Marie Dahl"}),
        ("", {"from": '"Dr. Maria Keller" <m@x.example>', "to": "Dr. Okafor"}, {"Maria Keller"}),
        ("Attendees: Keller, Maria; Okafor, Tom (chair); van Gaal, Louis; Acme, Inc.; Keller, Weber & Partner", {}, {"Maria Keller", "Tom Okafor", "Louis van Gaal"}),
        ("Attendees: Maria, Tom; Ken", {}, {"Maria", "Tom", "Ken"}),
        ("Attendees: Ada Byron, Charles Babbage; Mary Somerville", {}, {"Ada Byron", "Charles Babbage", "Mary Somerville"}),
        ("", {"from": '"Keller, Maria" <m@x.example>', "to": '"Acme, Inc." <a@x.example>, "Okafor, Tom" <t@x.example>', "guests": ["Byron, Ada"]}, {"Maria Keller", "Tom Okafor", "Ada Byron"}),
        ("Customer: Northwind Traders Ltd.\nContact: Customer Support\nAttendees: Ada Byron, Design Team", {}, {"Ada Byron"}),
    ],
)  # fmt: skip
def test_people_are_read_out_of_fields(text: str, metadata: dict[str, Any], names: set[str]) -> None:
    assert participants(text, metadata) == names
