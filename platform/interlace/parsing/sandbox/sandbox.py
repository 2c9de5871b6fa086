"""The sandbox: parsers run in a confined process, so that a slow, greedy or crashing document harms only itself."""

import os
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import display_name
from interlace.parsing.registry import out_of_memory
from interlace.parsing.sandbox.child import ChildProcess, ParserDiedError, ParserTimeoutError
from interlace.parsing.sandbox.limits import ParseLimits


class ParserProcess:
    """A confined parser that lives on between calls and is replaced when a document breaks it.

    The process starts with the first call. A forked process starts its own, also inside Celery's daemonic workers, and leaves its
    parent's alone. Concurrent calls are serialised.

    Args:
        limits: caps on each document; ``seconds`` counts from the end of the document before it.
    """

    def __init__(self, limits: ParseLimits) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None

    @property
    def pid(self) -> int | None:
        """The process id of the parser; None while there is none."""
        return self._child.process.pid if self._child else None

    def parse(self, sources: Sequence[Source]) -> list[ParsedDocument | ParseError]:
        """Return a document or an error for each source, in order.

        If the process dies during a document, the document is tried once more in a new process before it is blamed: something
        outside may have killed the first one.

        Raises:
            UnavailableError: no parser process can be started.
        """
        with self._lock:
            try:
                return self._parse(sources)
            except BaseException:
                self._stop()  # interrupted in the middle of a frame, the process is unusable
                raise

    def _parse(self, sources: Sequence[Source]) -> list[ParsedDocument | ParseError]:
        results: list[ParsedDocument | ParseError] = []
        suspect = -1
        while len(results) < len(sources):
            try:
                self._running_child().run(sources, results)
            except ParserTimeoutError:
                self._stop()
                results.append(self._timeout(sources[len(results)]))
            except ParserDiedError as death:
                self._stop()
                if suspect == len(results):
                    results.append(self._crash(sources[suspect], death))
                else:
                    suspect = len(results)
        return results

    def close(self) -> None:
        """End the parser process; a later call starts a new one."""
        with self._lock:
            self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _running_child(self) -> ChildProcess:
        if self._child and self._child.owner != os.getpid():
            self._child = None  # this process is a fork: the parser belongs to the parent
        if self._child and (self._child.is_last or self._child.process.poll() is not None):
            self._stop()
        if self._child is None:
            self._child = ChildProcess(self.limits)
        return self._child

    def _stop(self) -> None:
        child, self._child = self._child, None
        if child and child.owner == os.getpid():
            child.end()

    def _timeout(self, source: Source) -> ParseError:
        return ParseError(
            f"{display_name(source.uri)} took longer than {self.limits.seconds:g} s to read. Split it.",
            reason="limit",
            uri=source.uri,
        )

    def _crash(self, source: Source, death: ParserDiedError) -> ParseError:
        if "MemoryError" in str(death):
            return out_of_memory(source, self.limits)
        return ParseError(
            f"{display_name(source.uri)} made the parser process end ({death}). "
            "Save it again in its program, split it if it is large, or leave it out.",
            uri=source.uri,
        )
