"""The path leg: first chunks of documents and sections that the query names by title, file name or section path.

Candidates come from full-text indexes, at most a few hundred, and only those are compared with the query here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rapidfuzz import fuzz

from interlace.entities.normalization import normalize_text
from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import NamedSectionsRow, named_sections
from interlace.queries.documents import NamedDocumentsRow, named_documents
from interlace.search.candidates import Candidate
from interlace.search.legs.first_chunks import candidates_of
from interlace.search.legs.protocol import Input, Scope, SearchContext
from interlace.text.lucene import all_of, any_of, fuzzy_terms, in_field, in_tenant
from interlace.text.tokenizer import content_words, tokens

_STEP = ">"
# Lucene finds words up to two edits away; the whole name must also be this similar.
_MIN_SIMILARITY = 0.85
_FUZZY_FROM = 4
# In one field (see ``fuzzy_terms``).
_MAX_FUZZY = 16
# A section below the one that was named is a less direct answer.
_BELOW = 0.9
# Several times what the leg may return, because fuzzy matches rank lower in Lucene's list.
_CANDIDATES = 4


@dataclass(frozen=True, slots=True)
class PathLeg:
    """Titles, file names and section paths.

    ``exact`` matches documents whose title or file name the query holds in full, ``fuzzy`` also those that it nearly holds (score: their
    similarity, up to 1), and ``section`` reads ``Guide > Install`` as the path to a section.
    """

    graph: GraphDatabase
    name: ClassVar[str] = "paths"
    needs: ClassVar[Input] = "query"

    def search(self, context: SearchContext) -> list[Candidate]:
        """Return first chunks of what the query names, the most similar first."""
        scope, strategies = context.scope, context.path_strategies
        fuzzy = "fuzzy" in strategies
        found: list[Candidate] = []
        if "section" in strategies and _STEP in scope.text:
            found = self._sections(scope, fuzzy=fuzzy)
        # A query that names a section does not ask for the document's beginning.
        if not found and {"exact", "fuzzy"}.intersection(strategies):
            found = self._documents(scope, fuzzy=fuzzy)
        best: dict[str, float] = {}
        for candidate in found:
            best[candidate.id] = max(candidate.score, best.get(candidate.id, 0.0))
        # Not in Lucene's order: its scores count deleted documents, and those of other tenants.
        ranked = sorted(best, key=lambda chunk: (-best[chunk], chunk))
        return [Candidate(chunk, best[chunk]) for chunk in ranked[: scope.limit]]

    def _documents(self, scope: Scope, *, fuzzy: bool) -> list[Candidate]:
        # Stop words would match every title that has them.
        search = _lucene(scope, " ".join(content_words(scope.text)) or scope.text, fuzzy=fuzzy)
        if search is None:
            return []
        rows = named_documents(
            self.graph,
            tenant=scope.tenant,
            search=search,
            candidates=scope.limit * (_CANDIDATES if fuzzy else 1),
            filter=scope.filter,
            timeout=scope.timeout,
        )
        rows.sort(key=lambda row: (-row.score, row.document))
        text = normalize_text(scope.text)
        scored = [(row.document, max(_contained(text, name, fuzzy=fuzzy) for name in _names(row))) for row in rows]
        return candidates_of(self.graph, scope, [(document, score) for document, score in scored if score])

    def _sections(self, scope: Scope, *, fuzzy: bool) -> list[Candidate]:
        steps = [key for step in scope.text.split(_STEP) if (key := normalize_text(step))]
        search = _lucene(scope, " ".join(steps), fuzzy=fuzzy, all_words=True)
        if search is None:
            return []
        rows = named_sections(
            self.graph,
            tenant=scope.tenant,
            search=search,
            candidates=scope.limit * _CANDIDATES,
            filter=scope.filter,
            timeout=scope.timeout,
        )
        found = [Candidate(row.chunk, _path_score(steps, row, fuzzy=fuzzy)) for row in rows]
        return [candidate for candidate in found if candidate.score]


def _path_score(steps: Sequence[str], row: NamedSectionsRow, *, fuzzy: bool) -> float:
    """Return how well steps, the last of which is a heading, lead to a section: 1 if they name it, 0 if they do not."""
    trail = [_names(row), *([normalize_text(heading)] for heading in row.section.split(" > "))]
    score, at = 1.0, -1
    for step in steps:
        # The first heading below the last one found: steps lead downwards, and may skip levels.
        place = next(
            (
                (number, best)
                for number, names in enumerate(trail)
                if number > at and (best := max(_similarity(step, name, fuzzy=fuzzy) for name in names))
            ),
            None,
        )
        if place is None:
            return 0.0
        at, score = place[0], min(score, place[1])
    if at == 0:
        return 0.0
    return score if at == len(trail) - 1 else score * _BELOW


def _names(row: NamedDocumentsRow | NamedSectionsRow) -> list[str]:
    """Return the words by which a query may name a document: title, file name and whole path."""
    stem = row.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return [normalize_text(row.title), normalize_text(stem), normalize_text(row.path)]


def _contained(text: str, name: str, *, fuzzy: bool) -> float:
    """Return 1 if the text holds a name in full, the similarity of the closest span if that is enough, else 0."""
    if not name:
        return 0.0
    if f" {name} " in f" {text} ":
        return 1.0
    if not fuzzy or min(len(name), len(text)) < _FUZZY_FROM:
        return 0.0
    compare = fuzz.partial_ratio if len(name) < len(text) else fuzz.ratio
    # A similar name never scores as high as an equal one.
    similarity = min(compare(name, text) / 100, 0.99)
    return similarity if similarity >= _MIN_SIMILARITY else 0.0


def _similarity(step: str, name: str, *, fuzzy: bool) -> float:
    if step == name:
        return 1.0
    similarity = fuzz.ratio(step, name) / 100 if fuzzy and min(len(step), len(name)) >= _FUZZY_FROM else 0.0
    return similarity if similarity >= _MIN_SIMILARITY else 0.0


def _lucene(scope: Scope, text: str, *, fuzzy: bool, all_words: bool = False) -> str | None:
    """Return the full-text search for the words of a text, any or all of them; None if there is no word."""
    # The words begin with letters and digits and are case-folded, so none is Lucene syntax, not even ``c++``; in capitals AND, OR and NOT would be.
    words = sorted({token.form for token in tokens(text)})
    if not words:
        return None
    terms = fuzzy_terms(words, _MAX_FUZZY) if fuzzy else words
    return in_tenant(scope.tenant, in_field("terms", (all_of if all_words else any_of)(terms)))
