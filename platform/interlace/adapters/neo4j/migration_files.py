"""The migration files, read by the rules of neo4j-migrations, so that either tool can continue where the other stopped.

A file is called ``V0001__Create_constraints.cypher``; its statements end with ``;`` at the end of a line; its checksum is the CRC-32
of its statements (https://michael-simons.github.io/neo4j-migrations).
"""

import re
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from interlace.domain.errors import ConflictError

CALLBACK = "beforeMigrate.cypher"
_NAME = re.compile(r"V(\d+)__(\w+)\.cypher")
_END_OF_STATEMENT = re.compile(r";(?:\r?\n|\r|\Z)")
_COMMENT_LINE = re.compile(r"^\s*//.*$", re.MULTILINE)
_SCHEMA = re.compile(r"\s*(?:CREATE|DROP)\s+(?:\w+\s+)?(?:CONSTRAINT|INDEX)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Migration:
    """One versioned file.

    Args:
        version: its digits, for example ``0001``.
        description: its name in words.
        source: its file name.
        checksum: CRC-32 of the statements, in decimal.
        statements: in order, without the final ``;``.
    """

    version: str
    description: str
    source: str
    checksum: str
    statements: tuple[str, ...]

    @property
    def changes_schema(self) -> bool:
        """Whether the statements create or drop constraints and indexes: Neo4j requires those to be separate from data changes.

        Raises:
            ConflictError: the file has both.
        """
        kinds = {bool(_SCHEMA.match(_COMMENT_LINE.sub("", statement))) for statement in self.statements}
        if len(kinds) > 1:
            raise ConflictError(f"Migration {self.source} changes both schema and data; split it into two files.")
        return kinds == {True}


def read_migrations(folder: Path) -> list[Migration]:
    """Return the versioned files of a folder in the order of their versions.

    Raises:
        ConflictError: a file has an unknown form of name, has no statement, or shares its version with another.
    """
    paths = sorted(path for path in folder.glob("*.cypher") if path.name != CALLBACK)
    migrations = sorted(map(_read, paths), key=lambda migration: int(migration.version))
    numbers = Counter(int(migration.version) for migration in migrations)
    if twice := sorted(migration.source for migration in migrations if numbers[int(migration.version)] > 1):
        raise ConflictError(
            f"These migrations share a version: {', '.join(twice)}; give the later one the next number."
        )
    return migrations


def split_statements(text: str) -> tuple[str, ...]:
    """Return the stripped statements of a file, without those that are only comments."""
    parts = (part.strip() for part in _END_OF_STATEMENT.split(text))
    return tuple(part for part in parts if _COMMENT_LINE.sub("", part).strip())


def checksum(statements: tuple[str, ...]) -> str:
    """Return the CRC-32 of the concatenated statements, in decimal."""
    return str(zlib.crc32("".join(statements).encode()))


def _read(path: Path) -> Migration:
    name = _NAME.fullmatch(path.name)
    if not name:
        raise ConflictError(f"{path.name} is not a valid migration file name; write V0004__What_it_does.cypher.")
    statements = split_statements(path.read_text(encoding="utf-8"))
    if not statements:
        raise ConflictError(f"Migration {path.name} has no statement.")
    return Migration(name[1], name[2].replace("_", " "), path.name, checksum(statements), statements)
