"""The searchable fields of an atom: their stems, as properties that a full-text index splits at spaces."""

from collections.abc import Iterable
from itertools import islice

from interlace.domain.documents import ParsedDocument
from interlace.text.tokenizer import stems

# Every question that an atom answers reads these again; a note about one thing is far shorter.
_MAX_TERMS = 5_000
_BODY = "body"


def atom_fields(parsed: ParsedDocument) -> dict[str, str]:
    """Return the stems of name, description, tags and content, each in order and with repetitions, without stop words.

    The name is the title with its aliases, each on a line of its own. The description is the metadata's ``description``, else the text
    before the first section; the content is all the rest, headings included. Only the first 5,000 terms of a field count.
    """
    described = parsed.metadata.get("description")
    own = described if isinstance(described, str) and described.strip() else ""
    bodies = [section for section in parsed.sections if section.section_type == _BODY]
    body = "\n".join(parsed.text[section.start : section.end] for section in bodies)
    rest = "\n".join(
        f"{section.heading}\n{parsed.text[section.start : section.end]}"
        for section in parsed.sections
        if own or section.section_type != _BODY
    )
    return {
        "atomName": "\n".join(filter(None, map(_terms, (parsed.title, *parsed.aliases)))),
        "atomDescription": _terms(own or body),
        "atomTags": tag_terms(parsed.tags),
        "atomContent": _terms(rest),
    }


def tag_terms(tags: Iterable[str]) -> str:
    """Return the stems of an atom's tags."""
    return _terms(" ".join(tags))


def _terms(text: str) -> str:
    """Return the first terms of a text, separated by spaces."""
    found = (stem.term for stem in stems(text) if not stem.stop)
    return " ".join(islice(found, _MAX_TERMS))
