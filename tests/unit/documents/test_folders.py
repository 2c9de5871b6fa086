"""What vanished from a folder whose documents were given by another folder before."""

from pathlib import Path

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.documents.folders import FolderWatch
from interlace.domain.documents import LOCAL_FILE, Source
from interlace.domain.errors import ParseError
from interlace.parsing.file_names import file_uri


def watching(folder: Path, names: list[str]) -> FolderWatch:
    """Return the watch of ``guides``, where these files were ingested as ``notes/guides/…``."""
    guides = folder / "notes" / "guides"
    guides.mkdir(parents=True)
    state = {"checksum": "c", "indexed": "2026-01-01", "access": None}
    rows = [
        {"id": name, "source": f"notes/guides/{name}", "file": str(guides / file_uri(name)), **state} for name in names
    ]
    return FolderWatch(CollectingGraph({"references/file_references": rows}), "acme", [guides])


@pytest.mark.parametrize("unreadable", ["guides/b.md", "guides"])
def test_what_cannot_be_read_has_not_vanished_though_it_was_given_by_another_folder(
    tmp_path: Path, unreadable: str
) -> None:
    watch = watching(tmp_path, ["a.md", "b.md"])
    found = Source("notes/guides/a.md", "text/markdown", b"x", {})
    assert list(watch.watch([found, ParseError("It cannot be opened.", uri=unreadable)]))
    assert watch.vanished() == []


def test_a_file_below_the_root_directory_has_its_whole_path_as_uri(tmp_path: Path) -> None:
    state = {"checksum": "c", "indexed": "2026-01-01", "access": None}
    file = tmp_path / "a.md"
    row = {"id": "a", "source": f"{tmp_path.name}/a.md", "file": str(file), **state}
    watch = FolderWatch(CollectingGraph({"references/file_references": [row]}), "acme", [Path("/")])
    assert list(watch.watch([ParseError("It cannot be opened.", uri=str(tmp_path).removeprefix("/"))]))
    assert watch.vanished() == []


def test_a_record_has_not_vanished_while_another_line_of_its_file_is_broken(tmp_path: Path) -> None:
    watch = watching(tmp_path, ["all.jsonl#1", "b.md"])
    assert list(watch.watch([ParseError("It is not JSON.", uri="guides/all.jsonl#2", file="guides/all.jsonl")]))
    assert [each.source_uri for each in watch.vanished()] == ["notes/guides/b.md"]


def test_a_file_that_cannot_be_read_hides_no_other_whose_name_begins_alike(tmp_path: Path) -> None:
    watch = watching(tmp_path, ["C#/a.md", "C#/b.md", "C#d.md"])
    assert list(watch.watch([ParseError("It cannot be opened.", uri="guides/C#/b.md")]))
    assert [each.source_uri for each in watch.vanished()] == ["notes/guides/C#/a.md", "notes/guides/C#d.md"]


def test_a_file_with_the_mark_of_records_in_its_name_is_found_at_its_new_path(tmp_path: Path) -> None:
    watch = watching(tmp_path, ["a#b.md"])
    file = str(tmp_path / "notes" / "guides" / "a#b.md")
    assert list(watch.watch([Source("guides/a#b.md", "text/markdown", b"x", {LOCAL_FILE: file})]))
    assert [each.renamed_to for each in watch.vanished()] == ["guides/a#b.md"]


def test_another_file_of_the_same_name_is_not_the_new_path_of_one_that_vanished(tmp_path: Path) -> None:
    watch = watching(tmp_path, ["a.md", "b.md"])
    guides = tmp_path / "notes" / "guides"
    other = Source("b.md", "text/markdown", b"other", {LOCAL_FILE: str(guides / "more" / "b.md")})
    same = Source("guides/a.md", "text/markdown", b"same", {LOCAL_FILE: str(guides / "a.md")})
    assert list(watch.watch([other, same])) == [other, same]
    assert {each.source_uri: each.renamed_to for each in watch.vanished()} == {
        "notes/guides/a.md": "guides/a.md",
        "notes/guides/b.md": None,
    }
