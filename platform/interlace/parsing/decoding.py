"""Decoding and Unicode normalisation: UTF-8 and other encodings to NFC, line feeds as line ends, and no control characters that reorder text."""

import codecs
import itertools
import re
import unicodedata
from contextlib import suppress
from typing import BinaryIO, Final

from interlace.domain.errors import ParseError
from interlace.domain.validation import SURROGATE
from interlace.text import excerpts
from interlace.text.languages import detect_language

# Terminal escape sequences (colours, titles), C0 and C1 controls except tab and newline, bidirectional marks and overrides, and the byte order mark.
_UNWANTED = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|"
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_JAPANESE = re.compile(rb"\x1b\$[@B]")  # ISO-2022-JP is ASCII with these escapes before Japanese characters
_WORDS_OF_JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]|[\uff61-\uff9f]{3}")
REPLACED: Final = "\ufffd"
"""What stands for bytes that cannot be decoded."""
_RULE = re.compile(rb"([!-/:-@\[-`{-~])\1{2,}")  # the first of the run may be the second byte of a character
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16, whose mark is a prefix of this one
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
# The decoders that consume the byte order mark, by encoding.
_SKIPS_MARK = {
    "utf-8": "utf-8-sig", "utf-16-le": "utf-16", "utf-16-be": "utf-16", "utf-32-le": "utf-32", "utf-32-be": "utf-32",
}  # fmt: skip
_DECLARED = re.compile(
    rb"""<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})|<\?xml[^>]{1,100}?encoding\s*=\s*["']([\w:.-]{2,40})""",
    re.IGNORECASE,
)
# Each rejects most texts in the others; further single-byte encodings would accept nearly anything.
_LIKELY = ("cp932", "gb18030", "euc_jp", "cp1252")
_TWO_BYTES = ("cp932", "big5", "gb18030", "euc_jp", "cp949")  # one damaged byte does not change most of what follows
_UNASSIGNED = dict.fromkeys(
    map(ord, "\x80\uf8f0\uf8f1\uf8f2\uf8f3"), REPLACED
)  # what Python decodes bytes to that mean nothing in cp932
# Texts in these languages also decode as Windows-1252, with some letters replaced; function words without those letters identify the language.
_CENTRAL_EUROPEAN = ("cp1250", "iso8859_2")
_OWN_LETTERS = {
    "cs": ("áčďéěíňóřšťúůýž", _CENTRAL_EUROPEAN),
    "hu": ("áéíóöőúüű", _CENTRAL_EUROPEAN),
    "pl": ("ąćęłńóśźż", _CENTRAL_EUROPEAN),
    "ro": ("âăîșşțţ", _CENTRAL_EUROPEAN),
    "tr": ("âçğıöşü", ("cp1254",)),
}
# What browsers read as a superset of itself (https://encoding.spec.whatwg.org/#names-and-labels), by the names of Python.
_SUPERSETS = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "shift_jis": "cp932", "gb2312": "gb18030",
    "gbk": "gb18030", "euc_kr": "cp949",
}  # fmt: skip
_OF_TWO_BYTES = frozenset({"utf-16", "utf-16-le", "utf-16-be"})  # in none of which a declaration can be read
_NO_LABELS = frozenset({"idna", "punycode", "undefined", "utf-7", "unicode-escape", "raw-unicode-escape"})
"""Codecs of Python that no page declares."""
_PROBE = 200_000
_FEW_LINES = 20
_HEAD = 4096
_MIN_PAIRS = 4
_MOSTLY = 0.6
_MAX_CHAOS = 0.1
_FEW_BROKEN, _MAX_BROKEN = (
    0.1,
    0.5,
)  # share of non-ASCII letters that fail to decode, in UTF-8 and in a declared encoding


def clean(text: str) -> str:
    r"""Return the text in NFC with ``\n`` line ends, without control and bidirectional characters; idempotent."""
    if text.isascii() and text.isprintable():
        return text
    text = _UNWANTED.sub("", _LINE_END.sub("\n", text))
    return unicodedata.normalize("NFC", SURROGATE.sub(REPLACED, text))


def is_unicode(text: str) -> bool:
    """Return whether a text can be encoded: it has no lone surrogate, as names of files that are not UTF-8 have."""
    return SURROGATE.search(text) is None


def decode(content: bytes, name: str, *, guess: bool = True) -> str:
    """Return the clean text of bytes, as ``decode_damaged`` does."""
    return decode_damaged(content, name, guess=guess)[0]


def decode_damaged(content: bytes, name: str, *, guess: bool = True, pages: bool = False) -> tuple[str, int]:
    """Return the clean text of bytes, and how many of its U+FFFD stand for damage; with ``pages``, form feeds stay in it.

    The encoding is that of their byte order mark, UTF-8, what an HTML page declares, or what charset-normalizer detects.

    Raises:
        ParseError: reason ``encoding``; the message names the first byte that cannot be decoded.
    """
    text, damaged = _decoded_damaged(content, name, guess=guess)
    return "\f".join(map(clean, text.split("\f"))) if pages else clean(text), damaged


def _decoded_damaged(content: bytes, name: str, *, guess: bool) -> tuple[str, int]:
    mark = next((each for each in _MARKS if content.startswith(each)), b"")
    encoding, start = _MARKS.get(mark) or _written_in(content[:_HEAD]), len(mark)
    try:
        return content[start:].decode(encoding), 0
    except UnicodeDecodeError as error:
        if guess and not mark and (found := _in_other_encoding(content)) is not None:
            text, used = found
            damaged = text.count(REPLACED)
            if damaged:  # those that the text itself has are no damage
                damaged -= content.decode(used, "ignore").count(REPLACED)
            return text, damaged
        raise ParseError(
            f"{name} is not valid {encoding.upper()}: byte {error.start + start} does not fit. Save it as UTF-8.",
            reason="encoding",
        ) from None


def decode_as(content: bytes, label: str, name: str) -> str:
    """Return the text of bytes whose sender declares an encoding: in that, in UTF-8 if that is what they are in, or in the superset that browsers read.

    Raises:
        ParseError: reason ``encoding``; the label is unknown, and so is the encoding.
    """
    try:
        declared = codecs.lookup(label).name
        encoding = _SUPERSETS.get(declared, declared)
        # Any text in UTF-8 would pass for one in an encoding of single bytes.
        for each in ("utf-8",) if encoding.startswith("cp125") else (declared, "utf-8"):
            with suppress(UnicodeDecodeError):
                return _decoded(content, each)
        return _decoded(content, encoding, "replace")
    except (LookupError, UnicodeError):
        return decode(content, name)


def without_mark(content: bytes) -> bytes:
    """Return bytes with a byte order mark as UTF-8 without one; others, and those that their mark does not fit, unchanged."""
    mark = next((each for each in _MARKS if content.startswith(each)), b"")
    try:
        return content[len(mark) :].decode(_MARKS[mark]).encode() if mark else content
    except UnicodeError:
        return content


def _written_in(head: bytes) -> str:
    return "iso2022_jp" if head.isascii() and _JAPANESE.search(head) else utf16_without_mark(head) or "utf-8"


def utf16_without_mark(head: bytes) -> str:
    """Return the encoding of mostly Latin text in UTF-16 without a byte order mark, where every second byte is NUL; empty if it is not UTF-16."""
    pairs = len(head) // 2
    nuls = {"utf-16-be": head[::2].count(0), "utf-16-le": head[1::2].count(0)}
    encoding = max(nuls, key=lambda each: nuls[each])
    if pairs < _MIN_PAIRS or min(nuls.values()) or nuls[encoding] < pairs * _MOSTLY:
        return ""
    text = head[: pairs * 2].decode(encoding, "ignore")
    return "" if _UNWANTED.search(text) else encoding


def encoding_of(stream: BinaryIO) -> str | None:
    """Return the name of the encoding of a text, without its byte order mark; None if the encoding is unknown.

    The stream is read in blocks up to the first bytes that are not UTF-8, and is rewound at the end.
    """
    start = stream.tell()
    head = stream.read(_HEAD)
    mark = next((each for each in _MARKS if head.startswith(each)), b"")
    decoder = codecs.getincrementaldecoder("utf-8")()
    block = head
    try:
        if mark:
            return _SKIPS_MARK[_MARKS[mark]]
        if (encoding := _written_in(head)) != "utf-8":
            return encoding
        while block:
            decoder.decode(block)
            block = stream.read(_PROBE)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        lines = (block + stream.read(_PROBE)).split(b"\n")
        # The first and the last line may be cut inside a character.
        return _likely_encoding(b"\n".join(lines if len(lines) < _FEW_LINES else lines[1:-1]))
    finally:
        stream.seek(start)
    return "utf-8"


def _likely_encoding(sample: bytes) -> str | None:
    from charset_normalizer import (
        from_bytes,  # imported here: most texts are UTF-8, and it loads tables of all languages
    )

    # All encodings are tried only if no likely one fits: a short text in Windows-1252 would pass for several of them.
    # A single sign of Windows-1252 (``©``, ``°``) is half a katakana in Shift-JIS, which has words of them.
    likely = [each for each in _LIKELY if each != "cp932" or _WORDS_OF_JAPANESE.search(sample.decode(each, "ignore"))]
    tries = itertools.product((sample, _without_rules(sample)), (likely, None))
    for number, (text, encodings) in enumerate(tries):
        best = from_bytes(text, cp_isolation=encodings, threshold=_MAX_CHAOS, preemptive_behaviour=False).best()
        if best and best.encoding != "cp1252":
            return best.encoding
        if not number and (by_language := _encoding_by_language(sample)):
            return by_language
        if best:
            return best.encoding
    return None


def _without_rules(sample: bytes) -> bytes:
    """Return the lines that are not ASCII, with runs of a punctuation mark as one: rules and drawings in ASCII count as disorder in any encoding."""
    return _RULE.sub(rb"\1", b"\n".join(line for line in sample.split(b"\n") if not line.isascii()))


def _encoding_by_language(sample: bytes) -> str | None:
    """Return the encoding of a text whose language has a single-byte encoding of its own; None for others."""
    # In a wrong encoding letters may become symbols, which split words; Polish is recognised in one of these two.
    languages = (detect_language(sample.decode(each, "replace")) for each in ("cp1252", "iso8859_2"))
    letters, encodings = _OWN_LETTERS.get(next(filter(None, languages), ""), ("", ()))

    def fitness(encoding: str) -> int:
        others = (each for each in sample.decode(encoding, "replace").lower() if not each.isascii())
        return sum(1 if each in letters else -1 for each in others)

    return max(encodings, key=fitness, default=None)


def _in_other_encoding(content: bytes) -> tuple[str, str] | None:
    """Return text and encoding: what a page declares if it fits, else the likely one that leaves the least disorder; None if none fits."""
    declared = _as_declared(content)
    damaged = declared or (content.decode("utf-8", "replace"), "utf-8")
    if _broken_share(damaged[0]) <= (_FEW_BROKEN if declared is None else _MAX_BROKEN):
        return damaged
    encoding = _likely_encoding(content[:_PROBE])
    try:
        if encoding is not None:
            return _decoded(content, encoding), encoding
    except UnicodeDecodeError:
        pass
    return _without_damage(content) if declared is None else declared


def _without_damage(content: bytes) -> tuple[str, str] | None:
    """Return a damaged text in an encoding of two bytes and that encoding, with U+FFFD for what does not fit; None if the rest is not clearly in that encoding."""
    texts = {encoding: _decoded(content, encoding, "replace") for encoding in _TWO_BYTES}
    for encoding, text in sorted(texts.items(), key=lambda item: item[1].count(REPLACED)):
        if _broken_share(text) > _FEW_BROKEN:
            break
        rest = text[:_PROBE].replace(REPLACED, "")
        sample = rest.encode(encoding)
        if (likely := _likely_encoding(sample)) and sample.decode(likely, "replace") == rest:
            return text, encoding
    return None


def _decoded(content: bytes, encoding: str, errors: str = "strict") -> str:
    text = content.decode(encoding, errors)
    return text.translate(_UNASSIGNED) if encoding == "cp932" else text


def _as_declared(content: bytes) -> tuple[str, str] | None:
    """Return the text in the encoding that a page declares, as a browser decodes it, and that encoding; None if it declares no known one."""
    declared = _DECLARED.search(content[:2048])
    if not declared:
        return None
    try:
        name = codecs.lookup((declared[1] or declared[2]).decode("ascii")).name
        encoding = "utf-8" if name in _OF_TWO_BYTES else _SUPERSETS.get(name, name)
        return None if encoding in _NO_LABELS else (content.decode(encoding, "replace"), encoding)
    except (LookupError, UnicodeError):
        return None


def _broken_share(text: str) -> float:
    """Return the share of non-ASCII letters that failed to decode: small in a damaged text, large in one that is in another encoding."""
    return text.count(REPLACED) / max(1, sum(not character.isascii() for character in text))


def display_name(name: str, length: int = 200) -> str:
    """Return a name as messages print it: one line, no control or bidirectional characters, at most ``length`` characters."""
    text = one_line(name)
    return text if len(text) <= length else f"{text[: length - 1]}…"


def one_line(text: str) -> str:
    """Return the clean text on one line, for a heading or a title."""
    return excerpts.one_line(clean(text))
