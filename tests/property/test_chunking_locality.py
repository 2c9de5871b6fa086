"""What must hold for the chunks of any text: exact offsets, full cover, and edits that stay local."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from interlace.domain.documents import Chunk, ParsedDocument, Section, Source
from interlace.domain.errors import ParseError
from interlace.parsing.chunking import chunk
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.text.counting import count_words

LIMITS = ParseLimits(max_bytes=100_000)
MAX_WORDS = 40
MEDIA_TYPES = [
    "text/markdown",
    "text/plain",
    "text/html",
    "application/json",
    "application/octet-stream",
    "application/pdf",
]


def one_section(text: str) -> ParsedDocument:
    return ParsedDocument("T", text, (Section("", (), 0, 0, 0, len(text)),))


def attempt(content: bytes, media_type: str) -> ParsedDocument | ParseError:
    try:
        return parse(Source("any", media_type, content), LIMITS)
    except ParseError as error:
        return error


def covered(parsed: ParsedDocument, chunks: tuple[Chunk, ...]) -> None:
    last = 0
    for number, item in enumerate(chunks):
        section = parsed.sections[item.section]
        assert item.text == parsed.text[item.start : item.end]
        assert section.start <= item.start < item.end <= section.end
        assert (item.ordinal, item.text.strip()) == (number, item.text)
        assert parsed.text[last : item.start].strip() == ""
        assert item.start >= last
        last = item.end
    assert parsed.text[last:].strip() == ""
    assert len({item.id for item in chunks}) == len(chunks)


PROSE = st.text(alphabet=st.sampled_from("ab é.!?\n\t 中。\"'#-"), max_size=3_000)


@given(PROSE, st.integers(1, 60))
@settings(max_examples=300, deadline=None)
def test_chunks_cover_the_text_exactly_once(text: str, max_words: int) -> None:
    parsed = one_section(text)
    chunks = chunk("d", parsed, max_words)
    covered(parsed, chunks)
    assert all(count_words(item.text) <= max_words or len(item.text.split()) == 1 for item in chunks)
    if 0 < count_words(text) <= max_words:
        assert len(chunks) == 1


@given(st.one_of(st.binary(max_size=2_000), st.text(max_size=1_500).map(str.encode)), st.sampled_from(MEDIA_TYPES))
@settings(max_examples=400, deadline=None)
def test_any_bytes_parse_or_are_refused(content: bytes, media_type: str) -> None:
    parsed = attempt(content, media_type)
    if isinstance(parsed, ParseError):
        assert parsed.message.startswith("any")
        assert parsed.reason in {"empty", "encoding", "broken", "unknown-type", "limit"}
        return
    assert parsed.title
    covered(parsed, chunk("d", parsed, MAX_WORDS))


MARKS = st.lists(
    st.sampled_from(
        ["# ", "## ", "### ", "word ", "more words. ", "\n", "\n\n", "[a](b)", "[[C#tool]]", "[[D|e]]", "#tag ", "- ", "> ", "`c`", "*",
         "```\n", "<div>", "</div>", "<p>", "<a href=x>", "</a>", "<h2>", "</h2>", "\u0301", "&nbsp;", "|a|b|\n|-|-|\n", "[[", "]]", "    "]
    ),
    max_size=80,
).map("".join)  # fmt: skip


@given(MARKS, st.sampled_from(["text/markdown", "text/html"]))
@settings(max_examples=500, deadline=None)
def test_structure_of_any_markup_is_consistent(markup: str, media_type: str) -> None:
    parsed = attempt(markup.encode(), media_type)
    if isinstance(parsed, ParseError):
        assert parsed.reason in {"empty", "limit"}
        return
    covered(parsed, chunk("d", parsed, MAX_WORDS))
    for link in parsed.links:
        assert 0 <= link.start <= link.end <= len(parsed.text)
        assert parsed.text[link.start : link.end] in {link.text, ""}
    for section in parsed.sections:
        assert section.path[-1:] == ((section.heading,) if section.level else ())


def paragraphs(seed: int, count: int) -> list[str]:
    """Return paragraphs that differ in their last words: the ids of equal chunks also count which of them comes first."""
    chooser = random.Random(seed)
    words = [f"w{n}" for n in range(500)]
    return [" ".join(chooser.choices(words, k=chooser.randint(3, 60))) + f" p{number}." for number in range(count)]


@pytest.mark.parametrize("max_words", [MAX_WORDS, 220])
@given(seed=st.integers(0, 10_000), place=st.floats(0, 1), change=st.sampled_from(["insert", "delete", "edit"]))
@example(seed=1866, place=0.03125, change="insert")
@settings(max_examples=60, deadline=None)
def test_an_edit_changes_only_chunks_near_it(max_words: int, seed: int, place: float, change: str) -> None:
    old = paragraphs(seed, 300)
    at = int(place * (len(old) - 1))
    new = list(old)
    if change == "insert":
        new.insert(at, "A paragraph that was not here before.")
    elif change == "delete":
        del new[at]
    else:
        new[at] += " An added sentence."
    before, after = (chunk("d", one_section("\n\n".join(text)), max_words) for text in (old, new))
    kept = {item.id for item in before} & {item.id for item in after}
    lost = [item for item in before if item.id not in kept]
    # A stretch holds at most four chunks; the edit can reach the stretches on both sides of it, no further.
    assert sum(count_words(item.text) for item in lost) <= 9 * max_words
    edited = len("\n\n".join(old[:at]))
    reach = 9 * max_words * 6
    assert all(abs(item.start - edited) <= reach for item in lost)


def test_chunks_are_well_filled() -> None:
    texts = [one_section("\n\n".join(paragraphs(seed, 300))) for seed in range(10)]
    sizes = [count_words(item.text) for text in texts for item in chunk("d", text, 220)]
    assert sum(sizes) / len(sizes) > 0.5 * 220
