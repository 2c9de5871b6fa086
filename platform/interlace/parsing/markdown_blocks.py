"""Code and tables in Markdown, for the formats that are rewritten in it."""

import re
from collections.abc import Iterator, Sequence

_FENCES = re.compile(r"~{12,}")
_PIPE = re.compile(r"(?<!\\)\|")


def code_block(lines: Sequence[str], indent: str) -> Iterator[str]:
    """Yield lines of code between fences that are longer than any among them."""
    fence = max(["~" * 12, *(f"{found}~" for line in lines for found in _FENCES.findall(line))], key=len)
    yield from ("", *(indent + line for line in (fence, *lines, fence)), "")


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table whose first row is its head, given its cells in Markdown; the head is as wide as the widest row."""
    columns = max(map(len, rows), default=0)
    yield ""
    for number, row in enumerate(rows):
        cells = row if number else [*row, *[""] * (columns - len(row))]
        yield "| " + " | ".join(_PIPE.sub(r"\\|", cell) for cell in cells) + " |"
        if not number:
            yield "|" + "---|" * columns
    yield ""
