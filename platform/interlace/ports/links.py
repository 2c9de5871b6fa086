"""The links between documents, as far as the link graph needs them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Direction = Literal["in", "out", "both"]


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """One way in which a document leads to another: ``markdown``, ``wikilink``, ``html``; and the part of the target it names."""

    kind: str
    anchor: str


@dataclass(frozen=True, slots=True)
class LinkedPair:
    """Two documents, the first of which links to the second, and all links between them in this direction."""

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
        metadata: what it says of itself, and what its sender said.
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

    def named(self, tenant: str, keys: Collection[str], limit: int) -> dict[str, list[str]]:
        """Return key to the ids of the documents that answer to it, sorted and at most ``limit``; a document's id is a key too."""
        ...

    def alike(self, tenant: str, words: Sequence[str], limit: int, *, fuzzy: bool = False) -> list[str]:
        """Return ids of documents whose title or path holds any of some folded words, in no order; ``fuzzy``: or words nearly like them.

        Where more than ``limit`` do, those that hold most words are likelier among them.
        """
        ...

    def steps(self, tenant: str, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        """Return the pairs that lead on from some documents, or back, or both: per document and direction the first ``limit`` by id."""
        ...

    def describe(self, tenant: str, documents: Sequence[str]) -> dict[str, LinkedDocument]:
        """Return id to document; what the tenant does not have is left out."""
        ...
