"""Functions that are generated for queries."""

from pathlib import Path

import pytest
from ops.queries import generate

from interlace.ports.graph import column_of, record_of
from interlace.queries.documents import DocumentsByIdRow

HEADER = """// Things
// params: $tenant STRING, $fanOut INTEGER?
// mode: read
// reader: anyone because they are none
// returns: {returns}
// rows: {rows}
RETURN 1
"""


def generated(monkeypatch: pytest.MonkeyPatch, folder: Path, returns: str, rows: str = "many") -> str:
    """Return the module of one query ``things/list_things``, without white space."""
    (folder / "things").mkdir()
    text = HEADER.format(returns=returns, rows=rows)
    (folder / "things" / "list_things.cypher").write_text(text, encoding="utf-8")
    monkeypatch.setattr(generate, "QUERIES", folder)
    return "".join(generate.modules()["things.py"].split())


@pytest.mark.parametrize(
    ("returns", "rows", "annotation", "body"),
    [
        ("id STRING", "many", "list[str]", "[row['id'] for row in ROWS]"),
        ("id STRING", "optional", "str | None", "rows = ROWS return next((row['id'] for row in rows), None)"),
        ("id STRING, count INTEGER", "many", "list[ListThingsRow]", "[ListThingsRow(**row) for row in ROWS]"),
        ("id STRING, jobId STRING", "one", "ListThingsRow", "(row,) = ROWS return record_of(ListThingsRow, row)"),
        (
            "id STRING, entities LIST<{id STRING, jobId STRING?}>?, span (INTEGER, INTEGER)",
            "many",
            "list[ListThingsRow]",
            (
                "[ListThingsRow(id=row['id'], entities=None if row['entities'] is None else "
                "[record_of(ListThingsEntity, item0) for item0 in row['entities']], span=tuple(row['span'])) for row in ROWS]"
            ),
        ),
    ],
)
def test_rows_are_made_of_columns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, returns: str, rows: str, annotation: str, body: str
) -> None:
    text = generated(monkeypatch, tmp_path, returns, rows)
    asked = "runner.run(_LIST_THINGS,timeout=timeout,tenant=tenant,fanOut=fan_out)"
    signature = f"(runner:QueryRunner,*,tenant:str,fan_out:int|None,timeout:float|None=None)->{annotation}:"
    assert "".join(signature.split()) in text
    assert "".join(body.split()).replace("ROWS", asked) in text


@pytest.mark.parametrize(
    ("returns", "rows", "words"),
    [
        ("source_uri STRING, id STRING", "many", "'source_uri' is not in camel case"),
        ("id STRING?", "optional", "null would look like no row"),
        ("id STRING", "some", "rows is 'some'"),
        ("id TEXT", "many", "'TEXT' is not a type"),
        ("id LIST<STRING", "many", "expected >"),
        ("at DATETIME, id STRING", "collected", "no DATETIME"),
    ],
)
def test_a_header_that_cannot_be_generated_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, returns: str, rows: str, words: str
) -> None:
    with pytest.raises(generate.HeaderError, match=words):
        generated(monkeypatch, tmp_path, returns, rows)


def test_a_row_is_a_named_tuple() -> None:
    assert [column_of(name) for name in ("id", "source_uri", "last_used_at")] == ["id", "sourceUri", "lastUsedAt"]
    values = dict.fromkeys(map(column_of, DocumentsByIdRow._fields), "x")
    assert record_of(DocumentsByIdRow, values | {"sourceUri": "a.md", "more": 1}).source_uri == "a.md"
