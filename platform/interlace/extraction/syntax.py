"""Extraction by syntax: entities and facts by rules over a parser's dependency trees."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interlace.domain.documents import Chunk
from interlace.domain.extraction import Extraction, Mention
from interlace.extraction.dependency_tree import DependencyTree
from interlace.extraction.entity_spans import EntitySpan, find_entity_spans
from interlace.extraction.facts import find_facts
from interlace.extraction.plausibility import NameFilter
from interlace.ports.syntax import SyntaxDoc, SyntaxParser
from interlace.text.chats import as_plain_turns, speakers

RULES = 21
"""Bump whenever the same parse could give other entities or facts."""
MAX_CHARACTERS = 100_000
"""Characters of a chunk that are parsed; chunkers make them a hundred times smaller, and a parser's memory grows with the length."""


_NOT_LINE_END = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class SyntaxExtractor:
    """Finds entities and facts in chunks."""

    parser: SyntaxParser

    @property
    def fingerprint(self) -> str:
        """That of the parser with the version of the rules."""
        return f"{self.parser.fingerprint}:rules-{RULES}"

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        """Return one extraction for each chunk, in the same order; the result for a chunk does not depend on its neighbours."""
        docs = self.parser.parse([_prose(chunk)[:MAX_CHARACTERS] for chunk in chunks])
        return [_read(doc, chunk) for chunk, doc in zip(chunks, docs, strict=True)]

    def run_pipeline(self, texts: Sequence[str]) -> int:
        """Run the parser without the rules and return the number of tokens: the baseline that ingestion is measured against."""
        return self.parser.count_tokens(texts)


def _prose(chunk: Chunk) -> str:
    """Return the text with code blocks and the times of messages blanked and offsets unchanged; inline code stays, because the sentence needs it."""
    text = chunk.text
    for start, end in chunk.literals:
        if text[start - 1 : start] in {"", "\n"} and text[end : end + 1] in {"", "\n"}:
            text = text[:start] + _NOT_LINE_END.sub(" ", text[start:end]) + text[end:]
    return as_plain_turns(text)


def _read(doc: SyntaxDoc, chunk: Chunk) -> Extraction:
    title = chunk.path[0] if chunk.path else ""
    names = NameFilter(doc, chunk)
    found = find_entity_spans(doc, title, technical=names.technical, loose_pairs=chunk.loose_pairs)
    spans: list[EntitySpan] = []
    for span in found:
        kept = names.assess(span)
        if kept is None:
            continue
        while spans and spans[-1].last > kept.first:  # pieces of a name that is whole now
            spans.pop()
        spans.append(kept)
    said_by = list(_speaker_spans(doc, chunk))
    spans = [span for span in spans if not any(span.first < each.last and each.first < span.last for each in said_by)]
    spans = sorted([*spans, *said_by], key=lambda span: span.first)
    facts = find_facts(DependencyTree(doc, spans), title) if doc.has_dependencies else []
    return Extraction(tuple(span.mention for span in spans), tuple(facts))


def _speaker_spans(doc: SyntaxDoc, chunk: Chunk) -> Iterator[EntitySpan]:
    """Yield the speakers of exported turns, whatever the parser takes them for: its models have read few chats."""
    names = [span for span in speakers(chunk.text) if not chunk.has_code(*span)]
    starts = [doc[index].idx for index in range(len(doc))] if names else []
    for start, end in names:
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        if first < last and starts[first] == start:
            yield EntitySpan(Mention(chunk.text[start:end], "Person", start, end), first, last)
