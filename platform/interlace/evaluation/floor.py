"""The model floor: how long spaCy and the embedder alone take over the same text, in as many processes as there are workers.

What a worker does beyond that (parsing, linking, writing, projecting) is overhead; ingestion is measured as a multiple of the floor.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

Texts = Sequence[tuple[str, str]]
"""Of each chunk, what the extractor reads and what the embedder reads."""


def measure_floor(texts: Texts, processes: int, run: Callable[[Texts], float], warm: Callable[[], None]) -> float:
    """Return the seconds until the slowest process is done with its share.

    Args:
        texts: all chunks.
        processes: worker processes.
        run: runs both models over a share and returns its seconds; must be importable by a new process.
        warm: loads the models; must be importable too.
    """
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=warm) as pool:
        shares = [texts[at::processes] for at in range(processes)]
        # Every process must have loaded its models before the clock starts.
        list(pool.map(run, [texts[:8]] * processes * 2))
        started = time.perf_counter()
        list(pool.map(run, shares))
        return time.perf_counter() - started
