"""Presentations, spreadsheets and books: what a reader sees of them, in its order."""

import base64
import datetime as dt
import io
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import docx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from tests.support.office import BOOK, Cells, slides, titled, workbook
from tests.support.parsing import packed, read, refusal
from xlsxwriter import Workbook

from interlace.parsing.media import DOCX, EPUB, ODS, PPTX, UNKNOWN, XLS, XLSX, media_type_of

OLD_WORKBOOK = (
    "c-rk)O=uHA6#izjNt4i|o0<x3p@f31)*^@(FYT(J?V;8xf+9kjm_<WNBC8_m!D`J>5PDL)6ngPe_2LgI=uJ?l)Po=hi5@)(3Le_5Z{F_KRC8!V"
    "i^_b<ym|ZPeLHV=X5Q}XtNBD}=5AXVKcF80RGbJxRW?B-;-46xcE^#bUx%qU3jY)$VH(I#5RYOn8{`<u@h(Hd9sL<e;60V2IEmpx-b$?@c5w`8"
    "A!FzxDR7f4akO$&%`A_xT*vY@dp>5lgDqEC_K|N%9KpOf+_T-A#fP;{Zi_=+_davpvSlk;@LbN~i`Rtf8^lgKm!9}L8#?qx%!0;kz{*>8dZL6R"
    "4d5)kI4R(>zfzy3lznaO0%ZTX(%w+RKCS7%B%Cpx;6=o+5RffF9L!~{Q;XO_D!9-f52o!*;fzg`!QAl^<Tz9~OHD%-`I2#8CY_JU49zRrSh1pG"
    "JkuLVX3@lYg6F$IIeYQer-i+l5p$F+lbprfT)#nv2M3oVgUE4i2`tMVW^878nXlT;dK=3m#Z7hBNQ<ZJnPQ(S+}cI`Y-7AOyQ}n#q!&N#f6!6<"
    "U~VFPZlHWVIrqk#K_|U?vc#9i6naIkxN%+Lq3PGc%M0&Vw*HhO!kXd5?szY>CM+S!YJ#PECZCR2KGVEsCE20|TQFNbk0;c>VD@xK+Ac6#^0XQ}"
    "jd{AqbH}8ec`umPuQlVIbfSFr9Z@JKC@3f>C@3f>{5k}GYr5a_y0_N|x%&<Nud_s@qJES7w>W?T9j9qyx*K__ZJeuX{;Wq(_}3Dv<oN#!B@R*V"
    "HpY?RIL7OqzqE4_)%UY%qVfBdP`&+E>WT9Y_x}x_%F8n"
)


def test_a_row_of_a_sheet_names_its_columns() -> None:
    parsed = read(
        workbook(
            {
                "Prices": [["Prices of 2025"], [], ["Profile", "Per metre", "", "Since"], ["BW-101", 6.74, "", 2024], ["BW-104", 1 / 3, "new"]],
                "Rules": [["Payment", "30 days"], ["Freight", 12]],
            }
        ),
        XLSX,
        uri="prices.xlsx",
    )  # fmt: skip
    assert parsed.title == "prices"
    assert [section.heading for section in parsed.sections] == ["Prices", "Rules"]
    assert parsed.text == (
        "Prices of 2025\n\nProfile: BW-101 | Per metre: 6.74 | Since: 2024\nProfile: BW-104 | Per metre: 0.333333 | new\n\nPayment: 30 days\nFreight: 12"
    )


def test_data_below_an_empty_row_keep_the_header_and_another_header_takes_its_place() -> None:
    data = [["Leide", 4.2, 0.3], ["Oban", 3.9, 0.5], ["Kerr", 4.1, 0.4], ["Mull", 4.4, 0.2]]
    rows: Cells = [["Harbour", "High", "Low"], *data, [], *data, [], ["Boat", "Berth", "Owner"], ["Tern", "B4", "Ada"]]
    text = read(workbook({"a": rows}), XLSX).text
    assert text.count("Harbour: Oban | High: 3.9 | Low: 0.5") == 2
    assert text.endswith("\n\nBoat: Tern | Berth: B4 | Owner: Ada")


def test_a_header_without_rows_and_notes_below_a_table_are_lines() -> None:
    rows = [["Boat", "Berth", "Owner"], ["Tern", "B4", "Ada"], ["Without the ferry"]]
    assert read(workbook({"a": rows}), XLSX).text == "Boat: Tern | Berth: B4 | Owner: Ada\nWithout the ferry"
    assert read(workbook({"a": rows[:1]}), XLSX).text == "Boat | Berth | Owner"


def test_shares_are_percentages_as_a_reader_sees_them() -> None:
    def change(book: Workbook) -> None:
        whole, fine, red = (book.add_format({"num_format": code}) for code in ("0%", "0.00%", "[Red]0.0%;-0.0%"))
        sheet = book.get_worksheet_by_name("Rates & terms")
        sheet.write_number(1, 1, 0.07, whole)
        sheet.write_number(2, 27, 0.125, fine)
        sheet.write_number(1, 27, -1, red)
        sheet.write_number(2, 1, 0.25, book.add_format({"num_format": '0.00" % of all"'}))

    header = ["Customer", "Discount", *[""] * 25, "Growth"]
    rows: Cells = [header, ["Oban"], ["Kerr"]]
    text = read(workbook({"Other": [["a", 0.5]], "Rates & terms": rows}, change), XLSX).text
    assert text == (
        "a: 0.5\n\nCustomer: Oban | Discount: 7% | Growth: -100%\nCustomer: Kerr | Discount: 0.25 | Growth: 12.5%"
    )


def test_dates_formulas_and_merged_cells_are_what_a_reader_sees_and_hidden_sheets_are_not() -> None:
    def change(book: Workbook) -> None:
        sheet = book.get_worksheet_by_name("a")
        sheet.write_datetime(2, 2, dt.date(2025, 3, 9), book.add_format({"num_format": "yyyy-mm-dd"}))
        sheet.write_formula(1, 2, "=1+1", None, 2)
        sheet.merge_range(1, 0, 2, 0, "Tern")
        book.add_worksheet("secret").write(0, 0, "Hidden")
        book.get_worksheet_by_name("secret").hide()
        book.set_properties({"title": "Boats", "author": "Ada", "keywords": "sea"})

    parsed = read(workbook({"a": [["Boat", "Part", "Value"], ["", "Mast", ""], ["", "Sail", ""]]}, change), XLSX)
    assert parsed.text == "Boat: Tern | Part: Mast | Value: 2\nBoat: Tern | Part: Sail | Value: 2025-03-09"
    assert (parsed.title, parsed.tags, parsed.metadata["author"]) == ("Boats", ("sea",), "Ada")


def test_workbooks_of_other_programs_are_read_alike() -> None:
    text = "Harbour: Leide | High: 4.2 | Low: 0.3\nHarbour: Oban | High: 3.9 | Low: 0.5"
    rows: Cells = [["Harbour", "High", "Low"], ["Leide", 4.2, 0.3], ["Oban", 3.9, 0.5]]
    kinds = {str: "'string'", float: "'float' office:value='{0}'"}
    cells = [
        [
            f"<table:table-cell office:value-type={kinds[type(each)].format(each)}><text:p>{each}</text:p></table:table-cell>"
            for each in row
        ]
        for row in rows
    ]
    table = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in cells)
    names = " ".join(
        f"xmlns:{each}='urn:oasis:names:tc:opendocument:xmlns:{each}:1.0'" for each in ("office", "table", "text")
    )
    content = f"<office:document-content {names}><office:body><office:spreadsheet><table:table table:name='Tides'>{table}</table:table></office:spreadsheet></office:body></office:document-content>"
    parts = {"mimetype": ODS, "META-INF/manifest.xml": "<manifest/>", "content.xml": content}
    assert read(packed(parts), ODS).text == text
    assert read(zlib.decompress(base64.b85decode(OLD_WORKBOOK)), XLS).text == text
    assert read("Harbour\tHigh\n", XLS).text  # what many programs call so


@pytest.mark.parametrize("name", ["a.xlsx", "a.xlsm", "a.xlsb", "a.xls", "a.ods", "a.pptx", "a.epub"])
def test_a_file_of_an_office_is_known_by_its_name(name: str) -> None:
    assert media_type_of(name) != UNKNOWN


def test_a_slide_is_a_section_and_the_first_one_the_title() -> None:
    parsed = read(slides(titled("Harbour plan"), titled("Dredging", "By May", "By June")), PPTX)
    assert (parsed.title, [section.path for section in parsed.sections]) == ("Harbour plan", [("Dredging",)])
    assert parsed.text == "By May\nBy June"
    stated = read(slides(titled("Welcome"), titled("Dredging", "By May"), title="Harbour plan"), PPTX)
    assert (stated.title, [section.path for section in stated.sections]) == (
        "Harbour plan",
        [("Welcome",), ("Dredging",)],
    )
    assert read(slides(titled("Harbour plan"), title="PowerPoint Presentation"), PPTX).title == "Harbour plan"


def test_a_slide_is_read_from_top_to_bottom_with_groups_tables_charts_and_notes() -> None:
    def fill(slide: Any) -> None:
        slide.shapes.title.text = "Dredging"
        slide.shapes.add_textbox(Inches(5), Inches(2), Inches(2), Inches(1)).text_frame.text = "right"
        group = slide.shapes.add_group_shape()
        group.shapes.add_textbox(0, Inches(2), Inches(2), Inches(1)).text_frame.text = "left"
        table = slide.shapes.add_table(2, 2, 0, Inches(4), Inches(4), Inches(1)).table
        for number, text in enumerate(("Year", "Cost", "2024", "12")):
            table.cell(number // 2, number % 2).text = text
        data = CategoryChartData()  # type: ignore[no-untyped-call]
        data.categories = ["May", "June"]
        data.add_series("Silt", (1, 2.5))  # type: ignore[no-untyped-call]
        slide.shapes.add_chart(XL_CHART_TYPE.LINE, 0, Inches(6), Inches(4), Inches(1), data)
        body = slide.shapes.add_textbox(0, Inches(1), Inches(2), Inches(1)).text_frame
        body.text = "top"
        body.add_paragraph().text = "below it"
        body.paragraphs[1].level = 1
        slide.notes_slide.notes_text_frame.text = "Say it slowly."

    parsed = read(slides(fill), PPTX)
    assert parsed.text == (
        "top\n  - below it\n\nleft\n\nright\n\nYear | Cost\n2024 | 12\n\nSilt: May 1, June 2.5\n\nSay it slowly."
    )


def test_a_slide_without_a_title_takes_its_first_line_or_its_number() -> None:
    def fill(*lines: str) -> Callable[[Any], None]:
        def fill_slide(slide: Any) -> None:
            title = slide.shapes.title
            title.element.getparent().remove(title.element)
            titled_box = slide.shapes.add_textbox(0, 0, Inches(4), Inches(1))
            titled_box.text_frame.text = "\n".join(lines)

        return fill_slide

    parsed = read(slides(titled("Plan"), fill("What we found"), fill("One.", "Two.")), PPTX)
    assert [section.heading for section in parsed.sections] == ["What we found", "Slide 3"]
    untitled = read(slides(titled("Plan"), titled("", "What we found")), PPTX)
    assert [section.heading for section in untitled.sections] == ["What we found"]
    assert parsed.text == "One.\nTwo."


def test_charts_of_any_type_are_read_without_the_points_that_they_lack() -> None:
    def fill(slide: Any) -> None:
        data = CategoryChartData()  # type: ignore[no-untyped-call]
        data.categories = ["May", "June"]
        data.add_series("Silt", (None, 0.1 + 0.2))  # type: ignore[no-untyped-call]
        frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(4), Inches(1), data)
        plot = frame.chart.plots[0]._element  # the library writes no chart in three dimensions
        plot.tag = plot.tag.replace("barChart", "bar3DChart")
        frame.chart.has_title = True
        frame.chart.chart_title.text_frame.text = "Dredged"

    assert read(slides(fill), PPTX).text == "Dredged\nSilt: June 0.3"


def test_the_words_of_a_diagram_are_text() -> None:
    content = io.BytesIO(slides(titled("Cycle")))
    relations, diagram = "ppt/slides/_rels/slide1.xml.rels", "ppt/diagrams/data1.xml"
    changed = io.BytesIO()
    with zipfile.ZipFile(content) as old, zipfile.ZipFile(changed, "w") as new:
        for part in old.namelist():
            text = old.read(part)
            if part == relations:
                kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"
                text = text.replace(
                    b"</Relationships>",
                    b'<Relationship Id="rId9" Type="%s" Target="../diagrams/data1.xml"/></Relationships>' % kind,
                )
            new.writestr(part, text)
        new.writestr(
            diagram,
            "<d xmlns:a='urn:a'><a:p><a:r><a:t>Eb</a:t></a:r><a:r><a:t>b</a:t></a:r></a:p><a:p><a:t>Flood</a:t></a:p></d>",
        )
    assert read(changed.getvalue(), PPTX).text == "Ebb\nFlood"


def test_a_book_is_its_chapters_in_order() -> None:
    parsed = read(packed(BOOK), EPUB)
    assert (parsed.title, parsed.metadata["author"]) == ("Tides", "Ada Byron")
    assert [section.heading for section in parsed.sections] == ["Flood", "Ebb"]
    assert parsed.text == "It rises.\n\nSee there."
    assert [link.target for link in parsed.links] == ["https://example.org/"]


def test_properties_of_the_template_that_a_program_fills_are_not_those_of_the_document() -> None:
    document, buffer = docx.Document(), io.BytesIO()
    document.add_paragraph("Low tide.")
    document.save(buffer)
    assert read(buffer.getvalue(), DOCX).metadata == {}
    assert read(slides(titled("Welcome"), titled("Dredging", "By May")), PPTX).metadata == {}
    document.core_properties.author, document.core_properties.modified = "Ada", dt.datetime(2024, 3, 9, tzinfo=dt.UTC)
    document.save(buffer)
    assert read(buffer.getvalue(), DOCX).metadata == {
        "author": "Ada", "modified": "2024-03-09T00:00:00Z", "modified_at": "2024-03-09T00:00:00Z",
    }  # fmt: skip


def test_properties_of_a_book_are_metadata() -> None:
    opf = BOOK["OEBPS/a.opf"].replace(
        "</metadata>",
        "<dc:creator>Bea Cole</dc:creator><dc:title>A second one</dc:title><dc:date>2001-02-03</dc:date><dc:date>2004</dc:date><dc:language>en</dc:language>"
        "<dc:publisher>Ebb House</dc:publisher><dc:description>&lt;p&gt;Buy it&lt;/p&gt;</dc:description></metadata>",
    )
    parsed = read(packed({**BOOK, "OEBPS/a.opf": opf}), EPUB)
    wanted = {"author": "Ada Byron, Bea Cole", "language": "en", "published": "2001-02-03", "publisher": "Ebb House"}
    assert (parsed.title, {key: parsed.metadata.get(key) for key in [*wanted, "comments"]}) == (
        "Tides",
        {**wanted, "comments": None},
    )


@pytest.mark.parametrize(
    ("content", "media_type", "words"),
    [
        (packed({"xl/workbook.xml": "<a/>"}), XLSX, "broken spreadsheet"),
        (packed({"ppt/presentation.xml": "<a/>"}), PPTX, "broken PPTX. Save"),
        (packed({**BOOK, "META-INF/container.xml": "<a/>"}), EPUB, "broken EPUB"),
        (packed({**BOOK, "OEBPS/a.opf": "<!DOCTYPE a><package/>"}), EPUB, "declares XML entities"),
        (packed({**BOOK, "META-INF/container.xml": '<rootfile full-path="OEBPS/cover.svg"/>'}), EPUB, "broken EPUB"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"0" * 600, XLS, "broken spreadsheet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"0" * 600, XLSX, "password"),
        (workbook({"a": []}), XLSX, "holds no text"),
        (slides(lambda _: None), PPTX, "holds no text"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_kind(content: bytes, media_type: str, words: str) -> None:
    assert words in refusal(content, media_type).message
