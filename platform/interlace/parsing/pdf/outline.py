"""The outline of a PDF, whose entries are its sections."""

from itertools import islice

from pypdfium2 import PdfDocument, PdfiumError

from interlace.parsing.decoding import one_line

_MAX_ENTRIES = 5_000
_DEEPEST = 4


def outline_of(document: PdfDocument) -> dict[int, list[tuple[int, str]]]:
    """Return the outline's entries by page number, from 0: level from 0 and title; entries without a target page are left out."""
    found: dict[int, list[tuple[int, str]]] = {}
    try:
        for entry in islice(document.get_toc(), _MAX_ENTRIES):
            target = entry.get_dest()
            page = target.get_index() if target else None
            if page is not None and page >= 0 and (title := one_line(entry.get_title())):
                found.setdefault(page, []).append((min(entry.level, _DEEPEST - 1), title))
    except PdfiumError:
        return {}
    return found
