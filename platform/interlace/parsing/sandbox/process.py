"""The parser process: reads sources from standard input and writes documents to standard output; it can do nothing else.

Started by ``ChildProcess`` as ``python -m interlace.parsing.sandbox.process``; the first frame holds the limits.
"""

import logging
import os
import select
import sys
import traceback
from typing import BinaryIO

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import display_name
from interlace.parsing.registry import out_of_memory, parse
from interlace.parsing.sandbox.confinement import allow_cpu, confine
from interlace.parsing.sandbox.frames import decode_limits, decode_source, encode_answer, encode_frame, read_frame
from interlace.parsing.sandbox.limits import ParseLimits

_PARENT_CHECK_SECONDS = 5.0


def main() -> None:
    """Answer requests until standard input ends or the parent is gone."""
    logging.disable(logging.WARNING)  # parsing libraries log each oddity of a file
    # Unbuffered, so that ``select`` sees everything there is.
    requests = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    # What a library prints must not end up between frames.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    first = read_frame(requests)
    if first is None:
        return
    limits = decode_limits(first[0])
    _send(answers, encode_frame({"network": confine(limits.memory_bytes)}))
    _serve(requests, answers, limits)


def _serve(requests: BinaryIO, answers: BinaryIO, limits: ParseLimits) -> None:
    parent = os.getppid()
    while _wait(requests, parent):
        frame = read_frame(requests)
        if frame is None:
            return
        allow_cpu(limits.seconds)
        answer, last = _answer(decode_source(*frame), limits)
        _send(answers, encode_answer(answer, last=last))
        if last:
            return


def _wait(requests: BinaryIO, parent: int) -> bool:
    """Wait for a request; return False when the parent is gone although another process still holds the pipe open."""
    while not select.select([requests], [], [], _PARENT_CHECK_SECONDS)[0]:
        if os.getppid() != parent:
            return False
    return True


def _answer(source: Source, limits: ParseLimits) -> tuple[ParsedDocument | ParseError, bool]:
    """Return the result for a source, and whether the process must end after it."""
    try:
        return parse(source, limits), False
    except ParseError as error:
        return error, False
    except MemoryError:
        pass  # the answer is built below, once the failed parse has released its memory
    except Exception as error:  # noqa: BLE001 - a defect in one parser must not affect other documents
        traceback.print_exc()
        name, kind = display_name(source.uri), type(error).__name__
        return ParseError(f"{name} cannot be read ({kind}). Save it again in its program."), False
    return out_of_memory(source, limits), True


def _send(answers: BinaryIO, frame: bytes) -> None:
    view = memoryview(frame)
    while view:
        view = view[answers.write(view) :]


if __name__ == "__main__":
    main()
