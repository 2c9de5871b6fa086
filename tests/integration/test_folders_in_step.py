"""A folder kept in step: what vanished from it goes, what was renamed keeps its labels, and nothing else is touched."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.integration.ingestion_world import World, source

from interlace.documents.folders import FolderWatch, VanishedDocument
from interlace.documents.known_files import under_known_uris
from interlace.documents.repository import DocumentRepository
from interlace.domain.ids import document_id
from interlace.ingestion.labelling import LabelChange
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources

pytestmark = pytest.mark.stack

NOTES = {
    "crane.md": "# Crane\n\nThe crane of Rostock lifts barrels.\n",
    "winch.md": "# Winch\n\nSee [the crane](crane.md). Ada Lovelace owns the winch.\n",
    "sub/rope.txt": "Ropes are made in Lisbon.\n",
    "log.jsonl": '{"id": "1", "text": "The first entry."}\n{"id": "2", "text": "The second entry."}\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in NOTES.items():
        file = tmp_path / "notes" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "notes"


def read(world: World, tenant: str, *paths: Path) -> list[VanishedDocument]:
    """Ingest folders, and return what has vanished from them."""
    watch = FolderWatch(world.platform.graph, tenant, paths)
    found = under_known_uris(world.platform.graph, tenant, find_sources(paths, limits=ParseLimits()))
    world.platform.receiver.receive(tenant, watch.watch(found))
    world.work()
    return watch.vanished()


def uris(world: World, tenant: str) -> list[str]:
    return [each.source_uri for each in DocumentRepository(world.platform.graph).list(tenant, limit=100)]


def moves(vanished: Sequence[VanishedDocument]) -> dict[str, str | None]:
    return {each.source_uri: each.renamed_to for each in vanished}


def test_files_and_records_that_are_gone_vanish_and_the_graph_is_that_of_what_is_left(
    world: World, tenant: str, folder: Path
) -> None:
    assert read(world, tenant, folder) == []
    (folder / "winch.md").unlink()
    before = (folder / "log.jsonl").stat().st_mtime
    (folder / "log.jsonl").write_text('{"id": "2", "text": "The second entry."}\n')
    # A record that stays as it was keeps the time at which it was read; ingested afresh it has that of its file.
    os.utime(folder / "log.jsonl", (before, before))
    vanished = read(world, tenant, folder)
    assert moves(vanished) == {"notes/log.jsonl#1": None, "notes/winch.md": None}
    world.platform.receiver.delete(tenant, ids=[each.id for each in vanished])
    world.work()
    left, state = uris(world, tenant), world.state(tenant)
    world.clear(tenant)
    read(world, tenant, folder)
    assert (uris(world, tenant), world.state(tenant)) == (left, state)


def test_a_file_that_is_given_by_another_path_is_no_second_copy(world: World, tenant: str, folder: Path) -> None:
    read(world, tenant, folder / "sub")
    assert uris(world, tenant) == ["sub/rope.txt"]
    read(world, tenant, folder)
    there = uris(world, tenant)
    assert there == ["notes/crane.md", "notes/log.jsonl#1", "notes/log.jsonl#2", "notes/winch.md", "sub/rope.txt"]
    (folder / "crane.md").write_text("# Crane\n\nThe crane of Rostock is red.\n")
    (folder / "log.jsonl").write_text('{"id": "2", "text": "The second entry, corrected."}\n')
    for path in (folder / "crane.md", folder.parent, folder / "log.jsonl"):
        gone = read(world, tenant, path)
        assert uris(world, tenant) == there
        assert [each.source_uri for each in gone] == ([] if path.suffix == ".md" else ["notes/log.jsonl#1"])
    texts = {row["text"] for row in world.rows("MATCH (c:Chunk {tenant: $tenant}) RETURN c.text AS text", tenant)}
    assert "The crane of Rostock is red." in texts
    assert not any("lifts barrels" in text for text in texts)
    (folder / "sub" / "rope.txt").unlink()
    assert [each.source_uri for each in read(world, tenant, folder / "sub")] == ["sub/rope.txt"]


def test_a_second_copy_of_a_file_gives_way_to_the_first(world: World, tenant: str, folder: Path) -> None:
    read(world, tenant, folder)
    world.platform.receiver.receive(tenant, find_sources([folder / "crane.md"], limits=ParseLimits()))
    world.work()
    assert uris(world, tenant)[0] == "crane.md"
    assert moves(read(world, tenant, folder)) == {"crane.md": "notes/crane.md"}


def test_a_file_of_the_same_name_elsewhere_is_a_document_of_its_own(
    world: World, tenant: str, folder: Path, tmp_path: Path
) -> None:
    read(world, tenant, folder)
    other = tmp_path / "other" / "notes" / "crane.md"
    other.parent.mkdir(parents=True)
    other.write_bytes((folder / "crane.md").read_bytes())
    assert read(world, tenant, other) == []
    assert uris(world, tenant)[0] == "crane.md"


def test_a_renamed_file_is_found_by_its_bytes_and_keeps_what_people_changed(
    world: World, tenant: str, folder: Path
) -> None:
    read(world, tenant, folder)
    former = document_id(tenant, "notes/crane.md")
    change = LabelChange(add=["heavy"], metadata={"owner": "Ada"})
    world.platform.labels.change(tenant, [former], change)
    (folder / "sub" / "derrick.md").write_bytes((folder / "crane.md").read_bytes())
    (folder / "crane.md").unlink()
    assert moves(read(world, tenant, folder)) == {"notes/crane.md": "notes/sub/derrick.md"}
    successor = document_id(tenant, "notes/sub/derrick.md")
    assert world.platform.labels.carry(tenant, {former: successor}) == {former}
    document = DocumentRepository(world.platform.graph).get(tenant, successor).document
    assert (document.tags, document.metadata["owner"]) == (("heavy",), "Ada")


def test_a_renamed_file_is_never_open_to_readers_who_could_not_see_it(world: World, tenant: str, folder: Path) -> None:
    read(world, tenant, folder)
    world.platform.labels.change(tenant, [document_id(tenant, "notes/crane.md")], LabelChange(access=["board"]))
    (folder / "crane.md").rename(folder / "derrick.md")
    assert moves(read(world, tenant, folder)) == {"notes/crane.md": "notes/derrick.md"}
    text = (
        "MATCH (d:Document {tenant: $tenant}) WHERE d.access IS NOT NULL RETURN d.sourceUri AS uri, d.access AS access"
    )
    found = {row["uri"]: row["access"] for row in world.rows(text, tenant)}
    assert found == {"notes/crane.md": ["board"], "notes/derrick.md": ["board"]}


def test_nothing_takes_the_place_of_a_document_whose_successor_is_not_ready(
    world: World, tenant: str, folder: Path
) -> None:
    read(world, tenant, folder)
    former = document_id(tenant, "notes/crane.md")
    assert world.platform.labels.carry(tenant, {former: document_id(tenant, "notes/quarantined.md")}) == set()


def test_what_is_there_and_cannot_be_read_has_not_vanished(world: World, tenant: str, folder: Path) -> None:
    read(world, tenant, folder)
    (folder / "winch.md").unlink()
    (folder / "winch.md").symlink_to("/dev/null")  # a link out of the folder is an error, not an absence
    (folder / "log.jsonl").write_bytes(b"\x00\x01 no records any more")
    assert read(world, tenant, folder) == []


def test_what_came_from_elsewhere_under_the_same_name_is_left_alone(
    world: World, tenant: str, folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere" / "notes"
    other.mkdir(parents=True)
    (other / "other.md").write_text("# Another folder\n")
    read(world, tenant, other)
    world.receive(tenant, [source("notes/sent.md", "# Sent over the API\n")])
    world.work()
    read(world, tenant, folder)
    assert read(world, tenant, folder, tmp_path / "no-such-folder") == []
    assert {"notes/other.md", "notes/sent.md"} <= set(uris(world, tenant))


def test_a_file_that_is_ignored_now_vanishes(world: World, tenant: str, folder: Path) -> None:
    read(world, tenant, folder)
    (folder / ".gitignore").write_text("*.txt\n")
    assert moves(read(world, tenant, folder)) == {"notes/sub/rope.txt": None}


def test_a_preview_counts_what_would_go_and_changes_nothing(world: World, tenant: str, folder: Path) -> None:
    read(world, tenant, folder)
    before = world.state(tenant)
    (folder / "winch.md").rename(folder / "windlass.md")
    (folder / "sub" / "rope.txt").unlink()
    watch = FolderWatch(world.platform.graph, tenant, [folder])
    found = watch.watch(find_sources([folder], limits=ParseLimits()))
    preview = world.platform.previewer.preview(tenant, found, lambda: [each.id for each in watch.vanished()])
    assert (preview.added, preview.removed, preview.chunks.added, preview.chunks.removed) == (1, 2, 1, 2)
    assert moves(watch.vanished()) == {"notes/sub/rope.txt": None, "notes/winch.md": "notes/windlass.md"}
    assert world.state(tenant) == before
