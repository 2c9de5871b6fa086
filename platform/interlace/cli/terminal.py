"""What is written to terminals, files and pipes: no text of a document moves the cursor, and a reader that has left is no error."""

import errno
import os
import re
import sys
from typing import TextIO

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook, RenderResult
from rich.segment import Segment

READER_LEFT = 141  # what a shell reports of a program that SIGPIPE ended
_UNWRAPPED = 10_000
# C0 without tab and line feed, DEL, C1, and what reorders text: https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return the text without characters that command a terminal: escape sequences become the harmless rest of themselves."""
    return _CONTROL.sub("", text)


def escaped_controls(text: str) -> str:
    """Return JSON with such characters, which stand only inside its strings, as escapes: the same value in other letters."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _Printable:
    """Renders what it holds, without the control characters that the rendered text brought along."""

    def __init__(self, renderable: RenderableType) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


class _OnlyText(RenderHook):
    """Wraps everything that a console prints."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Return the same, made printable."""
        return [_Printable(each) for each in renderables]


class _Console(Console):
    """A console whose reader may leave: Rich itself would exit with 1 then."""

    def on_broken_pipe(self) -> None:
        """Say so to whoever prints."""
        raise BrokenPipeError(errno.EPIPE, "the reader of the output has left")


def console(*, stderr: bool = False) -> Console:
    """Return the console to print on: as wide as the terminal, and elsewhere so wide that nothing is wrapped."""
    made = _Console(stderr=stderr)
    if not made.is_terminal:
        made = _Console(stderr=stderr, width=_UNWRAPPED)
    made.push_render_hook(_OnlyText())
    return made


def write_line(text: str, stream: TextIO | None = None) -> None:
    """Write one line to standard output, or to another stream."""
    stream = stream or sys.stdout
    stream.write(f"{printable(text)}\n")
    stream.flush()


def tolerate_encodings() -> None:
    """Have standard output and error write ``?`` for what their encoding lacks: ASCII is the encoding of many a pipe and scheduler."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def forget_output() -> None:
    """Send what is still to be written nowhere, because the reader has left (``interlace … | head``)."""
    # Python flushes standard output once more when it ends, and would complain then.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
