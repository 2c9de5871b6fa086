"""Reading migration files: names, statements, checksums, what is refused."""

from pathlib import Path

import pytest

from interlace.adapters.neo4j.migration_files import Migration, checksum, read_migrations, split_statements
from interlace.cypher_files import cypher_root
from interlace.domain.errors import ConflictError


def _folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / f"{name}.cypher").write_text(text, encoding="utf-8")
    return tmp_path


def _migration(*statements: str) -> Migration:
    return Migration("0001", "Test", "V0001__Test.cypher", checksum(statements), statements)


def test_statements_end_at_a_semicolon_before_a_line_break() -> None:
    text = "// note\nCREATE (:A {text: 'a; b'});\r\nCREATE (:B);\n// the end\n"
    assert split_statements(text) == ("// note\nCREATE (:A {text: 'a; b'})", "CREATE (:B)")


def test_checksum_is_the_one_of_neo4j_migrations() -> None:
    """CRC-32 of "123456789" is 3421780262 in every table of check values."""
    assert checksum(("1234", "56789")) == "3421780262"


def test_a_line_break_at_the_end_does_not_change_the_checksum(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    bare = read_migrations(_folder(tmp_path / "a", V0001__One="CREATE (:A);"))
    ended = read_migrations(_folder(tmp_path / "b", V0001__One="CREATE (:A);\n\n"))
    assert bare == ended


def test_files_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    folder = _folder(tmp_path, V10__Ten="CREATE (:A);", V9__Nine_and_a_bit="CREATE (:A);", beforeMigrate="CREATE (:A);")
    assert [(found.version, found.description) for found in read_migrations(folder)] == [
        ("9", "Nine and a bit"),
        ("10", "Ten"),
    ]


@pytest.mark.parametrize("name", ["V1_One", "one", "V0001__One two", "V0001__One\n", "v0001__One"])
def test_a_name_of_no_known_form_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConflictError, match="not a valid migration file name"):
        read_migrations(_folder(tmp_path, **{name: "CREATE (:A);"}))


def test_two_files_of_one_version_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConflictError, match=r"V01__B\.cypher, V1__A\.cypher"):
        read_migrations(_folder(tmp_path, V1__A="CREATE (:A);", V01__B="CREATE (:A);"))


def test_a_file_without_statements_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConflictError, match="no statement"):
        read_migrations(_folder(tmp_path, V1__A="// only words;\n"))


@pytest.mark.parametrize(
    ("statement", "schema"),
    [
        ("CREATE CONSTRAINT a IF NOT EXISTS FOR (n:A) REQUIRE n.id IS UNIQUE", True),
        ("// why\ncreate fulltext index a FOR (n:A) ON EACH [n.name]", True),
        ("DROP INDEX a", True),
        ("CREATE (:Index {name: 'CREATE INDEX'})", False),
        ("MATCH (n:A) SET n.b = 1", False),
    ],
)
def test_statements_on_the_schema_are_recognised(statement: str, schema: bool) -> None:
    assert _migration(statement).changes_schema is schema


def test_no_file_of_ours_changes_schema_and_data() -> None:
    files = read_migrations(cypher_root() / "migrations")
    assert {migration.changes_schema for migration in files} == {True, False}


def test_schema_and_data_in_one_file_are_refused() -> None:
    mixed = _migration("CREATE INDEX a FOR (n:A) ON (n.b)", "MATCH (n:A) SET n.b = 1")
    with pytest.raises(ConflictError, match="split it into two files"):
        _ = mixed.changes_schema
