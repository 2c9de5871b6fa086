"""Keyword linking of a request: concepts, skills and tools whose words, stemmed, all occur in the request."""

from collections.abc import Sequence
from dataclasses import dataclass

from interlace.domain.extraction import DECLARED_TYPES
from interlace.domain.reader import reader_groups
from interlace.entities.visible import visible_candidates
from interlace.ports.graph import GraphDatabase
from interlace.queries.entities import entity_search
from interlace.text.lucene import any_of, beginning_with, in_fields, in_tenant, phrase
from interlace.text.tokenizer import terms, tokens

# The index holds words as written: a prefix of the stem finds them all. Shorter words must match exactly.
_PREFIX_FROM = 4
_FOUND = 400


@dataclass(frozen=True, slots=True)
class Keyword:
    """A concept, skill or tool that a request names."""

    id: str
    name: str
    type: str


def linked_keywords(graph: GraphDatabase, tenant: str, text: str, words: Sequence[str]) -> list[Keyword]:
    """Return by id the concepts, skills and tools that a request names; ``words`` are its keywords as the intent has them."""
    search = _lucene(tenant, words)
    if not search:
        return []
    if reader_groups() is None:
        rows = entity_search(graph, tenant=tenant, search=search, types=sorted(DECLARED_TYPES), limit=_FOUND)
    else:
        rows = visible_candidates(graph, tenant, search, DECLARED_TYPES)
    asked = set(terms(text))
    found = [
        Keyword(row.id, row.name, row.type)
        for row in rows
        if any(_covers(asked, name) for name in (row.name, *(row.aliases or ())))
    ]
    return sorted(found, key=lambda keyword: keyword.id)


def _covers(asked: set[str], name: str) -> bool:
    wanted = terms(name)
    return bool(wanted) and asked.issuperset(wanted)


def _lucene(tenant: str, words: Sequence[str]) -> str | None:
    """Return a full-text search for names that hold any of the words, or a word with the same beginning; None without words."""
    parts: list[str] = []
    for word in dict.fromkeys(token.form for keyword in words for token in tokens(keyword)):
        stem = next(iter(terms(word)), word)
        common = stem[:-1] if stem != word[: len(stem)] else stem
        parts.append(beginning_with(common) if len(common) >= _PREFIX_FROM else phrase(word))
    return in_tenant(tenant, in_fields(("name", "aliases"), any_of(parts))) if parts else None
