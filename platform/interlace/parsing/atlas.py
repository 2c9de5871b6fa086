"""Atlas Markdown: a note about one thing, marked by ``atlas_id:`` in its first 32 lines, with sections of known types."""

import re
from dataclasses import replace

from interlace.domain.documents import ParsedDocument, Section

_MARK = re.compile(r"^\s*(?:<!--\s*)?[\"']?atlas_id[\"']?\s*:\s*[\"']?([\w./:-]{1,200})", re.MULTILINE)
_LINES = 32

# Loose on purpose: authors name sections freely, and a heading needs to begin with one of the words only.
_TYPES = {
    "Definition": ("definition", "what is", "meaning"),
    "Summary": ("summary", "overview", "abstract", "introduction", "tl;dr", "description"),
    "Usage": ("usage", "use", "how to", "quick start", "getting started", "instructions", "install"),
    "Example": ("example", "sample", "demo"),
    "Reference": ("reference", "api", "parameter", "option", "syntax", "specification", "configuration"),
    "Related": ("related", "see also", "link", "connection", "dependenc"),
    "Source": ("source", "citation", "bibliography", "further reading"),
    "Limitation": ("limitation", "caveat", "pitfall", "known issue", "warning", "constraint"),
    "Rationale": ("rationale", "why", "motivation", "background", "context", "history"),
    "Notes": ("note", "remark", "comment", "faq"),
}


def atlas_id(text: str) -> str:
    """Return the id in the first 32 lines of an atlas note; empty if the text is none."""
    head = "\n".join(text[:8_000].split("\n")[:_LINES])
    match = _MARK.search(head)
    return match[1] if match else ""


def section_type(section: Section) -> str:
    """Return ``body`` for what stands under the title, a known type for a known heading, else ``Other``."""
    if not section.path:
        return "body"
    heading = section.path[0].casefold()
    return next((name for name, words in _TYPES.items() if heading.startswith(words)), "Other")


def with_section_types(parsed: ParsedDocument) -> ParsedDocument:
    """Return the document with the type of each section."""
    return replace(parsed, sections=tuple(replace(item, section_type=section_type(item)) for item in parsed.sections))
