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
    ("kind", "target", "key"),
    [
        ("markdown", "b.md", "path:docs/b"),
        ("markdown", "./sub/b.md", "path:docs/sub/b"),
        ("markdown", "../b.html", "path:b"),
        ("html", "letters/Lang.odt", "path:docs/letters/Lang"),
        ("markdown", "my%20note.md", "path:docs/my note"),
        ("markdown", "http://x.org/b", "uri:http://x.org/b"),
        ("markdown", "atlas:leiden", "uri:atlas:leiden"),
        ("wikilink", "Fritz Lang", "name:fritz lang"),
        ("wikilink", "100%25 Wolf/b", "path:docs/100%25 Wolf/b"),
        ("wikilink", "people/Lang", "path:docs/people/Lang"),
        ("typed", "Fritz Lang", None),
        ("markdown", "", None),
        ("markdown", "#part", None),
        ("markdown", "mailto:a@x.org", None),
        ("markdown", "data:image/png;base64,AAAA", None),
        ("wikilink", "?!", None),
    ],
)
def test_links_point_at_paths_addresses_and_names(kind: str, target: str, key: str | None) -> None:
    assert keys_of_link("docs/a.md", kind, target)[:1] == ([key] if key else [])


def test_a_link_is_noted_once_and_records_link_from_their_files_folder() -> None:
    twice = version(
        "a.md", DocumentLink("markdown", "b.md", "", "x", 0, 1), DocumentLink("markdown", "b.md", "", "y", 2, 3)
    )
    assert len(reference_rows(twice)) == 1
    assert keys_of_link("data/all.jsonl#7", "markdown", "b.md") == ["path:data/b"]


def test_a_document_answers_to_its_address_path_file_name_title_and_aliases() -> None:
    keys = [row["key"] for row in known_as_rows(version("docs/The Mill.md", title="Old Mill (novel)"))]
    assert keys == ["name:alias", "name:mill", "name:old mill novel", "path:docs/The Mill", "uri:docs/The Mill.md"]


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
        ("https://x.org/a/b.rst", ["uri:https://x.org/a/index", "uri:https://x.org/index"]),
    ],
)
def test_paths_from_the_root_of_a_documentation_do_not_leave_its_top_folder(uri: str, keys: list[str]) -> None:
    assert [each for each in keys_of_link(uri, "rst", "/index") if not each.endswith(".rst")] == keys


@pytest.mark.parametrize(("root", "key"), [("..", "path:docs/a/index"), ("../..", "path:docs/index")])
def test_paths_from_a_root_that_is_known_lead_there_alone(root: str, key: str) -> None:
    link = DocumentLink("rst", "/index", "", "x", 0, 1)
    rows = reference_rows(version("docs/a/b/c.rst", link, metadata={"documentation_root": root}))
    assert [row["key"] for row in rows] == [key, f"{key}.rst"]


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
