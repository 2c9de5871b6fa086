"""RTF, as Word, LibreOffice, TextEdit and pandoc write it."""

import pytest
from tests.support.parsing import read, refusal

from interlace.parsing.media import RTF, UNKNOWN, media_type_of


def rtf(body: str, styles: str = "") -> bytes:
    stylesheet = f"{{\\stylesheet{{\\s0\\ql Normal;}}{styles}}}"
    return f"{{\\rtf1\\ansi\\ansicpg1252{{\\fonttbl{{\\f0\\fswiss\\fcharset0 Arial;}}}}{stylesheet}\n{body}}}".encode(
        "latin-1"
    )


def test_it_is_known_by_its_name_and_by_its_bytes() -> None:
    assert media_type_of("a.rtf") == RTF
    assert read(rtf("Plain.\\par"), UNKNOWN, uri="notes/tides.rtf").title == "tides"
    assert refusal("plain words", RTF).reason == "broken"


def test_paragraphs_escapes_and_what_is_left_out() -> None:
    body = (
        "{\\header Page\\par}\\pard It\\rquote s \\'e9bb\\tab and \\u8364?\\u-10179?\\u-8704?.\\par\n\\pard C:\\\\s1\\par{\\*\\annotation no}"
        "{\\info{\\title no}}See{\\footnote no} it\\line twice.\\par"
    )
    styles = "{\\s1\\outlinelevel0 heading 1;}"
    assert read(rtf(body, styles), RTF).text == "It\u2019s ébb and €\U0001f600.\n\nC:\\s1\n\nSee it\n\ntwice."


@pytest.mark.parametrize(
    ("body", "styles"),
    [
        (
            "\\pard\\plain \\s9\\qc {Harbour}\\par\\pard\\plain\\s1\\b Ebb\\par\\pard\\s0 Falls.\\par\\s2 Flood\\par\\pard Rises.\\par",
            "{\\s1\\sbasedon0 \\ltrch\\b Heading 1;}{\\s2\\b heading 2;}{\\s9 Title;}{\\s10 Subtitle;}",
        ),
        (
            "\\s9 Harbour\\par{\\pard \\outlinelevel0 \\b \\fs36 Ebb\\par}{\\pard Falls.\\par}{\\pard\\outlinelevel1\\b Flood\\par}{\\pard\\outlinelevel9 Rises.\\par}",
            "{\\s9 Title;}",
        ),
    ],
)
def test_headings_are_sections_by_style_and_by_level(body: str, styles: str) -> None:
    parsed = read(rtf(body, styles), RTF)
    assert parsed.title == "Harbour"
    assert [(section.heading, section.level) for section in parsed.sections] == [("Ebb", 1), ("Flood", 2)]
    assert parsed.text == "Falls.\n\nRises."


def test_rows_and_items_are_lines() -> None:
    body = (
        "Boats\\par\\trowd\\intbl Boat\\cell Berth\\cell\\row\\trowd{\\intbl{\\pard Tern\\par}\n\\cell}{\\intbl{\\pard B4\\par}\\cell}\\row\\pard "
        "{\\listtext\\pard\\plain \\u61623?\\tab}Ebb\\par{\\listtext 2.\\tab}Flood\\par"
    )
    assert read(rtf(body), RTF).text == "Boats\n\nBoat | Berth\nTern | B4\nEbb\n2. Flood"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (rtf("\\u99999999? x"), "broken RTF"),
        (rtf("\\uc x"), "broken RTF"),
        (rtf("{\\pict 0000}"), "holds no text"),
    ],
)
def test_what_cannot_be_read_is_refused(content: bytes, words: str) -> None:
    assert words in refusal(content, RTF).message
