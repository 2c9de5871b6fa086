"""DOCX by way of HTML: order, headings, tables, lists, notes and links."""

import io
import zipfile
from typing import Any

import docx
import pytest
from docx.document import Document
from docx.oxml import parse_xml
from docx.text.paragraph import Paragraph
from tests.support.parsing import packed, read, refusal
from tests.support.work import lines_run

from interlace.domain.errors import ParseError
from interlace.parsing.media import DOCX
from interlace.parsing.metadata import stated_title
from interlace.parsing.office.docx_numbers import with_numbers
from interlace.parsing.sandbox.archive import check_archive, opened_archive
from interlace.parsing.sandbox.limits import ParseLimits


def docx_bytes() -> bytes:
    document = docx.Document()
    document.core_properties.title = "Handbook"
    document.core_properties.keywords = "Alpha, beta"
    document.add_paragraph("Before.")
    document.add_heading("Install", level=1)
    document.add_paragraph("First step.")
    table = document.add_table(rows=2, cols=2)
    for number, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = str(number)
    document.add_heading("Linux", level=2)
    document.add_paragraph("Second step.")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def test_docx_keeps_order_headings_and_tables() -> None:
    parsed = read(docx_bytes(), DOCX)
    assert (parsed.title, parsed.tags) == ("Handbook", ("alpha", "beta"))
    assert parsed.text == "Before.\n\nFirst step.\n\n0 | 1\n2 | 3\n\nSecond step."
    assert [section.path for section in parsed.sections] == [(), ("Install",), ("Install", "Linux")]


@pytest.mark.parametrize("title", ["Untitled", "Document1", "Microsoft Word - report final.doc", "template.dotx.docx"])
def test_a_title_that_a_program_made_up_gives_way_to_the_one_in_the_text(title: str) -> None:
    document = docx.Document()
    document.core_properties.title = title
    document.add_heading("Harbour report", level=0)
    document.add_paragraph("Quiet.")
    buffer = io.BytesIO()
    document.save(buffer)
    assert read(buffer.getvalue(), DOCX).title == "Harbour report"


@pytest.mark.parametrize("title", ["Microsoft Word for beginners", "." * 20_000])
def test_a_title_that_only_begins_like_one_of_a_program_is_kept(title: str) -> None:
    assert stated_title(title, file_names=False) == title


MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def word_package(body: str, notes: str = "") -> bytes:
    """Return the smallest DOCX with a body and footnotes."""
    declared = f'xmlns:w="{MAIN}" xmlns:r="{OFFICE}"'
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": relationships(("m", f"{OFFICE}/officeDocument", "word/document.xml")),
        "word/_rels/document.xml.rels": relationships(
            ("n", f"{OFFICE}/footnotes", "footnotes.xml"), ("site", f"{OFFICE}/hyperlink", "https://example.org/a#b")
        ),
        "word/document.xml": f"<w:document {declared}><w:body>{body}</w:body></w:document>",
        "word/footnotes.xml": f"<w:footnotes {declared}>{notes}</w:footnotes>",
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def relationships(*entries: tuple[str, str, str]) -> str:
    items = "".join(f'<Relationship Id="{key}" Type="{kind}" Target="{target}"/>' for key, kind, target in entries)
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{items}</Relationships>'
    )


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def field(instruction: str, words: str) -> str:
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    return f"{begin}<w:r><w:instrText>{instruction}</w:instrText></w:r>{separate}{run(words)}{end}"


def test_links_are_read_however_word_stores_them() -> None:
    body = (
        f'<w:p>{run("See ")}<w:hyperlink r:id="site">{run("the site")}</w:hyperlink>{run(" and ")}'
        + field(' HYPERLINK "https://example.org/field" ', "a field")
        + f'<w:ins w:id="1" w:author="x">{run(", inserted")}</w:ins>'
        + '<w:del w:id="2" w:author="x"><w:r><w:delText>, deleted</w:delText></w:r></w:del></w:p>'
    )
    parsed = read(word_package(body), DOCX)
    assert parsed.text == "See the site and a field, inserted"
    assert [(link.kind, link.target, link.anchor, link.text) for link in parsed.links] == [
        ("html", "https://example.org/a", "b", "the site"),
        ("html", "https://example.org/field", "", "a field"),
    ]


def test_notes_stand_at_the_end() -> None:
    notes = f'<w:footnote w:id="2"><w:p>{run("A remark.")}</w:p></w:footnote>'
    body = f'<w:p>{run("Text")}<w:r><w:footnoteReference w:id="2"/></w:r>{run(" goes on.")}</w:p>'
    assert read(word_package(body, notes), DOCX).text == "Text[1] goes on.\n\n1. A remark."


def test_styles_title_list_and_heading_nine_are_known() -> None:
    document = docx.Document()
    document.add_heading("Guide", level=0)
    document.add_heading("Top", level=1)
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("two", style="List Bullet")
    document.add_heading("Deep", level=9)
    document.add_paragraph("end")
    buffer = io.BytesIO()
    document.save(buffer)
    parsed = read(buffer.getvalue(), DOCX)
    assert (parsed.title, parsed.text) == ("Guide", "one\ntwo\n\nend")
    assert [section.path for section in parsed.sections] == [("Top",), ("Top", "Deep")]


def test_a_sheet_embedded_in_a_document_is_no_bomb_and_one_beside_it_is() -> None:
    with opened_archive(packed({"word/embeddings/Sheet1.xlsx": "PK"}), "a.docx") as archive:
        check_archive(archive, "a.docx", ParseLimits())
    with (
        pytest.raises(ParseError, match="another archive"),
        opened_archive(packed({"word/Sheet1.xlsx": "PK"}), "a.docx") as archive,
    ):
        check_archive(archive, "a.docx", ParseLimits())


def test_a_document_without_text_is_refused_whatever_its_properties_say() -> None:
    document, buffer = docx.Document(), io.BytesIO()
    document.core_properties.title = "Pictures"
    document.save(buffer)
    assert refusal(buffer.getvalue(), DOCX).reason == "empty"


_STRICT = {
    b"http://schemas.openxmlformats.org/wordprocessingml/2006/main": b"http://purl.oclc.org/ooxml/wordprocessingml/main",
    b"http://schemas.openxmlformats.org/officeDocument/2006/relationships": b"http://purl.oclc.org/ooxml/officeDocument/relationships",
}
_BOX = b"""<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">
<w:drawing><wps:txbx xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><w:txbxContent><w:p><w:r>
<w:t>In the box</w:t></w:r></w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>
<v:textbox xmlns:v="urn:schemas-microsoft-com:vml"><w:txbxContent><w:p><w:r><w:t>In the box</w:t></w:r></w:p></w:txbxContent></v:textbox>
</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p><w:sectPr"""


@pytest.mark.parametrize("strict", [False, True])
def test_numbers_text_boxes_and_strict_files(strict: bool) -> None:
    document = docx.Document()
    document.add_heading("Guide", level=1)
    for words in ("First", "Second"):
        document.add_paragraph(words, style="List Number")
    buffer = io.BytesIO()
    document.save(buffer)
    changed = io.BytesIO()
    with zipfile.ZipFile(buffer) as package, zipfile.ZipFile(changed, "w") as written:
        for name in package.namelist():
            part = package.read(name)
            if name == "word/document.xml":
                part = part.replace(b"<w:sectPr", _BOX, 1)
            for usual, of_strict in _STRICT.items() if strict else ():
                part = part.replace(usual, of_strict)
            written.writestr(name, part)
    parsed = read(changed.getvalue(), DOCX)
    assert (parsed.title, parsed.text) == ("Guide", "1. First\n2. Second\n\nIn the box")


def levels(*formats: str) -> str:
    """Return the levels of a list in Word's XML."""
    return "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{each}"/></w:lvl>'
        for at, each in enumerate(formats)
    )


def with_lists(definition: str, *overrides: str) -> Document:
    """Return a document with lists of one definition, which are called 90, 91 and so on."""
    document = docx.Document()
    numbering = document.part.numbering_part.element
    numbering.insert(0, parse_xml(f'<w:abstractNum xmlns:w="{MAIN}" w:abstractNumId="90">{definition}</w:abstractNum>'))
    for key, override in enumerate(overrides, start=90):
        numbering.append(
            parse_xml(f'<w:num xmlns:w="{MAIN}" w:numId="{key}"><w:abstractNumId w:val="90"/>{override}</w:num>')
        )
    return document


def add_item(document: Document, words: str, key: int, level: int = 0) -> Paragraph:
    paragraph = document.add_paragraph(words)
    number = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    number.get_or_add_ilvl().val, number.get_or_add_numId().val = level, key
    return paragraph


def test_numbers_of_lists_are_counted_as_in_word() -> None:
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'
    document = with_lists(levels("decimal", "lowerLetter", "bullet"), "", restart)
    for words, key, level in [
        ("One", 90, 0), ("a", 90, 1), ("b", 90, 1), ("dot", 90, 2), ("Two", 90, 0), ("c", 90, 1), ("Between.", 0, 0), ("Three", 90, 0),
        ("Restart", 91, 0), ("On", 91, 0),
    ]:  # fmt: skip
        add_item(document, words, key, level)
    lines = text_of(document).split("\n")
    assert [line for line in lines if line] == [
        "1. One", "  1. a", "  2. b", "    - dot", "2. Two", "  1. c", "Between.", "3. Three", "7. Restart", "8. On",
    ]  # fmt: skip


def test_items_of_the_second_level_by_style_are_nested_and_do_not_count_with_the_first() -> None:
    document = docx.Document()
    for words, style in [
        ("One", "List Number"),
        ("a", "List Number 2"),
        ("b", "List Number 2"),
        ("dot", "List Bullet 3"),
        ("Two", "List Number"),
    ]:
        document.add_paragraph(words, style=style)
    assert [line for line in text_of(document).split("\n") if line] == [
        "1. One",
        "  1. a",
        "  2. b",
        "    - dot",
        "2. Two",
    ]


def test_the_directory_of_a_file_without_numbers_is_read_once_by_us_and_once_by_mammoth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count = 0
    opened = zipfile.ZipFile.__init__

    def counted(self: zipfile.ZipFile, *arguments: Any, **options: Any) -> None:
        nonlocal count
        count += 1
        opened(self, *arguments, **options)

    content = docx_bytes()
    monkeypatch.setattr(zipfile.ZipFile, "__init__", counted)
    read(content, DOCX)
    assert count == 2


@pytest.mark.parametrize("tracked", ["del", "moveFrom"])
def test_a_deleted_item_is_not_counted(tracked: str) -> None:
    document = with_lists(levels("decimal"), "")
    for words in ("one", "", "two", "three"):
        properties = add_item(document, words, 90)._p.get_or_add_pPr()
        if not words:
            properties.append(parse_xml(f'<w:rPr xmlns:w="{MAIN}"><w:{tracked} w:id="1" w:author="x"/></w:rPr>'))
    assert text_of(document).split("\n") == ["1. one", "2. two", "3. three"]


def test_a_list_may_define_its_levels_again_and_a_level_may_go_on() -> None:
    own = '<w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0"><w:start w:val="5"/><w:numFmt w:val="decimal"/></w:lvl></w:lvlOverride>'
    assert text_of(with_items(with_lists(levels("decimal"), own), 0, 0)) == "5. 0\n6. 0"
    goes_on = levels("decimal", "decimal").replace("</w:lvl>", '<w:lvlRestart w:val="0"/></w:lvl>')
    shown = text_of(with_items(with_lists(goes_on, ""), 0, 1, 0, 1))
    assert [line for line in shown.split("\n") if line] == ["1. 0", "  1. 1", "2. 0", "  2. 1"]


def with_items(document: Document, *levels: int) -> Document:
    for level in levels:
        add_item(document, str(level), 90, level)
    return document


def test_signs_for_private_use_are_text() -> None:
    document = with_lists(levels("decimal"), "")
    add_item(document, "a \ue0007\ue001 b", 90)
    assert text_of(document) == "1. a \ue0007\ue001 b"
    body = "<w:p>" + run("a \ue0007\ue001 b") + "</w:p>"
    assert read(word_package(body), DOCX).text == "a \ue0007\ue001 b"


def test_the_work_for_styles_and_levels_grows_with_their_number() -> None:
    def work(count: int) -> int:
        styles = "".join(
            f'<w:style w:styleId="s{at}"><w:basedOn w:val="s{at + 1}"/><w:pPr/></w:style>' for at in range(count)
        )
        items = "".join(
            f'<w:p><w:pPr><w:pStyle w:val="s{at}"/></w:pPr></w:p>'
            f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{count - at}"/><w:numId w:val="1"/></w:numPr></w:pPr></w:p>'
            for at in range(count)
        )
        numbers = '<w:abstractNum w:abstractNumId="1"/><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
        parts = {"document": f"<w:body>{items}</w:body>", "numbering": numbers, "styles": styles}
        content = packed({f"word/{part}.xml": f'<w:x xmlns:w="{MAIN}">{xml}</w:x>' for part, xml in parts.items()})
        with opened_archive(content, "a.docx") as archive:
            return lines_run(lambda: with_numbers(archive))

    assert work(200) < 2.5 * work(100)


def text_of(document: Document) -> str:
    buffer = io.BytesIO()
    document.save(buffer)
    return read(buffer.getvalue(), DOCX).text
