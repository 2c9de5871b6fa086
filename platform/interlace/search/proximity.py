"""Link proximity: a boost for a chunk whose document links to another candidate's document, or is linked from it.

It gains ln(1 + precision · proximity · nearness). Nearness is 1 for a link with the first hit, 1/2 with the second, and so on, so
that a link to a poor candidate counts little. People make the links between documents; they do not depend on linked entities.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from interlace.domain.hits import PROXIMITY, Mode
from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import linked_chunks
from interlace.search.candidates import LinkedCandidate
from interlace.search.profile import LinkProfile
from interlace.search.weights import FusionWeights

_WITHOUT_LINKS: frozenset[Mode] = frozenset({"vector_only", "metadata_only"})


@dataclass(frozen=True, slots=True)
class ChunkLinks:
    """The links among the documents of some chunks.

    Args:
        documents: chunk to its document, where that has links.
        pairs: pairs of documents, one of which links to the other; each pair once.
    """

    documents: Mapping[str, str] = field(default_factory=dict)
    pairs: frozenset[tuple[str, str]] = frozenset()


NO_LINKS: Final = ChunkLinks()


def link_scale(weights: FusionWeights, mode: Mode, profile: LinkProfile) -> float:
    """Return precision · proximity; 0 where links are left out, and in ``vector_only`` and ``metadata_only``."""
    return profile.precision * weights.proximity if weights.uses(PROXIMITY) and mode not in _WITHOUT_LINKS else 0.0


def read_links(
    graph: GraphDatabase, tenant: str, chunks: Sequence[str], profile: LinkProfile, *, timeout: float
) -> ChunkLinks:
    """Return the links among the documents of some chunks.

    A document with more than ``fan_out`` links in a direction is not followed in that direction; its links are found from their other
    ends, unless those have as many the other way.

    Args:
        graph: the graph.
        tenant: whose chunks.
        chunks: ids of chunks; unknown ones, and those whose document has no links, are left out.
        profile: the fan-out.
        timeout: seconds that the database may take.

    Raises:
        UnavailableError: the graph does not answer.
    """
    rows = linked_chunks(graph, tenant=tenant, ids=list(chunks), fan_out=profile.fan_out, timeout=timeout)
    return ChunkLinks(
        {chunk: row.document for row in rows for chunk in row.chunks},
        frozenset((min(row.document, other), max(row.document, other)) for row in rows for other in row.linked),
    )


def best_linked(rank: Mapping[str, int], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return document to the best ranked document that it is linked with, whichever of the two links to the other.

    Args:
        rank: document to its rank from 1; ranks differ.
        pairs: linked documents; those with an end that has no rank are ignored.
    """
    best: dict[str, str] = {}
    for pair in pairs:
        for one, other in (pair, pair[::-1]):
            if one in rank and other in rank:
                best[one] = min(other, best.get(one, other), key=rank.__getitem__)
    return best


def linked_candidates(order: Sequence[str], links: ChunkLinks) -> dict[str, LinkedCandidate]:
    """Return what each chunk is linked with; those that are linked with no other candidate are left out.

    Args:
        order: chunks before the boost, best first.
        links: the links among their documents.
    """
    first: dict[str, tuple[int, str]] = {}
    for rank, chunk in enumerate(order, 1):
        if chunk in links.documents:
            first.setdefault(links.documents[chunk], (rank, chunk))
    best = best_linked({document: rank for document, (rank, _) in first.items()}, links.pairs)
    found = {}
    for chunk in order:
        other = best.get(links.documents.get(chunk, ""))
        if other is not None:
            rank, hit = first[other]
            found[chunk] = LinkedCandidate(hit, 1 / rank)
    return found
