"""Documents on their way in: raw sources, and what a parser makes of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interlace.domain.ids import checksum

LOCAL_FILE = "local_file"
"""Key of a source's metadata that names the file it was read from on this machine; no metadata for questions."""


@dataclass(frozen=True, slots=True)
class Source:
    """One document as it was handed in: bytes and where they came from.

    Args:
        uri: what identifies it for this tenant: a path, a URL, or ``<file>#<id>`` for a record of a JSON Lines or CSV file.
        media_type: for example ``text/markdown``; a hint that the parser checks.
        content: the raw bytes.
        metadata: any key and value the caller knows (JSON values).
    """

    uri: str
    media_type: str
    content: bytes
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def checksum(self) -> str:
        """SHA-256 of the bytes."""
        return checksum(self.content)


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A reference found in a text.

    Args:
        kind: ``markdown``, ``wikilink``, ``typed`` (``[[Entity#type]]``), ``html``, or ``declared``: a name that the document itself
            registers, such as a tool of a skill.
        target: the target as written, without anchor.
        anchor: the part after ``#`` of a link (a heading), or the type of a typed or declared name; empty if none.
        text: the words shown to a reader.
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
    """A stretch of a document under one heading, without the sections below it.

    Args:
        heading: the heading's text; empty for what stands before the first.
        path: headings from the top down to this one; empty for what stands before the first.
        level: 1 to 6; 0 for what stands before the first.
        ordinal: place in the document, from 0.
        start: offset of its first character in ``ParsedDocument.text``.
        end: offset after its last character.
        section_type: a word for what the section is (``body`` unless the format knows better).
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
    r"""What a parser makes of a source: readable text, its structure, and what it says of itself.

    Offsets everywhere count characters of ``text``, which is what people read, without markup.

    Args:
        title: never empty; the file name or record id where the document names none.
        text: the whole readable text; NFC, ``\n`` line ends, no NUL or bidirectional control characters.
        sections: in order, covering every non-blank character of the text exactly once.
        tags: sorted, unique, lower case; hierarchical ones keep their ``/``.
        aliases: other names of what the document is about.
        links: in order of appearance.
        metadata: JSON values; keys are strings.
        declares: type of the entity that the document itself declares under its title (``Skill``); empty for all other documents.
    """

    title: str
    text: str
    sections: tuple[Section, ...]
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[DocumentLink, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    declares: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk: what is embedded, linked and returned.

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

    @property
    def context(self) -> str:
        """Title and headings as one line: what the models see before the text."""
        return " > ".join(self.path)

    @property
    def checksum(self) -> str:
        """SHA-256 of the text."""
        return checksum(self.text)
