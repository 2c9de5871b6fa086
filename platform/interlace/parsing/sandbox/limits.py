"""Limits of a parser: sizes, counts and depths above which it refuses a document."""

from dataclasses import dataclass

REFERENCE_TYPES = frozenset(
    {
        "agent", "algorithm", "api", "command", "company", "concept", "dataset", "document", "event", "framework",
        "group", "language", "library", "location", "method", "model", "organisation", "organization", "package",
        "paper", "person", "place", "platform", "process", "product", "project", "service", "skill", "software",
        "standard", "system", "team", "technology", "tool", "topic", "work",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Limits of one parser; the first three come from the settings group ``ingest``.

    Args:
        max_bytes: bytes a document, or a record of a JSON Lines or CSV file, may have.
        seconds: wall and CPU time for one document.
        memory_bytes: address space of the parser process.
        max_characters: characters of readable text, which compressed formats could otherwise inflate.
        max_sections: headings, or pages with text.
        max_links: references.
        metadata_values: values of all metadata together, nested ones included.
        metadata_depth: lists and mappings inside each other.
        metadata_characters: characters of one metadata string.
        front_matter_bytes: size of the YAML block at the top of a Markdown file.
        html_depth: HTML elements inside each other.
        pdf_pages: pages of a PDF.
        zip_entries: files in a DOCX.
        zip_entry_bytes: inflated size of one of them.
        zip_total_bytes: inflated size of all.
        zip_ratio: inflated size per compressed byte, for entries above 1 MB.
        reference_types: words that make ``[[Name#word]]`` a typed reference instead of a link to a heading.
    """

    max_bytes: int = 16_000_000
    seconds: float = 20.0
    memory_bytes: int = 1_000_000_000
    max_characters: int = 20_000_000
    max_sections: int = 20_000
    max_links: int = 50_000
    metadata_values: int = 2_000
    metadata_depth: int = 8
    metadata_characters: int = 20_000
    front_matter_bytes: int = 64_000
    html_depth: int = 400
    pdf_pages: int = 3_000
    zip_entries: int = 2_000
    zip_entry_bytes: int = 60_000_000
    zip_total_bytes: int = 150_000_000
    zip_ratio: int = 100
    reference_types: frozenset[str] = REFERENCE_TYPES
