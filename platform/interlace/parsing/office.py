"""Documents that are ZIP containers (Office, OpenDocument, EPUB): which parser reads one, and the properties that Office programs state."""

import zipfile
from importlib import import_module
from xml.etree import ElementTree as ET

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.metadata import json_values, stated_title, words_of
from interlace.parsing.sandbox.archive import check_archive, kind_of_archive, opened_archive
from interlace.parsing.sandbox.limits import ParseLimits

_PARSERS = {
    "DOCX": ("docx", "parse_docx"),
    "spreadsheet": ("spreadsheet", "parse_spreadsheet"),
    "PPTX": ("presentation", "parse_presentation"),
    "EPUB": ("epub", "parse_epub"),
}
_DECIMALS = 6
_PROPERTIES_PART = "docProps/core.xml"
_METADATA = {
    "creator": "author", "subject": "subject", "category": "category", "created": "created", "modified": "modified",
    "description": "comments",
}  # fmt: skip


def parse_package(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a ZIP container.

    Raises:
        ParseError: the container is broken or a bomb, its XML declares entities, it holds no text, or is none of a known kind.
    """
    with opened_archive(content, name) as archive:
        kind = kind_of_archive(archive, name)
        check_archive(archive, name, limits)
        module, function = _PARSERS[kind]
        parse = getattr(import_module(f"interlace.parsing.{module}"), function)
        try:
            parsed: ParsedDocument = parse(content, archive, name, fallback_title, limits)
        except (MemoryError, ParseError):
            raise
        except Exception as error:
            # The libraries and the XML parser raise many kinds of exception on malformed parts; all mean the same to a user.
            raise ParseError(f"{name} is a broken {kind} ({type(error).__name__}). Save it again.") from error
        return parsed


def core_properties(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the core properties (Dublin Core) by local name."""
    if _PROPERTIES_PART not in archive.namelist():
        return {}
    root = xml_root(archive.read(_PROPERTIES_PART))
    return {local_name(element): (element.text or "").strip() for element in root}


def own_title(properties: dict[str, str]) -> str:
    """Return the title that the author of a document gave; empty if a program made it up."""
    return stated_title(properties.get("title", ""), file_names=False)


def finish(composer: Composer, properties: dict[str, str], fallback_title: str) -> ParsedDocument:
    """Return the document with its properties as metadata and its keywords as tags."""
    metadata = {key: properties[tag] for tag, key in _METADATA.items() if properties.get(tag)}
    return composer.finish(
        fallback_title=fallback_title,
        tags=words_of(properties.get("keywords")),
        metadata=json_values(metadata, composer.limits, composer.name),
    )


def shown_number(value: float) -> str:
    """Return a number with up to six decimals: 0.1 + 0.2 is 0.3, and a third no longer than anyone reads."""
    return str(int(value)) if value.is_integer() else str(round(value, _DECIMALS) or value)


def xml_root(part: bytes) -> ET.Element:
    """Return the root of a part whose name the archive check knows as one of XML, so that it declares no entities."""
    return ET.fromstring(part)  # noqa: S314 - see above


def local_name(element: ET.Element) -> str:
    """Return the name of an XML element without its namespace."""
    return element.tag.rpartition("}")[2]
