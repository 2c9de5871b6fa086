"""Chunks: sections stay whole where they fit, ids follow content."""

from tests.support.parsing import read

from interlace.domain.documents import ParsedDocument, Section, Source
from interlace.ingestion.document_rows import chunk_marks
from interlace.parsing.chunking import chunk
from interlace.parsing.media import MARKDOWN
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.text.counting import count_words


def document(*texts: str, title: str = "T") -> ParsedDocument:
    sections, start = [], 0
    for ordinal, text in enumerate(texts):
        sections.append(Section(f"H{ordinal}", (f"H{ordinal}",), 1, ordinal, start, start + len(text)))
        start += len(text) + 2
    return ParsedDocument(title=title, text="\n\n".join(texts), sections=tuple(sections))


def test_a_section_that_fits_is_one_chunk_with_its_path() -> None:
    parsed = document("\n\n".join(["one two three four five six seven eight nine ten."] * 22), "Other section.")
    chunks = chunk("d", parsed, 220)
    assert [(item.path, item.section) for item in chunks] == [(("T", "H0"), 0), (("T", "H1"), 1)]
    assert chunks[0].text == parsed.text[chunks[0].start : chunks[0].end]
    assert (chunks[1].ordinal, chunks[1].tokens) == (1, 3)


def test_one_word_more_makes_two_chunks_cut_between_sentences() -> None:
    sentences = " ".join(f"Sentence number {n} ends here." for n in range(45))
    chunks = chunk("d", document(sentences), 220)
    assert len(chunks) == 2
    assert all(item.text.endswith("here.") for item in chunks)
    assert all(90 <= count_words(item.text) <= 220 for item in chunks)


def test_paragraphs_are_packed_together() -> None:
    parsed = document("\n\n".join(f"Short paragraph {n} of seven words only." for n in range(100)))
    chunks = chunk("d", parsed, 70)
    assert len(chunks) < 20
    assert all("\n\n" in item.text for item in chunks)


def test_equal_chunks_have_ids_of_their_own_and_ids_ignore_place() -> None:
    parsed = parse(Source("a.md", "text/markdown", b"## A\n\nsame\n\n## A\n\nsame\n\n## B\n\nlast"), ParseLimits())
    moved = parse(Source("a.md", "text/markdown", b"## B\n\nlast\n\n## A\n\nsame\n\n## A\n\nsame"), ParseLimits())
    ids = [item.id for item in chunk("d", parsed, 220)]
    assert len(set(ids)) == 3
    assert set(ids) == {item.id for item in chunk("d", moved, 220)}


def test_endless_words_and_scripts_without_spaces_are_cut() -> None:
    blob = chunk("d", document("x" * 1_000_000), 220)
    assert "".join(item.text for item in blob) == "x" * 1_000_000
    assert max(len(item.text) for item in blob) <= 220 * 256
    chinese = chunk("d", document("图数据库把知识连接起来。" * 200), 100)
    assert "".join(item.text for item in chinese) == "图数据库把知识连接起来。" * 200
    assert max(count_words(item.text) for item in chinese) <= 100


def test_blank_sections_have_no_chunk() -> None:
    assert chunk("d", document(" \n ", "x"), 220)[0].text == "x"


def test_an_endless_sentence_is_cut_between_words_into_as_few_chunks_as_the_limit_allows() -> None:
    words = [f"word{number}" for number in range(60)]
    chunks = chunk("d", document(" ".join(words)), 20)
    assert [word for item in chunks for word in item.text.split()] == words
    assert 10 < max(len(item.text.split()) for item in chunks) <= 20


def test_repeated_text_is_cut_into_even_pieces() -> None:
    """Its boundaries all have one priority, so only the search from the middle keeps a stretch from being nibbled at its end."""
    chunks = chunk("d", document("the same old words again. " * 640), 100)
    # 32 full ones would do; cut from the end, there would be hundreds.
    assert sum(count_words(item.text) for item in chunks) == 3200
    assert 32 <= len(chunks) < 40


def test_a_block_of_code_and_a_list_with_its_introduction_stay_whole_where_they_fit() -> None:
    prose = "\n\n".join(f"Paragraph {number} has some six words." for number in range(8))
    code = "def a():\n    one()\n\n\ndef b():\n    two()"
    parsed = read(
        f"{prose}\n\nThese are the steps:\n\n1. One step\n2. Another step\n\n{prose}\n\n```python\n{code}\n```\n\n{prose}\n",
        MARKDOWN,
    )
    texts = [each.text for each in chunk("d", parsed, 20)]
    assert any(code in text for text in texts)
    assert any("These are the steps:\n\n1. One step\n2. Another step" in text for text in texts)
    assert all(len(text.split()) <= 20 for text in texts)


def test_a_table_that_fits_stays_whole() -> None:
    prose = "\n\n".join(f"Paragraph {number} has some six words." for number in range(8))
    parsed = read(f"{prose}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n{prose}\n", MARKDOWN)
    assert any("a | b\n1 | 2\n3 | 4" in each.text for each in chunk("d", parsed, 20))


def test_words_that_a_document_with_code_writes_small_mark_its_chunks() -> None:
    text = "# Guide\n\nA handler `x` calls a handler.\n\n# Use\n\nThe Handler pattern of Redis."
    coded = chunk("d", read(text.encode(), MARKDOWN), 220)
    assert [item.small_words for item in coded] == [(), ("Handler",)]
    parsed = read(text.replace("a handler.", "a function.").encode(), MARKDOWN)
    other = chunk("d", parsed, 220)
    assert other[1].id == coded[1].id
    assert other[1].small_words == ()
    assert chunk_marks(parsed, [coded[1]]) != chunk_marks(parsed, [other[1]])


def test_words_side_by_side_that_a_document_with_code_has_apart_mark_its_chunks() -> None:
    text = "# Guide\n\nRedis `x` and HTTP. Redis, or HTTP.\n\n# Use\n\nPages of Redis HTTP."
    coded = chunk("d", read(text.encode(), MARKDOWN), 220)
    assert [item.loose_pairs for item in coded] == [(), (("Redis", "HTTP", True),)]
    parsed = read(text.replace("Redis, or HTTP", "None").replace("HTTP. ", "others. ").encode(), MARKDOWN)
    other = chunk("d", parsed, 220)
    assert (other[1].id, other[1].loose_pairs) == (coded[1].id, ())
    assert chunk_marks(parsed, [coded[1]]) != chunk_marks(parsed, [other[1]])
    assert chunk("d", read(text.replace("`", "").encode(), MARKDOWN), 220)[1].loose_pairs == ()


def test_titles_that_a_document_with_code_cites_mark_its_chunks() -> None:
    text = "# Guide\n\nA `x` is here.\n\n# Use\n\nSee [First Steps](a.md)."
    parsed = read(text.encode(), MARKDOWN)
    coded = chunk("d", parsed, 220)
    assert [[item.text[start:end] for start, end in item.cited] for item in coded] == [[], ["First Steps"]]
    witnessed = read(text.replace("here", "of First Steps").encode(), MARKDOWN)
    other = chunk("d", witnessed, 220)
    assert (other[1].id, other[1].cited) == (coded[1].id, ())
    assert chunk_marks(parsed, [coded[1]]) != chunk_marks(witnessed, [other[1]])
    assert chunk("d", read(text.replace("`", "").encode(), MARKDOWN), 220)[1].cited == ()


def test_people_whom_fields_name_mark_the_chunks_that_have_their_first_names() -> None:
    text = "Attendees: Ada Byron, Mary Somerville\n\n# Crane\n\nAda asked. Maryland agreed."
    parsed = read(text.encode(), MARKDOWN)
    first, second = chunk("d", parsed, 220)
    assert (first.participants, second.participants) == (("Ada Byron", "Mary Somerville"), ("Ada Byron",))
    _, other = chunk("d", read(text.replace("Ada Byron", "Ann Byron").encode(), MARKDOWN), 220)
    assert (other.id, other.participants) == (second.id, ())
    assert chunk_marks(parsed, [second]) != chunk_marks(parsed, [other])


def test_the_words_of_a_link_to_a_heading_are_no_code() -> None:
    parsed = read(
        b"# Guide\n\nSee [Use of Amazon](#use) and `Amazon.run`, `Registry`. Ask Amazon or the Use, a Registry.",
        MARKDOWN,
    )
    assert chunk("d", parsed, 220)[0].code_words == ("Amazon", "Registry", "run")
    parsed = read(b"# Guide\n\nSee [Use of Amazon](#use), `Registry`. Ask Amazon, a Registry.", MARKDOWN)
    assert chunk("d", parsed, 220)[0].code_words == ("Registry",)
