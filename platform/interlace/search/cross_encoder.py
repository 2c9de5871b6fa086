"""The cross-encoder, where one is chosen: the first hits are read beside the question, each with its path, and put in a new order.

It sees what the explanation shows, because the chunk alone does not tell why the second one of a chain answers. Only the hits
that it read change places, among the places that they held.
"""

import logging
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Final

from interlace.domain.errors import InterlaceError, UnavailableError
from interlace.domain.hits import BoostName, Hit
from interlace.ports.models import Reranker
from interlace.search.execution import Run
from interlace.search.fusion import FusedHit
from interlace.settings import RerankerSettings

STEP: Final[BoostName] = "cross_encoder"
_AT_ONCE = 4
_CHARACTERS = 2000  # of a chunk with its path; about the 512 tokens that the usual cross-encoders read
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Judged:
    """The list after the cross-encoder.

    Args:
        hits: best first.
        figures: chunk to what explains its place, for those that were read: ``cross_encoder``, the score, and ``fused_rank``, its place
            before, from 1.
    """

    hits: Sequence[FusedHit]
    figures: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


class CrossEncoder:
    """Puts first hits in a new order. One instance a process; safe for use by several threads.

    Args:
        load: makes the reranker; called in the first query and again as long as it fails.
        settings: how many hits, how much of each, how long.
    """

    def __init__(self, load: Callable[[], Reranker], settings: RerankerSettings) -> None:
        self._load = load
        self._settings = settings
        self._loading = threading.Lock()
        self._reranker: Reranker | None = None
        self._complaint = ""
        # Threads of its own: a slow model must not keep the legs of other questions waiting.
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="cross-encoder")

    def close(self) -> None:
        """Let running calls end and stop the threads."""
        self._pool.shutdown(cancel_futures=True)

    def judge(
        self,
        run: Run,
        question: str,
        fused: Sequence[FusedHit],
        describe: Callable[[Sequence[FusedHit]], Sequence[Hit]],
    ) -> Judged:
        """Return the list with its first hits in the order of their scores; as it was, where the reranker fails or is late.

        Args:
            run: the query; a failure is named there as degraded.
            question: what was asked.
            fused: best first.
            describe: returns text and path of some hits, as the explanation shows them; may leave some out.
        """
        first = fused[: self._settings.candidates]
        if not first:
            return Judged(fused)
        scoring = self._pool.submit(run.timed, STEP, lambda: self._score(question, describe(first)))
        scores = run.result(STEP, scoring, self._settings.timeout)
        return reordered(fused, scores) if scores else Judged(fused)

    def _score(self, question: str, hits: Sequence[Hit]) -> dict[str, float]:
        """Return chunk to score. A failure is logged too, once while it lasts: degraded tells its name and not the remedy."""
        texts = [evidence(hit, _CHARACTERS) for hit in hits]
        try:
            scores = checked(self._ready().score(question, texts), len(texts))
        except InterlaceError as error:
            if error.message != self._complaint:
                _log.warning("%s", error.message)
            self._complaint = error.message
            raise
        self._complaint = ""
        return {hit.chunk_id: score for hit, score in zip(hits, scores, strict=True)}

    def _ready(self) -> Reranker:
        with self._loading:
            if self._reranker is None:
                self._reranker = self._load()
            return self._reranker


def evidence(hit: Hit, most: int) -> str:
    """Return what the reranker reads of a hit: title and section, names and bridging sentences of the path, then the chunk.

    Args:
        hit: the hit.
        most: characters; what stands before the chunk has at most half of them.
    """
    names = dict.fromkeys(step.entity_name for step in hit.path)
    # The chunk itself holds the sentences of its own mentions.
    bridges = [f"{step.document_title}: {step.sentence}" for step in hit.path if step.chunk_id != hit.chunk_id]
    lines = [" > ".join(filter(None, (hit.title, hit.section))), " → ".join(names), *dict.fromkeys(bridges)]
    context = "\n".join(filter(None, lines))[: most // 2]
    return f"{context}\n{hit.text}"[:most]


def checked(scores: Sequence[float], count: int) -> list[float]:
    """Return the scores as they are.

    Raises:
        UnavailableError: there is not one finite number a chunk.
    """
    if len(scores) != count or not all(map(math.isfinite, scores)):
        raise UnavailableError(
            f"The reranker did not give one finite score to each of {count} chunks. INTERLACE_RERANKER__KIND chooses another."
        )
    return list(scores)


def reordered(fused: Sequence[FusedHit], scores: Mapping[str, float]) -> Judged:
    """Return the list with those that have a score in the order of it, on the places that they held; ties stay as they were.

    Shares of belief belong to the places: they keep falling from the first hit to the last, and sum to what they did.

    Args:
        fused: best first.
        scores: chunk to score, all of the same call.
    """
    places = [place for place, hit in enumerate(fused) if hit.chunk in scores]
    best = sorted(places, key=lambda place: -scores[fused[place].chunk])
    hits = list(fused)
    for place, origin in zip(places, best, strict=True):
        hits[place] = replace(fused[origin], score=fused[place].score)
    figures = {
        fused[place].chunk: {STEP: scores[fused[place].chunk], "fused_rank": float(place + 1)} for place in places
    }
    return Judged(hits, figures)
