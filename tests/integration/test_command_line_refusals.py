"""What the command line says of names that nothing has and folders that cannot be written: a sentence, and no empty success."""

import json
from pathlib import Path

import pytest
from tests.integration.ingestion_world import World
from typer.testing import CliRunner

from interlace.cli.main import app
from interlace.domain.errors import InterlaceError, InvalidInputError, NotFoundError
from interlace.settings import Settings

pytestmark = pytest.mark.stack
UNKNOWN = "00000000-0000-0000-0000-000000000000"


@pytest.fixture(autouse=True)
def _collection(world: World, tenant: str, stack: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_STACK__HOME", str(stack.stack.home))
    monkeypatch.setenv("INTERLACE_STACK__NAME", stack.stack.name)
    monkeypatch.setenv("INTERLACE_TENANT", tenant)
    world.ingest(tenant, {"plover.md": "# Plover\n\nClara Hoffmann designed the Plover in 2017."})


def refusal(*words: object) -> InterlaceError:
    """Return what a command is refused with."""
    result = CliRunner().invoke(app, list(map(str, words)))
    assert isinstance(result.exception, InterlaceError), result.output
    return result.exception


def test_a_misspelt_tenant_is_not_a_sound_or_an_empty_one(
    tenant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = f"There is no tenant {tenant}x. Did you mean {tenant}?"
    error = refusal("graph", "dump", "--canonical", "dump", "--tenant", f"{tenant}x")
    assert isinstance(error, NotFoundError)
    assert error.message.startswith(said)
    assert list(tmp_path.iterdir()) == []
    result = CliRunner().invoke(app, ["doctor", "--tenant", f"{tenant}x", "--json"])
    assert any(finding["detail"].startswith(said) for finding in json.loads(result.stdout))
    assert result.exit_code == 1


@pytest.mark.parametrize(
    "command", [["neighbors", UNKNOWN], ["paths", UNKNOWN, "Plover"], ["paths", "Plover", UNKNOWN]]
)
def test_an_unknown_id_is_no_entity_without_neighbours(command: list[str]) -> None:
    assert refusal("entities", *command).message.startswith(f"There is no entity {UNKNOWN};")


def test_a_document_that_is_not_there_is_named() -> None:
    assert refusal("documents", "delete", "--id", "gone", "--yes").message.startswith("No document has the id gone;")


def test_an_export_follows_a_link_and_leaves_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert isinstance(error := refusal("export", "."), InvalidInputError)
    assert error.message.startswith(f"{folder} is the folder that you are in")
    link = tmp_path / "link"
    link.symlink_to(folder)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["export", str(link)])
    assert result.exception is None, result.exception
    assert (link.is_symlink(), (folder / "documents").is_dir()) == (True, True)


def test_an_empty_name_is_not_looked_for() -> None:
    assert refusal("entities", "search", " ").message == "The name is empty; give one, or a part of it."


@pytest.mark.parametrize("tag", ["", "#/"])
def test_documents_are_not_ingested_with_a_tag_that_is_none(tag: str, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nA note.")
    error = refusal("ingest", tmp_path, "--tag", tag)
    assert error.message == f"{tag!r} is not a tag; a tag has at least one character other than # and /."


def test_one_of_a_kind_is_singular(world: World, tenant: str) -> None:
    (row,) = world.rows("MATCH (e:Entity {tenant: $tenant, name: 'Clara Hoffmann'}) RETURN e.id AS id", tenant)
    shown = CliRunner().invoke(app, ["entities", "show", row["id"]]).output
    assert "1 chunk of 1 document" in shown
