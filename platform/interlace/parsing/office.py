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

_WRITERS = {
    "DOCX": ("docx", "write_docx"),
    "spreadsheet": ("spreadsheet", "write_spreadsheet"),
    "PPTX": ("presentation", "write_presentation"),
    "EPUB": ("epub", "write_epub"),
    "OpenDocument": ("open_document", "write_open_document"),
}
_DECIMALS = 6
_JOINED = frozenset({"creator", "keywords"})
# By part, what it calls properties otherwise than Office does; the creator of an OpenDocument is who saved it last.
_OTHERWISE = {
    "docProps/core.xml": {},
    "meta.xml": {"creator": "", "initial-creator": "creator", "keyword": "keywords", "creation-date": "created", "date": "modified"},
    ".opf": {"date": "published", "description": ""},
}  # fmt: skip
_METADATA = {
    "creator": "author", "subject": "subject", "category": "category", "created": "created", "modified": "modified",
    "description": "comments", "language": "language", "published": "published", "publisher": "publisher",
}  # fmt: skip


def parse_package(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a ZIP container, with its properties as metadata and its keywords as tags.

    Raises:
        ParseError: the container is broken or a bomb, its XML declares entities, it holds no text, or is none of a known kind.
    """
    with opened_archive(content, name) as archive:
        kind = kind_of_archive(archive, name)
        check_archive(archive, name, limits)
        module, function = _WRITERS[kind]
        write = getattr(import_module(f"interlace.parsing.{module}"), function)
        try:
            properties = _properties(archive)
            composer = Composer(name, limits, title=stated_title(properties.get("title", ""), file_names=False))
            write(content, archive, composer)
        except (MemoryError, ParseError):
            raise
        except Exception as error:
            # The libraries and the XML parser raise many kinds of exception on malformed parts; all mean the same to a user.
            raise ParseError(f"{name} is a broken {kind} ({type(error).__name__}). Save it again.") from error
    composer.require_text("Write down what its pictures say, or leave it out.")
    metadata = {key: properties[tag] for tag, key in _METADATA.items() if properties.get(tag)}
    return composer.finish(
        fallback_title=fallback_title,
        tags=words_of(properties.get("keywords")),
        metadata=json_values(metadata, limits, name),
    )


def _properties(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the properties (Dublin Core) of a document by their local names in Office files: all authors and keywords, the first of any other."""
    properties: dict[str, str] = {}
    for part in archive.namelist():
        names = _OTHERWISE.get(".opf" if part.endswith(".opf") else part)
        if names is None:
            continue
        for element in xml_root(archive.read(part)).iter():
            key = local_name(element)
            key, text = names.get(key, key), (element.text or "").strip()
            before = properties.get(key)
            properties[key] = ", ".join(filter(None, [before, text] if key in _JOINED else [before or text]))
    return properties


def shown_number(value: float) -> str:
    """Return a number with up to six decimals: 0.1 + 0.2 is 0.3, and a third no longer than anyone reads."""
    return str(int(value)) if value.is_integer() else str(round(value, _DECIMALS) or value)


def xml_root(part: bytes) -> ET.Element:
    """Return the root of a part whose name the archive check knows as one of XML, so that it declares no entities."""
    return ET.fromstring(part)  # noqa: S314 - see above


def local_name(element: ET.Element) -> str:
    """Return the name of an XML element without its namespace."""
    return element.tag.rpartition("}")[2]


def attribute(element: ET.Element, name: str) -> str:
    """Return an attribute of an XML element by its name without a namespace; empty if there is none."""
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")
