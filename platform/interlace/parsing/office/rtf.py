"""Rich Text Format through striprtf, which knows no headings: before it reads a file, paragraphs with a level or style of one are marked."""

import re

from striprtf.striprtf import rtf_to_text

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.sandbox.limits import ParseLimits

_HEADING_STYLE = re.compile(r"\{\\s(\d+)\b[^{};]* (?:heading (\d)|title);\}", re.IGNORECASE)
_LEVEL = re.compile(r"(?<!\\)\\(?:outlinelevel([0-8])|s(\d+))(?!\d) ?")
_END_IN_CELL = re.compile(r"(?<!\\)\\par(?=[\s}]*\\cell\b)")
_MARK = re.compile("\x01(\\d)")
_ITEM = re.compile("(?:[•·▪\ue000-\uf8ff]|(\\w{1,4}[.)]))\t")  # symbol fonts have their bullets in the private area


def parse_rtf(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in RTF bytes, without pictures, notes, headers and footers.

    Raises:
        ParseError: it is broken or holds no text.
    """
    source = content.decode("latin-1")  # characters beyond ASCII are escaped
    levels = {style: int(level or 1) for style, level in _HEADING_STYLE.findall(source)}

    def marked(found: re.Match[str]) -> str:
        level = int(found[1]) + 1 if found[1] else levels.get(found[2], 0)
        return f"{found[0].rstrip()} \\'01{level}" if level else found[0]

    try:
        text = rtf_to_text(_LEVEL.sub(marked, _END_IN_CELL.sub("", source)), errors="replace")  # type: ignore[no-untyped-call]
    except (OverflowError, TypeError, ValueError) as error:
        raise ParseError(f"{name} is a broken RTF file. Save it again.") from error
    composer = Composer(name, limits)
    for line in text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split("\n"):
        _write(line, composer)
    composer.check_has_text("Write down what its pictures say, or leave it out.")
    return composer.finish(fallback_title=fallback_title, metadata={})


def _write(line: str, composer: Composer) -> None:
    """Write a paragraph, or a row of a table, whose cells end with a bar each."""
    if mark := _MARK.search(line):
        composer.heading(int(mark[1]), _MARK.sub("", line))
    elif line.endswith("|"):
        composer.write(" | ".join(one_line(cell) for cell in line[:-1].split("|")))
        composer.line()
    elif item := _ITEM.match(line.lstrip()):
        composer.write(f"{item[1] or ''} {one_line(line.lstrip()[item.end() :])}".strip())
        composer.line()
    else:
        composer.write(one_line(line))
        composer.paragraph()
