"""Plain text, and what is cleaned from any text."""

import pytest
from tests.support.parsing import read, refusal

from interlace.parsing.media import TEXT


def test_text_is_kept_and_cleaned() -> None:
    parsed = read("\ufeffÅ\r\na\x00b\u202e c\x85d\n".encode(), TEXT, "x/y notes.txt")
    assert (parsed.title, parsed.text) == ("y notes", "Å\nab c\nd")
    assert [(section.start, section.end) for section in parsed.sections] == [(0, len(parsed.text))]


def test_utf16_with_byte_order_mark_is_read() -> None:
    assert read("Zürich".encode("utf-16"), TEXT).text == "Zürich"


def test_invalid_utf8_names_the_byte() -> None:
    error = refusal(b"\xef\xbb\xbfabc\xff", TEXT)
    assert error.reason == "encoding"
    assert "byte 6" in error.message


@pytest.mark.parametrize("content", [b"", b" \n\t ", b"\x00 \n \n\xe2\x80\xae"])
def test_nothing_to_read_is_empty(content: bytes) -> None:
    assert refusal(content, TEXT).reason == "empty"
