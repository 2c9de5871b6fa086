"""``SKILL.md``: what it declares, where that stands in the text, and what of it becomes mentions, relations and entities."""

import pytest

from interlace.domain.documents import Chunk, ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.domain.extraction import Extraction, Fact
from interlace.domain.ids import entity_id
from interlace.entities.evidence import Evidence, describe
from interlace.extraction.merge import merge
from interlace.extraction.structure import extract_structure
from interlace.ingestion.document_rows import chunk_marks
from interlace.ingestion.references import reference_rows
from interlace.ingestion.support_rows import chunk_support, title_entity
from interlace.ingestion.versions import Claim, NewVersion
from interlace.parsing.chunking import chunk
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

SKILL = """---
name: pdf
description: Work with PDF files.
routing_keywords: [pdf, form, merge files, PDF]
tools:
  - name: fill_form
    description: Writes values into the fields of a form.
    keywords: [fields]
  - merge: Joins files.
  - split
---
# PDF work

Intro. #office

## Commands

- `merge FILE... --order`: joins *several* PDF files
  - nested
- **rotate** - turns pages
- a plain remark

### Extract text

Reads the text of a form.

## Notes

Ask [[ocr#skill|whoever reads scans]].
"""


def read(text: str, uri: str = "skills/pdf/SKILL.md") -> ParsedDocument:
    return parse(Source(uri, "text/markdown", text.encode()), ParseLimits())


def chunks(parsed: ParsedDocument) -> dict[str, tuple[Chunk, Extraction]]:
    """Return chunk and what its structure says, by its last heading."""
    return {item.path[-1]: (item, extract_structure(parsed, item)) for item in chunk("d", parsed, 100)}


def said(facts: tuple[Fact, ...]) -> set[str]:
    return {f"{fact.subject_type} {fact.subject} {fact.predicate} {fact.object_type} {fact.object}" for fact in facts}


def test_each_tool_is_a_section_of_its_own_and_stands_in_its_text() -> None:
    parsed = read(SKILL)
    assert (parsed.title, parsed.declares, parsed.tags) == ("pdf", "Skill", ("office",))
    tools = {
        item.heading: parsed.text[item.start : item.end] for item in parsed.sections if item.section_type == "Tool"
    }
    assert tools == {
        "merge": "merge: joins several PDF files\nKeywords: pdf, merge files.\n\n  - nested",
        "rotate": "rotate: turns pages\n\na plain remark",
        "Extract text": "Extract text\nKeywords: form.\n\nReads the text of a form.",
        "fill_form": "fill_form: Writes values into the fields of a form.\nKeywords: fields, form.",
        "split": "split",
    }
    assert parsed.text.startswith("Work with PDF files.\nKeywords: pdf, form, merge files.\n\nIntro. #office")
    declared = [link for link in parsed.links if link.kind == "declared"]
    assert all(parsed.text[link.start : link.end] == link.target for link in declared)


def test_skills_contain_tools_and_keywords_relate_to_the_tool_whose_section_holds_them() -> None:
    found = chunks(read(SKILL))
    assert said(found["pdf"][1].facts) == {
        f"Skill pdf RELATED_TO Concept {word}" for word in ("pdf", "form", "merge files")
    }
    assert said(found["fill_form"][1].facts) == {
        "Skill pdf CONTAINS Tool fill_form",
        "Tool fill_form RELATED_TO Concept form",
        "Tool fill_form RELATED_TO Concept fields",
    }
    assert said(found["split"][1].facts) == {"Skill pdf CONTAINS Tool split"}


def test_typed_references_elsewhere_mean_the_declared_entity_whatever_words_they_show() -> None:
    note = read("Ask [[Fill Form#tool|the one with forms]] of [[PDF#skill]].\n", "note.md")
    mentions = chunks(note)["note"][1].mentions
    support = chunk_support("t", chunk("d", note, 100)[0], extract_structure(note, chunk("d", note, 100)[0]), "title")
    assert [(mention.type, mention.meant or mention.surface) for mention in mentions] == [
        ("Tool", "Fill Form"),
        ("Skill", "PDF"),
    ]
    wanted = {entity_id("t", "fill form", "Tool"), entity_id("t", "pdf", "Skill")}
    assert wanted <= support.evidence.keys()
    # The note is about both, and both are documented in the note.
    assert (
        {fact["object"] for fact in support.facts} == {fact["subject"] for fact in support.facts} == wanted | {"title"}
    )
    assert title_entity("t", read(SKILL))[0] == entity_id("t", "pdf", "Skill")


def test_the_file_that_declares_a_tool_says_how_it_is_spelt() -> None:
    declared, referred = Evidence("declared", "Tool", "fill_form"), Evidence("link", "Tool", "Fill Form")
    state = describe({declared: 1, referred: 30})
    assert (state.name, state.type, state.aliases, state.keys) == ("fill_form", "Tool", ("Fill Form",), ("fill form",))


def test_a_skill_its_tool_and_its_keyword_may_have_one_name() -> None:
    parsed = read("---\nname: search\nrouting_keywords: [search]\ntools: [search, Search!, searches]\n---\n")
    skill, tool, other, concept = (
        entity_id("t", key, kind)
        for key, kind in (("search", "Skill"), ("search", "Tool"), ("searches", "Tool"), ("search", "Concept"))
    )
    relations: set[tuple[str, str, str]] = set()
    identities: list[str] = []
    for item in chunk("d", parsed, 100):
        support = chunk_support("t", item, merge([extract_structure(parsed, item)]), title_entity("t", parsed)[0])
        relations |= {(subject, predicate, target) for subject, predicate, target, _ in support.relations}
        identities += [fact["id"] for fact in support.facts]
        assert {fact["subject"] for fact in support.facts} <= support.evidence.keys() | {skill}
    assert relations == {
        (skill, "RELATED_TO", concept),
        (skill, "CONTAINS", tool),
        (tool, "RELATED_TO", concept),
        (skill, "CONTAINS", other),
        (other, "RELATED_TO", concept),
    }
    assert len(set(identities)) == len(identities) == 5


def test_of_two_declared_names_with_one_stem_none_stands_for_the_other() -> None:
    facts = tuple(Fact("s", "CONTAINS", name, 0, 1, 1.0, "structure", "Skill", "Tool") for name in ("event", "events"))
    assert len(merge([Extraction((), facts)]).facts) == 2


def test_a_keyword_that_goes_makes_only_its_own_chunks_again() -> None:
    def marked(text: str) -> set[tuple[str, str]]:
        parsed = read(text)
        pieces = chunk("d", parsed, 100)
        return {(item.id, digest) for item, digest in zip(pieces, chunk_marks(parsed, pieces), strict=True)}

    changed = marked(SKILL) - marked(SKILL.replace(", merge files", ""))
    paths = {item.path[-1] for item in chunk("d", read(SKILL), 100) if item.id in {identity for identity, _ in changed}}
    assert paths == {"pdf", "merge"}


def test_what_a_file_declares_points_at_no_document() -> None:
    parsed = read(SKILL)
    claim = Claim("d", 1, 1, "o", "j", "upsert", "skills/pdf/SKILL.md", "text/markdown", "sum")
    assert reference_rows(NewVersion(claim, "f", parsed, (), {})) == []


@pytest.mark.parametrize(
    ("tools", "names"),
    [
        ("tools: read, write\n", ["read", "write"]),
        ("tools: [read, 'write: Puts down']\n", ["read", "write"]),
        ("tools:\n  read: Takes up\n  write: {description: Puts down}\n", ["read", "write"]),
        ("tools: [read, {name: write}, READ]\n", ["read", "write"]),
        ("tools: [c++, c, 'c#', C++]\n", ["c++", "c", "c#"]),
        ("", []),
    ],
)
def test_tools_are_written_in_several_ways(tools: str, names: list[str]) -> None:
    parsed = read(f"---\nname: files\n{tools}---\nText.\n")
    assert [link.target for link in parsed.links if link.anchor == "tool"] == names


@pytest.mark.parametrize("tools", ["[{description: Nameless}]", "['?!']", "[null, {name: }]"])
def test_a_tool_without_a_name_is_refused(tools: str) -> None:
    with pytest.raises(ParseError, match="declares a tool without a name") as refused:
        read(f"---\nname: files\ntools: {tools}\n---\nText.\n")
    assert refused.value.uri == "skills/pdf/SKILL.md"


def test_lists_elsewhere_declare_nothing_and_other_files_are_no_skills() -> None:
    plain = read("# Notes\n\n- `code`: says\n\n## Commands we dropped\n\n- `old`: gone\n")
    assert (plain.title, plain.declares, plain.links) == ("pdf", "Skill", ())
    assert read(SKILL, "skills/pdf/README.md").declares == ""


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ("`/deploy <env> --dry`: ships", "deploy"),
        ("`git commit -m TEXT` saves", "git commit"),
        ("`$ run(path)`", "run"),
        ("**Make Report**: writes", "Make Report"),
        ("tidy: cleans up", "tidy"),
        ("tidy - cleans up", "tidy"),
        ("Just a sentence that says no name.", None),
        ("one two three four five six: too long for a name", None),
    ],
)
def test_items_of_a_commands_section_begin_with_a_name(item: str, name: str | None) -> None:
    parsed = read(f"## Commands\n\n- {item}\n")
    assert [link.target for link in parsed.links if link.kind == "declared"] == ([name] if name else [])


def test_footnotes_are_not_part_of_the_last_tool() -> None:
    parsed = read("# PDF\n\nReads[^1].\n\n## Commands\n\n- `merge`: joins\n\n[^1]: Slowly.\n")
    assert [(item.heading, parsed.text[item.start : item.end]) for item in parsed.sections][-1] == (
        "Footnotes",
        "1. Slowly.",
    )
    assert [item.heading for item in parsed.sections if item.section_type == "Tool"] == ["merge"]
    assert "Footnotes" not in [item.heading for item in read("# PDF\n\nReads.").sections]
