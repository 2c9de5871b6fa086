r"""Notes of a Markdown export: a parsed document as text that people can read and Git can diff, and that parses to the same document again.

Front matter says where the document came from and carries its labels. Below it come the title and the sections: headings one level deeper
than in the document, the type of a section other than ``body`` as a comment after its heading. Text is unchanged, except for a backslash
before ``\``, ``[``, ``]``, `` ` `` and a ``#`` or ``<`` that begins a line. A link is ``[words](<target#anchor> "kind")``, code is `` `code` ``. The
``digest`` covers everything below its line: an edited note is a new version of its document.
"""

import hashlib
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import yaml

from interlace.domain.atoms import ATLAS_STRATEGIES, ATLAS_STRATEGY
from interlace.domain.documents import ORIGIN, DocumentLink, ParsedDocument, Section, Source
from interlace.domain.errors import ParseError
from interlace.parsing.composer import ANCHOR_CHARACTERS
from interlace.parsing.decoding import decode
from interlace.parsing.markdown.front_matter import split_front_matter
from interlace.parsing.media import MARKDOWN
from interlace.parsing.metadata import json_values
from interlace.parsing.sandbox.limits import ParseLimits

MARK: Final = "interlace_export"
"""The first key of the front matter of every file of an export: ``document``, or whatever else the file lists."""
_KIND = re.compile(rb"---\n" + MARK.encode() + rb": (\w+)\n(?:digest: ([0-9a-f]{64})\n)?")
GAP: Final = "\n\n"
"""The separator between two paragraphs, and between two sections."""
_TARGET_SPECIAL = re.compile(r'[\\<>#"]')
_BACKSLASHED = r"\\\g<0>"
_HEADING = re.compile(r"(#{2,7}) (.*?)(?: <!-- (\w+) -->)?")
_COMMENT_AT_END = re.compile(r" <!-- \w+ -->\Z")
_LEADING = re.compile(r"<!-- (\w+) -->")
_LINK_END = re.compile(r'\]\(<((?:\\.|[^\\>])*)> "(\w+)((?:\\.|[^\\"])*)"\)')
# For a heading without text below it.
_LINKS_ALONE = re.compile(rf"(?:\[{_LINK_END.pattern})+")
_UNLIMITED = 1_000_000_000


@dataclass(frozen=True, slots=True)
class NoteOrigin:
    """Where the document of a note came from, beyond what its text says.

    Args:
        source_uri: identifies the document.
        media_type: of what was ingested.
        checksum: SHA-256 of its bytes.
        sent: digest of the metadata that its sender gave; empty if none.
        strategy: the chunking that its sender asked for; empty if none.
        patch: edits that people made to its labels, as kept on the node; empty if none.
    """

    source_uri: str
    media_type: str
    checksum: str
    sent: str = ""
    strategy: str = ""
    patch: str = ""


def kind_of(content: bytes) -> str:
    """Return what a file of an export holds: ``document``, ``entities``, …; empty for any other file."""
    match = _KIND.match(content)
    return match[1].decode() if match else ""


def is_unedited(content: bytes) -> bool:
    """Return whether a note is unchanged since its export."""
    match = _KIND.match(content)
    if match is None or match[2] is None:
        return False
    return hashlib.sha256(content[match.end() :]).hexdigest() == match[2].decode()


def note_source(content: bytes, name: str, limits: ParseLimits) -> Source:
    """Return a note as a source to ingest: under its document's URI, and with the checksum of the original bytes if no one edited it.

    ``name`` is what messages call it.

    Raises:
        ParseError: it does not say which document it is.
    """
    values, _ = _front_matter(decode(content, name), name, limits)
    uri, checksum, media_type = (str(values.get(key) or "") for key in ("source_uri", "checksum", "media_type"))
    if not uri:
        raise ParseError(f"{name} is a note of an export without a source_uri. Export it again.", reason="broken")
    strategy = {ATLAS_STRATEGY: chosen} if (chosen := values.get("strategy")) in ATLAS_STRATEGIES else {}
    if not is_unedited(content):
        return Source(uri, MARKDOWN, content, strategy)
    kept = {key: str(values.get(key) or "") for key in ("sent", "patch")}
    return Source(uri, media_type, content, {**strategy, ORIGIN: kept}, exported_of=checksum)


def _front_matter(text: str, name: str, limits: ParseLimits) -> tuple[dict[Any, Any], str]:
    # What fitted the limits of its own format may take more characters in a note.
    wide = replace(limits, front_matter_bytes=10 * limits.front_matter_bytes)
    return split_front_matter(text, wide, name)


def write_note(parsed: ParsedDocument, origin: NoteOrigin) -> str:
    """Return the note of a document and its origin; the same document always gives the same note."""
    fields: dict[str, Any] = {
        "title": parsed.title,
        "source_uri": origin.source_uri,
        "media_type": origin.media_type,
        "checksum": origin.checksum,
        "tags": list(parsed.tags),
        "metadata": dict(parsed.metadata),
    }
    further = {
        "aliases": list(parsed.aliases),
        "declares": parsed.declares,
        "anchors": list(parsed.anchors),
        "sent": origin.sent,
        "strategy": origin.strategy,
        "patch": origin.patch,
    }
    fields |= {key: value for key, value in further.items() if value}
    front = yaml.safe_dump(fields, allow_unicode=True, width=_UNLIMITED, sort_keys=True)
    body = "".join(_sections(parsed))
    rest = f"{front}---\n\n# {parsed.title}\n{body}"
    return f"---\n{MARK}: document\ndigest: {hashlib.sha256(rest.encode()).hexdigest()}\n{rest}"


def _sections(parsed: ParsedDocument) -> Iterator[str]:
    links = _by_section(parsed)
    for number, section in enumerate(parsed.sections):
        typed = section.section_type != "body" or _COMMENT_AT_END.search(section.heading)
        kind = f"<!-- {section.section_type} -->" if typed else ""
        if section.heading:
            yield f"\n{'#' * (section.level + 1)} {section.heading}{f' {kind}' if kind else ''}\n"
        elif kind:
            yield f"\n{kind}\n"
        text = _inline(parsed, section, links[number])
        if text:
            yield f"\n{text}\n"


@dataclass(frozen=True, slots=True)
class _Edge:
    """A mark at an offset of the text; marks at the same offset are sorted: ends, then beginnings, outer ones first."""

    place: int
    order: tuple[int, int]
    mark: str


def _by_section(parsed: ParsedDocument) -> dict[int, list[DocumentLink]]:
    """Return the links of each section: a link belongs to the last section that begins before it, even if that has no words."""
    starts = [section.start for section in parsed.sections]
    found: dict[int, list[DocumentLink]] = defaultdict(list)
    for link in parsed.links:
        number = max(0, bisect_right(starts, link.start) - 1)
        end = parsed.sections[number].end if parsed.sections else 0
        found[number].append(replace(link, start=min(link.start, end), end=min(link.end, end)))
    return found


def _inline(parsed: ParsedDocument, section: Section, links: Sequence[DocumentLink]) -> str:
    """Return the text of a section with its links and code marked."""
    edges: list[_Edge] = []
    for number, link in enumerate(links):
        edges += _link_edges(parsed.text, link, number)
    for start, end in parsed.literals:
        if section.start <= start and end <= section.end:
            edges += [_Edge(start, (2, -end), "`"), _Edge(end, (0, -start), "`")]
    parts, at = [], section.start
    for edge in sorted(edges, key=lambda each: (each.place, each.order)):
        parts += [_escaped(parsed.text, at, edge.place), edge.mark]
        at = edge.place
    return "".join([*parts, _escaped(parsed.text, at, section.end)])


def _link_edges(text: str, link: DocumentLink, number: int) -> list[_Edge]:
    target, anchor, words = (_TARGET_SPECIAL.sub(_BACKSLASHED, part) for part in (link.target, link.anchor, link.text))
    place = f"{target}#{anchor}" if anchor else target
    shown = "" if link.text == text[link.start : link.end] else f" {words}"
    closing = f'](<{place}> "{link.kind}{shown}")'
    if link.start == link.end:
        return [_Edge(link.start, (1, number), "[" + closing)]
    return [_Edge(link.start, (2, -link.end), "["), _Edge(link.end, (0, -link.start), closing)]


def _escaped(text: str, start: int, end: int) -> str:
    """Return part of the text with backslash escapes; whether a line begins in it depends on the whole text."""
    return "".join(
        f"\\{character}"
        if character in "\\[]`" or (character in "#<" and text[place - 1 : place] in {"", "\n"})
        else character
        for place, character in enumerate(text[start:end], start=start)
    )


@dataclass(slots=True)
class _Builder:
    """The part of a note that was read so far; offsets count characters of the text."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    sections: list[Section] = field(default_factory=list)
    links: list[DocumentLink] = field(default_factory=list)
    literals: list[tuple[int, int]] = field(default_factory=list)
    above: list[tuple[int, str]] = field(default_factory=list)

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)


def parse_note(text: str, name: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document of a note.

    Raises:
        ParseError: the front matter is too large, or has no title.
    """
    values, body = _front_matter(text, name, limits)
    title = values.get("title")
    if not isinstance(title, str) or not title:
        raise ParseError(f"{name} is a note of an export without a title. Export it again.", reason="broken")
    builder = _Builder()
    lines = body.removeprefix(f"\n# {title}\n")
    for level, heading, kind, block in _blocks(lines):
        _read_section(builder, level, heading, kind, block)
    anchors = tuple(each[:ANCHOR_CHARACTERS] for each in _words(values, "anchors"))
    if len(builder.sections) > limits.max_sections or len(builder.links) + len(anchors) > limits.max_links:
        raise ParseError(f"{name} has more sections or links than a document may have. Split it.", reason="limit")
    metadata, whole = values.get("metadata"), "".join(builder.parts)
    return ParsedDocument(
        title=title,
        text=whole,
        sections=tuple(builder.sections),
        tags=tuple(sorted(set(_words(values, "tags")))),
        aliases=tuple(_words(values, "aliases")),
        links=tuple(link if link.text else replace(link, text=whole[link.start : link.end]) for link in builder.links),
        metadata=json_values(metadata if isinstance(metadata, Mapping) else {}, limits, name),
        declares=str(values.get("declares") or ""),
        literals=tuple(sorted(builder.literals)),
        anchors=anchors,
    )


def _words(values: Mapping[Any, Any], key: str) -> list[str]:
    found = values.get(key)
    return [str(word) for word in found] if isinstance(found, list) else []


def _blocks(body: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield level, heading, type and marked text of each section."""
    level, heading, kind, lines = 0, "", "body", list[str]()
    begun = False
    for line in body.split("\n"):
        opened, leading = _HEADING.fullmatch(line), _LEADING.fullmatch(line)
        if opened:
            if begun or any(lines):
                yield level, heading, kind, _block(lines)
            level, heading, kind, lines = len(opened[1]) - 1, opened[2], opened[3] or "body", []
            begun = True
        elif leading and not begun and not any(lines):
            kind, begun = leading[1], True
            lines = []
        else:
            lines.append(line)
    if begun or any(lines):
        yield level, heading, kind, _block(lines)


def _block(lines: list[str]) -> str:
    """Return the text without the blank lines around it: the one after a heading, and the one before the next heading or the end of the file."""
    text = "\n".join(lines)
    return text.removeprefix("\n").removesuffix("\n")


def _read_section(builder: _Builder, level: int, heading: str, kind: str, block: str) -> None:
    while builder.above and builder.above[-1][0] >= level:
        builder.above.pop()
    if heading:
        builder.above.append((level, heading))
    if block and builder.length and not _LINKS_ALONE.fullmatch(block):
        builder.write(GAP)
    start = builder.length
    _read_inline(builder, block)
    path = tuple(each for _, each in builder.above)
    builder.sections.append(Section(heading, path, level, len(builder.sections), start, builder.length, kind))


def _read_inline(builder: _Builder, block: str) -> None:
    open_links: list[int] = []
    open_code: int | None = None
    at = 0
    for match in re.finditer(r"[\\\[\]`]", block):
        place = match.start()
        if place < at:
            continue
        builder.write(block[at:place])
        at = place + 1
        if match[0] == "\\":
            builder.write(block[at : at + 1])
            at += 1
        elif match[0] == "[":
            open_links.append(builder.length)
        elif match[0] == "`":
            if open_code is None:
                open_code = builder.length
            else:
                builder.literals.append((open_code, builder.length))
                open_code = None
        elif (closing := _LINK_END.match(block, place)) and open_links:
            _add_link(builder, open_links.pop(), closing)
            at = closing.end()
        else:
            builder.write("]")
    builder.write(block[at:])


def _add_link(builder: _Builder, start: int, closing: re.Match[str]) -> None:
    target, anchor = _parted(closing[1])
    words = _plain(closing[3][1:])
    builder.links.append(DocumentLink(closing[2], target, anchor, words, start, builder.length))


def _parted(place: str) -> tuple[str, str]:
    """Return target and anchor: what is before and after the first ``#`` without a backslash."""
    match = re.match(r"((?:\\.|[^\\#])*)(?:#(.*))?", place)
    return (_plain(match[1]), _plain(match[2] or "")) if match else ("", "")


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
