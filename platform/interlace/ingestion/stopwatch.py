"""How long the stages of a batch take, for the worker's log."""

import time

from interlace.tracing import note_span


class Stopwatch:
    """Seconds that each stage of a batch took."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._seconds: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """Note the end of a stage that began at the last call, or at the start."""
        now = time.perf_counter()
        self._seconds[stage] = now - self._last
        note_span(stage, self._seconds[stage])
        self._last = now

    def __str__(self) -> str:
        return ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in self._seconds.items())
