"""Cited titles: the words of links to other pages and sections of the same site, which are mostly their titles and not names of things.

``[Getting Started](start.md)`` names a page. Whether the words are a name all the same is for extraction to say (``extraction.generic_terms``); words
that the document also has outside such links are not marked. Wiki links and typed references name their targets and are not marked either.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from interlace.domain.documents import DocumentLink, ParsedDocument

_OTHER_HOST = re.compile(r"[a-zA-Z][\w+.-]*:|//")
_PAGE_LINKS = frozenset({"html", "markdown", "rst"})
_WORD = re.compile(r"\w[\w-]*")
_AROUND = re.compile(r"\A\W+|\W+\Z")
_AMID = re.compile(r"[a-z,] \Z")  # a sentence: at its beginning every word has a capital


def cited_titles(parsed: ParsedDocument) -> tuple[tuple[int, int], ...]:
    """Return the spans of the text that are the words of a link within the site and do not occur outside such links, in order."""
    spans = sorted({(link.start, link.end) for link in parsed.links if _is_within_site(link)})
    if not spans:
        return ()
    titles = [_AROUND.sub("", parsed.text[start:end]) for start, end in spans]
    found = _occurring(titles, "\n".join(outside(parsed.text, spans)))
    return tuple(span for span, title in zip(spans, titles, strict=True) if title and title not in found)


def outside(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield the parts of a text between spans, which are in order."""
    written = 0
    for start, end in spans:
        yield text[written : max(written, start)]
        written = max(written, end)
    yield text[written:]


def _is_within_site(link: DocumentLink) -> bool:
    return link.kind in _PAGE_LINKS and link.start < link.end and not _OTHER_HOST.match(link.target)


def _occurring(titles: Iterable[str], text: str) -> set[str]:
    """Return those of the titles that a text has; in one pass, since a document may have thousands of links."""
    wanted = frozenset(filter(None, titles))
    lengths: dict[str, set[int]] = {}
    for title in wanted:
        lengths.setdefault(_WORD.findall(title)[0], set()).add(len(title))
    found: set[str] = set()
    for word in _WORD.finditer(text):
        start = word.start()
        for length in lengths.get(word[0], ()):
            title = text[start : start + length]
            if title in wanted and title not in found and _is_witnessed(title, text, start):
                found.add(title)
    return found


def _is_witnessed(title: str, text: str, start: int) -> bool:
    """Return whether a title that occurs at an offset ends with a word there and, if it is one word, stands within a sentence."""
    if re.match(r"[\w-]", text[start + len(title) : start + len(title) + 1]):
        return False
    return " " in title or _AMID.search(text, max(0, start - 2), start) is not None
