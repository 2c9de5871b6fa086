"""The registry of formats: inspects the bytes, picks the parser, and raises nothing but ``ParseError``."""

import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import PurePosixPath
from typing import cast
from urllib.parse import unquote

from interlace.domain.atoms import ATLAS_STRATEGY
from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing import media
from interlace.parsing.decoding import decode, decode_damaged, display_name
from interlace.parsing.file_names import file_uri, record_of, without_suffix
from interlace.parsing.markdown.atlas import as_atom, with_strategy
from interlace.parsing.markdown.front_matter import check_no_stated_readers
from interlace.parsing.note import kind_of, parse_note
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.stated_times import with_stated_times
from interlace.text.languages import declared_language, detect_language

# Named rather than imported: a process that parses only records must not load the PDF library.
_OF_BYTES = {
    media.PDF: ("pdf.parser", "parse_pdf"),
    media.PACKAGE: ("office.package", "parse_package"),
    media.XLS: ("office.spreadsheet", "parse_old_spreadsheet"),
    media.JSON: ("records.json_record", "parse_record"),
    media.NOTEBOOK: ("notebook", "parse_notebook"),
    media.MAIL: ("mail", "parse_mail"),
    media.RTF: ("office.rtf", "parse_rtf"),
}
_OF_TEXT = {
    media.MARKDOWN: ("markdown.parser", "parse_markdown"),
    media.HTML: ("html.parser", "parse_html"),
    media.XML: ("xml", "parse_xml"),
    media.TEXT: ("text", "parse_text"),
}
_SKILL = ("skills.parser", "parse_skill")
# Programming languages; data, markup and settings hold prose as their values.
_CODE = frozenset({
    ".bash", ".bat", ".c", ".cc", ".clj", ".cpp", ".cs", ".cxx", ".dart", ".erl", ".ex", ".exs", ".f90", ".fs", ".go", ".groovy", ".h", ".hpp", ".hs",
    ".java", ".jl", ".js", ".jsx", ".kt", ".kts", ".lua", ".m", ".mjs", ".ml", ".mm", ".php", ".pl", ".pm", ".proto", ".ps1", ".py", ".pyi", ".r", ".rb",
    ".rs", ".scala", ".sh", ".sql", ".swift", ".tf", ".ts", ".tsx", ".vb", ".zig", "dockerfile", "makefile",
})  # fmt: skip
_YAML = frozenset({".yaml", ".yml"})  # begins with `---` as front matter does
# Text whose structure its file name tells.
_BY_SUFFIX = {
    ".rst": ("rst", "parse_rst"),
    ".adoc": ("asciidoc", "parse_asciidoc"),
    ".asciidoc": ("asciidoc", "parse_asciidoc"),
    ".org": ("org_mode", "parse_org"),
    ".vtt": ("subtitles", "parse_subtitles"),
    ".srt": ("subtitles", "parse_subtitles"),
}
_URL = re.compile(r"[a-z][\w+.-]*://[^/?#]*([^?#]*)", re.IGNORECASE)


def parse(source: Source, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a source. Its metadata is its own; the caller adds the source's.

    The title is the document's own, else ``title`` in the source's metadata, else the file name or record id.

    Raises:
        ParseError: the message names the document and the remedy; ``uri`` is set.
    """
    name = display_name(source.uri)
    try:
        parsed = _with_language(_parse(source, name, limits), source)
        file = "" if record_of(source.uri, source.metadata) else _file(source.uri).name
        return with_stated_times(parsed, source.metadata, file)
    except ParseError as error:
        error.uri = source.uri
        raise
    except RecursionError:
        raise ParseError(f"{name} is nested too deep to be read. Flatten it.", reason="limit", uri=source.uri) from None


def _with_language(parsed: ParsedDocument, source: Source) -> ParsedDocument:
    """Return the document with the language of its prose, or if the prose is unclear, the one that it or its sender declares."""
    prose, end = "", 0
    for first, last in parsed.literals:
        prose, end = prose + parsed.text[end:first], last
    declared = (declared_language(metadata.get("language")) for metadata in (parsed.metadata, source.metadata))
    return replace(parsed, language=detect_language(prose + parsed.text[end:]) or next(filter(None, declared), ""))


def _parse(source: Source, name: str, limits: ParseLimits) -> ParsedDocument:
    content = source.content
    if len(content) > limits.max_bytes:
        raise too_large(name, len(content), limits)
    if not content.strip():
        raise ParseError(f"{name} is empty. Fill it, or leave it out.", reason="empty")
    if exported := kind_of(content):
        return _parse_exported(exported, content, name, limits)
    kind = media.sniff(content[: media.HEAD_BYTES], source.media_type, name)
    if kind in _OF_BYTES:
        return _function(_OF_BYTES[kind])(content, name, fallback_title(source), limits)
    # Files of records that were not split into documents are read as plain text.
    entry = _SKILL if kind == media.MARKDOWN and _is_skill(source.uri) else _OF_TEXT.get(kind, _OF_TEXT[media.TEXT])
    file = _file(source.uri)
    suffix = (file.suffix or file.name).lower()
    if entry == _OF_TEXT[media.TEXT]:
        entry = _BY_SUFFIX.get(suffix, entry)
    is_text = entry == _OF_TEXT[media.TEXT]
    text, damaged = decode_damaged(content, name, pages=is_text)
    if entry not in {_SKILL, _OF_TEXT[media.MARKDOWN]} and suffix not in _CODE | _YAML:
        check_no_stated_readers(text, name)
    options = {"suffix": file.suffix.lower()} if is_text else {}
    parsed = _function(entry)(text, name, fallback_title(source), limits, **options)
    if is_text and suffix in _CODE:
        parsed = _function(("source_code", "with_code"))(parsed, file.name)
    if damaged:
        parsed = replace(parsed, metadata={**parsed.metadata, "damaged_characters": damaged})
    requested = source.metadata.get(ATLAS_STRATEGY)
    if requested and entry == _OF_TEXT[media.MARKDOWN]:
        parsed = as_atom(parsed, own_name(source))
    return with_strategy(parsed, requested, name)


def _parse_exported(exported: str, content: bytes, name: str, limits: ParseLimits) -> ParsedDocument:
    if exported != "document":
        raise ParseError(
            f"{name} is a list of {exported} that an export wrote; they come from its notes. Leave it out.",
            reason="unknown-type",
        )
    return parse_note(decode(content, name), name, limits)


def _file(uri: str) -> PurePosixPath:
    """Return the path of the file that a URI names; an empty one for a server or a mail address."""
    found = _URL.match(uri)
    path = unquote(found[1]) if found else uri
    return PurePosixPath("" if "@" in path and "/" not in path else path)


def _is_skill(uri: str) -> bool:
    return PurePosixPath(uri).name == "SKILL.md"


def _function(entry: tuple[str, str]) -> Callable[..., ParsedDocument]:
    module, function = entry
    return cast("Callable[..., ParsedDocument]", getattr(import_module(f"interlace.parsing.{module}"), function))


def too_large(name: str, size: int | str, limits: ParseLimits, *, uri: str = "") -> ParseError:
    """Return the error for a document above ``max_bytes``."""
    return ParseError(
        f"{name} has {size} bytes; the limit is {limits.max_bytes}. Split it, or raise INTERLACE_INGEST__MAX_BYTES.",
        reason="too-large",
        uri=uri,
    )


def out_of_memory(source: Source, limits: ParseLimits) -> ParseError:
    """Return the error for a document that needs more than ``memory_bytes``."""
    return ParseError(
        f"{display_name(source.uri)} needs more memory than the {limits.memory_bytes} bytes a parser may use. Split it.",
        reason="limit",
        uri=source.uri,
    )


def fallback_title(source: Source) -> str:
    """Return the title of a document without one: the caller's title, its record id, or its file name without suffix."""
    given = source.metadata.get("title")
    if isinstance(given, str) and given.strip():
        return given
    return own_name(source)


def own_name(source: Source) -> str:
    """Return the id of a record, else the name of a file without the suffix of a format or of a programming language."""
    if record := record_of(source.uri, source.metadata):
        return record
    file = PurePosixPath(file_uri(source.uri, source.metadata))
    # All skill files have the same name: the folder distinguishes them.
    if _is_skill(file.as_posix()) and file.parent.name:
        return file.parent.name
    ends_with_format = file.suffix.lower() in _CODE or _URL.match(source.uri)
    return file.stem if ends_with_format else without_suffix(file.name)
