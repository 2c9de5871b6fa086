"""The wire format: sources, limits and answers survive it; metadata that no parser reads does not cross."""

import io
from dataclasses import replace

import orjson
import pytest
from pydantic import ValidationError

from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.parsing.registry import parse
from interlace.parsing.sandbox import frames
from interlace.parsing.sandbox.limits import ParseLimits

SKILL = b"---\ntags: [a]\naliases: [b]\nrated: [1, {x: null}]\n---\n# T\n\nSee [[C#tool]] and [d](e).\n\n## H\n\nmore"


def test_only_metadata_for_parsers_crosses() -> None:
    source = Source("a.md", "text/markdown", b"x", {"atlas_strategy": "atom", "title": "T", "secret": "no"})
    frame = frames.read_frame(io.BytesIO(frames.encode_source(source)))
    assert frame is not None
    assert frames.decode_source(*frame) == replace(source, metadata={"atlas_strategy": "atom", "title": "T"})


def test_a_document_comes_back_equal_and_an_error_with_its_reason() -> None:
    document = parse(Source("SKILL.md", "text/markdown", SKILL), ParseLimits())
    message, _ = frames.read_frame(io.BytesIO(frames.encode_answer(document))) or ({}, b"")
    assert (frames.decode_answer(message, "u"), message["last"]) == (document, False)
    message, _ = frames.read_frame(io.BytesIO(frames.encode_answer(ParseError("x", reason="limit"), last=True))) or (
        {},
        b"",
    )
    error = frames.decode_answer(message, "u")
    assert isinstance(error, ParseError)
    assert (error.message, error.reason, error.uri, message["last"]) == ("x", "limit", "u", True)


def test_limits_survive_json() -> None:
    limits = ParseLimits(seconds=1.5, reference_types=frozenset({"gene", "drug"}))
    assert frames.decode_limits(orjson.loads(orjson.dumps(frames.encode_limits(limits)))) == limits


def test_what_is_no_document_is_not_taken_for_one() -> None:
    with pytest.raises(ValidationError):
        frames.decode_answer({"document": {"title": "T", "text": 3, "sections": []}}, "u")


@pytest.mark.parametrize("cut", [0, 3, 8, 20])
def test_a_stream_that_ends_within_a_frame_ends(cut: int) -> None:
    assert frames.read_frame(io.BytesIO(frames.encode_frame({"key": "value"}, b"raw bytes")[:cut])) is None
