"""Rerank by a cross-encoder: a model that reads the question beside each of the first candidates (Nogueira and Cho 2019).

It reads the path too, because the second chunk of a chain alone does not show why it answers. Only the candidates that it read are
reordered, among the ranks that they had.
"""

import logging
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from interlace.domain.errors import InterlaceError, UnavailableError
from interlace.domain.hits import BoostName, Hit
from interlace.ports.models import Reranker
from interlace.search.candidates import RankedCandidate
from interlace.search.execution import Run, TaskPool
from interlace.search.profile import PROFILE

CROSS_ENCODER: Final[BoostName] = "cross_encoder"
_THREADS = 4
_CHARACTERS = 2000  # of a chunk with its path; about the 512 tokens that the usual cross-encoders read
_logger = logging.getLogger(__name__)


class CrossEncoder:
    """Reorders the first candidates. One instance per process; safe for use by several threads.

    Args:
        load: creates the reranker; called by the first query, and again as long as it fails.
        timeout: seconds after which the order stays as it was.
        candidates: first hits that it reads and orders.
    """

    def __init__(
        self, load: Callable[[], Reranker], timeout: float, candidates: int = PROFILE.rerank.cross_encoded
    ) -> None:
        self._load = load
        self._timeout = timeout
        self._candidates = candidates
        self._loading = threading.Lock()
        self._reranker: Reranker | None = None
        self._last_failure = ""
        # Threads of its own: a slow model must not keep the legs of other queries waiting.
        self._pool = TaskPool(_THREADS, "cross-encoder")

    def close(self) -> None:
        """Let running calls end and stop the threads."""
        self._pool.close()

    def rerank(
        self,
        run: Run,
        question: str,
        ranked: Sequence[RankedCandidate],
        describe: Callable[[Sequence[RankedCandidate]], Sequence[Hit]],
    ) -> list[RankedCandidate]:
        """Return the candidates with the first ones ordered by their scores; unchanged if the reranker fails or is late.

        Args:
            run: the search; a failure is named there as degraded.
            question: the question.
            ranked: best first.
            describe: returns text and path of some candidates; may leave some out.
        """
        first = ranked[: self._candidates]
        if not first:
            return list(ranked)
        task = run.start(CROSS_ENCODER, lambda: self._score(question, describe(first)), self._pool)
        scores = run.wait(CROSS_ENCODER, task, timeout=self._timeout)
        return reordered(ranked, scores) if scores else list(ranked)

    def _score(self, question: str, hits: Sequence[Hit]) -> dict[str, float]:
        """Return chunk to score. A failure is also logged, once while it lasts: ``degraded`` names it but not the remedy."""
        texts = [evidence(hit, _CHARACTERS) for hit in hits]
        try:
            scores = checked(self._ready().score(question, texts), len(texts))
        except InterlaceError as error:
            if error.message != self._last_failure:
                _logger.warning("%s", error.message)
            self._last_failure = error.message
            raise
        self._last_failure = ""
        return {hit.chunk_id: score for hit, score in zip(hits, scores, strict=True)}

    def _ready(self) -> Reranker:
        with self._loading:
            if self._reranker is None:
                self._reranker = self._load()
            return self._reranker


def evidence(hit: Hit, max_characters: int) -> str:
    """Return what the reranker reads of a hit, at most ``max_characters``: title and section, entities and bridging sentences of the path, then the chunk.

    The text before the chunk has at most half of them.
    """
    names = dict.fromkeys(step.entity_name for step in hit.path)
    # The chunk itself holds the sentences of its own mentions.
    bridges = [f"{step.document_title}: {step.sentence}" for step in hit.path if step.chunk_id != hit.chunk_id]
    lines = [" > ".join(filter(None, (hit.title, hit.section))), " → ".join(names), *dict.fromkeys(bridges)]
    context = "\n".join(filter(None, lines))[: max_characters // 2]
    return f"{context}\n{hit.text}"[:max_characters]


def checked(scores: Sequence[float], count: int) -> list[float]:
    """Return the scores as they are.

    Raises:
        UnavailableError: there is not one finite number for each chunk.
    """
    if len(scores) != count or not all(map(math.isfinite, scores)):
        raise UnavailableError(
            f"The reranker did not return one finite score for each of {count} chunks. Is it a reranker?"
        )
    return list(scores)


def reordered(ranked: Sequence[RankedCandidate], scores: Mapping[str, float]) -> list[RankedCandidate]:
    """Return the candidates with the scored ones sorted by score, among the ranks that they had; ties keep their order.

    Probabilities stay with the ranks: they still fall from the first candidate to the last, and their sum is the same. The figures gain
    ``cross_encoder``, the score, and ``fused_rank``, the rank before, from 1.

    Args:
        ranked: best first.
        scores: chunk to score, all of the same call.
    """
    places = [place for place, each in enumerate(ranked) if each.id in scores]
    best = sorted(places, key=lambda place: -scores[ranked[place].id])
    reordered = list(ranked)
    for place, origin in zip(places, best, strict=True):
        each = ranked[origin]
        figures = {**each.figures, CROSS_ENCODER: scores[each.id], "fused_rank": float(origin + 1)}
        reordered[place] = each._replace(score=ranked[place].score, figures=figures)
    return reordered
