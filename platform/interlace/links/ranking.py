"""What names and links add to the rank of a document: full-text matches weighted by degree, and the precision boost.

Ties are broken by id, so the same graph gives the same order.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from interlace.ingestion.document_rows import name_terms
from interlace.ports.links import LinkedDocument, LinkedPair
from interlace.search.profile import LinkProfile
from interlace.search.proximity import best_linked
from interlace.text.similarity import allowed_edits


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A document whose title or path holds words of the query.

    Args:
        document: its id.
        match: share (above 0, to 1) of the query's words that its names hold.
        degree: 2·incoming + 1·outgoing links, as a share (0 to 1) of the highest among the matches.
    """

    document: str
    match: float
    degree: float

    @property
    def score(self) -> float:
        """Score of the match: the share of words, up to doubled by the degree."""
        return self.match * (1 + self.degree)


@dataclass(frozen=True, slots=True)
class Boost:
    """A boost: its factor, the nearness (0 to 1) behind it, and the best hit that is linked with the document."""

    factor: float
    nearness: float
    linked_with: str | None


def rank_names(
    shares: Mapping[str, float], documents: Mapping[str, LinkedDocument], profile: LinkProfile
) -> list[NameMatch]:
    """Return the documents whose names match, best first; ``shares`` (0 to 1) are those of the query that their names hold."""
    matching = [document for document in documents.values() if shares.get(document.id)]
    most = max((_degree(document, profile) for document in matching), default=0.0)
    found = [
        NameMatch(document.id, shares[document.id], _degree(document, profile) / most if most else 0.0)
        for document in matching
    ]
    return sorted(found, key=lambda match: (-match.score, match.document))


def word_shares(
    words: Sequence[str], documents: Mapping[str, LinkedDocument], *, fuzzy: bool = False
) -> dict[str, float]:
    """Return for each document the share (0 to 1) of some words that its names hold.

    Args:
        words: case-folded, unique.
        documents: by id.
        fuzzy: whether misspelt words count too, as many edits away as their length allows.
    """
    return {document_id: _share(words, document, fuzzy=fuzzy) for document_id, document in documents.items()}


def _share(words: Sequence[str], document: LinkedDocument, *, fuzzy: bool) -> float:
    names = set(name_terms(document.title, document.source_uri).split())
    matched = sum(word in names or (fuzzy and _misspelt(word, names)) for word in words)
    return matched / len(words) if words else 0.0


def _misspelt(word: str, names: Collection[str]) -> bool:
    most = allowed_edits(word)
    return any(OSA.distance(word, name, score_cutoff=most) <= most for name in names)


def _degree(document: LinkedDocument, profile: LinkProfile) -> float:
    return profile.incoming * document.incoming + profile.outgoing * document.outgoing


def boosts(
    order: Sequence[str],
    names: Mapping[str, NameMatch],
    pairs: Sequence[LinkedPair],
    *,
    proximity: float,
    profile: LinkProfile,
) -> dict[str, Boost]:
    """Return the boost of each document: 1 + 0.5 · proximity · nearness.

    Nearness is the share of the query's words that the document's names hold, or 1 / rank of the best hit that links to it or is linked
    from it, whichever is higher. So a link to a low hit adds little.

    Args:
        order: the hits before the boost, best first.
        names: their matches by name.
        pairs: links; those with an end that is no hit do not count.
        proximity: the intent's scale.
        profile: the share of the proximity.
    """
    rank = {document: number for number, document in enumerate(order, 1)}
    linked = best_linked(rank, ((pair.source, pair.target) for pair in pairs))
    return {document: _boost(document, names, linked, rank, proximity * profile.precision) for document in order}


def _boost(
    document_id: str, names: Mapping[str, NameMatch], linked: Mapping[str, str], rank: Mapping[str, int], scale: float
) -> Boost:
    by_name = names[document_id].match if document_id in names else 0.0
    other = linked.get(document_id)
    near = max(by_name, 1 / rank[other] if other else 0.0)
    return Boost(1.0 + scale * near, near, other)
