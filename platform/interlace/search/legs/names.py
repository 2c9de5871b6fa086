"""The legs that need neither embeddings nor a walk: tags, names of files and documents, paths of sections; and what a filter lists.

Candidates come from indexes, at most a few hundred, and only those are compared with the question here.
"""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from interlace.cypher_files import query
from interlace.domain.filters import fields_of
from interlace.domain.hits import PathStrategy, TagStrategy
from interlace.entities.normalization import normalize_name
from interlace.ports.graph import GraphDatabase, Row
from interlace.search.fusion import LegHit
from interlace.search.legs.vectors import Scope
from interlace.settings import QuerySettings
from interlace.text.lucene import fuzzy_terms
from interlace.text.tokenizer import content_words, tokens

_TAGGED = query("documents/tagged_documents")
_NAMED = query("documents/named_documents")
_SECTIONS = query("documents/named_sections")
_FIRST = query("chunks/first_chunks")
_FILTERED = query("chunks/filtered_chunks")
_TAG_IN_TEXT = re.compile(r"#([\w/-]+)")
_STEP = ">"
# Lucene finds words up to two letters off; of those, names must be this much alike as a whole.
_ALIKE = 0.85
_FUZZY_FROM = 4
# In one field (see ``fuzzy_terms``).
_MOST_FUZZY = 16
# A section below the one that was named answers less directly than that one.
_BELOW = 0.9
# Several times what the leg may bring, because those that are merely alike stand further down Lucene's list.
_CANDIDATES = 4


def tags(
    graph: GraphDatabase, scope: Scope, keywords: Sequence[str], settings: QuerySettings, strategy: TagStrategy
) -> list[LegHit]:
    """Return the first chunks of documents that carry tags named in the question, written ``#tag`` or as plain words.

    A tag of more than ``seed_cap`` documents says too little of each to be worth reading them all; a filter finds those.
    """
    wanted = sorted({tag.lower().strip("/") for tag in _TAG_IN_TEXT.findall(scope.text)} | set(keywords))
    if not any(wanted):
        return []
    rows = graph.run(
        _TAGGED,
        timeout=scope.timeout,
        tenant=scope.tenant,
        tags=[tag for tag in wanted if tag],
        below=strategy == "prefix",
        tagCap=settings.seed_cap,
        limit=scope.limit,
        documents=_documents(scope),
    )
    return _first_chunks(graph, scope, [(row["document"], row["score"]) for row in rows])


def paths(graph: GraphDatabase, scope: Scope, strategies: Sequence[PathStrategy]) -> list[LegHit]:
    """Return first chunks of documents and sections that the question names, the likest first.

    ``exact`` takes documents whose title or file name stands in the question in full, ``fuzzy`` also those that stand there nearly so
    (score: their likeness, up to 1), and ``section`` takes ``Guide > Install`` as the way to a section.
    """
    found: dict[str, float] = {}
    if "section" in strategies and _STEP in scope.text:
        for hit in _sections(graph, scope, fuzzy="fuzzy" in strategies):
            found[hit.chunk] = max(hit.score, found.get(hit.chunk, 0.0))
    # Who names the way to a section does not ask for the document's beginning.
    if not found and {"exact", "fuzzy"}.intersection(strategies):
        for hit in _named(graph, scope, fuzzy="fuzzy" in strategies):
            found[hit.chunk] = max(hit.score, found.get(hit.chunk, 0.0))
    # Not in Lucene's order: its scores count what was deleted, and other tenants' documents.
    ranked = sorted(found, key=lambda chunk: (-found[chunk], chunk))
    return [LegHit(chunk, found[chunk]) for chunk in ranked[: scope.limit]]


def filtered(graph: GraphDatabase, scope: Scope) -> list[LegHit]:
    """Return what satisfies the filter, by source and each with score 0; nothing without a filter."""
    if scope.allowed is None:
        return []
    rows = graph.run(
        _FILTERED, timeout=scope.timeout, tenant=scope.tenant, allowed=list(scope.allowed), limit=scope.limit
    )
    return [LegHit(row["chunk"], 0.0) for row in rows]


def _named(graph: GraphDatabase, scope: Scope, *, fuzzy: bool) -> list[LegHit]:
    # Words that every question has would bring every title that has them.
    search = _lucene(scope, " ".join(content_words(scope.text)) or scope.text, fuzzy=fuzzy)
    if search is None:
        return []
    rows = graph.run(
        _NAMED,
        timeout=scope.timeout,
        tenant=scope.tenant,
        search=search,
        candidates=scope.limit * (_CANDIDATES if fuzzy else 1),
        documents=_documents(scope),
    )
    asked = normalize_name(scope.text)
    likeness = [(row["document"], max(_stands_in(asked, name, fuzzy=fuzzy) for name in _names(row))) for row in rows]
    return _first_chunks(graph, scope, [(document, score) for document, score in likeness if score])


def _sections(graph: GraphDatabase, scope: Scope, *, fuzzy: bool) -> list[LegHit]:
    steps = [key for step in scope.text.split(_STEP) if (key := normalize_name(step))]
    search = _lucene(scope, " ".join(steps), fuzzy=fuzzy, together=True)
    if search is None:
        return []
    rows = graph.run(
        _SECTIONS,
        timeout=scope.timeout,
        tenant=scope.tenant,
        search=search,
        candidates=scope.limit * _CANDIDATES,
        allowed=scope.allowed,
    )
    hits = [LegHit(row["chunk"], _leads_to(steps, row, fuzzy=fuzzy)) for row in rows]
    return [hit for hit in hits if hit.score]


def _leads_to(steps: Sequence[str], row: Row, *, fuzzy: bool) -> float:
    """Return how well steps, the last among them a heading, lead to a section: 1 if they name it, 0 if they do not."""
    trail = [_names(row), *([normalize_name(heading)] for heading in row["section"].split(" > "))]
    score, at = 1.0, -1
    for step in steps:
        place = next(
            (
                (number, best)
                for number, names in enumerate(trail)
                if number > at and (best := max(_alike(step, name, fuzzy=fuzzy) for name in names))
            ),
            None,
        )
        if place is None:
            return 0.0
        at, score = place[0], min(score, place[1])
    if at == 0:
        return 0.0
    return score if at == len(trail) - 1 else score * _BELOW


def _names(row: Row) -> list[str]:
    """Return the keys by which a question may name a document: title, file name and whole path."""
    stem = row["path"].rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return [normalize_name(row["title"]), normalize_name(stem), normalize_name(row["path"])]


def _stands_in(asked: str, name: str, *, fuzzy: bool) -> float:
    """Return 1 if a name stands in the question in full, its likeness to the likest stretch if that is enough, else 0."""
    if not name:
        return 0.0
    if f" {name} " in f" {asked} ":
        return 1.0
    if not fuzzy or min(len(name), len(asked)) < _FUZZY_FROM:
        return 0.0
    compare = fuzz.partial_ratio if len(name) < len(asked) else fuzz.ratio
    # What is merely alike is never as good as what is the same.
    likeness = min(compare(name, asked) / 100, 0.99)
    return likeness if likeness >= _ALIKE else 0.0


def _alike(step: str, name: str, *, fuzzy: bool) -> float:
    if step == name:
        return 1.0
    likeness = fuzz.ratio(step, name) / 100 if fuzzy and min(len(step), len(name)) >= _FUZZY_FROM else 0.0
    return likeness if likeness >= _ALIKE else 0.0


def _lucene(scope: Scope, text: str, *, fuzzy: bool, together: bool = False) -> str | None:
    """Return the full-text search for the words of a text, any of them or all ``together``; None if there is no word."""
    # Only letters and digits are left in words, so nothing here is syntax to Lucene; capitals would be (AND, OR, NOT).
    words = sorted({token.form for token in tokens(text)})
    if not words:
        return None
    terms = fuzzy_terms(words, _MOST_FUZZY) if fuzzy else words
    wanted = " ".join(f"+{term}" for term in terms) if together else " ".join(terms)
    return f'+tenant:"{scope.tenant}" +terms:({wanted})'


def _documents(scope: Scope) -> list[str] | None:
    """Return the documents that the filter lets through; None where it lets all through, or speaks of chunks."""
    if scope.allowed is None or (scope.where is not None and "section_type" in fields_of(scope.where)):
        return None
    return list(scope.allowed)


def _first_chunks(graph: GraphDatabase, scope: Scope, documents: Sequence[tuple[str, float]]) -> list[LegHit]:
    """Return each document's first chunk that the filter lets through, in the order of the documents."""
    if not documents:
        return []
    rows = graph.run(
        _FIRST,
        timeout=scope.timeout,
        tenant=scope.tenant,
        ids=[document for document, _ in documents],
        allowed=scope.allowed,
    )
    chunks = {row["document"]: row["chunk"] for row in rows}
    return [LegHit(chunks[document], score) for document, score in documents if document in chunks][: scope.limit]
