"""Names that the author marked: typed references (``[[Fritz Lang#person]]``), wiki links to a note by its name, and what a file declares.

A skill's file declares its tools and keywords (``parsing/skills/parser.py``). The relations that route a question to a tool come from these:

- skill ``CONTAINS`` tool,
- skill or tool ``RELATED_TO`` concept: a keyword in a tool's own section belongs to the tool, any other to the skill.

Any other note states relations by where its references are: in a section or a line that is headed *Uses*, *Part of*, *See also*, *Documented in* and
the like (``domain.relations``; front matter becomes such lines). A typed reference to a skill, a tool or a concept anywhere else says that it is
``DOCUMENTED_IN`` the note.
"""

from collections.abc import Iterator

from interlace.domain.atoms import addressed_atom
from interlace.domain.documents import Chunk, DocumentLink, ParsedDocument
from interlace.domain.extraction import DECLARED_TYPES, Extraction, Fact, Mention
from interlace.domain.relations import stated_relation

EXTRACTOR = "structure"
ABOUT = "ABOUT"
CONTAINS = "CONTAINS"
RELATED_TO = "RELATED_TO"
DOCUMENTED_IN = "DOCUMENTED_IN"
OTHER = "Other"
ONTOLOGY = frozenset(
    {"Person", "Organization", "Place", "Work", "Event", "Product", "Group", "Law", "Language", OTHER, *DECLARED_TYPES},
)
_TOOL = "Tool"


def extract_structure(document: ParsedDocument, chunk: Chunk) -> Extraction:
    """Return the references wholly within a chunk of a document as mentions, and what typed ones and declarations say as facts."""
    mentions: dict[tuple[int, int], Mention] = {}
    facts: dict[tuple[str, str, str, str], Fact] = {}
    for link in document.links:
        if not (chunk.start <= link.start < link.end <= chunk.end):
            continue
        mention = _mention(chunk, link, _type(link))
        # Words other than their target's name stand for it only where a relation is stated.
        if not _names_its_target(link) and not (mention.meant and _stated(document, chunk, mention)):
            continue
        mentions.setdefault((mention.start, mention.end), mention)
        for fact in _facts(document, chunk, link, mention):
            facts.setdefault((fact.subject, fact.predicate, fact.object, fact.object_type), fact)
    return Extraction(tuple(mentions[span] for span in sorted(mentions)), tuple(facts.values()))


def _mention(chunk: Chunk, link: DocumentLink, kind: str) -> Mention:
    start, end = link.start - chunk.start, link.end - chunk.start
    surface = chunk.text[start:end]
    # A declared name counts as declared, whatever words a reference shows for it.
    meant = link.target if kind in DECLARED_TYPES and link.target != surface else ""
    if link.kind == "wikilink" and not _names_its_target(link):
        meant = _target_name(link)
    return Mention(surface, kind, start, end, via="declared" if link.kind == "declared" else "link", meant=meant)


def _facts(document: ParsedDocument, chunk: Chunk, link: DocumentLink, mention: Mention) -> Iterator[Fact]:
    """Yield what a reference says."""
    if link.kind == "declared":
        yield _declared(document, chunk, link, mention)
        return
    name = mention.meant or mention.surface
    if name == document.title:
        return
    declared = mention.type if mention.type in DECLARED_TYPES else ""
    if relation := _stated(document, chunk, mention):
        yield _relation(document, chunk, mention, name, declared, *relation)
    elif link.kind == "typed":
        yield Fact(document.title, ABOUT, name, mention.start, mention.end, 1.0, EXTRACTOR, object_type=declared)
        if declared:
            yield _relation(document, chunk, mention, name, declared, DOCUMENTED_IN, True)


def _stated(document: ParsedDocument, chunk: Chunk, mention: Mention) -> tuple[str, bool] | None:
    """Return the relation stated by the words before a reference on its line, else by the nearest heading above it that states one.

    A chunk's id includes the path of its section, so what the chunk says cannot change while the chunk stays.
    """
    start, _ = _line(chunk.text, mention.start, mention.end)
    label, colon, _ = chunk.text[start : mention.start].partition(":")
    if colon and (found := stated_relation(label)):
        return found
    path = next(item.path for item in document.sections if item.ordinal == chunk.section)
    return next((found for heading in reversed(path) if (found := stated_relation(heading))), None)


def _relation(
    document: ParsedDocument, chunk: Chunk, mention: Mention, name: str, declared: str, predicate: str, reverse: bool
) -> Fact:
    start, end = _line(chunk.text, mention.start, mention.end)
    ends = ((document.title, document.declares), (name, declared))
    (subject, of_subject), (other, of_other) = reversed(ends) if reverse else ends
    return Fact(subject, predicate, other, start, end, 1.0, EXTRACTOR, of_subject, of_other)


def _declared(document: ParsedDocument, chunk: Chunk, link: DocumentLink, mention: Mention) -> Fact:
    """Return what a declared name asserts: about the tool whose section it is in, else about the document."""
    subject, kind, predicate = document.title, document.declares, CONTAINS
    if mention.type != _TOOL:
        predicate = RELATED_TO
        tool = _tool_of(document, chunk.section, link.start)
        if tool:
            subject, kind = tool, _TOOL
    start, end = _line(chunk.text, mention.start, mention.end)
    return Fact(subject, predicate, link.target, start, end, 1.0, EXTRACTOR, kind, mention.type)


def _tool_of(document: ParsedDocument, section: int, before: int) -> str:
    """Return the tool that a section declares before an offset; empty if none.

    A chunk's id includes its section's path, which ends in the tool's name: what it says of the tool cannot change while the chunk stays.
    """
    start = next(item.start for item in document.sections if item.ordinal == section)
    return next(
        (
            link.target
            for link in document.links
            if link.kind == "declared" and link.anchor == "tool" and start <= link.start < before
        ),
        "",
    )


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    close = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if close < 0 else close


def _names_its_target(link: DocumentLink) -> bool:
    """Return whether the words shown are a name: always for typed references and declarations, for wiki links if they show their target."""
    if link.kind in {"typed", "declared"}:
        return bool(link.text.strip())
    target = _target_name(link)
    return link.kind == "wikilink" and bool(target) and link.text.casefold() == target.casefold()


def _target_name(link: DocumentLink) -> str:
    """Return what a wiki link calls its target; empty for an address."""
    is_address = addressed_atom(link.target) or "://" in link.target
    return "" if is_address else link.target.rsplit("/", 1)[-1].removesuffix(".md")


def _type(link: DocumentLink) -> str:
    if link.kind not in {"typed", "declared"}:
        return OTHER
    wanted = link.anchor.strip().casefold()
    return next((name for name in sorted(ONTOLOGY) if name.casefold() == wanted), OTHER)
