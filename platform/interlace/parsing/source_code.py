"""Source code: its comments and documentation are prose; lines that hold anything else are code."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_for_filename
from pygments.token import Comment, String, is_token_subtype

from interlace.domain.documents import ParsedDocument

_PROSE = (Comment, String.Doc)
_MAX_CHARACTERS = 250_000  # dumps of databases are not worth the time of a lexer


def with_code(parsed: ParsedDocument, file: str) -> ParsedDocument:
    """Return the document in a text file with its code marked; as it is where it is very long, or Pygments does not know the name of the file."""
    if len(parsed.text) > _MAX_CHARACTERS:
        return parsed
    for name in (file, file.lower()):
        if lexer := find_lexer_class_for_filename(name, parsed.text):
            return replace(parsed, literals=tuple(_code(lexer(stripnl=False), parsed.text)))
    return parsed


def _code(lexer: Lexer, text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of successive lines of code, in order; an empty line ends one."""
    coded, number = set[int](), 0
    for kind, value in lexer.get_tokens(text):
        is_prose = any(is_token_subtype(kind, each) for each in _PROSE) and not is_token_subtype(kind, Comment.Preproc)
        for at, piece in enumerate(value.split("\n")):
            number += at > 0
            if piece.strip() and not is_prose:
                coded.add(number)
    end = 0
    for is_code, lines in groupby(enumerate(text.split("\n")), lambda each: each[0] in coded):
        start, end = end, end + sum(len(line) + 1 for _, line in lines)
        if is_code:
            yield start, end - 1
