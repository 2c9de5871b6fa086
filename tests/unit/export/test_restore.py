"""Restoring a backup of several tenants, without a database."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.export import backup_format, restore
from interlace.export.backup_format import FORMAT, VERSION, writing


def save(file: Path, tenants: int) -> None:
    with writing(file) as out:
        names = [f"t{each}" for each in range(tenants)]
        out.line({"format": FORMAT, "version": VERSION, "tenants": names, "settings": {}})
        for name in names:
            out.line({"tenant": name, "properties": {"name": name}})
            for label in ("Chunk", "IngestionRecord"):
                link = {"type": "NEXT", "label": "Chunk", "key": name, "properties": {}}
                properties = {"text": name}
                out.node({"label": label, "key": name, "labels": [], "properties": properties, "relationships": [link]})


def test_each_tenant_gets_its_own_and_the_file_is_read_twice_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: dict[str, Any] = {}

    def keep(_: object, __: object, tenant: str, rows: restore.TenantRows, ___: object) -> None:
        parts = [list(part()) for part in (rows.nodes, rows.relationships)]
        written[tenant] = (rows.properties, *([row.get("label", "") for row in part] for part in parts))

    read: list[bytes] = []
    lines = backup_format._lines

    def counted(source: Path) -> Iterator[bytes]:
        for line in lines(source):
            read.append(line)
            yield line

    monkeypatch.setattr(restore, "write_tenant", keep)
    monkeypatch.setattr(restore, "_check_schema", lambda *_: None)
    monkeypatch.setattr(restore, "_check_empty", lambda *_: None)
    monkeypatch.setattr(restore, "restored_tenants", lambda *_: ["t1"])
    monkeypatch.setattr(backup_format, "_lines", counted)
    for tenants in (2, 20):  # of which a restore of the file that was interrupted wrote the second one
        save(tmp_path / "b.gz", tenants)
        digest = backup_format.check(tmp_path / "b.gz").digest
        written.clear()
        read.clear()
        restore.restore(CollectingGraph(), None, tmp_path / "b.gz")  # type: ignore[arg-type]
        assert written == {
            f"t{each}": ({"name": f"t{each}", "restoredFrom": digest}, ["Chunk", "IngestionRecord"], ["", ""])
            for each in range(tenants)
            if each != 1
        }
        assert len(read) == 2 * (3 * tenants + 2), "once to check it, once to write it"
