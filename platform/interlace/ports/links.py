"""Port: the links between documents."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from interlace.domain.relations import Direction


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """A link between documents: its kind (``markdown``, ``wikilink``, ``html``, ``rst``) and the part of the target that it names."""

    kind: str
    anchor: str


@dataclass(frozen=True, slots=True)
class LinkedPair:
    """A document that links to another, and all links between the two in this direction."""

    source: str
    target: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class LinkedDocument:
    """A document of the link graph.

    Args:
        id: the document.
        title: its title.
        source_uri: where it came from.
        known_as: the keys by which links may name it (``uri:``, ``path:`` and ``name:``).
        tags: its tags.
        media_type: for example ``text/markdown``.
        checksum: SHA-256 of its bytes.
        version: counts its versions from 1.
        indexed_at: when this version was written, ISO 8601.
        metadata: from the document itself and from the request that sent it.
        incoming: links that lead to it from other documents.
        outgoing: links that lead from it to other documents.
    """

    id: str
    title: str
    source_uri: str
    known_as: frozenset[str] = frozenset()
    tags: tuple[str, ...] = ()
    media_type: str = "text/markdown"
    checksum: str = ""
    version: int = 1
    indexed_at: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    incoming: int = 0
    outgoing: int = 0


class LinkGraph(Protocol):
    """Reads one tenant's links. Every method raises ``UnavailableError`` when the links cannot be read."""

    def resolve(self, tenant: str, keys: Collection[str], limit: int) -> dict[str, list[str]]:
        """Return key to the ids of the documents that answer to it, sorted and at most ``limit``; a document's id is a key too."""
        ...

    def search_names(self, tenant: str, words: Sequence[str], limit: int, *, fuzzy: bool = False) -> list[str]:
        """Return ids of documents whose title or path holds any of some case-folded words, in no order; ``fuzzy`` also matches misspellings.

        If more than ``limit`` match, those that hold most words are preferred.
        """
        ...

    def match_names(self, tenant: str, pattern: str, limit: int) -> list[str]:
        """Return ids of documents with a word in title or path that a pattern of ``text.lucene.word_pattern`` fits whole, in no order.

        Raises:
            InvalidInputError: the pattern is not of that kind, or it is too complex.
        """
        ...

    def adjacent(self, tenant: str, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        """Return the pairs that begin (``out``) or end (``in``) at some documents, or both: for each the first ``limit`` by id."""
        ...

    def read_documents(self, tenant: str, ids: Sequence[str]) -> dict[str, LinkedDocument]:
        """Return id to document; ids that the tenant does not have are left out."""
        ...
