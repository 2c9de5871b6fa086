"""Atlas notes: Markdown about one thing, marked by ``atlas_id:`` in its front matter or first 32 lines or by its sender, with typed sections."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interlace.domain.atoms import ATLAS_ID, ATLAS_STRATEGIES, ATLAS_STRATEGY, is_atom
from interlace.domain.documents import DocumentLink, ParsedDocument, Section
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import one_line

_MARK = re.compile(r"^\s*(?:<!--\s*)?[\"']?atlas_id[\"']?[ \t]*:[ \t]*[\"']?([\w./:-]{1,200})", re.MULTILINE)
_LINES = 32
_MAX_ID_CHARACTERS = 200
_NOT_OF_AN_ID = re.compile(r"[^\w./-]+")
_PARAGRAPH_BREAK = "\n\n"

# Lenient on purpose: authors name sections freely, so a heading only has to begin with one of the words.
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


def atlas_id(values: Mapping[Any, Any], text: str) -> str:
    """Return the id of an atlas note: the one in its front matter, else the first word after a mark; empty if the text is not one."""
    stated = values.get(ATLAS_ID)
    if isinstance(stated, str) and (whole := one_line(stated)):
        return whole[:_MAX_ID_CHARACTERS]
    head = "\n".join(text[:8_000].split("\n")[:_LINES])
    match = _MARK.search(head)
    return match[1] if match else ""


def section_type(section: Section) -> str:
    """Return ``body`` for the text under the title, a known type for a known heading, else ``Other``."""
    if not section.path:
        return "body"
    heading = section.path[0].casefold()
    return next((name for name, words in _TYPES.items() if heading.startswith(words)), "Other")


def with_section_types(parsed: ParsedDocument) -> ParsedDocument:
    """Return the document with the type of each section."""
    return replace(parsed, sections=tuple(replace(item, section_type=section_type(item)) for item in parsed.sections))


def as_atom(parsed: ParsedDocument, own_name: str) -> ParsedDocument:
    """Return a note that its sender declares to be an atom; without an id of its own it gets one from its name: ``Big wave.md`` the id ``Big-wave``."""
    if is_atom(parsed.metadata):
        return parsed
    identity = _NOT_OF_AN_ID.sub("-", own_name)[:_MAX_ID_CHARACTERS].strip("-") or "atom"
    return with_section_types(replace(parsed, metadata={**parsed.metadata, ATLAS_ID: identity}))


def with_strategy(parsed: ParsedDocument, requested: object, name: str) -> ParsedDocument:
    """Return an atom chunked as its front matter, else its caller, requests; any other document unchanged.

    Raises:
        ParseError: there is no such strategy.
    """
    if not is_atom(parsed.metadata):
        return parsed
    strategy = parsed.metadata.get(ATLAS_STRATEGY) or requested or "section"
    if strategy not in ATLAS_STRATEGIES:
        raise ParseError(
            f"{name} has the {ATLAS_STRATEGY} {strategy!r:.50}; use one of {', '.join(ATLAS_STRATEGIES)}, or leave it out."
        )
    return as_one_section(parsed) if strategy == "atom" else parsed


def as_one_section(parsed: ParsedDocument) -> ParsedDocument:
    """Return the document with a single section of type ``atom``: headings become lines of the text, and links keep their words."""
    parts: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    length = 0
    for section in parsed.sections:
        heading = section.heading + _PARAGRAPH_BREAK if section.heading else ""
        lead = _PARAGRAPH_BREAK + heading if length else heading
        starts.append(section.start)
        shifts.append(length + len(lead) - section.start)
        parts += [lead, parsed.text[section.start : section.end]]
        length += len(lead) + section.end - section.start
    whole = Section("", (), 0, 0, 0, length, "atom")
    links = tuple(_moved(link, starts, shifts) for link in parsed.links)
    literals = tuple((start + (shift := _shift(start, starts, shifts)), end + shift) for start, end in parsed.literals)
    return replace(parsed, text="".join(parts), sections=(whole,), links=links, literals=literals)


def _moved(link: DocumentLink, starts: list[int], shifts: list[int]) -> DocumentLink:
    shift = _shift(link.start, starts, shifts)
    return replace(link, start=link.start + shift, end=link.end + shift)


def _shift(position: int, starts: list[int], shifts: list[int]) -> int:
    return shifts[max(0, bisect_right(starts, position) - 1)] if starts else 0
