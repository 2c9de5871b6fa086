"""The model floor: how long spaCy and the embedder alone take over the same text, in as many processes as there are workers.

What a worker does beyond that (parsing, linking, writing, projecting) is overhead; ingestion is measured as a multiple of the floor.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

from interlace.vectors.projection import embed

if TYPE_CHECKING:
    from interlace.bootstrap import Platform

Texts = Sequence[tuple[str, str]]
"""For each chunk, the text for the extractor and the text for the embedder."""

_platforms: list["Platform"] = []
"""The platform whose models this process of the pool uses."""


def measure_floor(texts: Texts, processes: int, open_platform: Callable[[], "Platform"]) -> float:
    """Return the seconds until the slowest process is done with its share.

    Args:
        texts: all chunks.
        processes: worker processes.
        open_platform: gives each process its models; must be importable by a new process.
    """
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_load, initargs=(open_platform,)) as pool:
        shares = [texts[at::processes] for at in range(processes)]
        # Every process must have loaded its models before the clock starts.
        list(pool.map(_run, [texts[:8]] * processes * 2))
        started = time.perf_counter()
        list(pool.map(_run, shares))
        return time.perf_counter() - started


def _load(open_platform: Callable[[], "Platform"]) -> None:
    platform = open_platform()
    # Read here, because a platform loads its models when they are first used.
    _ = platform.extractor, platform.embedder
    _platforms.append(platform)


def _run(texts: Texts) -> None:
    (platform,) = _platforms
    platform.extractor.run_pipeline([text for text, _ in texts])
    if platform.embedder is not None:
        embed([platform.embedder], [text for _, text in texts])
