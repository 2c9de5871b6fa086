"""The Markdown export of a graph that the pipeline made: ingested again it is the same graph, and it differs only where the graph does."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.ingestion_world import World, source

from interlace.domain.documents import Source
from interlace.domain.errors import ConflictError, InvalidInputError, ParseError
from interlace.domain.ids import document_id
from interlace.export.canonical_load import load
from interlace.export.markdown import export_markdown
from interlace.ingestion.labelling import LabelChange
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.settings import EmbeddingSettings, Settings

ROOT = Path(__file__).parents[2]
KINDS = (
    ROOT / "ops" / "demo" / "saltmarsh" / "people",
    ROOT / "ops" / "demo" / "saltmarsh" / "manuals",
    ROOT / "ops" / "demo" / "saltmarsh" / "meetings",
    ROOT / "ops" / "demo" / "saltmarsh" / "orders.csv",
)
NOTES = {
    "sea.rst": ".. _the sea:\n\nSea\n===\n\nThe :ref:`marks <here>` are in the :doc:`/page`, `page`__ too.\n\n__ leiden.html\n",
    "marks.md": '---\naliases: [Marked, Signs]\nlist: [1, a]\nempty:\nword: "null"\ncreated_at: 2024-05-01\n---\n(here)=\n# Marks <b>\n\n# Not [the] title\n\n'
    "See [[Leiden]] and [[Orla#person|her]], [the `code`](other.md#here), [a](sea.html), {ref}`it <the sea>`, `a \\`b` and \\`quoted\\`.\n\n```python\nx[0] = `y`\n\n"
    "# comment\n```\n\n\\# no heading\n\n## [Linked](x.md) <!-- Usage -->\n\n### Empty\n",
    "leiden.md": "---\natlas_id: leiden\n---\n# Leiden\n\nFinds communities.\n\n## Usage\n\nChoose a resolution.\n",
    "long.md": "# Long\n\n"
    + "A sentence about Orla Hansen that goes on. Another one\nbegins here.\n\n- item\n- more\n\n" * 60,
    "rows.json": '{"id": 7, "name": "Salt pan", "depth": 1.5, "tags": ["a", "b"], "owner": {"name": "Orla Hansen"}}',
    "page.html": "<h1>Tide</h1><p>The <a href='leiden.md'>tide</a> turns.<pre>code  kept</pre>",
    "plain.txt": "Trailing  spaces   \n\n\nand blank lines.\n",
    "SKILL.md": "---\nname: pump\ndescription: Moves water.\nrouting_keywords: [water]\ntools:\n  - name: start\n    description: Starts it.\n---\n"
    "# pump\n\nUse it.\n",
}

LINKS = """
MATCH (a:Document {tenant: $tenant})-[r:LINKS_TO]->(b)
RETURN split(split(a.sourceUri, '/')[1], '.')[0] + ' ' + split(split(b.sourceUri, '/')[1], '.')[0] AS link
"""


@pytest.fixture(scope="module")
def lexical(stack: Settings) -> Iterator[World]:
    """A world without embeddings: what is compared is the graph."""
    world = World(stack.model_copy(update={"embedding": EmbeddingSettings(enabled=False)}))
    yield world
    world.platform.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "sources"
    root.mkdir()
    for name, text in NOTES.items():
        place = root / ("pump/SKILL.md" if name == "SKILL.md" else name)
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)
    return root


def found(*paths: Path) -> list[Source]:
    sources = list(find_sources(paths, limits=ParseLimits()))
    assert not [each for each in sources if isinstance(each, ParseError)]
    return [each for each in sources if isinstance(each, Source)]


def files(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def emptied(world: World, tenant: str) -> None:
    world.delete(tenant)
    assert world.dump(tenant) == []


def test_an_export_ingested_again_is_the_same_graph_and_costs_nothing_twice(
    lexical: World, tenant: str, folder: Path, tmp_path: Path
) -> None:
    lexical.receive(tenant, found(folder, *KINDS))
    lexical.work()
    before = lexical.dump(tenant)
    links = lexical.rows(LINKS, tenant)
    assert {each["link"] for each in links} >= {"sea marks", "sea page", "sea leiden", "marks sea"}
    export_markdown(lexical.platform.graph, tenant, tmp_path / "first")
    notes = found(tmp_path / "first")
    assert len(notes) == len(lexical.rows("MATCH (d:Document {tenant: $tenant}) RETURN d.id AS id", tenant)) > 20
    assert lexical.receive(tenant, notes).received == 0, "the graph holds them as they are"
    emptied(lexical, tenant)
    assert lexical.receive(tenant, notes).received == len(notes)
    lexical.work()
    assert lexical.dump(tenant) == before
    export_markdown(lexical.platform.graph, tenant, tmp_path / "second")
    assert files(tmp_path / "second") == files(tmp_path / "first")
    assert lexical.receive(tenant, found(folder, *KINDS)).received == 0, "the sources are what the notes came from"


def test_labels_that_people_gave_come_back_as_such(lexical: World, tenant: str, folder: Path, tmp_path: Path) -> None:
    lexical.receive(tenant, found(folder / "leiden.md"))
    lexical.work()
    change = LabelChange(add=["mine"], metadata={"owner": "Orla"})
    lexical.platform.labels.change(tenant, [document_id(tenant, "leiden.md")], change)
    before = lexical.dump(tenant)
    export_markdown(lexical.platform.graph, tenant, tmp_path / "out")
    emptied(lexical, tenant)
    lexical.receive(tenant, found(tmp_path / "out"))
    lexical.work()
    assert lexical.dump(tenant) == before
    assert any('"patch"' in line for line in before)


def test_a_note_that_somebody_edited_is_a_new_version(
    lexical: World, tenant: str, folder: Path, tmp_path: Path
) -> None:
    lexical.receive(tenant, found(folder / "leiden.md"))
    lexical.work()
    export_markdown(lexical.platform.graph, tenant, tmp_path / "out")
    (note,) = (tmp_path / "out" / "documents").iterdir()
    note.write_text(note.read_text().replace("Choose a resolution.", 'See [Tide](<tide.md> "markdown").'))
    assert lexical.receive(tenant, found(tmp_path / "out")).received == 1
    lexical.work()
    texts = [row["text"] for row in lexical.rows("MATCH (c:Chunk {tenant: $tenant}) RETURN c.text AS text", tenant)]
    assert sorted(texts) == ["Finds communities.", "See Tide."]
    (row,) = lexical.rows(
        "MATCH (d:Document {tenant: $tenant})-[:REFERS_TO]->(r) RETURN d.sourceUri AS uri, r.key AS key", tenant
    )
    assert row == {"uri": "leiden.md", "key": "path:tide.md"}


def test_two_exports_differ_where_the_graph_does(lexical: World, tenant: str, folder: Path, tmp_path: Path) -> None:
    lexical.receive(tenant, found(folder))
    lexical.work()
    export_markdown(lexical.platform.graph, tenant, tmp_path / "first")
    changed = NOTES["leiden.md"].replace("Choose a resolution.", "Choose one.")
    (folder / "leiden.md").write_text(changed)
    lexical.receive(tenant, found(folder))
    lexical.work()
    export_markdown(lexical.platform.graph, tenant, tmp_path / "second")
    first, second = files(tmp_path / "first"), files(tmp_path / "second")
    different = {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}
    assert {re.sub("-[0-9a-f]{8}", "", name) for name in different} == {"documents/leiden.md"}


def test_a_canonical_dump_is_read_back_into_an_empty_tenant(
    lexical: World, tenant: str, folder: Path, tmp_path: Path
) -> None:
    lexical.receive(tenant, found(folder))
    lexical.work()
    file = tmp_path / "dump.jsonl"
    before = lexical.dump(tenant)
    file.write_text("".join(f"{line}\n" for line in before))
    with pytest.raises(ConflictError, match="not empty"):
        load(lexical.platform.graph, lexical.platform.vectors, file)
    emptied(lexical, tenant)
    lexical.clear(tenant)
    size = load(lexical.platform.graph, lexical.platform.vectors, file)
    assert (size.tenant, size.nodes + size.relationships) == (tenant, len(before))
    assert lexical.dump(tenant) == before
    assert lexical.receive(tenant, found(folder)).received == 0, "the graph holds the sources as they are"
    lexical.receive(tenant, [source("tide.md", "# Tide\n\nOrla Hansen waits.\n")])
    lexical.work()
    lexical.delete(tenant, "tide.md")
    assert lexical.dump(tenant) == before


def test_what_is_no_dump_changes_nothing(lexical: World, tenant: str, tmp_path: Path) -> None:
    file = tmp_path / "dump.jsonl"
    for text in ("no JSON\n", "[1]\n", '{"kind":"node","id":"x","labels":["Beast"],"properties":{"tenant":"t"}}\n', ""):
        file.write_text(text)
        with pytest.raises(InvalidInputError, match=str(file)):
            load(lexical.platform.graph, lexical.platform.vectors, file)
    end = '{"end":"y","kind":"relationship","properties":{},"start":"x","type":"MENTIONS"}\n'
    file.write_text(f'{end}{{"id":"x","kind":"node","labels":["Chunk"],"properties":{{"tenant":"{tenant}"}}}}\n')
    with pytest.raises(InvalidInputError, match="truncated"):
        load(lexical.platform.graph, lexical.platform.vectors, file)
    assert lexical.dump(tenant) == []
