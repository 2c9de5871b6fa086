"""Documents before they are stored: raw sources, parsed documents and chunks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interlace.domain.ids import checksum

TAGS = "tags"
ACCESS = "access"
"""Metadata key of the groups of readers that a document is restricted to; none means everybody in the tenant."""
"""Metadata key with the tags that the sender gives a document; they become its tags."""
ORIGIN = "interlace_origin"
"""Metadata key of an exported note with what the graph stored from its document's sender (``sent``) and from people's changes (``patch``)."""
LOCAL_FILE = "local_file"
"""Metadata key with the path of the file on this machine; for verification, never for filters of questions."""

DOCUMENTATION_ROOT = "documentation_root"
"""Metadata key of a file in a documentation made by Sphinx, with the folder of its ``conf.py`` relative to that of the file (``../..``)."""


@dataclass(frozen=True, slots=True)
class Source:
    """One document as it was received: bytes and where they came from.

    Args:
        uri: identifies it for this tenant: a path, a URL, or ``<file>#<id>`` for a record of a JSON Lines or CSV file.
        media_type: for example ``text/markdown``; a hint that the parser checks.
        content: the raw bytes.
        metadata: keys and JSON values of the caller.
        exported_of: for an unedited exported note, SHA-256 of the bytes that its document was made from; else empty.
    """

    uri: str
    media_type: str
    content: bytes
    metadata: Mapping[str, Any] = field(default_factory=dict)
    exported_of: str = ""

    @property
    def checksum(self) -> str:
        """SHA-256 of the bytes, or of those that the document of a note was made from."""
        return self.exported_of or checksum(self.content)


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A reference that a document's text makes.

    Args:
        kind: ``markdown``, ``wikilink``, ``typed`` (``[[Entity#type]]``), ``html``, ``rst``, or ``declared``: a name that the document
            itself declares, such as a tool of a skill.
        target: the target as written, without anchor; empty if only the anchor says where it leads (``:ref:``).
        anchor: the part after ``#`` of a link (a heading), or the type of a typed or declared name; empty if none.
        text: the words that a reader sees.
        start: offset of the first character of those words in ``ParsedDocument.text``.
        end: offset after the last character.
    """

    kind: str
    target: str
    anchor: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """The text under one heading, without the sections below it.

    Args:
        heading: the heading's text; empty before the first heading.
        path: headings from the top down to this one; empty before the first heading.
        level: 1 to 6; 0 before the first heading.
        ordinal: place in the document, from 0.
        start: offset of its first character in ``ParsedDocument.text``.
        end: offset after its last character.
        section_type: ``body``, ``Tool``, ``atom``, or a type of atlas sections.
    """

    heading: str
    path: tuple[str, ...]
    level: int
    ordinal: int
    start: int
    end: int
    section_type: str = "body"


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    r"""The result of parsing: readable text, its structure, and the document's own metadata.

    All offsets count characters of ``text``, which is the readable text without markup.

    Args:
        title: never empty; the file name or record id if the document has none.
        text: the whole readable text; NFC, ``\n`` line ends, no NUL or bidirectional control characters.
        sections: in order, covering every non-blank character of the text exactly once.
        tags: sorted, unique, lower case; hierarchical ones keep their ``/``.
        aliases: other names of the document's subject.
        links: in order of appearance.
        metadata: JSON values; keys are strings.
        declares: type of the entity that the document itself declares under its title (``Skill``); empty for all other documents.
        literals: spans of the text that are not prose, in order: code, and what stands for a picture. They are searched, but names
            are not looked for in them.
        language: ISO 639-1 code of its text; empty where it is not clear.
        anchors: names of places in it that documents of the same folder may link to (``:ref:``); sorted, lower case.
    """

    title: str
    text: str
    sections: tuple[Section, ...]
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[DocumentLink, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    declares: str = ""
    literals: tuple[tuple[int, int], ...] = ()
    language: str = ""
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of retrieval: what is embedded, linked and returned.

    Args:
        id: content-addressed (``domain.ids.chunk_id``).
        document_id: its document.
        path: the document's title, then the headings above the chunk.
        section: ordinal of its section.
        ordinal: place in the document, from 0.
        text: exactly ``ParsedDocument.text[start:end]``.
        start: offset of the first character.
        end: offset after the last character.
        tokens: number of words and punctuation marks.
        literals: as in ``ParsedDocument``, counted in the chunk's text.
        code_words: the words of the chunk that the document also writes as code, anywhere in it; sorted.
        small_words: capitalised words of the chunk that a document with code mostly writes in lower case; sorted.
        loose_pairs: adjacent capitalised words, the second of which a document with code also has alone, and whether the first, too; sorted.
        cited: spans of the chunk's text that, in a document with code, are the words of links within its site and occur nowhere else in it.
        participants: names of people whom fields of the document name and whose first name the chunk has; sorted.
    """

    id: str
    document_id: str
    path: tuple[str, ...]
    section: int
    ordinal: int
    text: str
    start: int
    end: int
    tokens: int
    literals: tuple[tuple[int, int], ...] = ()
    code_words: tuple[str, ...] = ()
    small_words: tuple[str, ...] = ()
    loose_pairs: tuple[tuple[str, str, bool], ...] = ()
    cited: tuple[tuple[int, int], ...] = ()
    participants: tuple[str, ...] = ()

    def has_code(self, start: int, end: int) -> bool:
        """Return whether a span of the text overlaps a literal."""
        return any(first < end and start < last for first, last in self.literals)

    @property
    def context(self) -> str:
        """Title and headings as one line: what the models see before the text."""
        return " > ".join(self.path)

    @property
    def checksum(self) -> str:
        """SHA-256 of the text."""
        return checksum(self.text)
