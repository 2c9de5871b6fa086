"""Pages of many layouts, made when they are needed, with the order in which a person reads their sentences and the rows of their tables.

``python -m tests.corpus.layouts`` writes the figures of decision 130.
"""

import io
import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, NumberObject

from interlace.domain.documents import Source
from interlace.parsing.media import PDF
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

WIDTH, HEIGHT, MARGIN = 612, 792, 60
_WORDS = re.findall(
    r"\w+",
    "anchor barge cable crane deck engine ferry gauge harbour island jetty keel ladder mast night oar pilot quay rope sail tide"
    " under valve water yard above below carried during every found guides holds inside keeps lifted moved near over passed"
    " quietly rested shows turned until visited warned yearly",
)
_NARROW = set("iljtfr.,;:'|I ")
_WIDE = set("mwMW@%")
Run = tuple[float, float, str]
"""Left edge and baseline in points, from the lower left corner, and a text on one line."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A PDF of one page: its bytes, its sentences in the order of reading, and the cells of each row of its tables."""

    name: str
    content: bytes
    sentences: Sequence[str]
    rows: Sequence[Sequence[str]] = ()


@dataclass(slots=True)
class Sheet:
    """A page under construction: runs of text in the order of the file, and lines."""

    size: float = 10
    rotate: int = 0
    matrix: str = "1 0 0 1"
    runs: list[Run] = field(default_factory=list)
    rules: list[tuple[float, float, float, float]] = field(default_factory=list)

    def block(self, x: float, y: float, width: float, text: str) -> list[Run]:
        """Return the runs of a paragraph set within a width; the first baseline is at y."""
        lines = wrapped(text, width, self.size)
        return [(x, y - number * self.size * 1.2, line) for number, line in enumerate(lines)]

    def content(self) -> bytes:
        """Return the file."""
        writer = PdfWriter()
        page = writer.add_blank_page(WIDTH, HEIGHT)
        names = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica", "/Encoding": "/WinAnsiEncoding"}
        font = DictionaryObject({NameObject(key): NameObject(value) for key, value in names.items()})
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        page[NameObject("/Rotate")] = NumberObject(self.rotate)
        shown = [f"{a} {b} m {c} {d} l S" for a, b, c, d in self.rules]
        shown += [f"BT /F1 {self.size} Tf {self._placed(x, y)} Tm ({_escaped(text)}) Tj ET" for x, y, text in self.runs]
        stream = DecodedStreamObject()
        stream.set_data("\n".join(shown).encode("cp1252"))
        page[NameObject("/Contents")] = writer._add_object(stream)
        buffer = io.BytesIO()
        writer.write(buffer)
        return buffer.getvalue()

    def _placed(self, x: float, y: float) -> str:
        return (
            f"{self.matrix} {x:.2f} {y:.2f}" if self.matrix == "1 0 0 1" else f"{self.matrix} {HEIGHT - y:.2f} {x:.2f}"
        )


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def width_of(text: str, size: float) -> float:
    """Return roughly how wide Helvetica sets a text, in points."""
    units = (0.27 if each in _NARROW else 0.83 if each in _WIDE else 0.68 if each.isupper() else 0.55 for each in text)
    return size * sum(units)


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Return the lines of a text set within a width."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def sentences(count: int, seed: int, most: int = 16) -> list[str]:
    """Return different sentences of 6 and more words."""
    chance = random.Random(seed)
    return [
        f"{chance.choice(_WORDS).capitalize()} {seed}{number:02} {' '.join(chance.choices(_WORDS, k=chance.randint(4, most)))}."
        for number in range(count)
    ]


def by_rows(*blocks: Sequence[Run]) -> list[Run]:
    """Return runs as programs write them that go through a page line by line."""
    return sorted((run for block in blocks for run in block), key=lambda run: (-run[1], run[0]))


def by_columns(*blocks: Sequence[Run]) -> list[Run]:
    """Return runs block by block."""
    return [run for block in blocks for run in block]


def columns(
    name: str, count: int, order: Callable[..., list[Run]], *, heading: bool = False, **options: float
) -> Layout:
    """Return a page of columns, below a heading over all of them if asked for, with a paragraph at the foot."""
    sheet = Sheet(**options)  # type: ignore[arg-type]
    gutter = 16 if count > 2 else 20
    width = (WIDTH - 2 * MARGIN - gutter * (count - 1)) / count
    texts = [sentences(9 if count == 2 else 6, 10 * count + number, 12) for number in range(count)]
    heads = sentences(3, 9) if heading else []
    foot = sentences(3, 8) if heading else []
    top = sheet.block(MARGIN, HEIGHT - MARGIN, WIDTH - 2 * MARGIN, " ".join(heads)) if heading else []
    blocks = [
        sheet.block(MARGIN + number * (width + gutter), HEIGHT - 130, width, " ".join(text))
        for number, text in enumerate(texts)
    ]
    bottom = sheet.block(MARGIN, 120, WIDTH - 2 * MARGIN, " ".join(foot)) if heading else []
    sheet.runs = order(top) + order(*blocks) + order(bottom)
    return Layout(name, sheet.content(), [*heads, *(each for text in texts for each in text), *foot])


def table(
    name: str, order: Callable[..., list[Run]], *, rules: bool = False, wide: bool = False, gap: float = 120
) -> Layout:
    """Return a page with a table between two paragraphs; cells of ``wide`` ones have several lines."""
    sheet = Sheet()
    before, after = sentences(4, 5), sentences(4, 6)
    head = ("Vessel", "Length", "Built", "Harbour")
    rows: list[tuple[str, ...]] = [
        head,
        *((f"Ship {n}", f"{n * 7 + 11}.{n} m", f"{1900 + n * 9}", f"Port {chr(65 + n)}") for n in range(8)),
    ]
    if wide:
        rows = [(a, b, " ".join(sentences(1, 60 + n, 14))) for n, (a, b, *_) in enumerate(rows)]
    cells: list[list[Run]] = [[] for _ in rows[0]]
    y = HEIGHT - 200.0
    for row in rows:
        blocks = [sheet.block(MARGIN + gap * at, y, 200 if wide else 300, cell) for at, cell in enumerate(row)]
        for at, block in enumerate(blocks):
            cells[at] += block
        if rules:
            sheet.rules.append((MARGIN, y + 12, WIDTH - MARGIN, y + 12))
        y -= max(map(len, blocks)) * sheet.size * 1.2 + (6 if wide or rules else 2)
    width = WIDTH - 2 * MARGIN
    sheet.runs = [
        *sheet.block(MARGIN, HEIGHT - MARGIN, width, " ".join(before)), *order(*cells),
        *sheet.block(MARGIN, 160, width, " ".join(after)),
    ]  # fmt: skip
    return Layout(name, sheet.content(), [*before, *after], rows)


def ruled(name: str, order: Callable[..., list[Run]], *, tables: int = 1, boxes: bool = False) -> Layout:
    """Return a page with tables of narrow columns side by side, whose cells are parted by rules, or drawn as boxes, and have one to three lines."""
    sheet = Sheet()
    before, after = sentences(3, 81), sentences(3, 82)
    edges = [(72.0, 114.0, 170.0, 300.0), (320.0, 362.0, 418.0, 545.0)][:tables]
    cells: list[list[Run]] = [[] for _ in edges for _ in range(3)]
    rows, y = [], HEIGHT - 180.0
    for number in range(6):
        texts = [
            (f"Buoy {number}{at}", f"{number}2 m deep" if number % 3 else "", sentences(1, 90 + number + 9 * at, 12)[0])
            for at in range(tables)
        ]
        blocks = [
            sheet.block(x + 3, y, width, text)
            for xs, row in zip(edges, texts, strict=True)
            for x, width, text in zip(xs, (50, 60, 100), row, strict=False)
        ]
        for at, block in enumerate(blocks):
            cells[at] += block
        top, bottom = y + 11, y - 12 * max(map(len, blocks)) + 9
        for xs in edges:
            sheet.rules += [(xs[0], each, xs[-1], each) for each in (top, bottom)]
            sheet.rules += [(x, top + boxes, x, bottom - boxes) for x in xs]
        rows += texts
        y = bottom - 11
    width = WIDTH - 2 * MARGIN
    sheet.runs = [
        *sheet.block(MARGIN, HEIGHT - MARGIN, width, " ".join(before)), *order(*cells),
        *sheet.block(MARGIN, 120, width, " ".join(after)),
    ]  # fmt: skip
    return Layout(name, sheet.content(), [*before, *after], rows)


def single(name: str) -> Layout:
    """Return a page of one column with headings, a list, code and contents with leaders."""
    sheet = Sheet()
    text = sentences(12, 3)
    width = WIDTH - 2 * MARGIN
    items = [f"{number}." for number in range(1, 5)]
    y = HEIGHT - 300.0
    marks = [(MARGIN, y - 14 * number, item) for number, item in enumerate(items)]
    listed = [(MARGIN + 22, y - 14 * number, each) for number, each in enumerate(text[6:10])]
    code = [
        (MARGIN + 30 * (n % 3), y - 90 - 12 * n, line)
        for n, line in enumerate(("def rise():", "tide = 4", "return tide"))
    ]
    sheet.runs = [
        (MARGIN, HEIGHT - MARGIN, "Of tides"), *sheet.block(MARGIN, HEIGHT - 90, width, " ".join(text[:3])),
        *sheet.block(MARGIN + 12, HEIGHT - 170, width, " ".join(text[3:6])), *by_rows(marks, listed), *code,
        *sheet.block(MARGIN, 200, width, " ".join(text[10:])),
    ]  # fmt: skip
    order = ["Of tides", *text[:6], *(f"{a} {b}" for a, b in zip(items, text[6:10], strict=True)), "def rise():"]
    return Layout(name, sheet.content(), [*order, "tide = 4", "return tide", *text[10:]])


def captioned(name: str, order: Callable[..., list[Run]]) -> Layout:
    """Return a page of two columns broken by a figure's caption over both, with a footnote below the left one."""
    sheet = Sheet()
    texts = [sentences(8 if number > 2 else 5, 70 + number, 12) for number in range(4)]
    caption, note = "Figure 3. " + " ".join(sentences(2, 78)), sentences(1, 79)[0]
    width = (WIDTH - 2 * MARGIN - 20) / 2
    right = MARGIN + width + 20
    upper = [
        sheet.block(x, HEIGHT - MARGIN, width, " ".join(text)) for x, text in zip((MARGIN, right), texts, strict=False)
    ]
    lower = [sheet.block(x, 380, width, " ".join(text)) for x, text in zip((MARGIN, right), texts[2:], strict=True)]
    middle = sheet.block(MARGIN, 450, WIDTH - 2 * MARGIN, caption)
    foot = sheet.block(MARGIN, 180, width, note)
    sheet.runs = [*order(*upper), *middle, *order(*lower), *foot]
    return Layout(name, sheet.content(), [*texts[0], *texts[1], caption, *texts[2], *texts[3]])


def layouts() -> list[Layout]:
    """Return all pages."""
    turned = "0 1 -1 0"
    return [
        single("one column"),
        columns("two columns, block by block", 2, by_columns),
        columns("two columns, line by line", 2, by_rows),
        columns("two columns below a heading", 2, by_rows, heading=True),
        columns("three columns, block by block", 3, by_columns, heading=True),
        columns("three columns, line by line", 3, by_rows, heading=True),
        columns("two columns, page turned by 90", 2, by_rows, rotate=90),
        columns("two columns, page turned by 270", 2, by_rows, rotate=270),
        columns("two columns, text turned", 2, by_rows, matrix=turned),  # type: ignore[arg-type]
        captioned("caption and footnote, line by line", by_rows),
        captioned("caption and footnote, block by block", by_columns),
        table("table, row by row", by_rows),
        table("table, column by column", by_columns),
        table("table with rules, column by column", by_columns, rules=True),
        table("table of narrow columns, row by row", by_rows, gap=62),
        table("cells of several lines, column by column", by_columns, wide=True, gap=90),
        table("cells of several lines with rules, row by row", by_rows, wide=True, rules=True, gap=90),
        ruled("ruled table, row by row", by_rows),
        ruled("ruled table, column by column", by_columns),
        ruled("ruled tables side by side, row by row", by_rows, tables=2),
        ruled("ruled tables side by side, column by column", by_columns, tables=2, boxes=True),
    ]


def pairs_in_order(text: str, expected: Sequence[str]) -> list[bool]:
    """Return of each pair of neighbours whether the second is the next of all that comes after the first."""
    plain = " ".join(text.replace("|", " ").split())
    places = {each: plain.find(" ".join(each.split())) for each in expected}
    found = sorted((each for each in expected if places[each] >= 0), key=lambda each: places[each])
    follows = dict(pairwise(found))
    return [follows.get(one) == other for one, other in pairwise(expected)]


def rows_whole(text: str, rows: Sequence[Sequence[str]]) -> list[bool]:
    """Return of each row whether one line has its cells in their order."""
    return [any(_has(line, row) for line in text.split("\n")) for row in rows]


def _has(line: str, cells: Sequence[str]) -> bool:
    at = 0
    for cell in cells:
        at = line.find(cell, at)
        if at < 0:
            return False
        at += len(cell)
    return True


def own_text(content: bytes) -> str:
    """Return the text as Interlace reads it."""
    return parse(Source("page.pdf", PDF, content), ParseLimits()).text


def share(values: Sequence[bool]) -> float:
    """Return the share of those that hold."""
    return sum(values) / len(values) if values else 1.0


def table_of(extract: Callable[[bytes], str]) -> str:
    """Return a table with the figures of an extractor, which is given a file and returns its text."""
    lines, pairs, rows = [], [], []
    for page in layouts():
        text = extract(page.content)
        pairs.append(pairs_in_order(text, page.sentences))
        rows.append(rows_whole(text, page.rows))
        lines.append(f"| {page.name} | {share(pairs[-1]):.0%} | {share(rows[-1]):.0%} |")
    total = f"| all | {share([*chain.from_iterable(pairs)]):.1%} | {share([*chain.from_iterable(rows)]):.1%} |"
    return "\n".join([*lines, total])


if __name__ == "__main__":
    sys.stdout.write(table_of(own_text) + "\n")
