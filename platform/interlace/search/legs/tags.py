"""The tag leg: first chunks of documents that carry tags which the query names."""

import re
from dataclasses import dataclass
from typing import ClassVar

from interlace.ports.graph import GraphDatabase
from interlace.queries.documents import tagged_documents
from interlace.search.candidates import Candidate
from interlace.search.legs.first_chunks import allowed_documents, candidates_of
from interlace.search.legs.protocol import Input, SearchContext

_TAG_IN_TEXT = re.compile(r"#([\w/-]+)")


@dataclass(frozen=True, slots=True)
class TagLeg:
    """Tags written ``#tag`` or as plain words.

    Args:
        graph: the graph.
        tag_cap: documents of a tag above which it is too common to read them all; a filter finds those.
    """

    graph: GraphDatabase
    tag_cap: int
    name: ClassVar[str] = "tags"
    needs: ClassVar[Input] = "query"

    def search(self, context: SearchContext) -> list[Candidate]:
        """Return chunks by the share of the query's tags that their documents carry."""
        scope = context.scope
        wanted = sorted({tag.lower().strip("/") for tag in _TAG_IN_TEXT.findall(scope.text)} | set(context.keywords))
        if not any(wanted):
            return []
        rows = tagged_documents(
            self.graph,
            tenant=scope.tenant,
            tags=[tag for tag in wanted if tag],
            below=context.tag_strategy == "prefix",
            tag_cap=self.tag_cap,
            limit=scope.limit,
            documents=allowed_documents(scope),
            timeout=scope.timeout,
        )
        return candidates_of(self.graph, scope, [(row.document, row.score) for row in rows])
