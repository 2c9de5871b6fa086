"""AsciiDoc: sections, lists, tables, code, links and what is no text."""

import time

import pytest
from tests.support.parsing import read, refusal

from interlace.domain.documents import ParsedDocument
from interlace.ingestion.labels import with_sent
from interlace.parsing.media import TEXT


def guide(text: str) -> ParsedDocument:
    return read(text, TEXT, uri="folder/guide.adoc")


def code(parsed: ParsedDocument) -> list[str]:
    return [parsed.text[start:end].strip() for start, end in parsed.literals]


def test_titles_and_sections() -> None:
    parsed = guide(
        "= The {kind}\n:toc:\n:kind: Guide\n:tool: Redis\n// hidden\n\nIt asks\n{tool}.\n\n[[depth]]\n== Depth\n\nLow.\n\n=== Low water\n\nEbb.\n"
    )
    assert (parsed.title, parsed.text) == ("The Guide", "It asks Redis.\n\nLow.\n\nEbb.")
    assert [section.path for section in parsed.sections] == [(), ("Depth",), ("Depth", "Low water")]
    underlined = guide("The Guide\n=========\n\nDepth\n-----\n\nLow.\n\nCode:\n\n----\nrun\n----\n")
    assert (underlined.title, [each.path for each in underlined.sections]) == ("The Guide", [("Depth",)])
    assert code(underlined) == ["run"]


@pytest.mark.parametrize(
    ("head", "metadata"),
    [
        ("Maria Keller <maria@x.org>\nv1.0, 2024-03-12\n:toc:\n:icons: font", ("Maria Keller", "2024-03-12", "2024-03-12")),
        ("Maria Keller\n:toc: left\n:revdate: 2024-03-12", ("Maria Keller", "2024-03-12", "2024-03-12")),
        (":author: Maria Keller\n// hidden\n:day: 2024-03-12\n:revdate: {day}", ("Maria Keller", "2024-03-12", "2024-03-12")),
        ("Ana_Maria Lopez; Tom van der Berg <t@x.org>\nv2, 12 March 2024: second", ("Ana Maria Lopez, Tom van der Berg", "12 March 2024", "2024-03-12")),
        ("Maria Keller\n2024-03-12", ("Maria Keller", "2024-03-12", "2024-03-12")),
        ("Maria Keller\nv1.0", ("Maria Keller", None, None)),
        (":revdate: {docdate}", (None, None, None)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("title", ["= Handbook\n", "Handbook\n========\n"])
def test_lines_below_the_title_state_author_and_date(
    title: str, head: str, metadata: tuple[str | None, str | None, str | None]
) -> None:
    parsed = guide(f"{title}{head}\n\nWelcome.\n\n= Part\nOf it\n")
    assert (parsed.title, parsed.text) == ("Handbook", "Welcome.\n\nOf it")
    assert tuple(map(parsed.metadata.get, ("author", "created", "created_at"))) == metadata


@pytest.mark.parametrize("words", ["Welcome to our harbour at low tide.", "Low tide.", "Low tide\nis when it is low."])
def test_words_below_the_title_are_text(words: str) -> None:
    parsed = guide(f"= Handbook\n{words}\n\nEbb.\n")
    assert (parsed.text, parsed.metadata) == (f"{words}\n\nEbb.".replace("tide\n", "tide "), {})


def test_the_author_of_the_title_may_be_named_in_the_text() -> None:
    assert guide("= Handbook\nMaria Keller\n\nBy {author}.\n").text == "By Maria Keller."


def test_a_line_below_a_later_title_is_text() -> None:
    parsed = guide("First words.\n\n= Chapter one\nIntroduction\n\nHello.")
    assert ("Introduction" in parsed.text, parsed.metadata.get("author")) == (True, None)


def test_code_and_blocks() -> None:
    parsed = guide(
        "[source,ruby]\n.How to run\n----\nputs 1 <1>\n\n== no heading\n----\n<1> Prints.\n\n====\nNOTE: An example.\n====\n\n"
        '////\ngone\n////\n\n literal\n\nCall `run()` or `+*x*+`, not "`this`".\n'
    )
    assert code(parsed) == ["puts 1 <1>\n\n== no heading", "literal", "run()", "*x*"]
    assert [words in parsed.text for words in ("How to run", "1. Prints.", "NOTE: An example.", 'not "this".', "gone")] == [True] * 4 + [False]  # fmt: skip


def test_lists() -> None:
    parsed = guide(
        "* One\n** Two\nthat goes on\n* Three\n. First\n. Second\n+\n----\nrun\n----\n+\nMore.\n. Third\n+\n $ ls\n $ cat\n\nWords.\n\nTide:: it turns\nEbb::\n  low water\n"
    )
    assert list(filter(None, parsed.text.split("\n"))) == [
        "One", "  - Two that goes on", "Three", "  1. First", "  2. Second", "run", "More.", "  3. Third", " $ ls", " $ cat", "Words.", "Tide: it turns", "Ebb: low water",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "shown", "links"),
    [
        ("See https://x.org/a[the *page*].", "See the page.", [("https://x.org/a", "")]),
        ("link:b.pdf[A, B,window=_blank]", "A, B", [("b.pdf", "")]),
        (
            "xref:sea.adoc#ebb[Ebb] and <<sky.adoc#moon,Moon>>",
            "Ebb and Moon",
            [("sea.adoc", "ebb"), ("sky.adoc", "moon")],
        ),
        ("As <<depth>> says.footnote:[Or not.]", "As depth says.[1]\n\n1. Or not.", []),
        (
            "A List<String> of ((tides)) (((ebb))) and [.red]#red#, kbd:[Ctrl], #1 a_b_c",
            "A List<String> of tides  and red, Ctrl, #1 a_b_c",
            [],
        ),
        ("{x} js`' `a` <<b,the `c` 'd'>>", "{x} js' a the c 'd'", []),
        ("image::a.png[A gauge,200]\n", "A gauge", []),
        ("link:a.pdf[Spec [PDF],window=_blank]", "Spec [PDF]", [("a.pdf", "")]),
    ],
)
def test_marks_in_a_line(written: str, shown: str, links: list[tuple[str, str]]) -> None:
    parsed = guide(written)
    assert (parsed.text, [(link.target, link.anchor) for link in parsed.links if link.target]) == (shown, links)
    assert parsed.tags == ()


def test_rows_of_tables_are_lines() -> None:
    parsed = guide(
        '[cols="1,2*"]\n|===\n|Ship |Built |By\n\n|Ada\n|1911,\nor later\n2+a|https://x.org[Ben]\n|C\n|===\n\nEnd.\n'
    )
    assert parsed.text == "Ship | Built | By\nAda | 1911, or later | Ben\n| C | \n\nEnd."


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Low.\n\n|===\n|===\n\nEnd.\n", "Low.\n\nEnd."),
        ("Low.\n\n|===\ninclude::rows.csv[]\n|===\n\nEnd.\n", "Low.\n\nEnd."),
        ("[%header,format=csv]\n|===\na,b\n1,2\n|===\n\nEnd.\n", "a,b\n\n1,2\n\nEnd."),
        ("Low.\n\n|===", "Low."),
        ("|===\n|a|1\n|b|2\n|===\n", "a | 1\nb | 2"),
        ("|===\n2+|Ship |By\n|Ada |1911 |Ben\n|===\n", "Ship |  | By\nAda | 1911 | Ben"),
        ("|===\n|`a \\| b` |{bar}\n|===\n", "a | b | {bar}"),
        (":bar: x|y\n\n|===\n|{bar} |1\n|===\n", "x|y | 1"),
        ('[cols="1,1,1"]\n|===\n|a |b\n|===\n', "a | b"),
        ("* One\n|===\n|a |1\n|b |2\n|===\n", "One\n\na | 1\nb | 2"),
    ],
)
def test_tables_of_any_form_keep_their_words(written: str, shown: str) -> None:
    assert guide(written).text == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Press Ctrl + C, so 2 + 3.", "Press Ctrl + C, so 2 + 3."),
        ("Ebb +\nand flow +\n+ more", "Ebb\nand flow\n+ more"),
        ("Use `C++`, `i++`, `+` and `+a+b+`.", "Use C++, i++, + and a+b."),
        ("Words.\n////\ngone\n////\nMore.", "Words.\n\nMore."),
        ("See https://x.org[] now.", "See https://x.org now."),
    ],
)
def test_signs_are_marks_only_in_their_place(written: str, shown: str) -> None:
    assert guide(written).text == shown


def test_code_may_have_fences() -> None:
    assert code(guide(f"----\na\n{'~' * 14}\nb\n----\n\nEnd.\n")) == [f"a\n{'~' * 14}\nb"]


def test_headings_may_end_with_their_mark() -> None:
    assert [each.heading for each in guide("= Guide =\n\n== Depth ==\n\nLow.\n\n== C ===\n\nEbb.\n").sections] == [
        "Depth",
        "C ===",
    ]


def test_names_stand_for_so_much_text_only() -> None:
    assert len(guide(f":a: {'x' * 20_000}\n\nLow {{a}}.\n").text) == len("Low .") + 10_000


@pytest.mark.parametrize("mark", ["link:a[", "link:a[b,c=", "https://a[", "image:a[", "pass:[", "footnote:["])
def test_marks_that_never_close_take_no_time(mark: str) -> None:
    started = time.perf_counter()
    assert guide(mark * (20_000 // len(mark))).text
    assert time.perf_counter() - started < 3


@pytest.mark.parametrize(
    "head", ["= Guide\n{}", "{}\n= Guide\n", "= Guide\nAda Holm\n:toc:\n{}", "= Guide\n*Draft!*\n{}"]
)
@pytest.mark.parametrize("written", [":access: board, legal", ":Access: [board, legal]"])
def test_who_may_read_it_is_an_attribute_of_its_head(head: str, written: str) -> None:
    parsed = guide(f"{head.format(written)}\n\nLow.\n\n== Depth\n\n:access: all\n\nEbb.\n")
    assert with_sent(parsed, {}).metadata["access"] == ["board", "legal"]


def test_readers_that_are_stated_twice_refuse_it() -> None:
    refused = refusal(b"= Guide\n:access: board\n:access: legal\n\nLow.\n", TEXT, uri="guide.adoc")
    assert (refused.reason, "another name" in refused.message) == ("access", True)
