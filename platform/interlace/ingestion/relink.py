"""Linking chunks by the dictionary of all known names, kept true for old chunks when names come or go.

The mentions that the linker makes in a chunk are a function of the chunk's text, its own extracted mentions and the set of all names.
Whenever that set changes, exactly the chunks that hold a changed name are linked anew; that is why the order in which documents come
does not matter.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interlace.cypher_files import query
from interlace.domain.extraction import RESOLVED
from interlace.entities.context import context_words
from interlace.entities.gazetteer import Match
from interlace.entities.linker import EntityLinker
from interlace.entities.normalization import may_match
from interlace.ports.graph import Row, Transaction
from interlace.text.lucene import any_of, in_field, in_tenant, phrase

_FIND_NAMING = query("chunks/find_chunks_by_alias")
_READ_LINKING = query("chunks/read_linking")
# Lucene refuses a search of more than 1024 clauses.
_NAMES_A_SEARCH = 200
LINKER_CONFIDENCE = 0.8

Links = dict[tuple[str, str], list[int]]
"""(entity, key) → flat list of start and end offsets."""


@dataclass(slots=True)
class Relinking:
    """Mentions of the linker to write and to remove."""

    add: list[dict[str, Any]] = field(default_factory=list)
    remove: list[dict[str, Any]] = field(default_factory=list)


def affected_chunks(transaction: Transaction, tenant: str, keys: Iterable[str]) -> set[str]:
    """Return ids of the chunks in the graph whose links may change because entities gained or lost these keys.

    It is the text that tells: a lost name may also have stood in the way of a shorter one where it made no link itself. Must run before
    the transaction writes chunks: the full-text index then answers from what is committed.
    """
    found: set[str] = set()
    clauses = sorted(_clause(key) for key in keys if may_match(key))
    for at in range(0, len(clauses), _NAMES_A_SEARCH):
        search = in_tenant(tenant, any_of(clauses[at : at + _NAMES_A_SEARCH]))
        found.update(row["id"] for row in transaction.run(_FIND_NAMING, tenant=tenant, search=search))
    return found


def _clause(key: str) -> str:
    return in_field("terms" if " " in key else "capitals", phrase(key))


def read_linking(transaction: Transaction, tenant: str, chunks: Iterable[str]) -> list[Row]:
    """Return text and mentions of chunks, for ``relink``."""
    ids = sorted(chunks)
    return transaction.run(_READ_LINKING, tenant=tenant, chunks=ids) if ids else []


def links_in(
    text: str,
    own: Mapping[str, set[tuple[int, int]]],
    registry: EntityLinker,
    resolved: Collection[tuple[int, int]] = (),
) -> Links:
    """Return the links of a text: every known name, except where an extractor found the same entity at the same place.

    Args:
        text: a chunk's text.
        own: spans of extracted mentions by entity.
        registry: all known names.
        resolved: spans of short forms; whoever has such a name elsewhere is not meant here.
    """
    links: Links = defaultdict(list)
    for match in registry.find(text):
        if any(start <= match.start and match.end <= end for start, end in resolved):
            continue
        for entity in match.entities:
            if not _already(match, own.get(entity, set())):
                links[entity, match.key] += [match.start, match.end]
    return dict(links)


def _already(match: Match, spans: set[tuple[int, int]]) -> bool:
    return any(start < match.end and match.start < end for start, end in spans)


def new_links(
    chunk: str, text: str, mentions: Iterable[Mapping[str, Any]], registry: EntityLinker
) -> list[dict[str, Any]]:
    """Return rows of the linker's mentions for a chunk that is being written."""
    held = [(row["entity"], row["properties"]["via"], row["properties"].get("offsets")) for row in mentions]
    links = links_in(text, own_spans((entity, offsets) for entity, _, offsets in held), registry, _resolved(held))
    near = context_words(text, {pair: _spans(offsets) for pair, offsets in links.items()})
    return [_link_row(chunk, pair, offsets, near[pair]) for pair, offsets in sorted(links.items())]


def relink(held: Sequence[Row], registry: EntityLinker, removed: set[str]) -> Relinking:
    """Return what must change in chunks that the graph already holds.

    Args:
        held: rows of ``read_linking``.
        registry: all names, as they are after the change.
        removed: entities that go: their mentions vanish with them.
    """
    result = Relinking()
    for row in held:
        mentions = row["mentions"]
        found = [(m["entity"], m["via"], m["offsets"]) for m in mentions if m["via"] != "linker"]
        before = {(m["entity"], m["key"]): list(m["offsets"]) for m in mentions if m["via"] == "linker"}
        own = own_spans((entity, offsets) for entity, _, offsets in found)
        after = links_in(row["text"], own, registry, _resolved(found))
        changed = [pair for pair in sorted(before.keys() | after.keys()) if before.get(pair) != after.get(pair)]
        near = context_words(row["text"], {pair: _spans(after[pair]) for pair in changed if pair in after})
        for pair in changed:
            if pair in before and pair[0] not in removed:
                result.remove.append({"chunk": row["id"], "entity": pair[0], "key": pair[1]})
            if pair in after:
                result.add.append(_link_row(row["id"], pair, after[pair], near[pair]))
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


def _link_row(chunk: str, pair: tuple[str, str], offsets: list[int], near: Sequence[str]) -> dict[str, Any]:
    entity, key = pair
    properties = {
        "via": "linker",
        "key": key,
        "count": len(offsets) // 2,
        "confidence": LINKER_CONFIDENCE,
        "offsets": offsets,
        "near": " ".join(near),
    }
    return {"chunk": chunk, "entity": entity, "properties": properties}
