"""Descriptions of entities: the sentence of the documents that best says what an entity is.

It is chosen on every request and stored nowhere, so it changes and disappears with its document.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interlace.queries.descriptions import EntitySentencesRow
from interlace.text.excerpts import one_line
from interlace.text.quotes import find_quote
from interlace.text.sentences import sentence_spans

MAX_DESCRIPTION_CHARACTERS = 400
"""Characters of a description; longer stretches are rarely one sentence."""
CANDIDATES = 20
"""Documents about an entity, and facts, from which a description is chosen."""
_MIN_WORDS = 4
_FIRST = 5  # characters that may stand before the name: an article, a quote
# After the name, as an encyclopedia begins: ``was born in 1901 and``, ``(1901-1970) was a``, ``is the``.
_DEFINES = re.compile(r"\A[^.;]{0,80}?\b(?:is|was|are|were)\s+(?:an?|the|one)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EntityDescription:
    """A sentence that says what an entity is, and its source.

    Args:
        text: the sentence on one line.
        chunk_id: the chunk that holds it.
        document_id: its document.
        title: the document's title.
        source_uri: where the document came from.
    """

    text: str
    chunk_id: str
    document_id: str
    title: str
    source_uri: str


def describe(names: Sequence[str], rows: Sequence[EntitySentencesRow]) -> EntityDescription | None:
    """Return the best description; none where no sentence names the entity.

    A sentence that begins with the name followed by ``is a`` or the like ranks first, then one that opens a document about the entity,
    then one of a more confident fact, then a shorter one; ties are broken by the text, so that equal graphs give equal descriptions.
    """
    found = [
        ((not _defines(text, names), not row.opening, -row.confidence, len(text), text, row.chunk_id), row)
        for row in rows
        for text in _sentences(row)
        if any(find_quote(text, name) for name in names)
    ]
    if not found:
        return None
    (*_, text, _), row = min(found, key=lambda each: each[0])
    return EntityDescription(str(text), row.chunk_id, row.document_id, row.title, row.source_uri)


def _sentences(row: EntitySentencesRow) -> Iterator[str]:
    spans = list(sentence_spans(row.text)) if row.opening else [(0, len(row.text))]
    if row.opening and len(row.text) == MAX_DESCRIPTION_CHARACTERS:
        spans = spans[:-1]  # the last one is cut
    for start, end in spans:
        text = one_line(row.text[start:end])
        if len(text) <= MAX_DESCRIPTION_CHARACTERS and len(text.split()) >= _MIN_WORDS:
            yield text


def _defines(text: str, names: Sequence[str]) -> bool:
    spans = [span for name in names if (span := find_quote(text, name))]
    return any(start <= _FIRST and _DEFINES.match(text[end:]) for start, end in spans)
