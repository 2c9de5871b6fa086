"""reStructuredText: what is code and what is prose, in blocks and in lines."""

import pytest
from tests.support.parsing import read

from interlace.domain.documents import ParsedDocument
from interlace.parsing.media import TEXT


def guide(text: str) -> ParsedDocument:
    return read(text, TEXT, uri="folder/guide.rst")


def code(parsed: ParsedDocument) -> list[str]:
    return [parsed.text[start:end].strip() for start, end in parsed.literals]


def test_sections_and_code() -> None:
    parsed = guide("=====\nGuide\n=====\n\nWords::\n\n    run()\n\nPart\n----\n\nMore.\n")
    assert (parsed.title, [section.heading for section in parsed.sections]) == ("Guide", ["", "Part"])
    assert code(parsed) == ["run()"]


def test_labels_and_comments_before_a_heading_do_not_take_its_place_as_the_title() -> None:
    assert guide(".. _intro:\n\nGuide\n=====\n\nWords.\n").title == "Guide"
    assert guide(".. highlight:: rst\n\nThe ``x`` guide\n===============\n\nWords.\n").title == "The x guide"
    assert guide("Words.\n\nGuide\n=====\n\nMore.\n").title == "guide"


@pytest.mark.parametrize(
    ("written", "shown", "literals"),
    [
        ("Call ``run()`` twice.", "Call run() twice.", ["run()"]),
        ("See :func:`~celery.app.run` of :class:`Task`.", "See run of Task.", ["run", "Task"]),
        ("The :py:class:`pool <urllib3.Pool>` waits.", "The pool waits.", ["pool"]),
        ("Set :setting:`BROKER_URL` first.", "Set BROKER_URL first.", ["BROKER_URL"]),
        (
            "The :ref:`Engine <the-engine>` knows :doc:`/topics/api`.",
            "The Engine knows /topics/api.",
            ["Engine", "/topics/api"],
        ),
        ("As :pep:`8` and :rfc:`RFC 2616 <2616>` say.", "As PEP 8 and RFC 2616 say.", []),
        ("Install `Redis <https://redis.io>`_ or `the other`__.", "Install Redis or the other.", []),
        ("A `Registry` and a *fast* **broker**.", "A Registry and a fast broker.", ["Registry"]),
        (r"Of ``Task``\ s, 2 \* 3.", "Of Tasks, 2 * 3.", ["Task"]),
        ("Python_ is a link, snake_ none.\n\n.. _python: https://python.org\n", "Python is a link, snake_ none.", []),
    ],
)
def test_marks_in_a_line(written: str, shown: str, literals: list[str]) -> None:
    parsed = guide(written)
    assert (parsed.text, code(parsed)) == (shown, literals)


def test_directives_are_code_and_what_admonitions_say_is_prose() -> None:
    parsed = guide(
        ".. image:: a.png\n   :width: 3\n\n.. note:: Ask Ada\n   Lovelace.\n\n   More.\n\n.. toctree::\n\n   intro\n   end\n\nEnd.\n"
    )
    assert code(parsed) == [".. image:: a.png", ":width: 3", ".. note::", ".. toctree::", "intro\n   end"]
    assert "Ask Ada Lovelace.\n\nMore." in parsed.text


def test_a_block_of_code_in_an_item_ends_where_the_item_goes_on() -> None:
    parsed = guide(
        "- Run this::\n\n      run()\n\n  and wait.\n\n  .. code-block:: sh\n\n     ls\n\n  Done.\n\n>>> 1 + 1\n2\n\nEnd.\n"
    )
    assert code(parsed) == ["run()", ".. code-block:: sh", "ls", ">>> 1 + 1\n2"]
    assert [words in parsed.text for words in ("and wait.", "Done.", "End.")] == [True] * 3


def test_lines_of_a_paragraph_are_one_and_those_of_lists_and_tables_are_not() -> None:
    assert guide("Ask the Apache\nFoundation of it.\n").text == "Ask the Apache Foundation of it."
    assert guide("- Apache\n  Kafka\n- Redis\n").text == "- Apache Kafka\n- Redis"
    table = "====== =====\nName   Kind\n====== =====\nRedis  store\n====== ====="
    assert guide(table).text.splitlines()[1:4:2] == ["Name   Kind", "Redis  store"]


def test_links_are_recorded_with_their_addresses() -> None:
    parsed = guide(
        "Guide\n=====\n\nSee `the\nTides <tides.html#high>`_, Python_, `Ring buffers`_, `buffers <Ring buffers_>`__ and :doc:`Moon <../sky/moon>`, "
        ":doc:`sun`.\nNot intro_ nor `the guide <x>`.\n\nOn Python_\n----------\n\n.. _intro:\n\n.. _Python: https://python.org/\n.. _ring buffers: rings.rst\n"
    )
    assert [(link.kind, link.target, link.anchor, link.text) for link in parsed.links] == [
        ("rst", "tides.html", "high", "the Tides"),
        ("rst", "https://python.org/", "", "Python"),
        ("rst", "rings.rst", "", "Ring buffers"),
        ("rst", "rings.rst", "", "buffers"),
        ("rst", "../sky/moon", "", "Moon"),
        ("rst", "sun", "", "sun"),
        ("rst", "https://python.org/", "", "Python"),
    ]
    assert all(parsed.text[link.start : link.end] == link.text for link in parsed.links[:-1])


def test_footnotes_are_numbered_paragraphs() -> None:
    parsed = guide(
        "Tides rise [1]_, fall [#]_ and turn [#why]_, says [Moon02]_; not x[1]_y.\n\n.. [1] A note\n   that goes on.\n"
        ".. [#why] Of the *moon*.\n.. [#] Twice.\n.. [Moon02] A book.\n\n   More.\n"
    )
    assert parsed.text.split("\n\n") == [
        "Tides rise [1], fall [2] and turn [1], says [Moon02]; not x[1]_y.", "1. A note that goes on.", "1. Of the moon.", "2. Twice.",
        "[Moon02] A book.", "More.",
    ]  # fmt: skip


def test_rows_of_tables_that_directives_write_are_lines_with_separated_cells() -> None:
    rows = "   * - Ship\n     - *Built*\n   * - Ada\n     - in 1911,\n       or later\n   * - Ben\n     -\n"
    text = guide(
        f'.. list-table:: Ships\n   :header-rows: 1\n\n{rows}\nEnd.\n\n.. csv-table::\n\n   Ada,"1,911"\n   Ben, 1922\n\nEnd.\n'
    ).text
    assert "Ship | Built\nAda | in 1911, or later\nBen | \n\nEnd." in text
    assert text.endswith("Ada | 1,911\nBen | 1922\n\nEnd.")
    assert "run()" in guide(".. list-table::\n\n   * - Run::\n\n         run()\n     - x\n").text
