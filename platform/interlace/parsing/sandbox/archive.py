"""Checks of ZIP containers and the XML inside: nothing is inflated or parsed before its cost is known."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from interlace.domain.errors import ParseError
from interlace.parsing.sandbox.limits import ParseLimits

_RATIO_FROM_BYTES = 1_000_000
_BLOCK = 1 << 20
# Entities are declared in a document type, which no part that is parsed as XML needs. Parts may also be in UTF-16.
_DECLARATIONS = tuple(
    word.encode(encoding) for word in ("<!DOCTYPE", "<!ENTITY") for encoding in ("utf-8", "utf-16-le", "utf-16-be")
)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError, RuntimeError)
_ENCRYPTED = 0x1
# Spreadsheets behind charts, which are never opened.
_EMBEDDED = ("word/embeddings/", "ppt/embeddings/", "xl/embeddings/")
_KINDS = {
    "word/document.xml": "DOCX",
    "xl/workbook.xml": "spreadsheet",
    "xl/workbook.bin": "spreadsheet",
    "ppt/presentation.xml": "PPTX",
    "application/vnd.oasis.opendocument.spreadsheet": "spreadsheet",
    "application/vnd.oasis.opendocument.text": "OpenDocument",
    "application/vnd.oasis.opendocument.presentation": "OpenDocument",
    "application/epub+zip": "EPUB",
}
"""Kinds of ZIP container by their main part or by the content of the part ``mimetype``."""
_MIME_BYTES = 100
_NESTED = (".zip", ".docx", ".xlsx", ".pptx", ".jar", ".gz", ".7z", ".rar")


@contextmanager
def opened_archive(content: bytes, name: str) -> Iterator[zipfile.ZipFile]:
    """Open a ZIP container, whose directory is read once.

    Raises:
        ParseError: reason ``broken``; its directory or an entry cannot be read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield archive
    except _BROKEN as error:
        raise ParseError(f"{name} is a broken ZIP container: {error}. Save it again.") from None


def kind_of_archive(archive: zipfile.ZipFile, name: str) -> str:
    """Return the kind of document in a ZIP container.

    Raises:
        ParseError: reason ``unknown-type``, with the format to save it in.
    """
    entries = set(archive.namelist())
    with archive.open("mimetype") if "mimetype" in entries else io.BytesIO() as stream:
        entries.add(stream.read(_MIME_BYTES).decode("ascii", "replace").strip())
    if kind := next((_KINDS[each] for each in _KINDS if each in entries), None):
        return kind
    raise ParseError(
        f"{name} is a ZIP archive, which is not opened. Unpack it, and ingest the folder.", reason="unknown-type"
    )


def check_archive(archive: zipfile.ZipFile, name: str, limits: ParseLimits) -> None:
    """Inflate each entry within limits.

    Raises:
        ParseError: an encrypted archive, too many entries, entries too large or suspiciously compressible, an archive inside, or an XML
            part that declares a document type or entities.
    """
    entries = archive.infolist()
    _check_sizes(entries, name, limits)
    for entry in entries:
        _check_entry(archive, entry, name, limits)


def _check_sizes(entries: list[zipfile.ZipInfo], name: str, limits: ParseLimits) -> None:
    if len(entries) > limits.zip_entries:
        raise _bomb(f"{name} holds {len(entries)} files (limit {limits.zip_entries})")
    total = sum(entry.file_size for entry in entries)
    if total > limits.zip_total_bytes:
        raise _bomb(f"{name} inflates to {total} bytes (limit {limits.zip_total_bytes})")
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED:
            raise ParseError(f"{name} is encrypted. Remove its password and try again.")
        if entry.filename.lower().endswith(_NESTED) and not entry.filename.startswith(_EMBEDDED):
            raise _bomb(f"{name} holds another archive, {entry.filename[:80]!r}")
        if entry.file_size > limits.zip_entry_bytes:
            raise _bomb(f"{name} holds a file of {entry.file_size} bytes (limit {limits.zip_entry_bytes})")
        if entry.file_size > max(_RATIO_FROM_BYTES, entry.compress_size * limits.zip_ratio):
            raise _bomb(f"{name} holds a file compressed more than {limits.zip_ratio} to 1")


def _check_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, limits: ParseLimits) -> None:
    """Inflate an entry block by block, because the size in its header may be wrong."""
    is_xml = entry.filename.lower().endswith((".xml", ".rels", ".opf"))
    size, tail = 0, b""
    with archive.open(entry) as stream:
        while block := stream.read(_BLOCK):
            size += len(block)
            if size > limits.zip_entry_bytes or size > entry.file_size:
                raise _bomb(f"{name} holds a file larger than it declares")
            if is_xml and any(word in tail + block for word in _DECLARATIONS):
                raise ParseError(f"{name} declares XML entities, which are refused. Save it again from its program.")
            tail = block[-32:]  # a declaration may span two blocks


def _bomb(problem: str) -> ParseError:
    return ParseError(f"{problem}. It looks like a decompression bomb; save it again or split it.", reason="limit")
