"""JSON records: known keys, metadata, and rows of tables."""

from typing import Any

import orjson
import pytest
from tests.support.parsing import LIMITS, read, refusal

from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.ingestion.labels import with_sent
from interlace.parsing.media import JSON
from interlace.parsing.records.files import split_array
from interlace.parsing.registry import parse


def test_record_keys_become_title_text_tags_and_metadata() -> None:
    record = {"_id": 7, "title": "T", "text": " Body. ", "tags": ["X", "x"], "year": 1999, "more": {"a": [None, True]}}
    parsed = read(orjson.dumps(record), JSON, "corpus.jsonl#7")
    assert (parsed.title, parsed.text, parsed.tags) == ("T", "Body.", ("x",))
    assert parsed.metadata == {"year": 1999, "more": {"a": [None, True]}}


def test_a_record_without_text_reads_as_its_fields() -> None:
    parsed = read(b'{"id": "r1", "city": "Oslo", "people": 700000, "note": ""}', JSON, "cities.csv#r1")
    assert (parsed.title, parsed.text) == ("Oslo", "city: Oslo\npeople: 700000")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[1]", "broken"),
        (b"{", "broken"),
        (b'{"text": 3}', "broken"),
        (b'{"text": " "}', "empty"),
        (b'{"a\xff": 1}', "encoding"),
    ],
)
def test_bad_records_are_refused(content: bytes, reason: str) -> None:
    assert refusal(content, JSON).reason == reason


def test_a_row_without_title_is_called_by_its_first_words_and_context_is_a_text() -> None:
    assert (
        read('{"id": 7, "price": "12", "article": "Green lamp", "colour": "green"}', "application/json").title
        == "Green lamp"
    )
    assert read('{"id": 7, "question": "Who?", "context": "Ada wrote."}', "application/json").text == "Ada wrote."


@pytest.mark.parametrize(
    ("record", "title"),
    [
        ({"text": "The tide gauge at Vardo was cleaned on 3 May by Ada."}, "The tide gauge at Vardo was cleaned on …"),
        ({"id": 7, "text": "Low tide.\nIt was late."}, "Low tide."),
        ({"body": "<p>Low <b>tide</b></p><p>Late.</p>"}, "Low tide"),
        ({"text": "x" * 100}, "x" * 79 + "…"),
        ({"id": "r7", "text": "Low tide."}, "r7"),
        ({"title": "Tides", "text": "Low tide."}, "Tides"),
    ],
)
def test_a_text_without_title_is_called_by_its_first_words_not_by_its_number(
    record: dict[str, Any], title: str
) -> None:
    assert read(orjson.dumps(record), JSON, f"notes.jsonl#{record.get('id', 7)}").title == title


def test_a_number_that_was_sent_as_the_title_or_names_the_file_stays() -> None:
    assert read(b'{"text": "Low tide."}', JSON, "docs/2024.json").title == "2024"
    source = Source("tides.json", JSON, b'{"text": "Low tide."}', {"title": "1984"})
    assert parse(source, LIMITS).title == "1984"


@pytest.mark.parametrize(
    ("record", "text", "metadata"),
    [
        ({"text": "", "body": "The text"}, "The text", {}),
        ({"text": "", "description": "The text", "year": 1999}, "The text", {"year": 1999}),
        ({"body": None, "state": "open"}, "state: open", {"state": "open"}),
        ({"content": [], "context": {"a": 1}}, "context.a: 1", {"context": {"a": 1}}),
        ({"content": ["para one", "para two"]}, "para one\npara two", {}),
        ({"content": [{"type": "text", "text": "One "}, {"type": "text", "text": "line."}]}, "One line.", {}),
        ({"content": {"rendered": "<p>Low <b>tide</b>.</p>", "protected": False}}, "Low tide.", {}),
        ({"content": {"page": 7}, "body": "The text"}, "The text", {"content": {"page": 7}}),
        ({"content": {"page": 7}}, "content.page: 7", {"content": {"page": 7}}),
    ],
)
def test_a_blank_text_counts_as_none_and_words_in_it_as_one(
    record: dict[str, Any], text: str, metadata: dict[str, Any]
) -> None:
    parsed = read(orjson.dumps({"title": "T", **record}), JSON)
    assert (parsed.title, parsed.text.removeprefix("title: T\n"), parsed.metadata) == ("T", text, metadata)


@pytest.mark.parametrize("body", [{"body": None}, {"body": " "}, {"body": None, "description": ""}])
def test_comments_of_an_issue_without_a_text_are_read(body: dict[str, Any]) -> None:
    issue = {"title": "Login fails", "url": "https://x.org/1", **body}
    comments = [{"user": {"login": "ada"}, "created_at": "2024-03-09T10:00:00Z", "body": "Seen."}]
    parsed = read(orjson.dumps({**issue, "comments": comments}), JSON)
    assert (parsed.title, parsed.text) == ("Login fails", "[2024-03-09 10:00] ada: Seen.")
    assert read(orjson.dumps(issue), JSON).text == "title: Login fails\nurl: https://x.org/1"


def test_values_within_values_are_text_where_a_record_has_none() -> None:
    parsed = read(b'{"a": {"city": "Oslo", "open": [1, 2]}, "b": {"city": "Bergen"}}', JSON)
    assert parsed.text == "a.city: Oslo\na.open: 1\na.open: 2\nb.city: Bergen"


def test_what_is_too_large_for_metadata_is_text() -> None:
    long = "word " * 5_000
    parsed = read(orjson.dumps({"title": "T", "text": "Body.", "year": 1, "page": long}), JSON)
    assert (parsed.metadata, len(parsed.text) > len(long)) == ({"year": 1}, True)
    assert [section.path for section in parsed.sections] == [(), ("page",)]
    rows = [{"top": number, "cells": [{"text": "word"}] * 9} for number in range(300)]
    parsed = read(orjson.dumps({"rows": rows, "year": 1}), JSON)
    assert (parsed.metadata, parsed.text.count("rows.cells.text: word")) == ({"year": 1}, 2_700)


def test_a_title_in_several_languages_is_the_first_of_them_and_metadata() -> None:
    assert read(b'{"name": {"common": "Aruba", "cca": "AW"}, "region": "Americas"}', JSON).title == "Aruba"
    parsed = read(b'{"id": 1, "title": {"en": "Sea", "de": "Meer"}, "text": "Deep."}', JSON)
    assert (parsed.title, parsed.metadata) == ("Sea", {"title": {"en": "Sea", "de": "Meer"}})
    assert read(b'{"title": ["Tides"], "text": "Deep."}', JSON).title == "Tides"


TWICE = b'{"id": 1, "text": "Low.", "big": 123456789012345678901234567890, "access": ["board"], "access": []}'


def test_a_record_that_says_twice_who_may_read_it_is_refused() -> None:
    (split,) = split_array(b"[" + TWICE + b"]", "a.json", {}, LIMITS)
    assert isinstance(split, Source)
    for record in (TWICE, split.content):
        with pytest.raises(ParseError, match="access: write groups") as raised:
            with_sent(read(record, JSON), {})
        assert raised.value.reason == "access"
    once = b'{"id": 1, "text": "The \\"access\\" road.", "more": {"access": "x"}, "access": ["board"]}'
    assert with_sent(read(once, JSON), {}).metadata == {"more": {"access": "x"}, "access": ["board"]}


@pytest.mark.parametrize("wrapper", ['{"object": %s}', '{"data": {"object": %s}}', "%s"])
def test_a_record_that_is_all_that_an_object_holds_is_read_as_if_it_stood_alone(wrapper: str) -> None:
    record = '{"number": "7", "title": "Tea service", "place": {"hall": 12}, "access": ["board"]}'
    parsed = read(wrapper % record, "application/json", "x/7.json")
    assert (parsed.title, parsed.metadata) == (
        "Tea service",
        {"number": "7", "place": {"hall": 12}, "access": ["board"]},
    )
    assert "place.hall: 12" in parsed.text
    assert "object" not in parsed.text


def test_a_text_a_title_and_several_objects_are_no_wrappers() -> None:
    assert read('{"text": {"a": "One.", "b": "Two."}}', "application/json").text == "text.a: One.\ntext.b: Two."
    assert read('{"name": {"first": "Ada"}}', "application/json").title == "Ada"
    assert read('{"a": {"x": 1}, "b": {"y": 2}}', "application/json").text == "a.x: 1\nb.y: 2"
    assert read('{"a": {"x": 1}, "id": 7}', "application/json").text == "a.x: 1"
