"""The service's end of the parser process: starts it, and exchanges frames with it over non-blocking pipes."""

import contextlib
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError, UnavailableError
from interlace.parsing.decoding import display_name
from interlace.parsing.sandbox.frames import HEADER, decode_answer, encode_frame, encode_limits, encode_source
from interlace.parsing.sandbox.limits import ParseLimits

_COMMAND = ("-B", "-P", "-m", "interlace.parsing.sandbox.process")
_START_SECONDS = 60.0
_BLOCK = 1 << 16
_STDERR_BYTES = 8_000
_NONSENSE = "its answer is not a document"
# Enough for the interpreter to find itself and our packages; secrets in the environment are not passed on.
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT")


class ParserTimeoutError(Exception):
    """The current document has used up its time."""


class ParserDiedError(Exception):
    """The process ended during a document; the message holds its exit status and the last line it wrote."""


class ChildProcess:
    """One parser process and its pipes. Nothing here blocks, so the two sides cannot deadlock.

    Attributes:
        owner: id of the process that started it.
        is_last: whether its last answer was the final one, so that a new process must take over.

    Raises:
        UnavailableError: the process cannot be started, or does not answer.
    """

    def __init__(self, limits: ParseLimits) -> None:
        self.owner = os.getpid()
        self.is_last = False
        self.process = _start()
        self._limits = limits
        self._errors = b""
        self._received = bytearray()
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno() for pipe in (self.process.stdin, self.process.stdout, self.process.stderr) if pipe
        )
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        for pipe in (self._stdout, self._stderr):
            self._selector.register(pipe, selectors.EVENT_READ)
        self._handshake()

    def _handshake(self) -> None:
        try:
            frames = iter([encode_frame(encode_limits(self._limits))])
            next(self._exchange(frames, 1, _START_SECONDS))
        except (ParserTimeoutError, ParserDiedError) as error:
            output = self._errors.decode("utf-8", "replace").strip()
            self.end()
            raise UnavailableError(
                f"The parser process does not start: {error} {output[-2000:]} Is the installation complete?"
            ) from None

    def run(self, sources: Sequence[Source], results: list[ParsedDocument | ParseError]) -> None:
        """Parse the sources that have no result yet and append the results, which stay there on a failure.

        Raises:
            ParserTimeoutError: the first source without a result took too long.
            ParserDiedError: the process died during it, or its answer makes no sense.
        """
        remaining = sources[len(results) :]
        for message in self._exchange(map(encode_source, remaining), len(remaining), self._limits.seconds):
            try:
                results.append(decode_answer(message, sources[len(results)].uri))
                self.is_last = bool(message["last"])
            except (ValueError, KeyError, TypeError):
                # Only a parser compromised by the document answers like this: the rest of its output is not read.
                raise ParserDiedError(_NONSENSE) from None
            if self.is_last:
                return

    def _exchange(self, frames: Iterator[bytes], count: int, timeout: float) -> Iterator[dict[str, Any]]:
        """Send the frames as fast as the process takes them, and yield ``count`` answers, each within ``timeout`` seconds."""
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        unsent: memoryview | None = memoryview(b"")
        deadline = time.monotonic() + timeout
        while count:
            ready = {key.fd for key, _ in self._selector.select(max(0.0, deadline - time.monotonic()))}
            if self._stderr in ready:
                self._read_errors()
            if self._stdout in ready:
                for message in self._receive():
                    count -= 1
                    yield message
                    deadline = time.monotonic() + timeout
            elif time.monotonic() >= deadline:
                raise ParserTimeoutError(f"no answer within {timeout:g} s")
            if unsent is not None and self._stdin in ready:
                unsent = self._send(unsent or memoryview(next(frames, b"")))
                if unsent is None:
                    self._selector.unregister(self._stdin)
        if unsent is not None:
            self._selector.unregister(self._stdin)

    def _send(self, unsent: memoryview) -> memoryview | None:
        """Send what the pipe accepts; return the rest, or None when all is sent or the process is gone."""
        if not unsent:
            return None
        try:
            return unsent[os.write(self._stdin, unsent) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:
            return None  # its answers from before it died must still be read

    def _read_errors(self) -> None:
        block = os.read(self._stderr, _BLOCK)
        if not block:
            self._selector.unregister(self._stderr)
        self._errors = (self._errors + block)[-_STDERR_BYTES:]

    def _receive(self) -> Iterator[dict[str, Any]]:
        """Read once and yield the complete answers."""
        block = os.read(self._stdout, 16 * _BLOCK)
        if not block:
            self.process.wait()
            raise ParserDiedError(self._cause_of_death())
        self._received += block
        while len(self._received) >= HEADER.size:
            end = HEADER.size + HEADER.unpack_from(self._received)[0]
            if end > self._limits.memory_bytes:  # more than the process can hold
                raise ParserDiedError(_NONSENSE)
            if len(self._received) < end:
                return
            try:
                message = orjson.loads(memoryview(self._received)[HEADER.size : end])
            except orjson.JSONDecodeError:
                message = None
            if not isinstance(message, dict):
                raise ParserDiedError(_NONSENSE)
            del self._received[:end]
            yield message

    def _cause_of_death(self) -> str:
        with contextlib.suppress(OSError):
            self._errors += os.read(self._stderr, _BLOCK)
        status = self.process.returncode
        cause = f"signal {-status}" if status < 0 else f"status {status}"
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return f"{cause}: {display_name(lines[-1])}" if lines else cause

    def end(self) -> None:
        """Kill the process, reap it and close the pipes."""
        self.process.kill()
        self.process.wait()
        self._selector.close()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()


def _start() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, *_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        raise UnavailableError(
            f"The parser process cannot be started: {error}. Are memory and process limits free?"
        ) from error
