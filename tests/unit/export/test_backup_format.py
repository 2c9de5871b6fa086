"""The file of a backup: what is written is what is read, and it appears whole or not at all."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from interlace.adapters.neo4j.migration_files import read_migrations
from interlace.cli.commands.backup import differing, portable
from interlace.cypher_files import cypher_root
from interlace.domain.errors import InvalidInputError
from interlace.export.backup_format import FORMAT, OLDEST_SCHEMA, VERSION, check, decode_properties, read, writing
from interlace.export.schema import TENANT_PROPERTIES
from interlace.settings import load_settings

HEAD = {"format": FORMAT, "version": VERSION, "tenants": ["t"], "settings": {"INTERLACE_TENANT": "t"}}
PROPERTIES = {
    "text": "Zażółć\u2028 \x00 line\nend",
    "weight": 0.1 + 0.2,
    "whole": 1.0,
    "count": 2**62,
    "flag": True,
    "content": b"\x00\xff raw",
    "at": datetime(2026, 1, 2, 3, 4, 5, 600, tzinfo=UTC),
    "offsets": [1, 2, 3],
    "names": ["a", "b"],
}


def write(target: Path, *nodes: dict[str, Any]) -> None:
    with writing(target) as out:
        out.line(HEAD)
        out.line({"tenant": "t", "properties": {"version": 3}})
        for node in nodes:
            out.node(node)


def node(**properties: Any) -> dict[str, Any]:
    link = {"type": "NEXT", "label": "Chunk", "key": "k", "properties": {}}
    return {"label": "Chunk", "key": "k", "labels": [], "properties": properties, "relationships": [link]}


def test_every_kind_of_property_comes_back_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "b.gz"
    write(file, node(**PROPERTIES))
    contents = check(file)
    assert (contents.tenants, contents.nodes, contents.relationships) == (("t",), 1, 1)
    tenant, found = read(file)
    assert tenant["properties"] == {"version": 3}
    back = decode_properties(found["properties"])
    assert back == PROPERTIES
    assert {name: type(value) for name, value in back.items()} == {n: type(v) for n, v in PROPERTIES.items()}


def test_the_same_contents_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        write(tmp_path / name, node(text="x"))
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_backup_that_breaks_off_leaves_the_last_one(tmp_path: Path) -> None:
    file = tmp_path / "b.gz"
    write(file, node(text="old"))
    before = file.read_bytes()
    with pytest.raises(TypeError, match="complex"):
        write(file, node(text=complex(1)))
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    "lines", [b"", b"{}\n", b"[1]\n[2]\n", b'"x"\n', b'{"format": "interlace-backup", "version": 1}\n']
)
def test_what_is_no_backup_is_refused(tmp_path: Path, lines: bytes) -> None:
    file = tmp_path / "b.gz"
    file.write_bytes(gzip.compress(lines))
    with pytest.raises(InvalidInputError, match=r"corrupt|no backup"):
        check(file)


def test_secrets_and_places_are_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INTERLACE_EMBEDDING__ENABLED", raising=False)
    monkeypatch.setenv("INTERLACE_NEO4J__PASSWORD", "hush")
    monkeypatch.setenv("INTERLACE_QDRANT__API_KEY", "hush")
    monkeypatch.setenv("INTERLACE_REDIS__URL", "redis://:hush@127.0.0.1:1/0")
    monkeypatch.setenv("INTERLACE_API__KEYS", '["hush"]')
    monkeypatch.setenv("INTERLACE_EMBEDDING__FOLDER", "/somewhere")
    monkeypatch.setenv("INTERLACE_STACK__HOME", "/somewhere")
    monkeypatch.setenv("INTERLACE_INGEST__CHUNK_WORDS", "100")
    monkeypatch.setenv("INTERLACE_QUERY__WEIGHTS", '{"graph": 0.5}')
    monkeypatch.setenv("INTERLACE_LLM__URL", "http://user:hush@127.0.0.1:9/")
    monkeypatch.setenv("INTERLACE_FETCH__HOSTS", '["a.example"]')
    further = {
        "here": {"folder": "/somewhere"},
        "there": {"service": "openai/e", "api_key": "hush", "url": "http://h:1"},
    }
    monkeypatch.setenv("INTERLACE_EMBEDDING__MODELS", json.dumps(further))
    assert portable(load_settings(tenant="acme")) == {
        "INTERLACE_TENANT": "acme",
        "INTERLACE_EMBEDDING__MODELS": {"here": {}, "there": {"service": "openai/e"}},
        "INTERLACE_FETCH__HOSTS": ["a.example"],
        "INTERLACE_INGEST__CHUNK_WORDS": 100,
        "INTERLACE_QUERY__WEIGHTS": {"graph": 0.5},
    }


def test_settings_that_differ_are_named() -> None:
    then = {
        "INTERLACE_INGEST__CHUNK_WORDS": 100,
        "INTERLACE_NEO4J__URI": "bolt://elsewhere",
        "INTERLACE_QUERY__WEIGHTS": {"graph": 0.5},
    }
    assert differing(then, {"INTERLACE_QUERY__WEIGHTS": {"graph": 0.5}}) == {"INTERLACE_INGEST__CHUNK_WORDS": 100}


def test_backups_from_before_the_last_migration_of_data_are_refused() -> None:
    migrations = {int(each.version): each for each in read_migrations(cypher_root() / "migrations")}
    # It only withdraws the claim that vectors are complete, which no backup makes.
    (withdrawn,) = migrations.pop(21).statements
    assert withdrawn.endswith("SET t.vectorModels = []")
    assert "vectorModels" not in TENANT_PROPERTIES
    assert max(version for version, each in migrations.items() if not each.changes_schema) == OLDEST_SCHEMA


def test_a_file_of_an_earlier_version_does_not_say_its_schema(tmp_path: Path) -> None:
    for head, schema in ((HEAD, 0), ({**HEAD, "schema": 20}, 20)):
        with writing(tmp_path / "b") as out:
            out.line(head)
        assert check(tmp_path / "b").schema == schema
