"""Entity linking of chunks, kept up to date for older chunks when names are added or removed.

The mentions that the linker makes in a chunk are a function of the chunk's text, its extracted mentions and the gazetteer. Whenever the
gazetteer changes, the chunks that contain a changed name are linked again, so the order in which documents arrive does not matter.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from more_itertools import chunked

from interlace.domain.extraction import RESOLVED
from interlace.entities.context import context_words
from interlace.entities.linker import EntityLinker
from interlace.entities.normalization import may_match
from interlace.ports.graph import QueryRunner, Transaction
from interlace.queries import mentions as queries
from interlace.queries.chunks import find_chunks_by_alias
from interlace.text.lucene import any_of, in_field, in_tenant, phrase

# Lucene refuses a search of more than 1024 clauses.
_NAMES_PER_SEARCH = 200
# Half a corpus may contain a name, and no caller waits for this answer as for that of a question.
_SEARCH_SECONDS = 60.0
LINKER_CONFIDENCE = 0.8

Links = dict[tuple[str, str], list[int]]
"""(entity, key) → flat list of start and end offsets."""


@dataclass(slots=True)
class Relinking:
    """The linker's mentions to write and to remove."""

    add: list[dict[str, Any]] = field(default_factory=list)
    remove: list[dict[str, Any]] = field(default_factory=list)


class AffectedChunk(NamedTuple):
    """A chunk that contains a changed name. Chunks are linked in order of document and chunk."""

    document: str
    id: str


def affected_chunks(runner: QueryRunner, tenant: str, keys: Iterable[str]) -> list[AffectedChunk]:
    """Return the chunks in the graph whose links may change because entities gained or lost these keys, in order.

    The search is by text, not by links: a lost name may have hidden a shorter one where it made no link itself. Must run before a
    transaction writes chunks, so that the full-text index answers from what is committed.
    """
    found: set[AffectedChunk] = set()
    for clauses in chunked(sorted(_clause(key) for key in keys if may_match(key)), _NAMES_PER_SEARCH):
        search = in_tenant(tenant, any_of(clauses))
        rows = find_chunks_by_alias(runner, timeout=_SEARCH_SECONDS, tenant=tenant, search=search)
        found.update(AffectedChunk(row.document, row.id) for row in rows)
    return sorted(found)


def _clause(key: str) -> str:
    return in_field("terms" if " " in key else "capitals", phrase(key))


def read_linking(transaction: Transaction, tenant: str, chunks: Iterable[str]) -> list[queries.ReadLinkingRow]:
    """Return text and mentions of chunks, for ``relink``."""
    ids = sorted(chunks)
    return queries.read_linking(transaction, tenant=tenant, chunks=ids) if ids else []


def links_in(
    text: str,
    own: Mapping[str, set[tuple[int, int]]],
    linker: EntityLinker,
    resolved: Collection[tuple[int, int]] = (),
    document_id: str = "",
) -> Links:
    """Return the links of a text: every name of the gazetteer, except where an extractor found the same entity at the same place.

    Args:
        text: a chunk's text.
        own: spans of extracted mentions by entity.
        linker: the gazetteer.
        resolved: spans of short forms; an entity that has such a name elsewhere is not meant here.
        document_id: the document of the text; decisions may have split a form there.
    """
    links: Links = defaultdict(list)
    for match in linker.find(text):
        if any(start <= match.start and match.end <= end for start, end in resolved):
            continue
        for entity in linker.transition.meant(match.key, match.entities, document_id):
            if not any(start < match.end and match.start < end for start, end in own.get(entity, ())):
                links[entity, match.key] += [match.start, match.end]
    return dict(links)


def new_links(
    chunk_id: str, text: str, mentions: Iterable[Mapping[str, Any]], linker: EntityLinker, document_id: str = ""
) -> list[dict[str, Any]]:
    """Return rows of the linker's mentions for a chunk that is being written."""
    extracted = [(own["entity"], own["properties"]["via"], own["properties"].get("offsets")) for own in mentions]
    own = own_spans((entity, offsets) for entity, _, offsets in extracted)
    links = links_in(text, own, linker, _resolved(extracted), document_id)
    context = context_words(text, {pair: _spans(offsets) for pair, offsets in links.items()})
    return [_link_row(chunk_id, pair, offsets, context[pair]) for pair, offsets in sorted(links.items())]


OwnMentions = Sequence[tuple[str, str, Sequence[int] | None]]
"""Extracted mentions of a chunk: entity, via, flat offsets."""


def relink(
    rows: Sequence[queries.ReadLinkingRow],
    linker: EntityLinker,
    removed: set[str],
    replaced: Mapping[str, OwnMentions] | None = None,
) -> Relinking:
    """Return what must change in chunks that the graph already holds.

    Args:
        rows: what ``read_linking`` returned.
        linker: the gazetteer after the change.
        removed: entities that are removed, and their mentions with them.
        replaced: extracted mentions of chunks in which this transaction changes them, instead of those that the graph holds.
    """
    replaced = replaced or {}
    result = Relinking()
    for row in rows:
        extracted = [
            (mention.entity, mention.via, mention.offsets) for mention in row.mentions if mention.via != "linker"
        ]
        found = replaced.get(row.id, extracted)
        before = {
            (mention.entity, mention.key or ""): list(mention.offsets or ())
            for mention in row.mentions
            if mention.via == "linker"
        }
        own = own_spans((entity, offsets) for entity, _, offsets in found)
        after = links_in(row.text, own, linker, _resolved(found), row.document)
        changed = [pair for pair in sorted(before.keys() | after.keys()) if before.get(pair) != after.get(pair)]
        context = context_words(row.text, {pair: _spans(after[pair]) for pair in changed if pair in after})
        for pair in changed:
            if pair in before and pair[0] not in removed:
                result.remove.append({"chunk": row.id, "entity": pair[0], "key": pair[1]})
            if pair in after:
                result.add.append(_link_row(row.id, pair, after[pair], context[pair]))
    return result


def own_spans(mentions: Iterable[tuple[str, Sequence[int] | None]]) -> dict[str, set[tuple[int, int]]]:
    """Return the spans of mentions by entity, from flat offset lists."""
    spans: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for entity, offsets in mentions:
        if offsets:
            spans[entity].update(_spans(offsets))
    return spans


def _resolved(mentions: Iterable[tuple[str, str, Sequence[int] | None]]) -> list[tuple[int, int]]:
    """Return the spans of short forms among mentions (entity, via, offsets)."""
    return [span for _, via, offsets in mentions if via in RESOLVED and offsets for span in _spans(offsets)]


def _spans(offsets: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(offsets[::2], offsets[1::2], strict=True))


def _link_row(chunk_id: str, pair: tuple[str, str], offsets: list[int], context: Sequence[str]) -> dict[str, Any]:
    entity, key = pair
    properties = {
        "via": "linker",
        "key": key,
        "count": len(offsets) // 2,
        "confidence": LINKER_CONFIDENCE,
        "offsets": offsets,
        "contextWords": " ".join(context),
    }
    return {"chunk": chunk_id, "entity": entity, "properties": properties}
