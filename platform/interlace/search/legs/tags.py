"""The tag leg: first chunks of documents that carry tags which the query names."""

import re
from dataclasses import dataclass
from typing import ClassVar

from interlace.ports.graph import GraphDatabase
from interlace.queries.documents import tagged_documents
from interlace.search.candidates import Candidate
from interlace.search.legs.first_chunks import candidates_of
from interlace.search.legs.protocol import Input, SearchContext
from interlace.text.tokenizer import tokens

_JOINERS = ("-", "_", " ")
_LONGEST = 3
_READ = 40
_TAG_IN_TEXT = re.compile(r"#([\w/-]+)")


@dataclass(frozen=True, slots=True)
class TagLeg:
    """Tags written ``#tag`` or as plain words; ``machine learning`` also matches ``machine-learning``.

    Args:
        graph: the graph.
        tag_cap: documents of a tag above which they are too many to read; a filter finds those.
    """

    graph: GraphDatabase
    tag_cap: int
    name: ClassVar[str] = "tags"
    needs: ClassVar[Input] = "query"

    def search(self, context: SearchContext) -> list[Candidate]:
        """Return chunks by the share of the query's tags that their documents carry."""
        scope = context.scope
        named = {tag.lower().strip("/") for tag in _TAG_IN_TEXT.findall(scope.text)} | set(context.keywords)
        wanted = sorted({*named, *_compound_tags(scope.text)} - {""})
        if not wanted:
            return []
        rows = tagged_documents(
            self.graph,
            tenant=scope.tenant,
            tags=wanted,
            asked=len(named - {""}),
            below=context.tag_strategy == "prefix",
            tag_cap=self.tag_cap,
            limit=scope.limit,
            filter=scope.filter,
            timeout=scope.timeout,
        )
        return candidates_of(self.graph, scope, [(row.document, row.score) for row in rows])


def _compound_tags(text: str) -> set[str]:
    """Return the tags that two or three adjacent words make, joined as people join them."""
    words = [token.form for token in tokens(text)[:_READ]]
    runs = (words[at : at + size] for size in range(2, _LONGEST + 1) for at in range(len(words) - size + 1))
    return {joiner.join(run) for run in runs for joiner in _JOINERS}
