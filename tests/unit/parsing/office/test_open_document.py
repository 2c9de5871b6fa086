"""OpenDocument texts and presentations, as LibreOffice writes them."""

import io
import zipfile

import pytest
from tests.support.office import open_document
from tests.support.parsing import packed, read, refusal

from interlace.parsing.media import ODP, ODT, UNKNOWN, media_type_of


def items(*names: str) -> str:
    return "".join(f"<text:list-item><text:p>{name}</text:p></text:list-item>" for name in names)


def frame(text: str, top: str = "1cm", left: str = "1cm", kind: str = "") -> str:
    return f'<draw:frame presentation:class="{kind}" svg:y="{top}" svg:x="{left}"><draw:text-box>{text}</draw:text-box></draw:frame>'


@pytest.mark.parametrize(("name", "media_type"), [("a.odt", ODT), ("a.ODP", ODP)])
def test_an_open_document_is_known_by_its_name(name: str, media_type: str) -> None:
    assert media_type_of(name) == media_type


def test_headings_paragraphs_and_properties() -> None:
    body = """<text:p text:style-name="P7">Harbour plan</text:p><text:h text:outline-level="1">Dredging</text:h><text:p>It <text:span>be</text:span>gins<text:s
        text:c="2"/>in<text:tab/>May<text:line-break/>at ebb.</text:p><text:h text:outline-level="2">Silt</text:h><text:p>Sold.</text:p>"""
    meta = """<office:meta><meta:initial-creator>Ada Byron</meta:initial-creator><dc:creator>Someone else</dc:creator><meta:keyword>harbour</meta:keyword>
        <meta:keyword>silt</meta:keyword><meta:creation-date>2024-05-06T07:08:09</meta:creation-date><dc:subject>Water</dc:subject></office:meta>"""
    parsed = read(open_document(body, meta=meta), UNKNOWN)
    assert parsed.title == "Harbour plan"
    assert [(section.heading, section.level) for section in parsed.sections] == [("Dredging", 1), ("Silt", 2)]
    assert parsed.text == "It begins in May\nat ebb.\n\nSold."
    assert (parsed.metadata["author"], parsed.metadata["subject"]) == ("Ada Byron", "Water")
    assert parsed.metadata["created"] == "2024-05-06T07:08:09"
    assert parsed.tags == ("harbour", "silt")
    titled = "<office:meta><dc:title>Plan of the harbour</dc:title></office:meta>"
    assert read(open_document("<text:p>Text.</text:p>", meta=titled), ODT).title == "Plan of the harbour"


def test_lists_are_numbered_as_open_document_counts_them() -> None:
    deeper = f"<text:list>{items('d', 'e')}</text:list>"
    body = (
        f'<text:list text:style-name="L1" xml:id="one">{items("a")}<text:list-item><text:p>b</text:p>{deeper}</text:list-item></text:list>'
        f'<text:p>Between.</text:p><text:list text:style-name="L1" text:continue-numbering="true">{items("c")}</text:list>'
        f'<text:list text:style-name="L2">{items("x")}<text:list-header><text:p>y</text:p></text:list-header></text:list>'
        f'<text:list text:continue-list="one" text:style-name="L1"><text:list-item>{deeper}</text:list-item></text:list>'
        f'<text:list text:style-name="L1">{items("z")}</text:list>'
        f'<text:list text:style-name="L1"><text:list-item text:start-value="7"><text:p>f</text:p><text:p>g</text:p></text:list-item></text:list>'
    )
    lines = [line for line in read(open_document(body), ODT).text.splitlines() if line]
    assert lines == [
        "1. a",
        "2. b",
        "  4. d",
        "  5. e",
        "Between.",
        "3. c",
        "x",
        "y",
        "  4. d",
        "  5. e",
        "1. z",
        "7. f",
        "g",
    ]


def test_a_heading_in_a_list_is_a_heading() -> None:
    body = '<text:p>Water.</text:p><text:list text:style-name="L1"><text:list-item><text:h text:outline-level="1">Tides</text:h></text:list-item></text:list><text:p>Ebb.</text:p>'
    parsed = read(open_document(body), ODT)
    assert ([section.heading for section in parsed.sections], parsed.text) == (["", "Tides"], "Water.\n\nEbb.")


def test_tables_code_notes_and_links() -> None:
    row = "<table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell><table:covered-table-cell><text:p>no</text:p></table:covered-table-cell><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row>"
    body = f"""<table:table><table:table-header-rows>{row.format("Boat", "Berth")}</table:table-header-rows>{row.format("Tern", "B4")}</table:table>
        <text:p text:style-name="P8">make<text:s text:c="3"/>all</text:p><text:p text:style-name="P8">make test</text:p>
        <text:p>It sinks<text:note><text:note-citation>i</text:note-citation><text:note-body><text:p>Twice.</text:p></text:note-body></text:note>, see
        <text:a xlink:href="../tides.odt">tides</text:a> and <text:a xlink:href="#x|outline">below</text:a>.</text:p>"""
    parsed = read(open_document(body), ODT)
    assert parsed.text == (
        "Boat | Berth\nTern | B4\n\nmake   all\nmake test\n\nIt sinks[1], see tides and below.\n\n1. Twice."
    )
    assert [link.target for link in parsed.links] == ["tides.odt"]
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["make   all\nmake test"]


def test_what_a_reader_does_not_see_is_left_out() -> None:
    body = """<text:tracked-changes><text:deletion><text:p>deleted</text:p></text:deletion></text:tracked-changes><text:table-of-content><text:index-body>
        <text:p>Tides 1</text:p></text:index-body></text:table-of-content><text:p>Kept<office:annotation><text:p>comment</text:p></office:annotation>.<draw:frame>
        <draw:image/><svg:title>picture</svg:title><svg:desc>of a boat</svg:desc></draw:frame></text:p><text:p><draw:frame><draw:text-box><text:p>In a box.</text:p>
        </draw:text-box></draw:frame></text:p>"""
    assert read(open_document(body), ODT).text == "Kept.\n\nIn a box."


def test_a_chart_is_a_table_once() -> None:
    rows = "".join(
        f"<table:table-row><table:table-cell><text:p>{month}</text:p></table:table-cell><table:table-cell><text:p>{value}</text:p></table:table-cell></table:table-row>"
        for month, value in [("", "Tonnes"), ("May", "1"), ("June", "2.5")]
    )
    chart = f"<office:body><office:chart><chart:chart><chart:title><text:p>Silt</text:p></chart:title><table:table>{rows}</table:table></chart:chart></office:chart></office:body>"
    shown = '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    body = f'{shown}{shown}<text:p>After.<draw:object xlink:href="./Object 2"/><draw:object xlink:href="../../x"/></text:p>'
    parsed = read(open_document(body, **{"Object 1/content": chart, "Object 2/content": "<office:body/>"}), ODT)
    assert parsed.text == "Silt\n\n| Tonnes\nMay | 1\nJune | 2.5\n\nAfter."


def test_slides_are_sections_in_reading_order_with_their_notes() -> None:
    number = frame("<text:p><text:page-number>1</text:page-number></text:p>", kind="page-number")
    slide = (
        frame("<text:p>right</text:p>", "5cm", "9cm") + frame("<text:p>left</text:p>", "5cm")
        + f'<draw:g><draw:custom-shape svg:y="2.5cm" svg:x="0cm"><text:p>in a group</text:p></draw:custom-shape></draw:g>{number}'
        + frame("<text:p>Dredging</text:p>", "20cm", kind="title")
        + f"<presentation:notes>{frame('<text:p>Why: silt.</text:p>', kind='notes')}{number}</presentation:notes>"
    )  # fmt: skip
    body = "".join(
        f'<draw:page draw:name="page1">{each}</draw:page>'
        for each in [
            slide,
            "<draw:custom-shape><text:p>What we found</text:p></draw:custom-shape>" + frame("<text:p>Mud.</text:p>", "3cm"),
            frame("<text:p>One.</text:p><text:p>Two.</text:p>"),
            "",
        ]
    )  # fmt: skip
    parsed = read(open_document(body, "presentation"), ODP)
    assert [section.heading for section in parsed.sections] == ["", "What we found", "Slide 3"]
    assert (parsed.title, parsed.text.split("\n\n")) == (
        "Dredging", ["in a group", "left", "right", "Why: silt.", "Mud.", "One.", "Two."],
    )  # fmt: skip


def test_a_document_without_styles_is_read() -> None:
    with zipfile.ZipFile(io.BytesIO(open_document("<text:p>It is low.</text:p>"))) as archive:
        parts = {part: archive.read(part).decode() for part in archive.namelist() if part != "styles.xml"}
    assert read(packed(parts), ODT).text == "It is low."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (packed({"mimetype": "application/vnd.oasis.opendocument.text"}), "broken OpenDocument: it has no content.xml"),
        (open_document("<text:p/>"), "holds no text"),
        (open_document("<text:list><text:list-item>" * 2_000 + "</text:list-item></text:list>" * 2_000), "broken OpenDocument"),
        (packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<a/>", "styles.xml": "<a/>"}), "broken OpenDocument"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(content: bytes, words: str) -> None:
    assert words in refusal(content, ODT).message
