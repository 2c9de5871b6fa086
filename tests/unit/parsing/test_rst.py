"""reStructuredText: what is code and what is prose, in blocks and in lines."""

import pytest
from tests.support.parsing import read, refusal
from tests.support.work import lines_run

from interlace.domain.documents import ParsedDocument
from interlace.ingestion.labels import with_sent
from interlace.parsing.media import TEXT

GUIDE = "folder/guide.rst"


def guide(text: str) -> ParsedDocument:
    return read(text, TEXT, uri=GUIDE)


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


def test_fields_above_all_else_are_metadata_and_take_no_place_as_the_title() -> None:
    fields = ":orphan:\n:tocdepth: 2\n:Author: Ada\n:tags: tide, moon\n:Access: board, legal\n"
    parsed = guide(f".. A comment.\n\n{fields}\n.. _x:\n\nThe guide\n=========\n\n:Depth: 3 m\n")
    assert (parsed.title, parsed.text, parsed.tags) == ("The guide", "Depth: 3 m", ("moon", "tide"))
    assert parsed.metadata == {"author": "Ada", "access": "board, legal"}
    for written in (" [board, legal]", "\n  - board\n  - legal"):
        assert with_sent(guide(f":access:{written}\n\nWords.\n"), {}).metadata == {"access": ["board", "legal"]}


@pytest.mark.parametrize(
    "text",
    [
        ":access: board\n:access: [ ]\n\nWords.\n",
        ":access: board\n:tags: tide\n:Access: legal\n\nWords.\n",
        "Guide\n=====\n\n:access: board\n\nWords.\n",
        "Guide\n=====\n\nOn tides\n--------\n\n:access: board\n\nWords.\n",
        ".. contents::\n\n:access: board\n\nGuide\n=====\n\nWords.\n",
        ":tags: tide\n\n.. A comment.\n\n:access: board\n\nGuide\n=====\n\nWords.\n",
        ":access: legal\n\nGuide\n=====\n\n:access: board\n\nWords.\n",
    ],
)
def test_fields_that_say_twice_or_elsewhere_who_may_read_are_refused(text: str) -> None:
    refused = refusal(text, TEXT, uri=GUIDE)
    assert (refused.reason, "another name" in refused.message) == ("access", True)


def test_a_field_within_another_or_further_below_is_text() -> None:
    assert guide(":access: board\n:note:\n   :access: legal\n\nWords.\n").metadata["access"] == "board"
    assert guide("Guide\n=====\n\nWords.\n\nDoor\n----\n\n:access: by key\n").text == "Words.\n\naccess: by key"


def test_a_title_in_brackets_is_no_list() -> None:
    assert guide(":title: [Draft]\n:aliases: [Plan]\n\nWords.\n").title == "[Draft]"


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


def test_what_admonitions_say_is_prose_and_lists_of_pages_are_code() -> None:
    parsed = guide(
        ".. image:: a.png\n   :width: 3\n\n.. note:: Ask Ada\n   Lovelace.\n\n   More.\n\n.. toctree::\n\n   intro\n   end\n\nEnd.\n"
    )
    assert (code(parsed), parsed.text) == (["intro\nend"], "Ask Ada Lovelace.\n\nMore.\n\nintro\nend\n\nEnd.")


def test_a_block_of_code_in_an_item_ends_where_the_item_goes_on() -> None:
    parsed = guide(
        "- Run this::\n\n      run()\n\n  and wait.\n\n  .. code-block:: sh\n\n     ls\n\n  Done.\n\n>>> 1 + 1\n2\n\nEnd.\n"
    )
    assert code(parsed) == ["run()", "ls", ">>> 1 + 1\n2"]
    assert [words in parsed.text for words in ("and wait.", "Done.", "End.")] == [True] * 3


def test_lines_of_a_paragraph_are_one_and_those_of_lists_and_tables_are_not() -> None:
    assert guide("Ask the Apache\nFoundation of it.\n").text == "Ask the Apache Foundation of it."
    assert guide("- Apache\n  Kafka\n- Redis\n").text == "Apache Kafka\nRedis"
    table = "====== =====\nName   Kind\n====== =====\nRedis  store\n====== ====="
    assert guide(table).text == "Name | Kind\nRedis | store"


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
        ("rst", "https://python.org/", "", "intro"),
        ("rst", "https://python.org/", "", "Python"),
    ]
    assert all(parsed.text[link.start : link.end] == link.text for link in parsed.links[:-1])


def test_footnotes_are_numbered_paragraphs() -> None:
    parsed = guide(
        "Tides rise [1]_, fall [#]_ and turn [#why]_, says [Moon02]_; not x[1]_y.\n\n.. [1] A note\n   that goes on.\n"
        ".. [#why] Of the *moon*.\n.. [#] Twice.\n.. [Moon02] A book.\n\n   More.\n"
    )
    assert parsed.text.split("\n\n") == [
        "Tides rise [1], fall [3] and turn [2], says [Moon02]; not x[1]_y.", "1. A note that goes on.", "2. Of the moon.", "3. Twice.",
        "[Moon02] A book.", "More.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (".. note:: Watch out \n   for this.\n", ["Watch out for this."]),
        (".. note:: \n\n   For this.\n", ["For this."]),
        (".. admonition:: Beware\n   :class: tip\n\n   Of this.\n", ["Beware", "Of this."]),
        (".. [1] first\n.. note:: warn\n", ["1. first", "warn"]),
        (".. versionadded:: 2.0 for *tides*\n", ["Added in version 2.0 for tides"]),
        (".. py:function:: run(tide)\n   :async:\n\n   Runs it.\n", ["run(tide)", "Runs it."]),
        (".. code-block:: sh\n   :caption: x\n   :no-such: y\n\n   ls\n", ["ls"]),
        (".. math:: a = b\n", ["a = b"]),
        (".. tabs::\n\n   .. tab:: Sea\n\n      Of it.\n", ["Sea", "Of it."]),
        (":Author: Ada\n:Date: May\n", ["Author: Ada", "Date: May"]),
        (".. comment\n\nx\n", ["x"]),
    ],
)
def test_blocks_end_where_others_begin(text: str, shown: list[str]) -> None:
    assert [each.strip() for each in guide(text).text.splitlines() if each.strip()] == shown


@pytest.mark.timeout(20)
def test_spaces_in_a_role_take_linear_time() -> None:
    assert "x" in guide(f"`{' ' * 20_000} x`_\n").text


def test_rows_of_tables_that_directives_write_are_lines_with_separated_cells() -> None:
    rows = "   * - Ship\n     - *Built*\n   * - Ada\n     - in 1911,\n       or later\n   * - Ben\n     -\n"
    text = guide(
        f'.. list-table:: Ships\n   :header-rows: 1\n\n{rows}\nEnd.\n\n.. csv-table::\n\n   Ada,"1,911"\n   Ben, 1922\n\nEnd.\n'
    ).text
    assert text == "Ships\n\nShip | Built\nAda | in 1911, or later\nBen | \n\nEnd.\n\nAda | 1,911\nBen | 1922\n\nEnd."
    assert "run()" in guide(".. list-table::\n\n   * - Run::\n\n         run()\n     - x\n").text


def test_the_work_for_a_list_of_links_grows_with_its_length() -> None:
    item = "- Fixed `#1 <http://x/1>`_ in ``mod1``\n"
    guide(item)
    assert lines_run(lambda: guide(item * 400)) < 2.5 * lines_run(lambda: guide(item * 200))


def test_code_has_no_footnotes() -> None:
    parsed = guide("A [#]_.\n\nIn ``b[#]_``::\n\n  .. [#] c\n  x = a[#]_\n\n.. [#] two\n")
    assert parsed.text.split("\n\n") == ["A [1].", "In b[#]_:", ".. [#] c\nx = a[#]_", "1. two"]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("`a <https://x.org/Foo_>`_", "https://x.org/Foo_"),
        ("W_\n\n.. _W: https://x.org/Foo_", "https://x.org/Foo_"),
        ("Foo_\n\n.. _Foo:\n   https://x.org/\n   a\n\nEnd", "https://x.org/a"),
        ("foo_\n\n.. _foo:\n.. _bar: https://x.org", "https://x.org"),
        ("a_\n\n.. _a: b_\n.. _b: `C  c`_\n.. _c c: https://x.org", "https://x.org"),
        ("`Python Home`_\n\n.. _Python   Home: https://x.org", "https://x.org"),
        ("a_\n\n.. _a: b_\n.. _b: a_", None),
        ("a_\n\n.. _a: D_", None),
        ("`me <me@x.org>`_", None),
        ("a_::\n\n  .. _a: https://x.org", None),
    ],
)
def test_targets_are_found_however_they_are_written(text: str, target: str | None) -> None:
    parsed = guide(text)
    assert [link.target for link in parsed.links] == ([target] if target else [])
    assert "https" not in parsed.text or target is None


@pytest.mark.parametrize(
    ("text", "last"),
    [(".. [#] x [#]_ b_\n", ""), (".. _a{0}: a{1}_\n", ".. _a0: b\n"), (".. _a:\n", ""), ("   b\n", "")],
)
def test_the_work_for_notes_and_targets_grows_with_their_number(text: str, last: str) -> None:
    def work(count: int) -> int:
        lines = "".join(text.format(at, at + 1) for at in range(count))
        return lines_run(lambda: guide(f"b_\n\n.. _b: c\n{lines}{last}"))

    work(1)
    assert work(400) < 2.5 * work(200)


def test_links_without_a_name_take_their_addresses_in_order() -> None:
    parsed = guide(
        "See `the tides`__, Moon__ and `more`__.\n\n.. __: tides.html\n\n__ moon.html#full\n\n.. __: Sun_\n.. _sun: sun.html\n"
    )
    assert [(link.target, link.anchor, link.text) for link in parsed.links] == [
        ("tides.html", "", "the tides"), ("moon.html", "full", "Moon"), ("sun.html", "", "more"),
    ]  # fmt: skip
    assert parsed.text == "See the tides, Moon and more."
    assert guide("See `the tides`__.\n").text == "See the tides."


@pytest.mark.parametrize(
    ("options", "row"),
    [
        (":delim: ;", "Ada; 'a, b'"),
        (":delim: 0x7c", "Ada | 'a, b'"),
        (":delim: |", "Ada|a\\, b"),
    ],
)
def test_tables_of_csv_are_read_with_the_signs_that_they_name(options: str, row: str) -> None:
    text = guide(f".. csv-table:: Ships\n   {options}\n   :quote: '\n   :escape: \\\n\n   {row}\n   Ben\n").text
    assert text.endswith("\n\nAda | a, b\nBen | ")


def test_the_header_of_a_table_of_csv_is_its_first_row() -> None:
    text = guide(
        '.. csv-table:: Ships\n   :header: "Ship", "Built,\n      or bought"\n   :widths: 1, 2\n\n   Ada, 1911\n\n'
        ".. csv-table::\n   :header: a\n   :delim: ab\n\n   Ben\n"
    ).text
    # Two signs are no delimiter: what cannot be read stays, as code.
    assert text == (
        "Ships\n\nShip | Built, or bought\nAda | 1911\n\n.. csv-table::\n   :header: a\n   :delim: ab\n\n   Ben"
    )


def test_inline_targets_are_words_and_places() -> None:
    parsed = guide(
        "==========  ========\n_`210`      tide\n_`Low Ebb`  ``_`x```\n==========  ========\n\nSee 210_ and `low ebb`_.\n"
    )
    assert ("_" in parsed.text, parsed.anchors) == (True, ("210", "low ebb"))
    assert [words in parsed.text for words in ("210 | tide", "Low Ebb | _`x`", "See 210 and low ebb.")] == [True] * 3


def test_substitutions_are_the_words_that_they_stand_for() -> None:
    parsed = guide(
        "The |tool| guide\n================\n\n|badge|\n\nAsk |tool|, not |other| or ``a|tool|b``.\n\n| tool | x |\n\n"
        ".. |tool| replace:: *Tide*\n   table\n.. |badge| image:: a.png\n   :alt: build\n"
    )
    assert parsed.title == "The Tide table guide"
    assert parsed.text.split("\n\n")[:2] == ["Ask Tide table, not |other| or a|tool|b.", "tool | x |"]


def test_code_has_no_substitutions_and_defines_none() -> None:
    parsed = guide(
        "Use ``echo |ver| now`` with |ver| of |py|_, not |old| or |**any**|::\n\n    .. |old| replace:: 0.1\n\n"
        ".. |ver| replace:: 1.0 on\n   |sys|\n.. |sys| replace:: *Linux*\n.. |py| replace:: Python\n.. _py: https://python.org\n"
    )
    assert parsed.text.startswith("Use echo |ver| now with 1.0 on Linux of Python, not |old| or |**any**|:")
    assert [(link.target, link.text) for link in parsed.links] == [("https://python.org", "Python")]


def test_labels_are_cut_as_in_links() -> None:
    long = "a" * 600
    parsed = guide(f"Tides\n=====\n\n.. _{long}:\n\nSee :ref:`{long}`.\n")
    assert parsed.anchors == (parsed.links[0].anchor,) == ("a" * 500,)


def test_the_date_of_reading_is_no_text() -> None:
    assert guide("Of |today|.\n\n.. |today| date::\n").text == "Of |today|.\n\n.. |today| date::"


def test_substitutions_that_name_each_other_are_refused() -> None:
    circle = "|a|\n\n.. |a| replace:: |b|\n.. |b| replace:: |a|\n"
    assert refusal(circle, TEXT, uri=GUIDE).reason == "limit"
    assert guide(circle.replace("replace:: |a|", "replace:: x")).text == "x"
