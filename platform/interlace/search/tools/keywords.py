"""Keyword linking of a request: concepts, skills and tools all of whose words, stemmed, the request holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from interlace.cypher_files import query
from interlace.domain.extraction import DECLARED_TYPES
from interlace.ports.graph import GraphDatabase
from interlace.text.tokenizer import terms, tokens

_SEARCH = query("entities/entity_search")
# The index holds words as written: of a stem, a beginning finds them all. Shorter words must be the same.
_PREFIX_FROM = 4
_FOUND = 400


@dataclass(frozen=True, slots=True)
class Keyword:
    """A concept, skill or tool that a request names."""

    id: str
    name: str
    type: str


def linked_keywords(graph: GraphDatabase, tenant: str, text: str, words: Sequence[str]) -> list[Keyword]:
    """Return the concepts, skills and tools that a request names, by id.

    Args:
        graph: the graph.
        tenant: whose.
        text: the request.
        words: its keywords as the intent has them.
    """
    search = _lucene(words)
    if not search:
        return []
    rows = graph.run(_SEARCH, tenant=tenant, search=search, types=sorted(DECLARED_TYPES), limit=_FOUND)
    asked = set(terms(text))
    found = [
        Keyword(row["id"], row["name"], row["type"])
        for row in rows
        if any(_held(asked, name) for name in (row["name"], *(row["aliases"] or ())))
    ]
    return sorted(found, key=lambda keyword: keyword.id)


def _held(asked: set[str], name: str) -> bool:
    wanted = terms(name)
    return bool(wanted) and asked.issuperset(wanted)


def _lucene(words: Sequence[str]) -> str:
    """Return a full-text search for names that hold any of the words, or one that begins like it."""
    parts: list[str] = []
    for word in dict.fromkeys(token.form for keyword in words for token in tokens(keyword)):
        stem = next(iter(terms(word)), word)
        common = stem[:-1] if stem != word[: len(stem)] else stem
        parts.append(f"{common}*" if len(common) >= _PREFIX_FROM else f'"{word}"')
    return " ".join(parts)
