"""Names that the author marked: typed references (``[[Fritz Lang#person]]``) and wiki links to a note by its name."""

from collections.abc import Collection

from interlace.domain.documents import Chunk, Link, ParsedDocument
from interlace.domain.extraction import Extraction, Fact, Mention

EXTRACTOR = "structure"
ABOUT = "ABOUT"
OTHER = "Other"
ONTOLOGY = frozenset(
    {"Person", "Organization", "Place", "Work", "Event", "Product", "Group", "Law", "Language", OTHER},
)


def extract_structure(document: ParsedDocument, chunk: Chunk, ontology: Collection[str] = ONTOLOGY) -> Extraction:
    """Return the references in a chunk as mentions, and each typed one also as what the document is about.

    Args:
        document: the parsed document that the chunk was cut from.
        chunk: its offsets choose the links that lie wholly within it.
        ontology: allowed types; any other type of a typed reference becomes ``Other``.
    """
    mentions: dict[tuple[int, int], Mention] = {}
    facts: dict[str, Fact] = {}
    for link in document.links:
        if not (chunk.start <= link.start < link.end <= chunk.end) or not _names_its_target(link):
            continue
        start, end = link.start - chunk.start, link.end - chunk.start
        surface = chunk.text[start:end]
        mentions.setdefault((start, end), Mention(surface, _type(link, ontology), start, end, via="link"))
        if link.kind == "typed" and surface != document.title:
            facts.setdefault(surface, Fact(document.title, ABOUT, surface, start, end, 1.0, EXTRACTOR))
    return Extraction(tuple(mentions[span] for span in sorted(mentions)), tuple(facts.values()))


def _names_its_target(link: Link) -> bool:
    """Tell whether the words shown are a name: always of typed references, of wiki links if they show their target."""
    if link.kind == "typed":
        return bool(link.text.strip())
    target = link.target.rsplit("/", 1)[-1].removesuffix(".md")
    return link.kind == "wikilink" and bool(target) and link.text.casefold() == target.casefold()


def _type(link: Link, ontology: Collection[str]) -> str:
    if link.kind != "typed":
        return OTHER
    wanted = link.anchor.strip().casefold()
    return next((name for name in sorted(ontology) if name.casefold() == wanted), OTHER)
