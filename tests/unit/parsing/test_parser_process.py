"""The service's end of the parser process, beside a process that a document has taken over."""

import pytest

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing.sandbox import child
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sandbox.sandbox import ParserProcess

# Answers the handshake, then the first word of each source with a frame of these bytes.
_TAKEN_OVER = """
import os, struct
os.read(0, 1 << 16)
os.write(1, struct.pack(">II", 2, 0) + b"{{}}")
while os.read(0, 1 << 16):
    os.write(1, {frame})
"""


@pytest.mark.parametrize(
    "frame",
    [
        'struct.pack(">II", 3, 0) + b"{]}"',  # no JSON
        'struct.pack(">II", 2, 0) + b"[]"',  # no message
        'struct.pack(">II", 0xFFFFFFFF, 0) + b"{" * 9',  # more than the process may hold
    ],
)
def test_an_answer_without_sense_costs_the_document_alone(monkeypatch: pytest.MonkeyPatch, frame: str) -> None:
    ordinary = child._COMMAND
    monkeypatch.setattr(child, "_COMMAND", ("-c", _TAKEN_OVER.format(frame=frame)))
    with ParserProcess(ParseLimits(seconds=20)) as parser:
        (found,) = parser.parse([Source("taken.md", "text/markdown", b"x")])
        assert isinstance(found, ParseError)
        assert "its answer is not a document" in found.message
        monkeypatch.setattr(child, "_COMMAND", ordinary)
        (other,) = parser.parse([Source("sound.md", "text/markdown", b"x")])
        assert isinstance(other, ParsedDocument)
