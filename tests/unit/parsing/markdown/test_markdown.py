"""Markdown: front matter, headings, references and hashtags, each with its place in the readable text."""

from pathlib import Path

import pytest

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

LIMITS = ParseLimits()
GUIDE = (Path(__file__).parents[3] / "fixtures" / "documents" / "guide.md").read_bytes()


def read(text: str | bytes, uri: str = "notes/page.md") -> ParsedDocument:
    content = text.encode() if isinstance(text, str) else text
    return parse(Source(uri, "text/markdown", content), LIMITS)


def test_front_matter_becomes_title_tags_aliases_and_metadata() -> None:
    parsed = read(GUIDE)
    assert parsed.title == "Neo4j Guide"
    assert parsed.tags == ("db/neo4j", "graph", "tag/sub")
    assert parsed.aliases == ("Neo",)
    assert parsed.metadata == {"date": "2024-05-01", "rating": 4.5, "created_at": "2024-05-01"}


def test_headings_become_paths_and_the_title_heading_does_not() -> None:
    parsed = read(GUIDE)
    assert [section.path for section in parsed.sections] == [
        (),
        ("Install Linux #heading",),
        ("Install Linux #heading", "Deep"),
        ("Use",),
    ]
    assert [parsed.text[item.start : item.end] for item in parsed.sections][2:] == ["quoted", "The end."]


def test_readable_text_has_no_markup() -> None:
    text = read(GUIDE).text
    assert (
        "Intro with bold, a link and the language, #Tag/Sub and #code. #escaped goes on with Other Page and Y Z" in text
    )
    assert "one\ntwo Docker\n\n# not a heading\n  indented [[no link]]\n\na | b\n1 | 2" in text


def test_links_name_target_anchor_words_and_place() -> None:
    parsed = read(GUIDE)
    assert [(link.kind, link.target, link.anchor, link.text) for link in parsed.links] == [
        ("markdown", "docs/x%20y.md", "Top", "a link"),
        ("typed", "Cypher", "skill", "the language"),
        ("wikilink", "Other Page", "Heading", "Other Page"),
        ("wikilink", "X", "", "Y Z"),
        ("typed", "Linux", "platform", "Linux"),
        ("typed", "Docker", "tool", "Docker"),
    ]
    in_text = [link for link in parsed.links if link.target != "Linux"]
    assert all(parsed.text[link.start : link.end] == link.text for link in in_text)


@pytest.mark.parametrize(
    ("reference", "kind"),
    [("[[A#skill]]", "typed"), ("[[A#Skill]]", "wikilink"), ("[[A#install]]", "wikilink"), ("[[#skill]]", "wikilink")],
)
def test_only_a_known_lower_case_word_makes_a_reference_typed(reference: str, kind: str) -> None:
    assert read(f"see {reference}").links[0].kind == kind


def test_reference_types_are_configurable() -> None:
    limits = ParseLimits(reference_types=frozenset({"gene"}))
    parsed = parse(Source("a.md", "text/markdown", b"[[BRCA1#gene]] [[Git#tool]]"), limits)
    assert [link.kind for link in parsed.links] == ["typed", "wikilink"]


def test_front_matter_may_be_toml() -> None:
    parsed = read('+++\ntitle = "Tides"\ntags = ["sea"]\ndate = 2020-01-31\n+++\nText.\n')
    assert (parsed.title, parsed.tags, parsed.metadata, parsed.text) == (
        "Tides",
        ("sea",),
        {"date": "2020-01-31", "created_at": "2020-01-31"},
        "Text.",
    )
    assert read("+++\nno keys here\n+++\n").text.startswith("+++")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("NO", "NO"),
        ("yes", "yes"),
        ("True", True),
        ("false", False),
        ("01234", "01234"),
        ("-12", -12),
        ("0b101", "0b101"),
        ("12:30", "12:30"),
        ("1:30:00.5", "1:30:00.5"),
        ("1_000", "1_000"),
        ("1.50", 1.5),
        ("2024-01-01", "2024-01-01"),
    ],
)
def test_front_matter_has_no_booleans_and_numbers_of_yaml_1_1_alone(written: str, value: object) -> None:
    (found,) = read(f"---\non: {written}\n---\ntext").metadata.items()
    assert found == ("on", value)
    assert type(found[1]) is type(value)


def test_a_thematic_break_is_no_front_matter() -> None:
    parsed = read("---\nJust a line.\n\n---\n\nMore.")
    assert "Just a line." in parsed.text
    assert parsed.metadata == {}


def test_links_of_html_in_a_line_are_links() -> None:
    text = "See <a class=x href='a&amp;b.md#Top'>*the* tide</a>, [Moon](m.md) <A HREF=s.md>#sun</A>, <a name=x>here</a></a>."
    parsed = read(text)
    assert parsed.text == "See the tide, Moon #sun, here."
    assert [(link.kind, link.target, link.anchor, link.text) for link in parsed.links] == [
        ("html", "a&b.md", "Top", "the tide"),
        ("markdown", "m.md", "", "Moon"),
        ("html", "s.md", "", "#sun"),
    ]
    assert not parsed.tags
    assert [link.target for link in read('## <a href="t.md">T</a>\n\ntext').links] == ["t.md"]


def test_tags_of_html_that_do_not_match_take_nothing_from_links_and_tags() -> None:
    parsed = read(
        'Open <a href="a.md"> here #tide and [b](b.md) #moon\n\n[<a id="x"></a>Title](foo.md) [<a href="i">In](c.md)'
    )
    assert parsed.tags == ("moon", "tide")
    assert [(link.target, link.text) for link in parsed.links] == [("b.md", "b"), ("foo.md", "Title"), ("c.md", "In")]


def test_words_split_across_emphasis_keep_their_spelling_and_composed_form() -> None:
    assert read("caf*e*\u0301 **b**old").text == "café bold"


def test_a_title_heading_that_differs_from_the_front_matter_stays_a_heading() -> None:
    parsed = read("---\ntitle: One\n---\n# Two\n\ntext")
    assert (parsed.title, parsed.sections[0].path) == ("One", ("Two",))


def test_a_note_with_front_matter_only_is_a_document_without_text() -> None:
    parsed = read("---\naliases: [B]\n---\n")
    assert (parsed.title, parsed.text, parsed.aliases) == ("page", "", ("B",))


@pytest.mark.parametrize(
    ("front_matter", "reason", "words"),
    [
        ("x: 1\ny: " + "[" * 50 + "]" * 50, "limit", "deeper"),
        ("a: &a [1]\nb: [" + ", ".join(["*a"] * 30) + "]", "limit", "aliases"),
        ("a: " + "x" * 70_000, "limit", "front matter"),
        ("a: [" + ", ".join(["1"] * 3000) + "]", "limit", "metadata values"),
    ],
)
def test_hostile_front_matter_is_refused_by_name(front_matter: str, reason: str, words: str) -> None:
    with pytest.raises(ParseError, match=words) as caught:
        read(f"---\n{front_matter}\n---\ntext")
    assert caught.value.reason == reason
    assert caught.value.message.startswith("notes/page.md")
    assert caught.value.uri == "notes/page.md"


def test_metadata_holds_json_values_only() -> None:
    parsed = read(
        "---\n1: 2024-01-02 03:04:05\nbig: 99999999999999999999\nnan: .nan\nset: !!set {b, a}\nbytes: !!binary aGk=\n---\nx"
    )
    assert parsed.metadata == {
        "1": "2024-01-02T03:04:05",
        "big": hex(99999999999999999999),
        "nan": "nan",
        "set": ["a", "b"],
        "bytes": "hi",
    }


def test_nesting_beyond_the_limit_is_refused_rather_than_dropped() -> None:
    with pytest.raises(ParseError, match="deeper") as caught:
        read(">" * 500 + " lost?")
    assert caught.value.reason == "limit"


def test_atlas_notes_have_typed_sections() -> None:
    parsed = read(
        "# Raft\n\natlas_id: raft-1\n\nA protocol.\n\n## Overview\n\nx\n\n## See also\n\ny\n\n## Weather\n\nz\n"
    )
    assert parsed.metadata["atlas_id"] == "raft-1"
    assert [section.section_type for section in parsed.sections] == ["body", "Summary", "Related", "Other"]


def test_code_and_pictures_are_literals_and_so_are_links_to_headings_of_the_same_page() -> None:
    parsed = read("Run `a b` now.\n\n```\nCode\n```\n\n![Badge](x.png) [Part](#part) [Other](o.md)", "text/markdown")
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["a b", "Code", "Badge", "Part"]


@pytest.mark.parametrize(
    "text",
    [
        "---\naccess:\n\t- board\n---\nSecret.",
        "---\naccess:\n  - @board\n---\nSecret.",
        "---\naccess:\n  - *board\n---\nSecret.",
        "---\ntitle: Plan\naccess: [board,\n  legal\ntags: [a]\n---\nSecret.",
        "---\ntitle: Plan\n access: [board]\n---\nSecret.",
        "---\ntitle: Plan\naccess=[board]\n---\nSecret.",
        "---\n{title: Plan, access: [board]}\n---\nSecret.",
        "---\ntitle: Plan\naccess: [board]\n\nSecret.",
        "---\ntitle: Plan\n\naccess: [board]\n\nSecret.",
        "---\ntags:\n- plan\n# who\naccess: [board]\n\nSecret.",
        "\n---\naccess: [board]\n---\nSecret.",
        "+++\naccess = [board]\n+++\nSecret.",
        '+++\n"access" = ["board"]\n\nSecret.',
        "---\nAccess: [board]\n\nSecret.",
        "---\naccess: [board]\naccess: []\n---\nSecret.",
        "---\ntitle: [open\naccess: [board]\naccess: []\n---\nSecret.",
        "---\ntitle: Plan\n? access\n: [board]\n? access\n: []\n---\nSecret.",
        "---\ntitle: Plan\n!!str access: [board]\n!!str access: []\n---\nSecret.",
    ],
)
def test_damaged_front_matter_never_opens_a_document(text: str) -> None:
    with pytest.raises(ParseError, match=r"says who may read it .* another name") as raised:
        read(text)
    assert raised.value.reason == "access"


@pytest.mark.parametrize(
    "text",
    [
        "---\nkey: [open\nrights:\n  access: read\n---\nText.",  # a key below another, which can be read
        "---\n\nThe access: by the door.\n\n---\n\naccess: by the window",
        "Text\n---\naccess: by the door",
        "---\n\nWelcome\naccess: by the door",
        "---\ntags: [a\nsummary: Foo\n  bar: baz\n  x, access: all\n---\nText",
        "access: by the door",
        "---\ntitle: Plan\nrights:\n  access: read\nduties:\n  access: none\n---\nText.",
    ],
)
def test_a_text_about_access_is_a_text(text: str) -> None:
    assert "access" not in read(text).metadata


def test_one_bad_line_of_front_matter_does_not_lose_the_document() -> None:
    parsed = read(
        "---\ntitle: Kept: as it is\ntags: [a, b]\nbroken: [1, 2\nunsafe: !!python/object:os.system {}\n---\ntext"
    )
    assert (parsed.title, parsed.tags, parsed.text) == ("Kept: as it is", ("a", "b"), "text")
    assert parsed.metadata == {"broken": "[1, 2", "unsafe": "!!python/object:os.system {}"}
    assert read("---\ntags: [a, b\n---\ntext").tags == ("a", "b")


def test_marks_of_extensions_do_not_leak() -> None:
    parsed = read(
        "# Title { #anchor .wide }\n\n## Part {: #part }\n\n{% include x.html %}Words {{% note %}}here.\n\n"
        '!!! warning "Take care"\n    Hot.\n\n/// tip | Short\nDo it.\n///\n\n```\n{% raw %} { #kept }\n```\n'
    )
    assert parsed.title == "Title"
    assert [section.heading for section in parsed.sections] == ["Part"]
    assert parsed.text == "Words here.\n\nTake care\n\nHot.\n\nShort\n\nDo it.\n\n{% raw %} { #kept }"


def test_lists_keep_their_numbers_and_nesting() -> None:
    text = "1. First\n2. Second\n   - nested\n     1. deeper\n10. Tenth\n\n* plain\n"
    assert read(text).text == "1. First\n2. Second\n  - nested\n    1. deeper\n3. Tenth\n\nplain".replace("3.", "10.")


def test_statements_and_comments_of_mdx_do_not_leak() -> None:
    text = (
        'import {\n  Card,\n  Grid\n} from "../cards";\nimport "./a.css"\nexport const meta = {\n  a: [1, 2],\n}\n\n# Guide\n\n'
        "export const Red = ({children}) => (\n  <b style={{color: 'red'}}>\n    {children}\n  </b>\n);\n\nexport const depth =\n  5;\n\n"
        "Ebb. {/* from March */}\n\n<Card>Flood.</Card>\n\nexport default Page;\n"
        "export the chart (as a file\n\nimport duties from 1850 on\n\n```js\nexport const a = 1\n```\n"
    )
    assert read(text).text == (
        "Ebb.\n\nFlood.\n\nexport the chart (as a file\n\nimport duties from 1850 on\n\nexport const a = 1"
    )


def test_marks_of_callouts_directives_and_imports_do_not_leak() -> None:
    parsed = read(
        'import Tabs from "@theme/Tabs";\n\n# Guide\n\n> [!NOTE]\n> Mind the tide.\n\n> [!tip]- Go early\n> Ebb.\n\n:::warning[Depth]\n\nShallow.\n\n:::\n\n'
        "import the chart from the harbour\n\n```\n:::note\nimport a from 'b'\n> [!NOTE]\n```\n"
    )
    assert parsed.title == "Guide"
    assert parsed.text == (
        "Mind the tide.\n\nGo early\nEbb.\n\nDepth\n\nShallow.\n\nimport the chart from the harbour\n\n:::note\nimport a from 'b'\n> [!NOTE]"
    )


def test_liquid_in_a_heading_does_not_leak() -> None:
    parsed = read("---\ntitle: x\n---\n## {{ page.title }} Guide\n\nWrite {{ page.title }} for it.\n")
    assert [section.path for section in parsed.sections] == [("Guide",)]
    assert parsed.text == "Write {{ page.title }} for it."


def test_footnotes_are_numbered_text_at_the_end_as_in_docx() -> None:
    parsed = read(
        "# Tides\n\n## High[^b]\n\nTwice a day[^moon], not[^a-z] `[^b]`.\n\n[^b]: Also *spring*.\n[^moon]: The [moon](moon.md)[^deep]\npulls.\n\n"
        "    More of it.\n\n## Low\n\nOnce[^moon].\n\n> [^deep]: Deep.\n\n[^x]: Unused\n"
    )
    assert parsed.text.split("\n\n") == [
        "Twice a day[2], not[^a-z] [^b].",
        "Once[2].",
        "1. Also spring.",
        "2. The moon[3] pulls.",
        "More of it.",
        "3. Deep.",
        "[^x]: Unused",
    ]
    assert [section.path for section in parsed.sections] == [("High",), ("Low",)]
    assert [(link.target, link.text) for link in parsed.links] == [("moon.md", "moon")]
    assert read("Sets:\n\n[^a-z]: all but letters").text == "Sets:\n\n[^a-z]: all but letters"
    assert read("---\nuses: Redis\n---\nx[^1]\n\n[^1]: y").text == "x[1]\n\n1. y\n\nUses: Redis."


@pytest.mark.parametrize("text", ["Run ${HOME}`pwd` here.", "Call f{x}`y` here.", "In {HOME}`pwd` here."])
def test_braces_before_code_that_name_no_role_stay(text: str) -> None:
    assert read(text).text == text.replace("`", "")


def test_marks_of_myst_do_not_leak() -> None:
    parsed = read(
        "# Tides\n\n(tides-high)=\n## High\n\nSee {func}`~sea.rise`, {pep}`8`, {doc}`the moon <moon>` and {term}`ebb`, not {x} `y`.\n\n"
        "```{note} Mind\n:class: tip\n\nIt *rises*.\n\n~~~py\n```{note}\n~~~\n```\n\n:::{caution} Careful\nNot here.\n:::\n\n```{code-block} py\n1\n```\n"
    )
    assert parsed.text.split("\n\n") == [
        "See rise, PEP 8, the moon and ebb, not {x} y.", "Mind", "It rises.", "```{note}", "Careful", "Not here.", "1",
    ]  # fmt: skip
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["rise", "the moon", "y", "```{note}", "1"]
    assert [(link.kind, link.target, link.text) for link in parsed.links] == [("rst", "moon", "the moon")]


@pytest.mark.parametrize(
    "text", [":::{warning}\n:class: dropdown\nDo not.\n:::", "::::{tab-item} Do\n:sync: k\n\nnot.\n::::"]
)
def test_options_below_colons_are_removed(text: str) -> None:
    assert read(text).text.replace("\n\n", " ") == "Do not."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[^abc]: anything but a, b, c\n\nWrite `[^abc]`.", "Write [^abc].\n\n[^abc]: anything but a, b, c"),
        ("[^1]: a b\n\n```\n[^1]\n```", "[^1]\n\n[^1]: a b"),
        ("[^1]: a b\n\nAs \\[^1] says.", "As [^1] says.\n\n[^1]: a b"),
        ("He said this[^1]: a thing.\n\n[^1]: The note.", "He said this[1]: a thing.\n\n1. The note."),
        ("A ` b[^1] ``c` d.\n\n[^1]: The note.", "A  b[^1] ``c d.\n\n[^1]: The note."),
        ("- A[^1] \\` b[^1].\n- [^1]: The note.", "A[1] ` b[1].\n\n1. The note."),
        ("A[^1].\n\n[^1]: <div>Words</div>\n\n[^2]: <!-- c -->\n    more", "A[1].\n\n1. Words\n\n[^2]: more"),
    ],
)
def test_a_note_that_no_mark_refers_to_keeps_its_label(text: str, shown: str) -> None:
    assert read(text).text == shown


def test_notes_within_the_text_stand_at_the_end_as_others_do() -> None:
    parsed = read(
        "# Tides\n\nTwice[^a] a day.^[See *the* [moon](moon.md).^[Or not\nso much.]] `x^[a b]`, ^[a-z ]+$ and 2^[3] stay, x\\^[no note].\n\n"
        "## Ebb^[Low water.]\n\n[^a]: Each.\n"
    )
    assert parsed.text.split("\n\n") == [
        "Twice[1] a day.[2] x^[a b], ^[a-z ]+$ and 2^[3] stay, x^[no note].", "1. Each.", "2. See the moon.[4]", "3. Low water.",
        "4. Or not so much.",
    ]  # fmt: skip
    assert ([link.text for link in parsed.links], [each.heading for each in parsed.sections]) == (["moon"], ["", "Ebb"])
    assert read("Once.^[A note alone.]").text == "Once.[1]\n\n1. A note alone."


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Use ==Redis== here, `a ==b== c`, a == b == c.", "Use Redis here, a ==b== c, a == b == c."),
        ("Tide %%check this%% turns, 100%% and 5%% stay.", "Tide turns, 100%% and 5%% stay."),
        ("- item ^37066d\n- 2 ^3 and x ^2\n", "item\n2 ^3 and x ^2"),
        ("![[moon.png|300]] and ![[moon.png|the moon]]", "moon.png and the moon"),
        ("if a ==b and c== d", "if a ==b and c== d"),
        ("The rate is r ^alpha", "The rate is r ^alpha"),
        ("The rate is r ^alpha-1\n", "The rate is r ^alpha-1"),
        ("It ends. ^the-end\n\n`x`, ends ^2024-end", "It ends.\n\nx, ends"),
        ("It rises ^37066d\nand falls.", "It rises ^37066d and falls."),
        ("::: {.warning #w}\nBeware.\n:::\n", "Beware."),
    ],
)
def test_marks_of_obsidian_and_pandoc_are_no_text(written: str, shown: str) -> None:
    assert " ".join(read(written).text.split(" ")).replace("  ", " ") == shown


@pytest.mark.timeout(10)
@pytest.mark.parametrize("note", ["ab" * 2_000, f"ab{' ' * 4_000}1"])
def test_what_may_be_a_note_is_looked_at_once(note: str) -> None:
    assert read(f"x ^[{note}]").text == f"x ^[{note}]"


@pytest.mark.timeout(20)
def test_highlighted_words_of_a_long_line_are_looked_at_once() -> None:
    assert read("==a== " * 200_000).text == " ".join(["a"] * 200_000)


def test_labels_are_places_but_not_in_code_and_no_more_than_links_may_be() -> None:
    assert read("(High-Tide)=\n# Tides\n\n```\n(low-tide)=\n```\n").anchors == ("high-tide",)
    with pytest.raises(ParseError, match="more than 2 links and labels"):
        parse(Source("a.md", "text/markdown", b"[moon](moon.md)\n\n(a)=\n\n(b)=\n"), ParseLimits(max_links=2))


def test_badges_are_no_part_of_a_title_but_a_picture_alone_is_one() -> None:
    badges = "[![NPM version](https://x.org/v.svg)](https://x.org/npm) ![Build](b.svg)"
    parsed = read(f"# gray-matter {badges}\n\nWords.\n\n## ![Logo](l.svg)\n\nMore.\n")
    assert (parsed.title, [section.heading for section in parsed.sections]) == ("gray-matter", ["", "Logo"])
    assert read('# <a name="x"></a>![Logo](l.svg)\n\nWords.\n').title == "Logo"


def test_fields_below_each_other_are_lines() -> None:
    parsed = read(
        "# Minutes\n\nNotes\n**Attendees:** [Maria Keller](maria.md)\n**Date:** 12 March 2024\n**Due date**: *May*\n"
    )
    assert parsed.text == "Notes\nAttendees: Maria Keller\nDate: 12 March 2024\nDue date: May"
    assert parsed.metadata == {"created_at": "2024-03-12"}
    assert [parsed.text[link.start : link.end] for link in parsed.links] == ["Maria Keller"]
    assert read("- Owner: Maria Keller\n  status: Open\n").text == "Owner: Maria Keller\nstatus: Open"


@pytest.mark.parametrize(
    "prose",
    [
        "She gave one\nReason: the tide was low.",
        "It needs two\nthings here: a boat and a\nthing there: an oar.",
        "Look at\nhttp://tide.example and\nFtp://tide.example.",
        "In the year of the great Flood: it\nWas a Long Way to go: far.",
    ],
)
def test_prose_that_was_wrapped_at_a_colon_is_one_line(prose: str) -> None:
    assert read(prose).text == prose.replace("\n", " ")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Maria Keller<br>Tom [Okafor](t.md)", "Maria Keller\nTom Okafor"),
        ("Owner: Maria Keller<br>\nDate: May<BR />\n\nEnd", "Owner: Maria Keller\nDate: May\n\nEnd"),
        ("<br>**Maria**<br> <br/>*Tom*<br>", "Maria\nTom"),
        ("`<br>` ends\na line", "<br> ends a line"),
        ("see [Tom<br>](t.md) and **Maria<br>**", "see Tom\nand Maria"),
        ("| who |\n| --- |\n| Maria<br>[Tom](t.md) |\n\nA<br>B", "who\nMaria Tom\n\nA\nB"),
        ("> # Maria<br>Tom\n\nA<br>B", "Maria Tom\n\nA\nB"),
    ],
)
def test_a_break_ends_a_line_but_not_a_row_or_a_heading(written: str, shown: str) -> None:
    parsed = read(written)
    assert parsed.text == shown
    assert all(parsed.text[link.start : link.end] in {"Okafor", "Tom"} for link in parsed.links)
    assert read("# Maria<br>Keller\n\nWords.").title == "Maria Keller"


@pytest.mark.parametrize(("before", "after"), [("", ""), ('<div align="center">\n  ', "\n</div>")])
def test_headings_in_html_are_title_and_sections(before: str, after: str) -> None:
    parsed = read(
        f'{before}<h1 align="center">Interlace</h1>{after}\n\nA graph.\n\n<h2>Install <a href="x.md">it</a></h2>\n\nRun.\n\n'
        "> <h2>Quoted</h2>\n\n<p>\n<h2>Inner</h2>\n</p>\n"
    )
    assert (parsed.title, [section.heading for section in parsed.sections]) == ("Interlace", ["", "Install it"])
    assert parsed.text == "A graph.\n\nRun.\n\nQuoted\n\nInner"
    assert [(link.target, link.text) for link in parsed.links] == [("x.md", "it")]
