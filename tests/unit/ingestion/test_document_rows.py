"""Rows: how links and documents find each other, and what of a chunk does not show in its text."""

from dataclasses import replace
from typing import Any

import pytest

from interlace.domain.documents import Chunk, DocumentLink, ParsedDocument, Section, Source
from interlace.ingestion.document_rows import chunk_marks, document_row, payloads, property_value
from interlace.ingestion.labels import with_sent
from interlace.ingestion.references import known_as_rows, reference_rows
from interlace.ingestion.support_rows import title_entity
from interlace.ingestion.versions import Claim, NewVersion
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.vectors.projection import chunk_payload


def version(uri: str, *links: DocumentLink, title: str = "Title", metadata: dict[str, Any] | None = None) -> NewVersion:
    section = Section("", (), 0, 0, 0, 4)
    parsed = ParsedDocument(title, "Text", (section,), ("tag",), ("Alias",), links, metadata or {})
    chunk = Chunk("c", "d", (title,), 0, 0, "Text", 0, 4, 1)
    return NewVersion(Claim("d", 1, 1, "o", "j", "upsert", uri, "text/markdown", "sum"), "f", parsed, (chunk,), {})


def keys_of_link(uri: str, kind: str, target: str) -> list[str]:
    return [row["key"] for row in reference_rows(version(uri, DocumentLink(kind, target, "", "x", 0, 1)))]


@pytest.mark.parametrize(
    ("kind", "target", "keys"),
    [
        ("markdown", "b.md", ["path:docs/b.md"]),
        ("markdown", "./sub/b.md", ["path:docs/sub/b.md"]),
        ("markdown", "../b.html", ["path:b"]),
        ("html", "letters/Lang.odt", ["path:docs/letters/lang.odt"]),
        ("markdown", "my%20note.md", ["path:docs/my note.md"]),
        ("markdown", "http://x.org/b", ["uri:http://x.org/b"]),
        ("markdown", "atlas:leiden", ["uri:atlas:leiden"]),
        ("markdown", "atlas:my%20plan", ["uri:atlas:my plan"]),
        ("wikilink", "atlas:my plan", ["uri:atlas:my plan"]),
        ("markdown", "b.md?raw=1", ["path:docs/b.md", "path:docs/b.md?raw=1"]),
        ("html", "what%3F?x=1", ["path:docs/what?", "path:docs/what??x=1"]),
        ("wikilink", "../What?", ["path:what?"]),
        ("wikilink", "Report.PDF", ["name:report pdf"]),
        ("wikilink", "Fritz Lang", ["name:fritz lang"]),
        ("wikilink", "100%25 Wolf/b", ["path:docs/100%25 wolf/b"]),
        ("wikilink", "people/Lang", ["path:docs/people/lang"]),
        ("typed", "Fritz Lang", []),
        ("markdown", "", []),
        ("markdown", "#part", []),
        ("markdown", "?page=2", []),
        ("markdown", "mailto:a@x.org", []),
        ("markdown", "data:image/png;base64,AAAA", []),
        ("wikilink", "?!", []),
    ],
)
def test_links_point_at_paths_addresses_and_names(kind: str, target: str, keys: list[str]) -> None:
    assert keys_of_link("docs/a.md", kind, target) == keys


def test_a_link_is_noted_once_and_records_link_from_their_files_folder() -> None:
    twice = version(
        "a.md", DocumentLink("markdown", "b.md", "", "x", 0, 1), DocumentLink("markdown", "b.md", "", "y", 2, 3)
    )
    assert len(reference_rows(twice)) == 1
    assert keys_of_link("data/all.jsonl#7", "markdown", "b.md") == ["path:data/b.md"]


def test_a_document_answers_to_its_address_path_file_name_title_and_aliases() -> None:
    keys = [row["key"] for row in known_as_rows(version("docs/The Mill.md", title="Old Mill (novel)"))]
    names = ["name:alias", "name:mill", "name:mill md", "name:old mill novel"]
    assert keys == [*names, "path:docs/the mill", "path:docs/the mill.md", "uri:docs/The Mill.md"]


def test_a_name_of_one_letter_is_no_name_of_what_is_left_of_its_suffix() -> None:
    assert {row["key"] for row in known_as_rows(version("x/a.md"))} >= {"name:a", "path:x/a.md"}
    assert "name:md" not in {row["key"] for name in ("a", "The", "?!") for row in known_as_rows(version(f"{name}.md"))}


def payload_of_first(given: NewVersion) -> dict[str, Any]:
    return payloads("t", given, given.chunks[:1])[given.chunks[0].id]


def test_a_points_payload_is_the_one_the_graph_gives_back() -> None:
    given = version("a.md", metadata={"year": 1927, "cast": ["Ada"], "created_at": "2024-01-01T00:00:00+00:00"})
    stored = {"id": "d", **document_row("t", given, 3)["properties"]}
    assert payload_of_first(given) == chunk_payload(stored, "body", 0)
    assert payload_of_first(given)["metadata"] == {"year": 1927, "cast": ["Ada"]}
    assert payload_of_first(given)["created_at"] == "2024-01-01T00:00:00.000000Z"


def test_dates_in_metadata_stay_as_written_and_are_compared_as_instants() -> None:
    given = version("a.md", metadata={"due": "2024-05-31", "days": ["2024-06-01 12:00", "never"], "created_at": "once"})
    fields = payload_of_first(given)
    assert fields["metadata"] == {"due": "2024-05-31", "days": ["2024-06-01 12:00", "never"], "created_at": "once"}
    assert fields["instants"] == {"due": ["2024-05-31T00:00:00.000000Z"], "days": ["2024-06-01T12:00:00.000000Z"]}
    assert "created_at" not in fields


def test_a_key_without_a_value_is_no_metadata() -> None:
    sent = with_sent(ParsedDocument("T", "x", (), metadata={"price": None, "due": None}), {"price": 3, "sold": None})
    assert payload_of_first(version("a.md", metadata=dict(sent.metadata)))["metadata"] == {"price": 3}


def test_only_the_ledger_says_which_file_a_document_is() -> None:
    given = version("a.md", metadata={"local_file": "/etc/passwd", "year": 1})
    properties = document_row("t", given, 1)["properties"]
    assert "file" not in properties
    assert "metadata.local_file" not in properties
    claim = replace(given.claim, metadata={"local_file": "/data/a.md"})
    assert document_row("t", replace(given, claim=claim), 1)["properties"]["file"] == "/data/a.md"


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ("a", "a"),
        (1.5, 1.5),
        (True, True),
        (["a", "b"], ["a", "b"]),
        ([1, 2], [1, 2]),
        ([1, 2.5], [1.0, 2.5]),
        ([True], [True]),
        ([True, 1], "[true,1]"),
        ([1, "a"], '[1,"a"]'),
        ([], "[]"),
        ({"b": 1, "a": 2}, '{"a":2,"b":1}'),
    ],
)
def test_metadata_is_stored_as_neo4j_can(value: object, stored: object) -> None:
    assert property_value(value) == stored


def test_the_digest_of_links_tells_targets_and_types_but_not_places_in_the_document() -> None:
    def digests(shift: int, anchor: str) -> list[str]:
        text = " " * shift + "Ada met Bob."
        link = DocumentLink("typed", "Ada", anchor, "Ada", shift, shift + 3)
        parsed = ParsedDocument("T", text, (), links=(link,))
        first = Chunk("c", "d", ("T",), 0, 0, "Ada met", shift, shift + 7, 2)
        second = Chunk("c2", "d", ("T",), 0, 1, "Bob.", shift + 8, shift + 12, 2)
        return chunk_marks(parsed, [first, second])

    assert digests(0, "person") == digests(5, "person")
    assert digests(0, "person")[0] != digests(0, "place")[0]
    assert digests(0, "person")[1] == ""


def test_titles_without_a_word_still_name_something() -> None:
    identity, evidence = title_entity("t", ParsedDocument("?!", "", ()))
    assert identity != title_entity("t", ParsedDocument("!!", "", ()))[0]
    assert [item.surface for item in evidence] == ["?!"]


def test_documents_whose_long_titles_differ_in_the_last_words_are_two() -> None:
    titles = [
        f"Guideline on the clinical evaluation of medicinal products used in the treatment of {name}"
        for name in ("asthma", "epilepsy")
    ]
    assert len({title_entity("t", ParsedDocument(title, "", ()))[0] for title in titles}) == 2
    (asked,) = keys_of_link("b.md", "wikilink", titles[1])
    answers = [asked in {row["key"] for row in known_as_rows(version("a.md", title=title))} for title in titles]
    assert answers == [False, True]


def test_pages_of_restructuredtext_answer_to_links_that_name_what_is_made_of_them() -> None:
    keys, others = ({row["key"] for row in known_as_rows(version(f"docs/tides.{kind}"))} for kind in ("rst", "md"))
    parsed = parse(
        Source(
            "docs/moon.rst",
            "text/plain",
            b"`a <tides.html#high>`_ :doc:`tides` `c <tides.rst>`_ d_\n\n.. _d: tides.html\n",
        ),
        ParseLimits(),
    )
    found = [keys_of_link("docs/moon.rst", link.kind, link.target) for link in parsed.links]
    assert len(found) == 4
    assert all(keys.intersection(each) for each in found)
    assert not keys.intersection(keys_of_link("docs/moon.md", "markdown", "tides.md"))
    assert keys.intersection(keys_of_link("docs/moon.md", "markdown", "tides.html"))
    assert [bool(others.intersection(each)) for each in found] == [True, True, False, True]


@pytest.mark.parametrize(
    ("kind", "target", "uri", "is_meant"),
    [
        ("wikilink", "projects/Boat/Plan", "vault/projects/Boat/Plan.md", True),
        ("wikilink", "/projects/Boat/Plan", "vault/projects/Boat/Plan.md", True),
        ("wikilink", "Projects/boat/plan.md", "vault/projects/Boat/Plan.md", True),
        ("wikilink", "notes/Plan", "vault/daily/notes/plan.md", True),
        ("wikilink", "./projects/Boat/Plan", "vault/projects/Boat/Plan.md", False),
        ("wikilink", "projects/Boat/Plan", "other/projects/Boat/Plan.md", False),
        ("wikilink", "t.md", "vault/t.md", True),
        ("wikilink", "t.md", "vault/t.txt", False),
        ("wikilink", "g", "vault/g.org", True),
        ("wikilink", "o", "vault/o.ipynb", True),
        ("wikilink", "o.ipynb", "vault/o.ipynb", True),
        ("markdown", "../deck", "vault/deck.mdx", True),
        ("markdown", "../l", "vault/l.rst", True),
        ("markdown", "../i.html", "vault/i.adoc", True),
        ("markdown", "../data.csv", "vault/data.json", False),
        ("markdown", "install/", "vault/daily/install/index.md", True),
        ("markdown", "..", "vault/README.md", True),
        ("html", "../docs/", "vault/docs/index.html", True),
        ("markdown", "/docs/api.md", "vault/docs/api.md", True),
        ("markdown", "/Tide.md?raw=1", "vault/Tide.md", True),
        ("markdown", "/Tide.md", "other/Tide.md", False),
        ("markdown", "why?x.md", "vault/daily/why?x.md", True),
        ("wikilink", "12", "vault/issue #12.txt", False),
        ("wikilink", "12", "vault/issues.jsonl#12", True),
    ],
)
def test_targets_mean_the_documents_that_authors_mean(kind: str, target: str, uri: str, is_meant: bool) -> None:
    keys = {row["key"] for row in known_as_rows(version(uri))}
    assert bool(keys.intersection(keys_of_link("vault/daily/2024-05-01.md", kind, target))) == is_meant


def test_a_document_in_a_folder_with_the_mark_of_records_in_its_name_links_to_its_neighbors() -> None:
    for uri in ("C#/guide/a.md", "docs/C#/guide/a.md"):
        folder = uri.removesuffix("a.md")
        assert keys_of_link(uri, "markdown", "b.md") == [f"path:{folder}b.md".casefold()]
        assert document_row("t", version(uri), 1)["properties"]["path"] == uri
    assert document_row("t", version("C#/a.csv#x#2"), 1)["properties"]["path"] == "C#/a.csv"


def test_a_path_leads_from_a_bounded_number_of_folders_the_nearest_ones() -> None:
    keys = keys_of_link("top/" + "f/" * 900 + "a.md", "wikilink", "x/y")
    assert (len(keys), "path:top/" + "f/" * 900 + "x/y" in keys) == (32, True)


@pytest.mark.parametrize("target", ["Notes", "notes.md", "Alias"])
def test_a_name_of_the_document_itself_leads_to_no_other_that_has_it(target: str) -> None:
    def keys(uri: str) -> list[str]:
        link = DocumentLink("wikilink", target, "", "x", 0, 1)
        return [row["key"] for row in reference_rows(version(uri, link, title="Notes"))]

    assert keys("boat/Notes.md") == []
    assert (keys("boat/Plan.md") == []) == (target != "notes.md")


def test_a_heading_is_one_anchor_however_its_link_is_written() -> None:
    links = (DocumentLink(kind, "b.md", "High%20water", "x", 0, 1) for kind in ("markdown", "html"))
    rows = reference_rows(version("a.md", *links, DocumentLink("wikilink", "b", "High water", "x", 2, 3)))
    assert {row["anchor"] for row in rows} == {"High water"}


@pytest.mark.parametrize(
    ("uri", "target"), [("proj/docs/sky/moon.rst", "/sea/tides"), ("proj/docs/moon.rst", "/docs/sea/tides.rst")]
)
def test_paths_from_the_root_of_a_documentation_find_their_page(uri: str, target: str) -> None:
    keys = {row["key"] for row in known_as_rows(version("proj/docs/sea/tides.rst"))}
    assert keys.intersection(keys_of_link(uri, "rst", target))
    assert not keys.intersection(keys_of_link(uri.replace("proj", "other"), "rst", target))


@pytest.mark.parametrize(
    ("uri", "keys"),
    [
        ("docs/a/b.rst", ["path:docs/a/index", "path:docs/index"]),
        ("b.rst", ["path:index"]),
        ("https://x.org/a/b.rst", ["path:https:/x.org/a/index", "path:https:/x.org/index"]),
    ],
)
def test_paths_from_the_root_of_a_documentation_do_not_leave_its_top_folder(uri: str, keys: list[str]) -> None:
    assert keys_of_link(uri, "rst", "/index") == keys


@pytest.mark.parametrize(("root", "key"), [("..", "path:docs/a/index"), ("../..", "path:docs/index")])
def test_paths_from_a_root_that_is_known_lead_there_alone(root: str, key: str) -> None:
    link = DocumentLink("rst", "/index", "", "x", 0, 1)
    rows = reference_rows(version("docs/a/b/c.rst", link, metadata={"documentation_root": root}))
    assert [row["key"] for row in rows] == [key]


def test_labels_lead_to_the_document_that_has_them_in_the_same_folder() -> None:
    def rows(uri: str, text: str, kind: str = "text/plain") -> tuple[set[str], set[str]]:
        parsed = parse(Source(uri, kind, text.encode()), ParseLimits())
        full = replace(version(uri), parsed=parsed)
        return {row["key"] for row in known_as_rows(full)}, {row["key"] for row in reference_rows(full)}

    known, own = rows("docs/sea.rst", ".. _High Tides:\n\nTides\n=====\n\nSee :ref:`high tides`.\n")
    assert not own
    for text in (":ref:`High  tides`", ":ref:`these <high tides>`"):
        assert known & rows("docs/sky/moon.rst", text)[1]
        assert not known & rows("other/moon.rst", text)[1]
    page = rows("https://x.org/docs/sea.rst", ".. _high tides:\n\nTides\n=====\n")[0]
    assert page & rows("https://x.org/moon.rst", ":ref:`high tides`")[1]
    assert not page & rows("https://y.org/moon.rst", ":ref:`high tides`")[1]
    assert known & rows("docs/moon.md", "See {ref}`high tides`.", "text/markdown")[1]
    assert (
        rows("docs/a.md", "(High-Tides)=\n## Tides\n", "text/markdown")[0] & rows("docs/b.rst", ":ref:`high-tides`")[1]
    )
