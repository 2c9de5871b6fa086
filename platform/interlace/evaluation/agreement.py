"""How far approximate search agrees with exact search: the share of the first ten that both find."""

from collections.abc import Iterable, Sequence

from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex, windows_of

FIRST = 10


def exact_agreement(
    vectors: VectorIndex, embedder: Embedder, tenant: str, questions: Iterable[str], *, candidates: int
) -> list[float]:
    """Return, for each question, the share (0 to 1) of exact search's first ten that are among approximate search's first ten.

    The index searches approximately by default, and the more widely, the more candidates the dense leg asks for.
    """
    shares = []
    for text in questions:
        question = embedder.embed_query(text)
        found = [
            [
                point.id
                for point in vectors.search(
                    tenant, "chunks", question, using=windows_of(embedder.model), limit=candidates, exact=exact
                )[:FIRST]
            ]
            for exact in (False, True)
        ]
        shares.append(_shared(*found))
    return shares


def _shared(approximate: Sequence[str], exact: Sequence[str]) -> float:
    return len(set(approximate) & set(exact)) / len(exact) if exact else 1.0
