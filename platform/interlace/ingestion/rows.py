"""Rows for the Cypher that writes a version: pure functions from parsed documents to plain dictionaries."""

import posixpath
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import orjson

from interlace.documents.atom_fields import atom_fields
from interlace.domain.atoms import ATLAS_STRATEGY, is_atom
from interlace.domain.documents import LOCAL_FILE, Chunk, DocumentLink, ParsedDocument
from interlace.domain.extraction import ACRONYM, BY_AUTHORS, DECLARED_TYPES, Extraction, Fact, Mention
from interlace.domain.ids import checksum, entity_id, fact_id, section_id
from interlace.domain.instants import instant
from interlace.entities.context import context_words
from interlace.entities.evidence import Evidence, encode
from interlace.entities.normalization import clean_name, normalize_name
from interlace.ingestion.versions import NewVersion, RelationKey
from interlace.text.tokenizer import tokens
from interlace.vectors.projection import TIMES, chunk_payload

_PREVIEW = 60
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
# Of links that lead to no document: mailto:, data:, javascript:.
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)


@dataclass(slots=True)
class ChunkSupport:
    """What one chunk adds to the graph besides itself."""

    mentions: list[dict[str, Any]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)
    evidence: dict[str, Counter[Evidence]] = field(default_factory=dict)
    relations: Counter[RelationKey] = field(default_factory=Counter)


def document_row(tenant: str, version: NewVersion, number: int) -> dict[str, Any]:
    """Return the properties of the ``Document`` node, its ``number``-th version."""
    parsed, claim = version.parsed, version.claim
    properties: dict[str, Any] = {
        "tenant": tenant,
        "title": parsed.title,
        "sourceUri": claim.source_uri,
        "path": claim.source_uri.split("#", maxsplit=1)[0],
        "mediaType": claim.media_type,
        "checksum": claim.checksum,
        "fingerprint": version.fingerprint,
        "status": "ready",
        "version": number,
        "tags": list(parsed.tags),
        "indexedAt": version.indexed_at,
        "terms": name_terms(parsed.title, claim.source_uri),
    }
    metadata = dict(parsed.metadata)
    metadata.pop(LOCAL_FILE, None)
    if not is_atom(metadata):
        metadata.pop(ATLAS_STRATEGY, None)
    # A document may not say of itself which file of this machine it is.
    if isinstance(claim.metadata.get(LOCAL_FILE), str):
        properties["file"] = claim.metadata[LOCAL_FILE]
    for name, key in TIMES.items():
        time = instant(str(metadata.get(key, "")))
        if time is not None:
            properties[name] = time
            del metadata[key]
    for key, value in metadata.items():
        properties[f"metadata.{key}"] = property_value(value)
        dates = _instants(value)
        if dates:
            properties[f"instant.{key}"] = dates
    atom = is_atom(parsed.metadata)
    if atom:
        properties.update(atom_fields(parsed))
    return {"id": claim.id, "labels": ["Atom"] if atom else [], "properties": properties}


def name_terms(*names: str) -> str:
    """Return the folded words of names, each once, separated by blanks, as a full-text index splits them."""
    return " ".join(dict.fromkeys(token.form for name in names for token in tokens(name)))


def _instants(value: Any) -> list[str]:
    """Return the instants of a metadata value's dates; none if it has no date."""
    texts = value if isinstance(value, list | tuple) else [value]
    return [date for text in texts if isinstance(text, str) and (date := instant(text))]


def property_value(value: Any) -> Any:
    """Return a JSON value as Neo4j can hold it: scalars and lists of one type as they are, the rest as JSON text."""
    if isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple) and value:
        kinds = {type(item) for item in value}
        if len(kinds) == 1 and kinds <= {str, int, float, bool}:
            return list(value)
        if kinds == {int, float}:
            return [float(item) for item in value]
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def section_rows(tenant: str, version: NewVersion) -> list[dict[str, Any]]:
    """Return the ``Section`` nodes of a document; each is found by the words of its headings and of its document's names."""
    document, names = version.claim.id, (version.parsed.title, version.claim.source_uri)
    return [
        {
            "id": section_id(document, section.path, section.ordinal),
            "document": document,
            "properties": {
                "tenant": tenant,
                "name": section.heading or "(beginning)",
                "heading": section.heading,
                "path": " > ".join(section.path),
                "terms": name_terms(*names, *section.path),
                "level": section.level,
                "ordinal": section.ordinal,
                "sectionType": section.section_type,
            },
        }
        for section in version.parsed.sections
    ]


def chunk_rows(tenant: str, version: NewVersion) -> list[dict[str, Any]]:
    """Return the ``Chunk`` nodes of a document, each with its section's id and the id of the chunk before it."""
    sections = {section.ordinal: section for section in version.parsed.sections}
    rows = []
    previous: str | None = None
    for chunk, digest in zip(version.chunks, link_digests(version.parsed, version.chunks), strict=True):
        section = sections[chunk.section]
        rows.append(
            {
                "id": chunk.id,
                "section": section_id(chunk.document_id, section.path, section.ordinal),
                "previous": previous,
                "properties": {**_chunk_properties(tenant, chunk), "links": digest},
            }
        )
        previous = chunk.id
    return rows


def link_digests(document: ParsedDocument, chunks: Sequence[Chunk]) -> list[str]:
    """Return for each chunk a digest of the links wholly within it; empty if there is none.

    The words of a link stay when its target or type changes, and with them the chunk's id; what extraction makes of it does not.
    """
    links = sorted(document.links, key=lambda link: (link.start, link.end))
    starts = [link.start for link in links]
    digests = []
    for chunk in chunks:
        inside = links[bisect_left(starts, chunk.start) : bisect_left(starts, chunk.end)]
        marks = [
            (link.kind, link.target, link.anchor, link.start - chunk.start, link.end - chunk.start)
            for link in inside
            if link.end <= chunk.end
        ]
        digests.append(checksum(orjson.dumps(marks)) if marks else "")
    return digests


def _chunk_properties(tenant: str, chunk: Chunk) -> dict[str, Any]:
    words = tokens(chunk.text)
    preview = " ".join(chunk.text.split())
    return {
        "tenant": tenant,
        "documentId": chunk.document_id,
        "name": preview if len(preview) <= _PREVIEW else preview[: _PREVIEW - 1] + "…",
        "text": chunk.text,
        "context": chunk.context,
        "ordinal": chunk.ordinal,
        "start": chunk.start,
        "end": chunk.end,
        "tokens": chunk.tokens,
        "checksum": chunk.checksum,
        "terms": " ".join(word.form for word in words),
        "capitals": " ".join(sorted({word.form for word in words if word.capital})),
    }


def mention_entity(tenant: str, mention: Mention) -> str:
    """Return the id of the entity that a mention names; empty when the name has no word."""
    key = normalize_name(mention.meant or mention.surface)
    declared = mention.type if mention.via in BY_AUTHORS and mention.type in DECLARED_TYPES else ""
    return entity_id(tenant, key, declared) if key else ""


def chunk_support(tenant: str, chunk: Chunk, extraction: Extraction, title_entity: str) -> ChunkSupport:
    """Return mentions, facts, evidence and relations that a chunk contributes; the same chunk always contributes the same."""
    support = ChunkSupport()
    by_key: dict[str, str] = {normalize_name(chunk.path[0]): title_entity}
    grouped: dict[tuple[str, str], list[Mention]] = {}
    for mention in extraction.mentions:
        entity = mention_entity(tenant, mention)
        if entity:
            by_key.setdefault(normalize_name(mention.surface), entity)
            grouped.setdefault((entity, mention.via), []).append(mention)
    near = context_words(
        chunk.text, {pair: [(mention.start, mention.end) for mention in found] for pair, found in grouped.items()}
    )
    for (entity, via), mentions in sorted(grouped.items()):
        evidence = Counter(
            Evidence(
                via, mention.type, clean_name(mention.surface if via == ACRONYM else mention.meant or mention.surface)
            )
            for mention in mentions
        )
        support.evidence.setdefault(entity, Counter()).update(evidence)
        row = _mention_row(chunk.id, entity, via, mentions, evidence)
        row["properties"]["near"] = " ".join(near[entity, via])
        support.mentions.append(row)
    support.mentions.append(
        {"chunk": chunk.id, "entity": title_entity, "properties": {"via": "title", "count": 1, "confidence": 1.0}}
    )
    _add_facts(support, tenant, chunk, extraction, by_key)
    return support


def _mention_row(
    chunk: str, entity: str, via: str, mentions: list[Mention], evidence: Counter[Evidence]
) -> dict[str, Any]:
    offsets = sorted((mention.start, mention.end) for mention in mentions)
    properties = {
        "via": via,
        "count": len(mentions),
        "confidence": max(mention.confidence for mention in mentions),
        "offsets": [edge for span in offsets for edge in span],
        "evidence": encode(evidence),
    }
    return {"chunk": chunk, "entity": entity, "properties": properties}


def _add_facts(
    support: ChunkSupport, tenant: str, chunk: Chunk, extraction: Extraction, by_key: dict[str, str]
) -> None:
    seen: set[str] = set()
    for fact in extraction.facts:
        subject = _end(tenant, fact.subject, fact.subject_type, by_key)
        target = _end(tenant, fact.object, fact.object_type, by_key)
        identity = _fact_id(chunk.id, fact)
        if identity in seen or subject is None:
            continue
        seen.add(identity)
        support.facts.append(
            {
                "id": identity,
                "chunk": chunk.id,
                "subject": subject,
                "object": target,
                "properties": {
                    "tenant": tenant,
                    "name": f"{fact.subject} {fact.predicate.replace('_', ' ').lower()} {fact.object}",
                    "predicate": fact.predicate,
                    "subjectText": fact.subject,
                    "objectText": fact.object,
                    "sentence": chunk.text[fact.start : fact.end],
                    "start": fact.start,
                    "end": fact.end,
                    "confidence": fact.confidence,
                    "extractor": fact.extractor,
                },
            }
        )
        if target is not None and target != subject:
            support.relations[subject, fact.predicate, target] += 1


def _end(tenant: str, name: str, declared: str, by_key: Mapping[str, str]) -> str | None:
    """Return the entity at one end of a fact: the declared one of its type, else the one that the chunk calls so."""
    key = normalize_name(name)
    return entity_id(tenant, key, declared) if declared and key else by_key.get(key)


def _fact_id(chunk: str, fact: Fact) -> str:
    # A skill, its tool and its keyword may have one name; what has no declared type keeps the id it always had.
    subject, target = normalize_name(fact.subject), fact.object
    if fact.subject_type or fact.object_type:
        subject, target = f"{fact.subject_type}\t{subject}", f"{fact.object_type}\t{target}"
    return fact_id(chunk, subject, fact.predicate, target)


def title_entity(tenant: str, parsed: ParsedDocument) -> tuple[str, Counter[Evidence]]:
    """Return the id of the entity that a document's title names, and the evidence that title and aliases give for it."""
    evidence = Counter({Evidence("title", parsed.declares, clean_name(parsed.title)): 1})
    for alias in parsed.aliases:
        if normalize_name(alias):
            evidence[Evidence("alias", parsed.declares, clean_name(alias))] = 1
    return entity_id(tenant, normalize_name(parsed.title) or clean_name(parsed.title), parsed.declares), evidence


def reference_rows(version: NewVersion) -> list[dict[str, Any]]:
    """Return what a document's links point at, as keys that ``known_as`` keys answer."""
    rows: dict[tuple[str, str, str], dict[str, Any]] = {}
    for link in version.parsed.links:
        key = _target_key(version.claim.source_uri, link)
        if key:
            identity = (key, link.kind, link.anchor)
            row = {"document": version.claim.id, "key": key, "kind": link.kind, "anchor": link.anchor}
            rows.setdefault(identity, row)
    return [rows[identity] for identity in sorted(rows)]


def _target_key(source_uri: str, link: DocumentLink) -> str:
    if link.kind in {"typed", "declared"}:
        return ""
    target = link.target.strip()
    if _URL.match(target):
        return f"uri:{target}"
    if link.kind == "wikilink" and "/" not in target:
        return f"name:{normalize_name(target)}" if normalize_name(target) else ""
    if link.kind != "wikilink":
        if _SCHEME.match(target):
            return ""
        target = unquote(target)
    base = posixpath.dirname(source_uri.split("#", maxsplit=1)[0])
    resolved = posixpath.normpath(posixpath.join(base, target)) if target else ""
    return f"path:{without_suffix(resolved)}" if resolved and not target.startswith("#") else ""


def known_as_rows(version: NewVersion) -> list[dict[str, Any]]:
    """Return the keys by which links may name a document: its URI, its path, its file name and its title."""
    keys = known_keys(version.claim.source_uri, [version.parsed.title, *version.parsed.aliases])
    return [{"document": version.claim.id, "key": key} for key in sorted(keys)]


def known_keys(uri: str, names: Sequence[str]) -> frozenset[str]:
    """Return the keys that a document of this URI with these names (title and aliases) answers to."""
    stem = normalize_name(without_suffix(posixpath.basename(uri.split("#", maxsplit=1)[-1])))
    keys = {key for name in names if (key := normalize_name(name))} | ({stem} if stem else set())
    return frozenset({f"uri:{uri}", f"path:{without_suffix(uri)}", *(f"name:{key}" for key in keys)})


def without_suffix(path: str) -> str:
    """Return a path without the suffix that links to documents leave out; other suffixes stay."""
    return re.sub(r"\.(md|markdown|html?|txt|pdf|docx)\Z", "", path, flags=re.IGNORECASE)


def payloads(tenant: str, version: NewVersion, chunks: Iterable[Chunk]) -> dict[str, dict[str, Any]]:
    """Return the payloads of some of a version's chunks: what metadata filters may name, in the form the graph gives it back."""
    document = {"id": version.claim.id, **document_row(tenant, version, 0)["properties"]}
    types = {section.ordinal: section.section_type for section in version.parsed.sections}
    return {chunk.id: chunk_payload(document, types[chunk.section]) for chunk in chunks}
