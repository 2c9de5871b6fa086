"""Org: sections, lists, tables, code, links and what is no text."""

import pytest
from tests.support.parsing import read

from interlace.domain.documents import ParsedDocument
from interlace.parsing.media import TEXT


def notes(text: str) -> ParsedDocument:
    return read(text, TEXT, uri="folder/notes.org")


def test_sections_have_neither_drawers_nor_marks() -> None:
    parsed = notes(
        "#+TITLE: Tides\n#+STARTUP: overview\n# hidden\n\nIntro.\n* TODO [#A] Depth :sea:low:\n  :PROPERTIES:\n  :ID: 1\n  :END:\n"
        "  It is #1 <2020-01-01>\n  and low.\n\n      quote\n** Ebb\n   Low.\n"
    )
    assert (parsed.title, [section.path for section in parsed.sections]) == (
        "Tides",
        [(), ("Depth",), ("Depth", "Ebb")],
    )
    assert parsed.text == "Intro.\n\nIt is #1 <2020-01-01> and low.\n\nquote\n\nLow."
    assert parsed.tags == ()
    assert notes("* Tides\n** Ebb\nLow.\n").title == "Tides"
    assert [each.heading for each in notes("* Tides\nHigh.\n* Ebb\nLow.\n").sections] == ["Tides", "Ebb"]


def test_code_lists_and_tables() -> None:
    parsed = notes(
        "* Use\n  - Tide :: it turns\n  - Run:\n    #+BEGIN_SRC sh\n      ls *\n\n    #+END_SRC\n  1. One\n\n: a = 1\n: b\n\nCall =run()= or ~a|b~, x = 1 = y.\n\n"
        "#+CAPTION: Ships\n| Ship | Built |\n|------+-------|\n| Ada  | *1911* |\n\nEnd.\n"
    )
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["ls *", "a = 1\nb", "run()", "a|b"]
    assert parsed.text == (
        "Tide: it turns\n\nRun:\n\nls *\n\n1. One\n\na = 1\nb\n\nCall run() or a|b, x = 1 = y.\n\nShips\n\nShip | Built\nAda | 1911\n\nEnd."
    )


def test_links_and_notes() -> None:
    parsed = notes(
        "See [[file:sea.org::*Ebb][the\nsea]], [[https://x.org/a]], [[*Depth]], [[./sky.org]] and [[id:12][Moon]].[fn:1]\n\n[fn:1] A /note/.\n"
    )
    assert parsed.text == "See the sea, https://x.org/a, Depth, ./sky.org and Moon.[1]\n\n1. A /note/."
    assert [(link.target, link.text) for link in parsed.links] == [
        ("sea.org", "the sea"), ("https://x.org/a", "https://x.org/a"), ("./sky.org", "./sky.org"), ("id:12", "Moon"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("* Depth\n:PROPERTIES:\n:ID: 1\nLow.\n* Ebb\nHigh.\n", ":PROPERTIES: :ID: 1 Low.\n\nHigh."),
        ("* Depth\n:LOGBOOK:\n* Ebb\n:LOGBOOK:\nx\n:END:\nHigh.\n", ":LOGBOOK:\n\nHigh."),
        ("Emacs quotes `foo' and `bar' so.\n", "Emacs quotes `foo' and `bar' so."),
        ("Low.\n-----\nHigh.\n===\nEnd.\n", "Low.\n\nHigh.\n\n===\n\nEnd."),
        ("| a | b |\n| 1 | 2 | 3 |\n", "a | b | \n1 | 2 | 3"),
        ("Low.\n|---+---|\nHigh.\n", "Low.\n\nHigh."),
        ("Low.\n#+begin_comment\ngone\n#+end_comment\nHigh.\n", "Low. High."),
        ("Low.\n#+begin_comment\nkept\n* Ebb\nHigh.\n", "Low. kept\n\nHigh."),
    ],
)
def test_marks_without_their_pair_lose_no_words(written: str, shown: str) -> None:
    assert notes(written).text == shown


@pytest.mark.parametrize("indent", ["", "    ", "      "])
def test_code_may_have_fences_and_an_indent(indent: str) -> None:
    lines = ["#+begin_src sh", "a", "~" * 14, "b", "#+end_src"]
    parsed = notes("Words.\n\n" + "".join(f"{indent}{line}\n" for line in lines) + "\nEnd.\n")
    assert [parsed.text[start:end] for start, end in parsed.literals] == [f"a\n{'~' * 14}\nb"]
    assert parsed.text.endswith("\n\nEnd.")
