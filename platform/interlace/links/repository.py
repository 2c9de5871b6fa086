"""The link graph of the database: bounded Cypher over ``LINKS_TO``, ``KNOWN_AS`` and the full-text index of documents' names."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from interlace.cypher_files import query
from interlace.ports.graph import GraphDatabase, Query, Row
from interlace.ports.links import Direction, Link, LinkedDocument, LinkedPair
from interlace.text.lucene import fuzzy_term

_NAMED = query("links/link_targets_named")
_ALIKE = query("links/similarly_named_documents")
_STEPS = query("links/linked_documents")
_DESCRIBE = query("links/describe_documents")
_REVISION = query("links/link_revision")
_PAGE_OF_LINKS = query("links/page_links")
_WAIT_FOR_WRITERS = query("tenants/lock_writers")
_PAGE = 500
_METADATA = "metadata."


class StoredLinkGraph:
    """Reads links from the graph; holds nothing itself, so that every answer is of the moment it was asked for.

    Args:
        graph: the graph.
        timeout: seconds that the database may take for one read.
    """

    def __init__(self, graph: GraphDatabase, timeout: float) -> None:
        self._graph = graph
        self._timeout = timeout

    def named(self, tenant: str, keys: Collection[str], limit: int) -> dict[str, list[str]]:
        """See ``LinkGraph``."""
        rows = self._read(_NAMED, tenant=tenant, keys=sorted(keys), limit=limit) if keys else []
        return {row["key"]: row["documents"] for row in rows if row["documents"]}

    def alike(self, tenant: str, words: Sequence[str], limit: int, *, fuzzy: bool = False) -> list[str]:
        """See ``LinkGraph``."""
        if not words:
            return []
        terms = " ".join(fuzzy_term(word) if fuzzy else word for word in words)
        rows = self._read(_ALIKE, tenant=tenant, search=f'+tenant:"{tenant}" +terms:({terms})', limit=limit)
        return [row["document"] for row in rows]

    def steps(self, tenant: str, documents: Sequence[str], direction: Direction, limit: int) -> list[LinkedPair]:
        """See ``LinkGraph``."""
        rows = (
            self._read(
                _STEPS,
                tenant=tenant,
                ids=list(documents),
                on=direction != "in",
                back=direction != "out",
                limit=limit,
            )
            if documents
            else []
        )
        pairs = {
            (row["source"], row["target"]): tuple(sorted(Link(link["kind"], link["anchor"]) for link in row["links"]))
            for row in rows
        }
        return [LinkedPair(*ends, pairs[ends]) for ends in sorted(pairs)]

    def describe(self, tenant: str, documents: Sequence[str]) -> dict[str, LinkedDocument]:
        """See ``LinkGraph``."""
        rows = self._read(_DESCRIBE, tenant=tenant, ids=list(documents)) if documents else []
        return {row["id"]: _document(row) for row in rows}

    def revision(self, tenant: str) -> str | None:
        """Return what tells one state of a tenant's links from every other: it changes with each transaction that writes documents.

        None if links may change without it: the tenant has no documents, or a backup of them is being restored.
        """
        for row in self._read(_REVISION, tenant=tenant):
            if row["epoch"] is not None:
                return f"{row['epoch']}:{row['version']}"
        return None

    def settled(self, tenant: str) -> str | None:
        """Return the revision once every transaction that it counts is seen by readers.

        Neo4j shows what a transaction wrote bit by bit while it commits, and gives its locks back when it is through.
        """
        self._graph.run(_WAIT_FOR_WRITERS, tenant=tenant)
        return self.revision(tenant)

    def every_link(self, tenant: str) -> Iterator[tuple[str, str, Link]]:
        """Yield all links of a tenant (source, target and how), a page of documents at a time."""
        after = ""
        while rows := self._read(_PAGE_OF_LINKS, tenant=tenant, after=after, limit=_PAGE):
            for row in rows:
                for target, kind, anchor in row["links"]:
                    yield row["source"], target, Link(kind, anchor)
            after = rows[-1]["source"]

    def _read(self, query: Query, **params: Any) -> list[Row]:
        return self._graph.run(query, timeout=self._timeout, **params)


def _document(row: Row) -> LinkedDocument:
    held = row["document"]
    return LinkedDocument(
        id=row["id"],
        title=held["title"],
        source_uri=held["sourceUri"],
        known_as=frozenset(row["keys"]),
        tags=tuple(held.get("tags") or ()),
        media_type=held["mediaType"],
        checksum=held["checksum"],
        version=held["version"],
        indexed_at=str(held["indexedAt"]),
        metadata={key.removeprefix(_METADATA): value for key, value in held.items() if key.startswith(_METADATA)},
        incoming=row["incoming"],
        outgoing=row["outgoing"],
    )
