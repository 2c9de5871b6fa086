"""The link graph in memory: built from a list of documents and what they refer to, and kept equal to it through every change.

Nothing is derived that a change would have to find again: a link is read off the names that one document refers to and another answers
to, as the graph does when it writes, so that any order of changes ends in the state that a fresh build would have.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from rapidfuzz.distance import OSA

from interlace.domain.relations import Direction
from interlace.ingestion.document_rows import name_terms
from interlace.ports.links import Link, LinkedDocument, LinkedPair
from interlace.text.lucene import word_pattern
from interlace.text.similarity import allowed_edits


@dataclass(frozen=True, slots=True)
class DocumentReference:
    """What a document's link points at: a key that other documents may answer to, and the link."""

    key: str
    link: Link


@dataclass(slots=True)
class _Tenant:
    """One tenant's documents, by id and by everything that finds them."""

    documents: dict[str, LinkedDocument] = field(default_factory=dict)
    refers: dict[str, frozenset[DocumentReference]] = field(default_factory=dict)
    known_as: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    referring: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    words: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


class MemoryLinkGraph:
    """A link graph of plain Python. One thread at a time."""

    def __init__(self) -> None:
        self._tenants: defaultdict[str, _Tenant] = defaultdict(_Tenant)

    def put(self, tenant: str, document: LinkedDocument, refers: Iterable[DocumentReference] = ()) -> None:
        """Add a document, or replace the version of it that is there; costs in proportion to that document."""
        self.remove(tenant, document.id)
        data = self._tenants[tenant]
        data.documents[document.id] = document
        data.refers[document.id] = frozenset(refers)
        for index, key in _entries(data, document):
            index[key].add(document.id)

    def remove(self, tenant: str, document: str) -> None:
        """Remove a document, if it is there."""
        data = self._tenants[tenant]
        if document not in data.documents:
            return
        for index, key in _entries(data, data.documents[document]):
            index[key].discard(document)
            if not index[key]:
                del index[key]
        del data.documents[document], data.refers[document]

    def resolve(self, tenant: str, keys: Collection[str], limit: int) -> dict[str, list[str]]:
        """See ``LinkGraph``."""
        data = self._tenants[tenant]
        found = {
            key: sorted(data.known_as.get(key, set()) | ({key} if key in data.documents else set())) for key in keys
        }
        return {key: ids[:limit] for key, ids in found.items() if ids}

    def search_names(self, tenant: str, words: Sequence[str], limit: int, *, fuzzy: bool = False) -> list[str]:
        """See ``LinkGraph``."""
        data = self._tenants[tenant]
        counted: Counter[str] = Counter()
        for word in words:
            near = (
                {known for known in data.words if OSA.distance(word, known) <= allowed_edits(word)} if fuzzy else {word}
            )
            counted.update({document for known in near for document in data.words.get(known, ())})
        return sorted(counted, key=lambda document: (-counted[document], document))[:limit]

    def match_names(self, tenant: str, pattern: str, limit: int) -> list[str]:
        """See ``LinkGraph``."""
        fits = re.compile(word_pattern(pattern)[1:-1])
        data = self._tenants[tenant]
        found = {document for word, documents in data.words.items() if fits.fullmatch(word) for document in documents}
        return sorted(found)[:limit]

    def adjacent(self, tenant: str, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        """See ``LinkGraph``."""
        data = self._tenants[tenant]
        pairs = {}
        for document in documents:
            for way, pick in (("out", _outgoing), ("in", _incoming)):
                if direction in {way, "both"}:
                    pairs.update({(pair.source, pair.target): pair for pair in pick(data, document)[:limit]})
        return [pairs[ends] for ends in sorted(pairs)]

    def read_documents(self, tenant: str, documents: Sequence[str]) -> dict[str, LinkedDocument]:
        """See ``LinkGraph``."""
        data = self._tenants[tenant]
        return {
            document: replace(
                data.documents[document],
                incoming=sum(len(pair.links) for pair in _incoming(data, document)),
                outgoing=sum(len(pair.links) for pair in _outgoing(data, document)),
            )
            for document in documents
            if document in data.documents
        }


def _entries(data: _Tenant, document: LinkedDocument) -> list[tuple[defaultdict[str, set[str]], str]]:
    """Return every place of every index where a document stands."""
    words = name_terms(document.title, document.source_uri).split()
    keys = {reference.key for reference in data.refers[document.id]}
    return [
        *((data.known_as, key) for key in document.known_as),
        *((data.referring, key) for key in keys),
        *((data.words, word) for word in words),
    ]


def _outgoing(data: _Tenant, document: str) -> list[LinkedPair]:
    found: defaultdict[str, set[Link]] = defaultdict(set)
    for reference in data.refers.get(document, ()):
        for other in data.known_as.get(reference.key, ()):
            found[other].add(reference.link)
    return [
        LinkedPair(document, other, tuple(sorted(links))) for other, links in sorted(found.items()) if other != document
    ]


def _incoming(data: _Tenant, document: str) -> list[LinkedPair]:
    known_as = data.documents[document].known_as if document in data.documents else frozenset()
    sources = {source for key in known_as for source in data.referring.get(key, ())}
    return [
        LinkedPair(
            source,
            document,
            tuple(sorted({reference.link for reference in data.refers[source] if reference.key in known_as})),
        )
        for source in sorted(sources)
        if source != document
    ]
