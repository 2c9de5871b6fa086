"""PDF: the order of reading, columns and tables, on pages that are made for it."""

from collections.abc import Callable

import pytest
from tests.corpus.layouts import (
    MARGIN,
    Layout,
    Run,
    Sheet,
    by_columns,
    by_rows,
    layouts,
    own_text,
    pairs_in_order,
    rows_whole,
    sentences,
)
from tests.support.work import lines_run

from interlace.parsing.pdf.layout import in_reading_order
from interlace.parsing.pdf.pieces import HYPHEN, Piece
from interlace.parsing.pdf.table import side_by_side

LAYOUTS = {layout.name: layout for layout in layouts()}


@pytest.mark.parametrize("name", sorted(LAYOUTS))
def test_sentences_are_read_in_order_and_rows_on_one_line(name: str) -> None:
    layout: Layout = LAYOUTS[name]
    text = own_text(layout.content)
    assert all(pairs_in_order(text, layout.sentences)), text
    assert all(rows_whole(text, layout.rows)), text


@pytest.mark.parametrize("name", [name for name in sorted(LAYOUTS) if name.startswith("ruled")])
def test_rows_of_ruled_tables_are_lines_of_their_own_with_separated_cells(name: str) -> None:
    lines = own_text(LAYOUTS[name].content).split("\n")
    rows = [" | ".join(row) for row in LAYOUTS[name].rows]
    assert [line for line in lines if "|" in line] == (rows[::2] + rows[1::2] if "side by side" in name else rows)


def test_the_grid_of_a_drawing_and_a_frame_around_text_are_no_tables() -> None:
    sheet, text = Sheet(), sentences(30, 5)
    sheet.runs = sheet.block(MARGIN + 5, 700, 200, " ".join(text))
    sheet.rules = [(x, 720.0, x, 100.0) for x in (MARGIN, 280.0, 500.0)] + [
        (MARGIN, y, 500.0, y) for y in (720.0, 110.0, 100.0)
    ]
    assert "|" not in own_text(sheet.content())
    sheet.runs = [(MARGIN + 8, 640, "high"), (300, 400, "low")]
    sheet.rules = [(50.0 + 40 * at, 720, 50.0 + 40 * at, 100) for at in range(12)]
    sheet.rules += [(50, 720.0 - 50 * at, 490, 720.0 - 50 * at) for at in range(12)]
    assert "|" not in own_text(sheet.content())


def test_the_cells_of_a_row_are_separated_and_empty_ones_kept() -> None:
    sheet = Sheet()
    rows = [("Ship", "Length", "Built"), ("Ada", "11 m", "1911"), ("Ben", "", "1922"), ("cog", "31 m", "")]
    sheet.runs = [
        (MARGIN + 150 * at, 700 - 14 * number, cell)
        for at in range(3)
        for number, row in enumerate(rows)
        if (cell := row[at])
    ]
    assert own_text(sheet.content()) == "Ship | Length | Built\nAda | 11 m | 1911\nBen |  | 1922\ncog | 31 m"


def test_dots_that_lead_to_a_column_are_no_text() -> None:
    sheet = Sheet()
    titles = ("Anchors", "Barges", "Cranes", "Derricks")
    sheet.runs = [(MARGIN, 700 - 14 * at, f"{title} . . . . . . . .") for at, title in enumerate(titles)]
    sheet.runs += [(400, 700 - 14 * at, str(at + 3)) for at in range(4)]
    assert own_text(sheet.content()) == "Anchors | 3\nBarges | 4\nCranes | 5\nDerricks | 6"


def test_numbers_of_items_and_a_drawing_are_no_tables() -> None:
    sheet, items = Sheet(), sentences(4, 1)
    for at, item in enumerate(items):
        sheet.runs += [(MARGIN, 700 - 14 * at, f"{at + 1}."), (MARGIN + 30, 700 - 14 * at, item)]
    places = [(90, 500), (300, 470), (420, 520), (160, 440), (350, 410), (480, 450), (70, 380), (250, 350), (400, 330)]
    nodes = ("tide", "buoy", "ebb", "quay", "lock", "weir", "sluice", "barge", "moor")
    sheet.runs += [(x, y, node) for node, (x, y) in zip(nodes, places, strict=True)]
    text = own_text(sheet.content())
    assert "|" not in text
    assert text.startswith("\n".join(f"{at + 1}. {item}" for at, item in enumerate(items)))
    assert set(nodes) <= set(text.split())


def test_words_divided_at_the_end_of_a_line_are_joined_in_each_column() -> None:
    left, right = (
        ["The harbour was re-", "built after the flood", "of that long winter."],
        ["Its cranes were low-", "ered by night and", "raised in the morning."],
    )
    sheet = Sheet()
    for at, lines in enumerate(zip(left, right, strict=True)):
        sheet.runs += [(MARGIN + 200 * side, 700 - 12 * at, line) for side, line in enumerate(lines)]
    text = own_text(sheet.content())
    assert "was rebuilt after the flood of that long winter." in text
    assert "were lowered by night" in text


def test_a_page_without_pieces_or_with_one_is_its_text() -> None:
    assert in_reading_order([]) == ""
    assert (
        in_reading_order([Piece(f"re{HYPHEN}", 0, 0, 0, 0, 9, 9), Piece("built", 1, 1, 0, 10, 9, 19)])
        == f"re{HYPHEN}built"
    )


PORTS = [("Port", "Depth"), *((f"Port {name}", f"{number * 3 + 9} m") for number, name in enumerate("ABCDE"))]
SHIPS = [("Ship", "Length"), *((f"Ship {name}", f"{number * 7 + 11} m") for number, name in enumerate("KLMNOPQ"))]


def lines_of(*tables: list[tuple[str, str]], order: Callable[..., list[Run]]) -> list[str]:
    """Return the lines of a page with tables side by side."""
    sheet = Sheet()
    cells = [
        [
            (MARGIN + 260 * at + 90 * column, 700.0 - 14 * row, cell)
            for row, line in enumerate(table)
            for column, cell in enumerate(line)
        ]
        for at, table in enumerate(tables)
    ]
    sheet.runs = order(*cells)
    return [line for line in own_text(sheet.content()).split("\n") if line]


def test_tables_side_by_side_without_rules_are_two_if_the_file_or_their_heads_say_so() -> None:
    ships, ports = [" | ".join(row) for row in SHIPS], [" | ".join(row) for row in PORTS]
    assert lines_of(SHIPS, PORTS, order=by_columns) == [*ships, *ports]
    assert lines_of(PORTS, SHIPS, order=by_columns) == [*ports, *ships]
    more = [PORTS[0], *SHIPS[1:]]
    assert lines_of(PORTS, more, order=by_rows) == [*ports, ports[0], *ships[1:]]
    assert lines_of(SHIPS, PORTS, order=by_rows)[:2] == [f"{ships[0]} | {ports[0]}", f"{ships[1]} | {ports[1]}"]
    numbers = [("low", "high"), *((f"{at}", f"{at + 5}") for at in range(5))]
    assert lines_of(numbers, numbers, order=by_rows)[1] == "0 | 5 | 0 | 5"


@pytest.mark.parametrize("word", ["12", "column {at}"])
def test_the_work_for_columns_that_may_be_two_tables_grows_with_their_number(word: str) -> None:
    def columns(count: int) -> list[list[Piece]]:
        """Return columns of 20 lines, row by row in the file."""
        at_row = [[row * count + at for row in range(20)] for at in range(count)]
        return [
            [
                Piece(word.format(at=at), number, number, at * 30, row * 12, at * 30 + 20, row * 12 + 10)
                for row, number in enumerate(numbers)
            ]
            for at, numbers in enumerate(at_row)
        ]

    few, many = columns(40), columns(80)
    assert lines_run(lambda: side_by_side(many, 10.0)) < 2.5 * lines_run(lambda: side_by_side(few, 10.0))
