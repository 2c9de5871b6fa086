"""Runs parsers in a confined process of their own: slow, greedy and crashing documents hurt nobody but themselves."""

import contextlib
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

import orjson

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError, UnavailableError
from interlace.parsing.decoding import display_name
from interlace.parsing.registry import out_of_memory
from interlace.parsing.sandbox.frames import HEADER, answer_of, limits_message, pack, source_frame
from interlace.parsing.sandbox.limits import ParseLimits

Result = ParsedDocument | ParseError

_START_SECONDS = 60.0
_BLOCK = 1 << 16
_STDERR_BYTES = 8_000
# Enough for the interpreter to find itself and our packages; secrets in the environment stay out.
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT")


class ParserProcess:
    """A confined parser that lives on between calls and is replaced when a document breaks it.

    It starts with the first call, in the process that makes it (a fork does not share its parent's), also inside Celery's daemonic
    workers. Threads take turns.

    Args:
        limits: caps on each document; ``seconds`` counts from the end of the one before it.
    """

    def __init__(self, limits: ParseLimits) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._child: _Child | None = None

    def parse(self, sources: Sequence[Source]) -> list[Result]:
        """Return a document or an error for each source, in order.

        A document during which the process died is tried once more in a new one before it is blamed: it may have been killed from outside.

        Raises:
            UnavailableError: no parser process can be started.
        """
        with self._lock:
            try:
                return self._parse(sources)
            except BaseException:
                self._stop()  # interrupted in the middle of a frame, it cannot be talked to any more
                raise

    def _parse(self, sources: Sequence[Source]) -> list[Result]:
        results: list[Result] = []
        suspect = -1
        while len(results) < len(sources):
            try:
                self._living().run(sources, results)
            except _TimedOutError:
                self._stop()
                results.append(self._slow(sources[len(results)]))
            except _DiedError as death:
                self._stop()
                if suspect == len(results):
                    results.append(self._crashed(sources[suspect], death))
                else:
                    suspect = len(results)
        return results

    @property
    def pid(self) -> int | None:
        """The process id of the parser; None while there is none."""
        return self._child.process.pid if self._child else None

    @property
    def network(self) -> str:
        """How the parser is kept from the network: ``network namespace`` or ``audit hook``; empty while there is none."""
        return self._child.network if self._child else ""

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

    def _living(self) -> "_Child":
        if self._child and self._child.owner != os.getpid():
            self._child = None  # a fork of the owner: its parser is not ours to end
        if self._child and (self._child.worn or self._child.process.poll() is not None):
            self._stop()
        if self._child is None:
            self._child = _Child(self.limits)
        return self._child

    def _stop(self) -> None:
        child, self._child = self._child, None
        if child and child.owner == os.getpid():
            child.end()

    def _slow(self, source: Source) -> ParseError:
        return ParseError(
            f"{display_name(source.uri)} took longer than {self.limits.seconds:g} s to read. "
            "Split it, or raise INTERLACE_INGEST__PARSE_SECONDS.",
            reason="limit",
            uri=source.uri,
        )

    def _crashed(self, source: Source, death: "_DiedError") -> ParseError:
        if "MemoryError" in str(death):
            return out_of_memory(source, self.limits)
        return ParseError(
            f"{display_name(source.uri)} made the parser process end ({death}). "
            "Save it again in its program, split it if it is large, or leave it out.",
            uri=source.uri,
        )


class _TimedOutError(Exception):
    """The document in work has used up its time."""


class _DiedError(Exception):
    """The process ended during a document; carries its exit status and last words."""


class _Child:
    """One parser process and its pipes, driven without blocking so that neither side can wait for the other for ever."""

    def __init__(self, limits: ParseLimits) -> None:
        self.owner = os.getpid()
        self.network = ""
        self.worn = False
        self._limits = limits
        self._errors = b""
        self._received = bytearray()
        command = [sys.executable, "-B", "-P", "-m", "interlace.parsing.sandbox.process"]
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd="/",
                env=environment,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise UnavailableError(
                f"The parser process cannot be started: {error}. Are memory and process limits free?"
            ) from error
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno() for pipe in (self.process.stdin, self.process.stdout, self.process.stderr) if pipe
        )
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        for pipe in (self._stdout, self._stderr):
            self._selector.register(pipe, selectors.EVENT_READ)
        self._greet()

    def _greet(self) -> None:
        try:
            message = next(self._exchange(iter([pack(limits_message(self._limits))]), 1, _START_SECONDS))
        except (_TimedOutError, _DiedError) as error:
            words = self._errors.decode("utf-8", "replace").strip()
            self.end()
            raise UnavailableError(
                f"The parser process does not start: {error} {words[-2000:]} Is Interlace installed whole?"
            ) from None
        self.network = str(message["network"])

    def run(self, sources: Sequence[Source], results: list[Result]) -> None:
        """Put the results of the sources that have none yet at the end of ``results``, which keeps them on a failure.

        Raises:
            _TimedOutError: the first source without a result took too long.
            _DiedError: the process died during it.
        """
        left = sources[len(results) :]
        for message in self._exchange(map(source_frame, left), len(left), self._limits.seconds):
            results.append(answer_of(message, sources[len(results)].uri))
            if message["last"]:
                self.worn = True
                return

    def _exchange(self, frames: Iterator[bytes], count: int, seconds: float) -> Iterator[dict[str, Any]]:
        """Send the frames as fast as they are taken, and yield the answers as they come, each within its time."""
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        unsent: memoryview | None = memoryview(b"")
        deadline = time.monotonic() + seconds
        while count:
            ready = {key.fd for key, _ in self._selector.select(max(0.0, deadline - time.monotonic()))}
            if self._stderr in ready:
                self._hear()
            if self._stdout in ready:
                for message in self._receive():
                    count -= 1
                    yield message
                    deadline = time.monotonic() + seconds
            elif time.monotonic() >= deadline:
                raise _TimedOutError(f"no answer within {seconds:g} s")
            if unsent is not None and self._stdin in ready:
                unsent = self._write(unsent or memoryview(next(frames, b"")))
                if unsent is None:
                    self._selector.unregister(self._stdin)
        if unsent is not None:
            self._selector.unregister(self._stdin)

    def _write(self, unsent: memoryview) -> memoryview | None:
        """Send what the pipe takes; None when there is nothing left to send, or nobody to send it to."""
        if not unsent:
            return None
        try:
            return unsent[os.write(self._stdin, unsent) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:
            return None  # what it answered before it died is still to be read

    def _hear(self) -> None:
        block = os.read(self._stderr, _BLOCK)
        if not block:
            self._selector.unregister(self._stderr)
        self._errors = (self._errors + block)[-_STDERR_BYTES:]

    def _receive(self) -> Iterator[dict[str, Any]]:
        """Read once and yield the answers that are complete."""
        block = os.read(self._stdout, 16 * _BLOCK)
        if not block:
            self.process.wait()
            raise _DiedError(self._last_words())
        self._received += block
        while len(self._received) >= HEADER.size:
            end = HEADER.size + HEADER.unpack_from(self._received)[0]
            if len(self._received) < end:
                return
            message = orjson.loads(memoryview(self._received)[HEADER.size : end])
            del self._received[:end]
            yield message

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            self._errors += os.read(self._stderr, _BLOCK)
        status = self.process.returncode
        how = f"signal {-status}" if status < 0 else f"status {status}"
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return f"{how}: {display_name(lines[-1])}" if lines else how

    def end(self) -> None:
        """Kill the process, reap it and close the pipes."""
        self.process.kill()
        self.process.wait()
        self._selector.close()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()
