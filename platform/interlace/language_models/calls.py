"""What a call of a language model may take, and several calls at once until there is a reason to pause."""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from interlace.language_models.pauses import Pause

T = TypeVar("T")


def max_tokens_of(prompt: int, output: int) -> int:
    """Return the most tokens that a call may use: two answers of maximum length, with the first one read again for the repair."""
    return 2 * prompt + 3 * output


def lease_seconds(timeout: float) -> float:
    """Return how long a call and its repair may take, each at most ``timeout`` seconds, plus the time that the graph takes."""
    return 2 * timeout + 60


def call_for_each(
    items: Iterable[T],
    call: Callable[[T], Pause | None],
    *,
    concurrency: int,
    closing: threading.Event,
    job: Callable[[T], str] = lambda _: "",
) -> list[Pause]:
    """Call a language model for items, several at once, and return why some were left out: for each job the longest pause.

    Args:
        items: what to call it for.
        call: makes the call; returns why no further one is to be made.
        concurrency: number of concurrent calls.
        closing: set when no further call may be made.
        job: the job that an item belongs to.
    """
    pauses: dict[str, Pause] = {}
    lock = threading.Lock()

    def one(item: T) -> None:
        if closing.is_set() or "" in pauses or job(item) in pauses:
            return
        if (pause := call(item)) is not None:
            with lock:
                pauses[pause.job] = max(pauses.get(pause.job, pause), pause, key=lambda each: each.seconds)

    if concurrency == 1:
        for item in items:
            one(item)
    else:
        with ThreadPoolExecutor(concurrency, thread_name_prefix="calling") as threads:
            for begun in [threads.submit(copy_context().run, one, item) for item in items]:
                begun.result()
    return list(pauses.values())
