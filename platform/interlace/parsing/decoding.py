"""Decoding and Unicode normalisation: UTF-8, NFC, line feeds as line ends, and no controls that reorder text."""

import codecs
import re
import unicodedata

from interlace.domain.errors import ParseError

# C0 and C1 controls but tab and newline, marks and overrides of the bidirectional algorithm, and the byte order mark.
_UNWANTED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def clean(text: str) -> str:
    r"""Return the text in NFC with ``\n`` line ends, without control and bidirectional characters; idempotent."""
    if text.isascii() and text.isprintable():
        return text
    text = _UNWANTED.sub("", _LINE_END.sub("\n", text))
    return unicodedata.normalize("NFC", _SURROGATE.sub("\ufffd", text))


def decode(content: bytes, name: str) -> str:
    """Return the clean text of UTF-8 bytes, or of UTF-16 bytes that begin with a byte order mark.

    Raises:
        ParseError: reason ``encoding``; the message names the first byte that does not fit.
    """
    encoding, start = "utf-8", 0
    if content.startswith(codecs.BOM_UTF8):
        start = 3
    elif content[:2] in _UTF16:
        encoding, start = _UTF16[content[:2]], 2
    try:
        return clean(content[start:].decode(encoding))
    except UnicodeDecodeError as error:
        raise ParseError(
            f"{name} is not valid {encoding.upper()}: byte {error.start + start} does not fit. Save it as UTF-8.",
            reason="encoding",
        ) from None


def display_name(name: str, length: int = 200) -> str:
    """Return a name as messages print it: one line, no control or bidirectional characters, at most ``length`` characters."""
    text = " ".join(clean(name).split())
    return text if len(text) <= length else f"{text[: length - 1]}…"


def one_line(text: str) -> str:
    """Return the clean text with each run of white space as one space, for a heading or a title."""
    return " ".join(clean(text).split())
