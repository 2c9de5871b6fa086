"""Documents of the graph as they were parsed: text, sections, links and labels, reassembled from nodes."""

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson

from interlace.domain.atoms import strategy_of
from interlace.domain.documents import ACCESS, DocumentLink, ParsedDocument, Section
from interlace.export.schema import CHUNK, DOCUMENT, SECTION
from interlace.ingestion.document_rows import property_value
from interlace.parsing.note import GAP, NoteOrigin
from interlace.ports.graph import GraphDatabase
from interlace.vectors.projection import TIMES

_METADATA = "metadata."


@dataclass(frozen=True, slots=True)
class KeptDocument:
    """A document of the graph: its id, the document, and where it came from."""

    id: str
    parsed: ParsedDocument
    origin: NoteOrigin


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a chunk stands: place in its document, its id, and its section."""

    ordinal: int
    key: str
    section: str


def kept_documents(graph: GraphDatabase, tenant: str, folder: Path) -> Iterator[KeptDocument]:
    """Yield a tenant's documents in order of id. Memory holds positions and headings; the texts are kept in files of the folder meanwhile.

    Raises:
        UnavailableError: the database does not answer.
        OSError: the folder cannot be written.
    """
    sections: dict[str, dict[str, Any]] = {}
    of_document: dict[str, list[str]] = defaultdict(list)
    of_chunk: dict[str, str] = {}
    for node in SECTION.nodes(graph, tenant):
        sections[node.key] = dict(node.properties)
        of_chunk.update((each.key, node.key) for each in node.relationships if each.label == CHUNK.label)
    places: dict[str, list[_Place]] = defaultdict(list)
    with tempfile.TemporaryDirectory(dir=folder) as texts:
        for node in CHUNK.nodes(graph, tenant):
            place = _Place(node.properties["ordinal"], node.key, of_chunk.get(node.key, ""))
            places[node.properties["documentId"]].append(place)
            Path(texts, node.key).write_bytes(orjson.dumps([node.properties.get(key, None) for key in _CHUNK]))
        for node in DOCUMENT.nodes(graph, tenant):
            ids = [each.key for each in node.relationships if each.label == SECTION.label]
            of_document[node.key] = sorted(ids, key=lambda key: sections[key]["ordinal"])
            ordered = sorted(places[node.key], key=lambda place: place.ordinal)
            chunks = [(place.section, *orjson.loads(Path(texts, place.key).read_bytes())) for place in ordered]
            parsed = _parsed(node.properties, [(key, sections[key]) for key in of_document[node.key]], chunks)
            yield KeptDocument(node.key, parsed, _origin(node.properties))


_CHUNK = ("text", "lead", "links")


class _Text:
    """The text of a document, chunk by chunk, with the links and the code in it."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.links: list[DocumentLink] = []
        self.literals: list[tuple[int, int]] = []

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def add(self, text: str, marks: str | None) -> None:
        start = self.length
        self.write(text)
        links, literals, *_ = orjson.loads(marks) if marks else ((), ())
        for kind, target, anchor, first, last, *words in links:
            shown = words[0] if words else text[first:last]
            self.links.append(DocumentLink(kind, target, anchor, shown, start + first, start + last))
        self.literals += [(start + first, start + last) for first, last in literals]


def _parsed(
    properties: Mapping[str, Any],
    sections: Sequence[tuple[str, Mapping[str, Any]]],
    chunks: Sequence[tuple[str, str, str | None, str | None]],
) -> ParsedDocument:
    text = _Text()
    spans: dict[str, tuple[int, int]] = {}
    last = ""
    for section, inside in groupby(chunks, key=lambda chunk: chunk[0]):
        start: int | None = None
        for _, words, lead, marks in inside:
            gap = (GAP if spans or start is not None else "") if lead is None else lead
            if start is None and last:
                # White space beyond the gap between two sections belonged to the end of the previous one.
                spans[last] = (spans[last][0], text.length + max(0, len(gap) - len(GAP)))
            text.write(gap)
            start = (text.length if spans else 0) if start is None else start
            text.add(words, marks)
        spans[section], last = (start or 0, text.length), section
    links = sorted([*text.links, *_loose(properties)], key=lambda link: (link.start, link.end))
    return ParsedDocument(
        title=properties["title"],
        text="".join(text.parts),
        sections=tuple(_sections(sections, spans)),
        tags=tuple(sorted(properties.get("tags") or ())),
        aliases=tuple(properties.get("aliases") or ()),
        links=tuple(links),
        metadata=_metadata(properties),
        declares=properties.get("declares") or "",
        literals=tuple(text.literals),
        anchors=tuple(properties.get("anchors") or ()),
    )


def _sections(
    sections: Sequence[tuple[str, Mapping[str, Any]]], spans: Mapping[str, tuple[int, int]]
) -> Iterator[Section]:
    above: list[tuple[int, str]] = []
    end = 0
    for key, properties in sections:
        level, heading = int(properties["level"]), properties["heading"]
        while above and above[-1][0] >= level:
            above.pop()
        if heading:
            above.append((level, heading))
        start, end = spans.get(key, (end, end))
        path = tuple(name for _, name in above)
        yield Section(heading, path, level, properties["ordinal"], start, end, properties["sectionType"])


def _loose(properties: Mapping[str, Any]) -> Iterator[DocumentLink]:
    for kind, target, anchor, start, end, words in orjson.loads(properties.get("looseLinks") or "[]"):
        yield DocumentLink(kind, target, anchor, words, start, end)


def _metadata(properties: Mapping[str, Any]) -> dict[str, Any]:
    found = {
        name.removeprefix(_METADATA): _value(value) for name, value in properties.items() if name.startswith(_METADATA)
    }
    times = {key: properties[name] for name, key in TIMES.items() if name in properties}
    access = {ACCESS: list(properties["access"])} if properties.get("access") else {}
    return dict(sorted({**found, **times, **access}.items()))


def _value(value: Any) -> Any:
    """Return a property as the JSON value that it was made from, if it stands for one that a property cannot hold."""
    if isinstance(value, str) and value[:1] in {"[", "{"}:
        try:
            decoded = orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
        return decoded if property_value(decoded) == value else value
    return list(value) if isinstance(value, list | tuple) else value


def _origin(properties: Mapping[str, Any]) -> NoteOrigin:
    return NoteOrigin(
        source_uri=properties["sourceUri"],
        media_type=properties["mediaType"],
        checksum=properties["checksum"],
        sent=properties.get("sent") or "",
        strategy=strategy_of(str(properties.get("fingerprint") or "")) or "",
        patch=properties.get("patch") or "",
    )
