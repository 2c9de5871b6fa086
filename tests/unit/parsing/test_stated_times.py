"""The times that documents state: in metadata under many names, in a line at the head, and what is none."""

from dataclasses import replace

import pytest
from tests.support.parsing import LIMITS, read

from interlace.domain.documents import Source
from interlace.parsing.registry import parse


@pytest.mark.parametrize(
    ("content", "media_type", "created"),
    [
        ("---\ndate: 2024-05-31\n---\nText.", "text/markdown", "2024-05-31"),
        ("---\nDate: 3 May 2024\n---\nText.", "text/markdown", "2024-05-03"),
        ("---\npublished_at: 2024-05-31 12:00\ndate: once\n---\nText.", "text/markdown", "2024-05-31 12:00"),
        ("---\ncreated_at: 2024-05-31\ndate: 2020-01-01\n---\nText.", "text/markdown", "2024-05-31"),
        ("Date: Tue, 3 Sep 2024 09:00:00 +0200\nSubject: Crane\n\nIt is here.", "message/rfc822", "2024-09-03T09:00:00+02:00"),
        ('<meta property="article:published_time" content="2024-05-31T10:00:00+0000"><p>Text.', "text/html", "2024-05-31T10:00:00+00:00"),
        ('{"title": "A", "text": "B.", "createdAt": "2024-05-31T10:00:00Z"}', "application/json", "2024-05-31T10:00:00Z"),
        ("Minutes: Design review\nDate: Tuesday 10 September 2024, 9:00, Birch hall\n\nText.", "text/plain", "2024-09-10"),
        ("# Design review\n\n**Date:** September 10, 2024\n\nText.", "text/markdown", "2024-09-10"),
        ("# Review\n\n| Date | 10 September 2024 |\n| --- | --- |\n| Chair | Ada |\n", "text/markdown", "2024-09-10"),
        ("<p>Created by Ada Lis on 03 Aug 2023, last modified by Ben on 15 Nov 2024<p>Text.", "text/html", "2023-08-03"),
        ("Date: 12.03.2024\n\nText.", "text/plain", "2024-03-12"),
        ("Date: 2024/03/12\n\nText.", "text/plain", "2024-03-12"),
        ("Date: 25/12/2024\n\nText.", "text/plain", "2024-12-25"),
        ("---\ndate: 12.03.2024\n---\nText.", "text/markdown", "2024-03-12"),
        ("---\ndate created: 2024-03-12\n---\nText.", "text/markdown", "2024-03-12"),
        ("---\ncreation date: 2024-03-12 09:08\n---\nText.", "text/markdown", "2024-03-12 09:08"),
        ("---\ncreated: 1710230880\n---\nText.", "text/markdown", "2024-03-12T08:08:00+00:00"),
        ('{"text": "B.", "created_at": 1710230880}', "application/json", "2024-03-12T08:08:00+00:00"),
        ('{"text": "B.", "created": 1710230880000}', "application/json", "2024-03-12T08:08:00+00:00"),
        ('{"text": "B.", "created": "2024-03-12T09:08:00.000+0100"}', "application/json", "2024-03-12T09:08:00.000+01:00"),
        ('{"text": "B.", "created": "2024-03-12 09:08:00 +0100"}', "application/json", "2024-03-12 09:08:00+01:00"),
        ('{"text": "B.", "created": "2024-03-12 09:08:00 UTC"}', "application/json", "2024-03-12 09:08:00Z"),
        ("PERMIT APPLICATION\n\nDate received               : 2025-01-28\n", "text/plain", "2025-01-28"),
        ("Received: 2025-01-28\nText.", "text/plain", "2025-01-28"),
        ("Issued: 3 May 2024\nText.", "text/plain", "2024-05-03"),
        ("Notice\nFiled: 2022-06-17\n", "text/plain", "2022-06-17"),
        ("Publication date: 17 June 2022\nText.", "text/plain", "2022-06-17"),
        ("Started: 2025-05-02 18:03\nText.", "text/plain", "2025-05-02"),
        ("Date of birth: 1950-01-02\nDate of incident: 2 May 2025\n", "text/plain", "2025-05-02"),
        ("Datum: Dienstag, 2. September 2025\nText.", "text/plain", "2025-09-02"),
        ("Data: Milano, 3 maggio 2025\n", "text/plain", "2025-05-03"),
        ("Data: 3 de março de 2025\n", "text/plain", "2025-03-03"),
        ("Fecha: 1º de julio de 2025\n", "text/plain", "2025-07-01"),
        ("Date : 1er août 2025\n", "text/plain", "2025-08-01"),
        ("HOUSE OF THE ISLES\nOFFICIAL REPORT\nTuesday 11 February 2025\n\nText.", "text/plain", "2025-02-11"),
        ("Harbour Office\n\nBerlin, 3 May 2025\n\nDear Ada,\nwe close on 5 May 2025.", "text/plain", "2025-05-03"),
        ("Köln, den 3. Mai 2025\n\nText.", "text/plain", "2025-05-03"),
        ("Warszawa, 3 maja 2025 r.\n\nTekst.", "text/plain", "2025-05-03"),
        ("Utrecht, dinsdag 11 maart 2025\n\nTekst.", "text/plain", "2025-03-11"),
        ("2025-02-11 14:30\n\nText.", "text/plain", "2025-02-11"),
        ("Ticket #7\nOpened: 2025-01-07 | Status: open\n\nIt broke.", "text/plain", "2025-01-07"),
    ],
)  # fmt: skip
def test_a_document_has_the_time_that_it_states(content: str, media_type: str, created: str) -> None:
    assert read(content, media_type).metadata["created_at"] == created


@pytest.mark.parametrize(
    ("uri", "text", "created"),
    [
        ("notes/2025-02-11.txt", "It rained.", "2025-02-11"),
        ("notes/2025-02-11 Council.md", "Date: 3 May 2024\n", "2024-05-03"),
        ("notes/2025-02-31.txt", "It rained.", None),
        ("notes/2025-02-111.txt", "It rained.", None),
        ("notes/Council 2025-02-11.txt", "It rained.", None),
        ("2025-02-11/a.txt", "It rained.", None),
        ("2025-02-11.csv#17", "It rained.", None),
    ],
)
def test_the_day_with_which_a_file_name_begins_counts_last(uri: str, text: str, created: str | None) -> None:
    assert read(text, "text/plain", uri).metadata.get("created_at") == created


def test_the_last_change_is_read_beside_the_beginning() -> None:
    known = read("---\ndate: 2024-05-31\nlastmod: 2024-06-01\n---\nText.", "text/markdown").metadata
    assert known == {
        "date": "2024-05-31",
        "lastmod": "2024-06-01",
        "created_at": "2024-05-31",
        "modified_at": "2024-06-01",
    }


@pytest.mark.parametrize(
    "text",
    [
        "The bridge opened on 3 May 2024.",
        "Written by hand, it was found on 3 May 2024 | once.\nThe bridge was created by Ada on 3 May 2024.",
        "Date: the first week of May 2024\nText.",
        "Date: 2024\nText.",
        "Date: 03/04/2024\nText.",
        "Date: 1710230880\nText.",
        "Date: 31 May\nText.",
        "Due date: 3 May 2024\nText.",
        "Date: 31 February 2024\nText.",
        "Up to date: 3 May 2024\nText.",
        "Date: 3 May 2024 | Who: Ada\nDate: 4 May 2024 | Who: Ben\n",
        "Text.\n" * 12 + "Date: 3 May 2024",
        "Date of birth: 3 May 1984\nText.",
        "Date of expiry: 3 May 2024\nExpires: 3 May 2024\nValid until: 3 May 2024\nText.",
        "Deadline: 3 May 2024\nText.",
        "Deadline\n3 May 2024\nText.",
        "Born\nBerlin, 3 May 1984\nText.",
        "Due Friday 3 May 2024\nText.",
        "Payable by:\n3 May 2024\nText.",
        "3 May 2024\nIt rained.\n4 May 2024\nIt did not.",
        "It rained on 3 May 2024\nText.",
        "Ada Byron, 3 May 2024 at the latest\nText.",
        "Opening hours\n3 May 2024 to 5 May 2024\nText.",
        "Der 3. Mai war schön.\nText.",
    ],
)
def test_what_is_no_whole_date_of_the_document_gives_none(text: str) -> None:
    assert "created_at" not in read(text, "text/plain").metadata


@pytest.mark.parametrize("value", ["17102", "20240312", "true", "1" + "0" * 400, ".inf", "03/04/2024"])
def test_what_is_no_plausible_time_of_front_matter_gives_none(value: str) -> None:
    assert "created_at" not in read(f"---\ndate: {value}\n---\nText.", "text/markdown").metadata


def test_what_a_document_says_counts_before_the_time_of_its_file() -> None:
    file = Source(
        "a.md", "text/markdown", b"---\nlastmod: 2024-06-01\n---\nText.", {"modified_at": "2026-01-01T00:00:00+00:00"}
    )
    assert parse(file, LIMITS).metadata["modified_at"] == "2024-06-01"
    undated = replace(file, content=b"Text.")
    assert "modified_at" not in parse(undated, LIMITS).metadata


def test_what_the_sender_says_counts_before_a_line_of_the_text() -> None:
    source = Source("a.txt", "text/plain", b"Date: 3 May 2024\nText.", {"created_at": "2020-01-01"})
    assert "created_at" not in parse(source, LIMITS).metadata
    dated = replace(source, metadata={"date": "2021-01-01"})
    assert parse(dated, LIMITS).metadata["created_at"] == "2021-01-01"
