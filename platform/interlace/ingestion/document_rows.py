"""Rows of documents, sections and chunks for the Cypher that writes a version: pure functions from parsed documents to plain dictionaries."""

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

import orjson

from interlace.documents.atom_fields import atom_fields
from interlace.domain.atoms import ATLAS_STRATEGY, is_atom
from interlace.domain.documents import ACCESS, LOCAL_FILE, Chunk, DocumentLink, ParsedDocument
from interlace.domain.ids import section_id
from interlace.domain.instants import instant
from interlace.ingestion.labels import sent_digest
from interlace.ingestion.versions import NewVersion
from interlace.parsing.file_names import file_uri
from interlace.parsing.note import GAP
from interlace.text.excerpts import shortened
from interlace.text.languages import ENGLISH
from interlace.text.tokenizer import tokens
from interlace.vectors.projection import TIMES, chunk_payload

_PREVIEW = 60


def document_row(tenant: str, version: NewVersion, number: int) -> dict[str, Any]:
    """Return the properties of the ``Document`` node, its ``number``-th version."""
    parsed, claim = version.parsed, version.claim
    properties: dict[str, Any] = {
        "tenant": tenant,
        "title": parsed.title,
        "sourceUri": claim.source_uri,
        "path": file_uri(claim.source_uri, claim.metadata),
        "mediaType": claim.media_type,
        "checksum": claim.checksum,
        "fingerprint": version.fingerprint,
        "status": "ready",
        "version": number,
        "tags": list(parsed.tags),
        **structure_properties(parsed, version.chunks),
        "indexedAt": version.indexed_at,
        "terms": name_terms(parsed.title, claim.source_uri),
    }
    metadata = dict(parsed.metadata)
    metadata.pop(LOCAL_FILE, None)
    if groups := metadata.pop(ACCESS, None):
        properties["access"] = list(groups)
    if not is_atom(metadata):
        metadata.pop(ATLAS_STRATEGY, None)
    # A document must not claim to be a particular file on this machine.
    if isinstance(claim.metadata.get(LOCAL_FILE), str):
        properties["file"] = claim.metadata[LOCAL_FILE]
    properties |= metadata_properties(metadata)
    properties |= {"sent": sent_digest(claim.metadata)} | ({"patch": version.patch.encode()} if version.patch else {})
    atom = is_atom(parsed.metadata)
    if atom:
        properties.update(atom_fields(parsed))
    return {"id": claim.id, "labels": ["Atom"] if atom else [], "properties": properties}


def name_terms(*names: str) -> str:
    """Return the case-folded words of names, each once, separated by spaces, as a full-text index splits them."""
    return " ".join(dict.fromkeys(token.form for name in names for token in tokens(name)))


def metadata_properties(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata as node properties: the two timestamps, and each other key that has a value with the instants of its dates."""
    properties: dict[str, Any] = {}
    rest = {key: value for key, value in metadata.items() if value is not None}
    for name, key in TIMES.items():
        time = instant(str(rest.get(key, "")))
        if time is not None:
            properties[name] = time
            del rest[key]
    for key, value in rest.items():
        properties[f"metadata.{key}"] = property_value(value)
        dates = _instants(value)
        if dates:
            properties[f"instant.{key}"] = dates
    return properties


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


def chunk_rows(tenant: str, version: NewVersion, kept: Container[str] = ()) -> list[dict[str, Any]]:
    """Return the ``Chunk`` nodes of a document, each with its section's id and the id of the chunk before it.

    Those in ``kept`` get only the properties of their position: the id covers the headings, the text and everything derived from them.
    """
    sections = {section.ordinal: section for section in version.parsed.sections}
    rows: list[dict[str, Any]] = []
    previous: str | None = None
    end = 0
    for chunk, marks in zip(version.chunks, chunk_marks(version.parsed, version.chunks), strict=True):
        gap = version.parsed.text[end : chunk.start]
        lead = {"lead": gap if gap != (GAP if rows else "") else None}
        end = chunk.end
        section = sections[chunk.section]
        lasting = {} if chunk.id in kept else _lasting_properties(tenant, chunk)
        rows.append(
            {
                "id": chunk.id,
                "section": section_id(chunk.document_id, section.path, section.ordinal),
                "document": chunk.document_id,
                "previous": previous,
                "properties": {**lasting, **_place(chunk), "links": marks, **lead},
            }
        )
        previous = chunk.id
    return rows


def structure_properties(parsed: ParsedDocument, chunks: Sequence[Chunk]) -> dict[str, Any]:
    """Return what a document has in addition to its labels and chunks, so that an export is complete.

    These are its aliases, what it declares, its anchors, its language, and the links that lie in no chunk (kind, target, anchor, start, end, words).
    """
    starts = [chunk.start for chunk in chunks]
    loose = [
        (link.kind, link.target, link.anchor, link.start, link.end, link.text)
        for link in parsed.links
        if (at := bisect_right(starts, link.start) - 1) < 0 or not _inside(link, chunks[at])
    ]
    found = {"aliases": list(parsed.aliases), "declares": parsed.declares, "anchors": list(parsed.anchors)}
    properties: dict[str, Any] = {key: value for key, value in found.items() if value}
    properties |= {"language": parsed.language} if parsed.language else {}
    return properties | ({"looseLinks": orjson.dumps(loose).decode()} if loose else {})


def _inside(link: DocumentLink, chunk: Chunk) -> bool:
    return chunk.start <= link.start < chunk.end and link.end <= chunk.end


def chunk_marks(document: ParsedDocument, chunks: Sequence[Chunk]) -> list[str]:
    """Return for each chunk its links, code, code words, small words, loose pairs, cited titles, participants and language as JSON; empty if it has none of these.

    A link is its kind, target, anchor, start, end and, where they differ from the text, its words. When a link's target or type changes, or a name
    is marked up as code, the words and therefore the chunk's id stay the same, but what extraction finds does not.
    """
    links = sorted(document.links, key=lambda link: (link.start, link.end))
    starts = [link.start for link in links]
    found = []
    for chunk in chunks:
        inside = links[bisect_left(starts, chunk.start) : bisect_left(starts, chunk.end)]
        marks = [
            [_link_mark(link, chunk) for link in inside if _inside(link, chunk)],
            list(chunk.literals),
            list(chunk.code_words),
            list(chunk.small_words),
            list(map(list, chunk.loose_pairs)),
            *([list(chunk.cited)] if chunk.cited else []),
            *([{"participants": chunk.participants}] if chunk.participants else []),
            # How a chunk is read depends on its document's language, which may change while the chunk stays the same.
            *([document.language] if document.language not in {"", ENGLISH} else []),
        ]
        found.append(orjson.dumps(marks).decode() if any(marks) else "")
    return found


def _link_mark(link: DocumentLink, chunk: Chunk) -> list[Any]:
    start, end = link.start - chunk.start, link.end - chunk.start
    words = [] if link.text == chunk.text[start:end] else [link.text]
    return [link.kind, link.target, link.anchor, start, end, *words]


def _place(chunk: Chunk) -> dict[str, Any]:
    return {"ordinal": chunk.ordinal, "start": chunk.start, "end": chunk.end}


def _lasting_properties(tenant: str, chunk: Chunk) -> dict[str, Any]:
    words = tokens(chunk.text)
    return {
        "tenant": tenant,
        "documentId": chunk.document_id,
        "name": shortened(chunk.text, _PREVIEW),
        "text": chunk.text,
        "context": chunk.context,
        "tokens": chunk.tokens,
        "checksum": chunk.checksum,
        "terms": " ".join(word.form for word in words),
        "capitals": " ".join(sorted({word.form for word in words if word.capital})),
    }


def payloads(tenant: str, version: NewVersion, chunks: Iterable[Chunk]) -> dict[str, dict[str, Any]]:
    """Return the payloads of some of a version's chunks: the fields that metadata filters may name, in the form that the graph returns."""
    document = {"id": version.claim.id, **document_row(tenant, version, 0)["properties"]}
    types = {section.ordinal: section.section_type for section in version.parsed.sections}
    return {chunk.id: chunk_payload(document, types[chunk.section], chunk.ordinal) for chunk in chunks}
