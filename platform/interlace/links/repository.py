"""The link graph of the database: bounded Cypher over ``LINKS_TO``, ``KNOWN_AS`` and the full-text index of titles and paths."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from interlace.domain.errors import InvalidInputError, QueryRefusedError
from interlace.domain.relations import Direction
from interlace.links.snapshot import LabelledLink
from interlace.ports.graph import GraphDatabase
from interlace.ports.links import Link, LinkedDocument, LinkedPair
from interlace.queries import links, tenants
from interlace.queries.gazetteer import gazetteer_version
from interlace.text.lucene import any_of, fuzzy_term, in_field, in_tenant, word_pattern

_PAGE: Final = 500
_METADATA: Final = "metadata."
_TOO_COMPLEX: Final = "TooComplexToDeterminize"  # what Lucene calls a pattern whose automaton grows too large


@dataclass(frozen=True, slots=True)
class LinkRepository:
    """Reads links from the graph without caching, so that every answer is current.

    Args:
        graph: the graph.
        timeout: seconds that the database may take for one read.
    """

    graph: GraphDatabase
    timeout: float

    def resolve(self, tenant: str, keys: Collection[str], limit: int) -> dict[str, list[str]]:
        """See ``LinkGraph``."""
        if not keys:
            return {}
        rows = links.link_targets_named(self.graph, tenant=tenant, keys=sorted(keys), limit=limit, timeout=self.timeout)
        return {row.key: row.documents for row in rows if row.documents}

    def search_names(self, tenant: str, words: Sequence[str], limit: int, *, fuzzy: bool = False) -> list[str]:
        """See ``LinkGraph``."""
        if not words:
            return []
        terms = any_of(fuzzy_term(word) if fuzzy else word for word in words)
        search = in_tenant(tenant, in_field("terms", terms))
        return links.similarly_named_documents(
            self.graph, tenant=tenant, search=search, limit=limit, timeout=self.timeout
        )

    def match_names(self, tenant: str, pattern: str, limit: int) -> list[str]:
        """See ``LinkGraph``."""
        search = in_tenant(tenant, in_field("terms", word_pattern(pattern)))
        try:
            return links.similarly_named_documents(
                self.graph, tenant=tenant, search=search, limit=limit, timeout=self.timeout
            )
        except QueryRefusedError as error:
            if _TOO_COMPLEX not in error.message:
                raise
            raise InvalidInputError(f"{pattern!r} is too complex a pattern; simplify it, or search by words.") from None

    def adjacent(self, tenant: str, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        """See ``LinkGraph``."""
        if not documents:
            return []
        rows = links.linked_documents(
            self.graph,
            tenant=tenant,
            ids=list(documents),
            outgoing=direction != "in",
            incoming=direction != "out",
            limit=limit,
            timeout=self.timeout,
        )
        # A pair is returned twice if both of its documents are requested.
        pairs = {
            (row.source, row.target): tuple(sorted(Link(link.kind, link.anchor) for link in row.links)) for row in rows
        }
        return [LinkedPair(*ends, pairs[ends]) for ends in sorted(pairs)]

    def read_documents(self, tenant: str, ids: Sequence[str]) -> dict[str, LinkedDocument]:
        """See ``LinkGraph``."""
        if not ids:
            return {}
        rows = links.describe_documents(self.graph, tenant=tenant, ids=list(ids), timeout=self.timeout)
        return {row.id: _document(row) for row in rows}

    def revision(self, tenant: str) -> str | None:
        """Return the revision of a tenant's links, which changes with each transaction that writes documents.

        None if links may change without it: the tenant has no documents or is being removed, or a backup of them is being restored.
        """
        row = gazetteer_version(self.graph, tenant=tenant, timeout=self.timeout)
        return row.revision if row else None

    def settled_revision(self, tenant: str) -> str | None:
        """Return the revision once readers see every transaction that it counts.

        Neo4j makes writes visible bit by bit while a transaction commits, and releases its locks afterwards: so wait for the lock.
        """
        row = tenants.lock_writers(self.graph, tenant=tenant)
        return row.revision if row else None

    def all_links(self, tenant: str) -> Iterator[LabelledLink]:
        """Yield all links of a tenant, a page of documents at a time."""
        after = ""
        while rows := links.page_links(self.graph, tenant=tenant, after=after, limit=_PAGE, timeout=self.timeout):
            for row in rows:
                for target, kind, anchor in row.links:
                    yield row.source, target, Link(kind, anchor)
            after = rows[-1].source


def _document(row: links.DescribeDocumentsRow) -> LinkedDocument:
    stored = row.document
    return LinkedDocument(
        id=row.id,
        title=stored["title"],
        source_uri=stored["sourceUri"],
        known_as=frozenset(row.keys),
        tags=tuple(stored.get("tags") or ()),
        media_type=stored["mediaType"],
        checksum=stored["checksum"],
        version=stored["version"],
        indexed_at=str(stored["indexedAt"]),
        metadata={key.removeprefix(_METADATA): value for key, value in stored.items() if key.startswith(_METADATA)},
        incoming=row.incoming,
        outgoing=row.outgoing,
    )
