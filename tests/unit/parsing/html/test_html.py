"""HTML: main text, headings, links and tables; boilerplate by element and role."""

import pytest
from tests.support.parsing import read, refusal

from interlace.parsing.media import HTML


def test_html_gives_main_text_headings_and_links() -> None:
    parsed = read(
        b"<html lang=en><head><title>Install | Site</title><meta name=keywords content='a, B'><style>x{}</style></head>"
        b"<body><nav>menu</nav><h1>Install</h1><p>Hello <b>wor</b>ld &amp; <a href='/a#b'>more\n <i>things</i></a>.<br>next</p>"
        b"<h2>On <a href=x>Linux</a></h2><ul><li>one<li>two</ul><table><tr><td>1</td><td>2</td></tr></table>"
        b"<pre>a\n   b</pre><script>bad()</script><footer>foot</footer></body></html>",
        HTML,
    )
    assert (parsed.title, parsed.tags, parsed.metadata) == ("Install", ("a", "b"), {"language": "en"})
    assert parsed.text == "Hello world & more things.\nnext\n\none\ntwo\n\n1 | 2\n\na\n   b"
    assert [section.path for section in parsed.sections] == [(), ("On Linux",)]
    assert [(link.kind, link.target, link.anchor, link.text) for link in parsed.links] == [
        ("html", "/a", "b", "more things"),
        ("html", "x", "", "Linux"),
    ]
    assert parsed.text[parsed.links[0].start : parsed.links[0].end] == "more things"


def test_a_page_that_a_script_writes_is_refused_instead_of_ready_without_text() -> None:
    page = "<html><head><title>App</title><meta name=description content=x></head><body><div id=root></div><script>1</script></body></html>"
    error = refusal(page, HTML)
    assert (error.reason, "script" in error.message) == ("empty", True)
    assert read("<body><h1>Only a heading</h1></body>", HTML).title == "Only a heading"


@pytest.mark.parametrize(
    ("declared", "encoding", "words"),
    [
        ("utf-8", "cp932", "灯台は一八九八年に建てられた。ロストックの港にある。船はこの灯台を見て入港する。"),
        ("utf-8", "cp1252", "Die Größe der Türen ist für uns schön."),
        ("utf-8", "cp1251", "Маяк построен давно, его строила Анна Берг из Ростока. Корабли видят его издалека."),  # noqa: RUF001 - it is Russian
    ],
)
def test_a_page_that_declares_an_encoding_in_which_it_is_not_is_read(declared: str, encoding: str, words: str) -> None:
    page = f'<html><head><meta charset="{declared}"></head><body><p>{words}</p></body></html>'
    assert read(page.encode(encoding), HTML).text == words


@pytest.mark.parametrize("declared", ["utf-16", "undefined", "idna", "punycode", "utf-7"])
def test_a_page_that_declares_what_cannot_be_is_read(declared: str) -> None:
    page = f'<html><head><meta charset="{declared}"></head><body><p>Die Größe der Türen ist für uns schön.</p></body></html>'
    assert read(page.encode("cp1252"), HTML).text == "Die Größe der Türen ist für uns schön."


def test_a_damaged_character_does_not_change_the_encoding_of_a_page() -> None:
    page = '<html><head><meta charset="utf-8"></head><body><p>“Größe” — </p></body></html>'.encode()
    assert read(page.replace("—".encode(), b"\xe2\x80"), HTML).text == "“Größe” \ufffd"


def test_marks_of_permanent_links_are_in_no_title_heading_or_text() -> None:
    parsed = read(
        "<title>Install | Site</title><h1>Install<a class=headerlink href='#install'>¶</a></h1><h2><a href='#c'>#</a> In C#</h2>"
        "<dl><dt>run()<a href='#run'>¶</a><dd>Runs.</dl><h2>All of it<span><a class=mark href='#all'>#</a></span></h2><p>See <a href='#c'>C#</a>.",
        HTML,
    )
    assert (parsed.title, parsed.text) == ("Install", "run()\nRuns.\n\nSee C#.")
    assert [section.heading for section in parsed.sections] == ["In C#", "All of it"]
    assert [link.text for link in parsed.links] == ["C#"]


def test_links_to_edit_a_section_of_a_wiki_are_in_no_heading_or_text() -> None:
    edit = '<span class="mw-editsection"><span>[</span><a href="/w/index.php?title=Tides&amp;action=edit">edit</a><span>]</span></span>'
    parsed = read(
        f"<body><h1>Tides</h1><h2>High{edit}</h2><p>Twice.</p><div><h3>Low</h3>{edit}</div><p>Once.</p></body>", HTML
    )
    assert [section.path for section in parsed.sections] == [("High",), ("High", "Low")]
    assert (parsed.text, parsed.links) == ("Twice.\n\nOnce.", ())


@pytest.mark.timeout(20)
@pytest.mark.parametrize("tag", ["<b", "<b '", "<b \"'>", '<b "=">', "<b '\"<b "])
def test_tags_that_do_not_end_are_looked_at_once(tag: str) -> None:
    assert read(f"<body><p>Words</p>{tag * 30_000}", HTML).text.startswith("Words")


def test_operators_that_an_index_links_are_text() -> None:
    assert (
        read("<p><a href='#plus'>+</a> adds, <a href='#le'><code>&lt;=</code></a> compares.", HTML).text
        == "+ adds, <= compares."
    )


@pytest.mark.parametrize("title", ["Untitled Document", "untitled", "Document", "New Page 1"])
def test_a_title_that_an_editor_made_up_gives_way_to_the_heading(title: str) -> None:
    assert read(f"<title>{title}</title><h1>Lamp oil</h1><p>Text", HTML).title == "Lamp oil"
    assert read("<title>About robots.txt</title><h1>Robots</h1><p>Text", HTML).title == "About robots.txt"


@pytest.mark.parametrize(
    ("crumbs", "title"),
    [('<ol id="breadcrumbs"><li><a href="index.html">IT</a></ol>', "Lamp : oil"), ("", "IT : Lamp : oil")],
)
def test_the_crumb_that_a_wiki_puts_before_a_title_is_no_part_of_it(crumbs: str, title: str) -> None:
    page = f"<title>IT : Lamp : oil</title>{crumbs}<h1>IT : Lamp : oil</h1><main><p>Text"
    assert read(page, HTML).title == title


def test_a_summary_stands_apart_from_its_details() -> None:
    assert read("<details><summary>More</summary>Text</details>", HTML).text == "More\n\nText"


def test_html_prefers_the_main_element() -> None:
    assert read(b"<body><div>around</div><main><p>core</p></main></body>", HTML).text == "core"


def test_page_furniture_is_recognised_by_element_and_role() -> None:
    parsed = read(
        "<body><div role=navigation>menu</div><dialog>cookies?</dialog><div role=search>find</div><p>core</p>"
        "<p hidden>hidden</p><div role=contentinfo>imprint</div></body>",
        HTML,
    )
    assert parsed.text == "core"


def test_a_page_of_furniture_only_is_read_whole() -> None:
    assert read("<body><nav><a href=a>First</a> <a href=b>Second</a></nav></body>", HTML).text == "First Second"


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("<tr>\n <td><p>a</p> <p>b</p></td>\n <td><div>c</div></td>\n</tr>\n<tr><th>d<th>e", "a b | c\nd | e"),
        ("<tr><td>menu<td><h2>Part</h2><p>one</p><p>two</p>", "menu\n\none\n\ntwo"),
        (f"<tr><td><p>{'long ' * 300}</p><p>end</p>", f"{'long ' * 300}".strip() + "\n\nend"),
    ],
)
def test_a_row_of_data_is_one_line_and_a_column_of_the_page_keeps_its_paragraphs(table: str, text: str) -> None:
    assert read(f"<body><table>{table}</table></body>", HTML).text == text


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (
            "<tr><th>Region<th>City<th>Head<tr><td rowspan=2>Europe<td>Basel<td>Maria Keller<tr><td>Paris<td>Tom Okafor<tr><td>Asia<td>Kobe<td>Aiko",
            "Region | City | Head\nEurope | Basel | Maria Keller\nEurope | Paris | Tom Okafor\nAsia | Kobe | Aiko",
        ),
        (
            "<tr><td>a<td rowspan=3><p>b <b>c</b></p><tr><td>d<tr><td>e<tr><td>f<td>g",
            "a | b c\nd | b c\ne | b c\nf | g",
        ),
        ("<tr><th colspan=2>Name<th>Day<tr><td>Maria<td>Keller<td>1", "Name |  | Day\nMaria | Keller | 1"),
        (
            "<tr><td rowspan=2>Menu A B<td><ul><li>A</ul><tr><td><ul><li>C</ul>",
            "Menu A B\n\nA\n\nC",
        ),
        (f"<tr><td rowspan=2>{'long ' * 30}<td>a<tr><td>b", "long " * 30 + "| a\n| b"),
        ("<tr><th colspan=3>Heads<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c", "Heads\na |  | b\na |  | c"),
        ("<thead><tr><th rowspan=9>a<th>b</thead><tbody><tr><td>1<td>2</tbody>", "a | b\n1 | 2"),
        ("<tr><td>a<td rowspan=4>b<td rowspan=3>c<tr><tr><td>d<tr><td>e<td>f", "a | b | c\nd | b | c\ne | b | f"),
        ("<tr><td colspan=999999999>a<td rowspan=999999999>b", "a" + " | " * 100 + "b"),
    ],
)
def test_a_cell_that_spans_others_keeps_each_value_below_its_header(rows: str, text: str) -> None:
    assert read(f"<body><p>Before</p><table>{rows}</table></body>", HTML).text == f"Before\n\n{text}"


def test_a_table_within_a_layout_has_spans_of_its_own() -> None:
    inner = "<table><tr><td rowspan=2>a<td>b<tr><td>c</table>"
    page = f"<body><table><tr><td rowspan=2>{inner}<td>menu<tr><td>more</table></body>"
    assert read(page, HTML).text == "a | b\na | c\n\nmenu\nmore"


def test_code_is_literal_also_within_preformatted_text() -> None:
    parsed = read("<p>Call <code>run()</code> or</p><pre><code>x = 1\ny</code></pre><p>End</p>", "text/html")
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["run()", "x = 1\ny"]


def test_no_page_is_refused_for_its_depth() -> None:
    parsed = read("<div>" * 3_000 + "<p>Deep</p>" + "</div>" * 3_000 + "<p>After</p>", "text/html")
    assert parsed.text == "Deep\n\nAfter"


@pytest.mark.parametrize(
    ("declaration", "encoding"),
    [
        ('<meta charset="windows-1252">', "cp1252"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">', "cp1252"),
        ('<meta charset="shift_jis">', "cp932"),
        ("<meta charset=koi8-r>", "koi8-r"),
    ],
)
def test_pages_are_read_in_the_encoding_that_they_declare(declaration: str, encoding: str) -> None:
    words = {"cp932": "日本語", "koi8-r": "Привет"}.get(encoding, "Café \u2013 “naïve”")
    page = f"<html><head>{declaration}</head><body><p>{words}</p></body></html>"
    assert read(page.encode(encoding), "text/html").text == words


def test_lists_keep_their_numbers_and_nesting() -> None:
    page = '<ol start="3"><li>Three<ul><li><b>nested</b></li></ul></li><li value="7">Seven</li></ol><ul><li>plain</li></ul>'
    assert read(page, HTML).text == "3. Three\n\n  - nested\n\n7. Seven\n\nplain"


@pytest.mark.parametrize(
    "name",
    ["class=breadcrumbs", "id=site-footer", "class='c-newsletter_signup_box c-box'", "class=relatedPosts", "class=share-buttons",
     "id=sidebar-left", "class='menu-main-container'", "class=cookie-notice", "class='widget-area'", "style='display: none'"],
)  # fmt: skip
def test_what_a_page_calls_navigation_by_name_is_no_text(name: str) -> None:
    page = f"<body><div class=wrapper><h1>Cranes</h1><p>{'A crane lifts. ' * 20}</p><div {name}><p>Sign up now</p></div></div>"
    parsed = read(page, HTML)
    assert ("Sign up" in parsed.text, "A crane lifts." in parsed.text) == (False, True)


@pytest.mark.parametrize(
    "element",
    [
        "section id=cookies", "div class=section id=related-work", "h2 id=navigation", "p class=menulis", "div class=lead-story",
        "div class=menuetto", "div class=abstract", "div class=footnotes", "td class=tagged", "div class=author-notes",
    ],
)  # fmt: skip
def test_names_that_are_words_of_a_text_drop_nothing(element: str) -> None:
    page = f"<body><p>{'A crane lifts. ' * 20}</p><{element}>It also turns.</{element.split(maxsplit=1)[0]}>"
    parsed = read(page, HTML)
    assert "It also turns." in parsed.text + str(parsed.sections)


def test_a_name_drops_neither_the_heading_nor_most_of_a_page() -> None:
    page = f"<body><div class=social-wrapper><h1>Cranes</h1><p>One.</p></div><div class=sidebar>{'Text. ' * 90}</div><p>{'End. ' * 90}"
    parsed = read(page, HTML)
    assert (parsed.title, parsed.text.startswith("One.\n\nText. Text.")) == ("Cranes", True)


ARTICLE = "".join(
    f"<p>The crane number {number} lifts barrels from the ship and sets them down on the quay.</p>"
    for number in range(8)
)
MENU = (
    "<div>" + "".join(f"<div><a href=/{word}>{word}</a></div>" for word in ("Winches", "Ropes", "Anchors")) + "</div>"
)


def test_menus_and_short_texts_around_the_main_content_are_no_text() -> None:
    page = f"<body>{MENU}<h1>Cranes</h1><div><div>{ARTICLE}</div></div><div><h2>More</h2>{MENU}</div><p>All rights reserved"
    parsed = read(page, HTML)
    assert (parsed.title, parsed.text.count("barrels")) == ("Cranes", 8)
    assert not any(word in parsed.text + str(parsed.sections) for word in ("Ropes", "More", "rights"))


@pytest.mark.parametrize(
    "around",
    [
        "<p>A comment that says in a whole sentence what its author thinks of cranes and of ropes.</p>" * 6,
        "<h2>Notes</h2><div>" + "<p>It also turns to the other side, where the barges lie at night.</p>" * 7 + "</div>",
        "".join(f"<div>Crane {number}: 12 t, built in 19{number}</div>" for number in range(10, 60)),
    ],
)
def test_prose_and_long_lists_around_the_main_content_stay(around: str) -> None:
    assert read(f"<body><div>{ARTICLE * 3}</div>{around}", HTML).text.endswith(read(f"<body>{around}", HTML).text)


@pytest.mark.parametrize("page", [f"{MENU}<p>{'A crane lifts. ' * 60}</p>", f"<div>{ARTICLE[:200]}</div>{MENU}"])
def test_a_page_without_several_paragraphs_of_main_content_keeps_all(page: str) -> None:
    assert "Ropes" in read(f"<body>{page}", HTML).text


@pytest.mark.parametrize(
    ("pre", "shown"),
    [
        ("<code>one</code><code> two</code>", "one\n two"),
        ("<code>a\n</code><code>b</code>\n<code>c</code>", "a\nb\nc"),
        ("<code>$ </code><code>npm install </code><code>--save</code>", "$ npm install --save"),
        ("<code>run</code><code>(</code><code>)</code>", "run()"),
        ("<code>x = </code> <code>1</code><b>!</b><code>;</code>", "x =  1!;"),
    ],
)
def test_codes_in_one_block_are_lines(pre: str, shown: str) -> None:
    assert read(f"<body><p>Run:</p><pre>{pre}</pre></body>", HTML).text == f"Run:\n\n{shown}"
    assert read("<body><p>as <code>a</code><code>b</code></p></body>", HTML).text == "as ab"


def test_a_menu_of_links_is_no_text_however_much_of_a_short_page_it_is() -> None:
    links = "".join(
        f"<li><a href=/{name}>The {name} of the harbour</a></li>" for name in ("quay", "crane", "basin", "office")
    )
    page = "<body><div class={name}><ul>{links}{more}</ul></div><h1>Quay</h1><p>The quay is long.</p></body>"
    assert read(page.format(name="navigation", links=links, more=""), HTML).text == "The quay is long."
    assert "The crane of the harbour" in read(page.format(name="categories", links=links, more=""), HTML).text
    words = "<li>The navigation of ships is the subject of this list.</li>"
    assert "The crane of the harbour" in read(page.format(name="navigation", links=links, more=words), HTML).text


def test_prose_with_a_link_to_the_next_page_stays() -> None:
    words = "The treaty was signed in 1648 by Ferdinand in Muenster. See"
    page = f"<body><div>x</div><p>{words} <a rel='next' href='b'>the next chapter</a>.</p></body>"
    assert read(page, HTML).text == f"x\n\n{words} the next chapter."


def test_links_to_the_pages_before_and_after_are_no_text() -> None:
    page = (
        "<body><div class='header'><p>Next: <a href='b.html' rel='next'>Simple Example</a>, Up: <a href='c.html' rel='up'>Using it</a></p></div>"
        "<h3>Basics</h3><p>Tides turn, see <a href='d.html'>the moon</a> or the <a href='b.html' rel='next'>next page</a>.</p></body>"
    )
    assert read(page, HTML).text == "Tides turn, see the moon or the next page."


def test_a_term_stands_above_what_it_means() -> None:
    page = "<p>Options:</p><dl><dt>-v</dt><dt>--verbose</dt><dd><div><p>Be verbose.</p><p>Twice.</p></div></dd><dt>-f</dt><dd>Force.</dd></dl><p>End.</p>"
    assert read(page, HTML).text == "Options:\n\n-v\n--verbose\nBe verbose.\n\nTwice.\n\n-f\nForce.\n\nEnd."
