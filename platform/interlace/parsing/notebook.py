"""Jupyter notebooks: text and code of the cells, read as Markdown; outputs are left out."""

import re
from collections.abc import Iterator
from typing import Any

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import clean
from interlace.parsing.markdown.front_matter import check_no_stated_readers
from interlace.parsing.markdown.parser import parse_markdown
from interlace.parsing.records.json_record import load_object
from interlace.parsing.sandbox.limits import ParseLimits

_FENCES = re.compile(r"`{3,}")


def parse_notebook(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a notebook of format 4: the text of its Markdown cells, and its code cells as code blocks.

    Raises:
        ParseError: not JSON, no cells, nothing to read, or a raw cell is a front matter that restricts the document.
    """
    cells = load_object(content, name).get("cells")
    if not isinstance(cells, list):
        raise ParseError(f"{name} is called a notebook but has no cells. Open it in Jupyter and save it again.")
    return parse_markdown(clean("\n\n".join(_blocks(cells, name))), name, fallback_title, limits)


def _blocks(cells: list[Any], name: str) -> Iterator[str]:
    for cell in cells:
        source = cell.get("source") if isinstance(cell, dict) else None
        text = "".join(map(str, source)) if isinstance(source, list) else str(source or "")
        if not text.strip():
            continue
        if cell.get("cell_type") == "raw":
            check_no_stated_readers(clean(text), name)
        if cell.get("cell_type") == "markdown":
            yield text
        else:
            fence = max(["```", *(f"{found}`" for found in _FENCES.findall(text))], key=len)
            yield f"{fence}\n{text}\n{fence}"
