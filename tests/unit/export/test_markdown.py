"""The Markdown export: notes, lists by initial, and the same files for the same graph in any order."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import InvalidInputError
from interlace.domain.relations import relation_type
from interlace.export.markdown import export_markdown, file_name, initial


def node(key: str, relationships: tuple[tuple[str, str, str], ...] = (), **properties: Any) -> dict[str, Any]:
    ends = [
        {"type": relation_type(kind), "label": label, "key": end, "properties": {"predicate": kind}}
        if label == "Entity"
        else {"type": kind, "label": label, "key": end, "properties": {}}
        for kind, label, end in relationships
    ]
    return {"key": key, "labels": [], "properties": properties, "relationships": ends}


DOCUMENT: dict[str, Any] = {"mediaType": "text/markdown", "checksum": "0", "metadata.year": 1911, "indexedAt": "2026"}
NODES: dict[str, list[dict[str, Any]]] = {
    "Document": [
        node(
            "d1",
            (("HAS_SECTION", "Section", "s1"),),
            title="The Grey Ferry",
            sourceUri="a.md",
            tags=["film", "1911"],
            **DOCUMENT,
        )
    ],
    "Section": [
        node(
            "s1",
            (("HAS_CHUNK", "Chunk", "c2"), ("HAS_CHUNK", "Chunk", "c1")),
            heading="Plot",
            level=1,
            ordinal=0,
            sectionType="body",
        )
    ],
    "Chunk": [
        node("c1", documentId="d1", ordinal=1, text="It [sinks].", links='[[["wikilink","Sea","",3,4]],[],[]]'),
        node("c2", documentId="d1", ordinal=0, text="A ferry sails.", links=""),
    ],
    "Entity": [
        node("e1", (("DIRECTED", "Entity", "e2"), ("IN_COMMUNITY", "Community", "m")), name="Orla", type="Person"),
        node("e2", name="9th Ferry", type="Work", aliases=["9th Ferry", "Ferry"]),
    ],
    "Community": [node("m", title="Film makers", summary="They film.")],
}
NOTE = """# The Grey Ferry

## Plot

A ferry sails.

It [\\[](<Sea> "wikilink")sinks\\].
"""


def graph_of(nodes: dict[str, list[dict[str, Any]]]) -> CollectingGraph:
    return CollectingGraph({"export/page_nodes": lambda *, label, after, **_: [] if after else nodes.get(label, [])})


def files(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in folder.rglob("*") if file.is_file()
    }


def test_the_graph_becomes_files(tmp_path: Path) -> None:
    size = export_markdown(graph_of(NODES), "t", tmp_path / "out")
    assert (size.documents, size.entities, size.communities, size.tags) == (1, 2, 1, 2)
    found = files(tmp_path / "out")
    note = found.pop("documents/the-grey-ferry-d1.md")
    assert note.endswith(f"tags:\n- '1911'\n- film\ntitle: The Grey Ferry\n---\n\n{NOTE}")
    assert "source_uri: a.md\n" in note
    assert found == {
        "entities/O.md": "---\ninterlace_export: entities\n---\n# O\n\n## Orla\n\n- type: Person\n- DIRECTED: 9th Ferry\n",
        "entities/other.md": "---\ninterlace_export: entities\n---\n# other\n\n## 9th Ferry\n\n- type: Work\n- aliases: Ferry\n",
        "communities/film-makers-m.md": "---\ninterlace_export: communities\n---\n# Film makers\n\nThey film.\n\n- Orla\n",
        "tags/F.md": (
            "---\ninterlace_export: tags\n---\n# F\n\n## film\n\n- [the-grey-ferry-d1.md](../documents/the-grey-ferry-d1.md)\n"
        ),
        "tags/other.md": (
            "---\ninterlace_export: tags\n---\n# other\n\n## 1911\n\n- [the-grey-ferry-d1.md](../documents/the-grey-ferry-d1.md)\n"
        ),
    }
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_the_order_of_nodes_does_not_show(tmp_path: Path) -> None:
    export_markdown(graph_of(NODES), "t", tmp_path / "a")
    export_markdown(graph_of({label: nodes[::-1] for label, nodes in NODES.items()}), "t", tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_folder_with_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine")
    with pytest.raises(InvalidInputError, match="empty"):
        export_markdown(graph_of(NODES), "t", tmp_path)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("../../etc: passwd?", "etc-passwd-12345678.md"),
        ("???", "untitled-12345678.md"),
        ("\U00020bb7" * 90, "\U00020bb7" * 40 + "-12345678.md"),
    ],
)
def test_names_of_files_are_safe(title: str, name: str) -> None:
    assert file_name(title, "123456789") == name


@pytest.mark.parametrize(
    ("name", "file"), [("ada", "A"), ("Ærø", "Æ"), ("42", "other"), ("ßa", "other"), ("", "other")]
)
def test_files_are_by_initial(name: str, file: str) -> None:
    assert initial(name) == file
