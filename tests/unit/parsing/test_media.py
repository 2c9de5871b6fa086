"""Media types: content decides over the name, and a text is never taken for a binary format."""

import pytest
from tests.support.parsing import packed, refusal

from interlace.parsing.media import DOCX, HTML, MARKDOWN, PACKAGE, PDF, PPTX, TEXT, UNKNOWN, XML, media_type_of, sniff


@pytest.mark.parametrize(
    ("head", "hint", "expected"),
    [
        (b"%PDF-1.4", TEXT, PDF),
        (b"PK\x03\x04", MARKDOWN, PACKAGE),
        (b"<!DOCTYPE html><p>", UNKNOWN, HTML),
        (b'<?xml version="1.0"?>\n<!-- saved -->\n<!DOCTYPE html>', UNKNOWN, HTML),
        (b'<?xml version="1.0"?>\n<note>', UNKNOWN, XML),
        (b"print(1)", UNKNOWN, TEXT),
        (b"# x", "text/markdown; charset=utf-8", MARKDOWN),
        (b"# x", "text/x-markdown", MARKDOWN),
    ],
)
def test_content_decides_over_the_name(head: bytes, hint: str, expected: str) -> None:
    assert sniff(head, hint, "x") == expected


@pytest.mark.parametrize(
    ("content", "media_type", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n", TEXT, "unknown-type"),
        (bytes(range(256)) * 4, UNKNOWN, "unknown-type"),
        (b"plain words", PDF, "broken"),
        (b"plain words", DOCX, "broken"),
        (b"plain words", PPTX, "broken"),
    ],
)
def test_what_is_not_what_it_is_called_is_refused(content: bytes, media_type: str, reason: str) -> None:
    assert refusal(content, media_type).reason == reason


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"7z\xbc\xaf'\x1c" + b"0" * 50, "7-Zip Compressed file). Unpack it"),
        (b"\x1f\x8b\x08" + b"\x00" * 50, "Unpack it"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"0" * 50, "Microsoft Office"),
        (b"\x00\x00\x00 ftypmp42" + b"\x00" * 20, "MPEG-4"),
        (packed({"notes/a.md": "text", "inner.zip": "PK"}), "Unpack it, and ingest the folder"),
    ],
)
def test_a_refusal_names_the_format(content: bytes, words: str) -> None:
    error = refusal(content, UNKNOWN)
    assert words in error.message
    assert error.reason == "unknown-type"


def test_what_is_written_in_letters_but_not_read_is_refused_by_its_name() -> None:
    assert "Save it as PDF" in refusal("%!PS-Adobe-3.0\n(Hello) show", media_type_of("a.ps")).message


def test_a_word_file_with_a_password_is_no_old_one() -> None:
    assert "password" in refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"0" * 50, DOCX).message


@pytest.mark.parametrize(
    "text", ["BM means benchmark é", "ID3 is a tag, é", "RIFF é", "From me é", "\ufeffé", "“Quote”", "中文"]
)
def test_letters_of_a_signature_do_not_make_a_text_binary(text: str) -> None:
    assert sniff(text.encode(), UNKNOWN, "x") == TEXT
