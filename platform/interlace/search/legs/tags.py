"""The tag leg: first chunks of documents that carry tags which the query names."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import ClassVar

from interlace.ports.graph import GraphDatabase
from interlace.queries.documents import tagged_documents
from interlace.search.candidates import Candidate
from interlace.search.legs.first_chunks import candidates_of
from interlace.search.legs.protocol import Input, SearchContext
from interlace.text.tokenizer import tokens

_JOINERS = ("-", "_", " ")
_MAX_WORDS = 5  # of a tag: each look-up takes about 20 µs
_MAX_CHARACTERS = 12  # of a tag in Chinese or Japanese, each of which is a token
_READ = 40
_TAG_IN_TEXT = re.compile(r"#([\w/-]+)")
_OPENING = "#\"'([{<\u2018\u201c\u201e\u00ab\u300c\u300e\uff08"
_CLOSING = "\"'.,:;!?)]}>/\u2026\u2019\u201d\u00bb\u3001\u3002\u300d\u300f\uff01\uff09\uff0c\uff1a\uff1b\uff1f"


@dataclass(frozen=True, slots=True)
class TagLeg:
    """Tags written ``#tag`` or as plain words; ``machine learning`` also matches ``machine-learning``.

    Tags are stored in lower case with their accents and signs, so that they are looked up as the question writes them, and case-folded.

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
        scope, text = context.scope, unicodedata.normalize("NFC", context.scope.text)
        named = {tag.lower().strip("/") for tag in _TAG_IN_TEXT.findall(text)} | set(context.keywords)
        wanted = sorted({*named, *_written_words(text, context.keywords), *_runs(text)} - {""})
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


def _written_words(text: str, keywords: Collection[str]) -> Iterator[str]:
    """Yield the tags that single words make as they are written: ``größe`` of a keyword ``grosse``, and with signs ``c++`` and ``v2.0``."""
    for token in tokens(text):
        if token.form in keywords:
            yield text[token.start : token.end].lower()
    for word in text.split():
        tag = word.lstrip(_OPENING).rstrip(_CLOSING).lower()
        if not tag.isalnum():
            yield tag


def _runs(text: str) -> Iterator[str]:
    """Yield the tags that adjacent words make, as they are written and joined as people join them."""
    words = tokens(text)[:_READ]
    for at in range(len(words)):
        for end in range(at + 2, min(at + _MAX_CHARACTERS, len(words)) + 1):
            run = words[at:end]
            together = text[run[0].start : run[-1].end].lower()
            has_spaces = not together.isalnum()
            if has_spaces and len(run) > _MAX_WORDS:
                break
            yield together
            if has_spaces:
                written = [text[word.start : word.end].lower() for word in run]
                forms = [word.form for word in run]
                yield from (joiner.join(each) for each in (written, forms) for joiner in _JOINERS)
