"""Source code: its comments and documentation are prose; lines that hold anything else are code."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import PurePosixPath

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_for_filename
from pygments.token import Comment, String, is_token_subtype

from interlace.domain.documents import ParsedDocument
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.text import parse_text

_PROSE = (Comment, String.Doc)
_MOST_CHARACTERS = 250_000  # dumps of databases are not worth the time of a lexer
_QUERY = re.compile(r"[?#].*")


def parse_code(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in source code, its text as it is; a language that Pygments does not know is read as plain text, and so is a very long file.

    Raises:
        ParseError: reason ``empty``.
    """
    parsed = parse_text(text, name, fallback_title, limits)
    if len(parsed.text) > _MOST_CHARACTERS:
        return parsed
    file = PurePosixPath(_QUERY.sub("", name)).name
    for each in (file, file.lower()):
        if lexer := find_lexer_class_for_filename(each, parsed.text):
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
