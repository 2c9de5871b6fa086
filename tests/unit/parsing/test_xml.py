"""XML of any kind: what a reader sees of its elements, and none of its markup."""

import pytest
from tests.support.parsing import read, refusal

from interlace.parsing.media import TEXT, UNKNOWN, XML, media_type_of, sniff

PATENT = """<?xml version="1.0" encoding="UTF-8"?>
<patent-document id="X1" xml:lang="en">
 <data><filing-date>2019-04-12</filing-date><invention-title>Shutter valve</invention-title>
 <inventors><inventor>Marta Jelinek</inventor><inventor>Oskar Thune</inventor></inventors></data>
 <abstract><p>A bottle <b>with</b> a valve.</p></abstract>
 <claims><claim num='1'><claim-text>1. A bottle comprising a body and a valve of silicone.</claim-text></claim></claims>
</patent-document>"""


def test_elements_are_paragraphs_lines_and_sections_without_markup() -> None:
    parsed = read(PATENT, media_type_of("a.xml"), "x/a.xml")
    assert (parsed.title, parsed.language, parsed.metadata["language"]) == ("Shutter valve", "en", "en")
    assert parsed.text == (
        "Filing date: 2019-04-12\n\nInventor: Marta Jelinek\nInventor: Oskar Thune\n\nA bottle with a valve.\n\n"
        "1. A bottle comprising a body and a valve of silicone."
    )
    assert [each.path for each in parsed.sections] == [(), ("Abstract",), ("Claims",)]


def test_names_have_no_prefix_and_values_stand_behind_them() -> None:
    text = (
        '<l:lido xmlns:l="http://x.example"><l:recID l:type="local">7</l:recID><l:meta xml:lang="en"><l:titleWrap><l:titleSet>'
        "<l:appellationValue>Four tiles</l:appellationValue></l:titleSet></l:titleWrap><l:eventActor>Iznik</l:eventActor>"
        "<l:note>Tile 3 was broken in transport in 2011 and restored.</l:note></l:meta></l:lido>"
    )
    parsed = read(text, XML)
    assert (parsed.title, parsed.text) == (
        "Four tiles",
        "Rec ID: 7\n\nEvent actor: Iznik\n\nTile 3 was broken in transport in 2011 and restored.",
    )


def test_titles_of_equal_elements_are_headings() -> None:
    text = "<shop><book><title>Low Tide</title><price>5</price></book><book><title>Ebb</title><jobTitle>Clerk</jobTitle></book></shop>"
    parsed = read(text, XML, "x/books.xml")
    assert (parsed.title, parsed.text) == ("books", "Price: 5\n\nJob title: Clerk")
    assert [each.heading for each in parsed.sections] == ["Low Tide", "Ebb"]


def test_values_that_are_html_or_attributes_are_read() -> None:
    text = (
        '<f><d>&lt;p&gt;The &lt;b&gt;boat&lt;/b&gt;&lt;/p&gt;</d><dep name="orjson" version="3"/><by id="Ada"/><x/></f>'
    )
    assert read(text, XML).text == "The boat\n\nDep: name orjson, version 3\nBy: Ada"


def test_paragraphs_beside_words_stay_apart_and_so_do_items_within() -> None:
    text = "<d>Words<p>One<list><item>a</item><item>b</item></list></p><p>Two &nbsp;three</p>rest</d>"
    doctype = '<!DOCTYPE d SYSTEM "http://x.example/d.dtd">'
    assert read(doctype + text, XML).text == "Words\n\nOne a b\n\nTwo three\n\nrest"


@pytest.mark.parametrize(
    ("head", "hint", "kind"),
    [("<?xml version='1.0'?><a/>", UNKNOWN, XML), ("<?xml version='1.0'?><a/>", "text/markdown", "text/markdown"), ("<a>", TEXT, TEXT)],
)  # fmt: skip
def test_a_declaration_makes_a_text_xml(head: str, hint: str, kind: str) -> None:
    assert sniff(head.encode(), hint, "a") == kind


def test_the_encoding_is_the_one_declared() -> None:
    assert read("<?xml version='1.0' encoding='iso-8859-1'?><a>Möwe</a>".encode("latin-1"), XML).text == "A: Möwe"
    assert read("\ufeff<?xml version='1.0' encoding='utf-16'?><a>Möwe</a>".encode("utf-16-le"), XML).text == "A: Möwe"


def test_entities_are_refused_and_what_is_not_well_formed_is_read_as_text() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'
    assert "entities" in refusal(bomb, XML).message
    assert read("<a>One & two</a>", XML).text == "<a>One & two</a>"
    assert refusal("<a><b/></a>", XML).reason == "empty"
    assert "nested too deep" in refusal("<a>" * 50_000 + "</a>" * 50_000, XML).message
