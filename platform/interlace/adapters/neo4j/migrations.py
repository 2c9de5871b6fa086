"""Brings the schema of a database up to date, with the history that neo4j-migrations keeps.

The history is a chain in the database: ``(:__Neo4jMigration {version, checksum, …})-[:MIGRATED_TO {at, in, by}]->(…)``, beginning
with version ``BASELINE``. If chain and files contradict each other, they are refused: nothing is ever repaired by guessing.
"""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

import neo4j
from neo4j.exceptions import ConstraintError

from interlace.adapters.neo4j.connection import errors_as_ours, open_driver
from interlace.adapters.neo4j.migration_files import CALLBACK, Migration, read_migrations, split_statements
from interlace.adapters.neo4j.values import plain
from interlace.cypher_files import cypher_root, query
from interlace.domain.errors import ConflictError
from interlace.settings import Neo4jSettings

_READ_CHAIN = query("migrations/read_migration_chain")
_START_CHAIN = query("migrations/start_migration_chain")
_APPEND = query("migrations/append_migration")
_LOCK = query("migrations/lock_migrations")
_AWAIT_INDEXES = query("migrations/await_indexes")

_BASELINE: Final = "BASELINE"
_NAME_OF_DEFAULT_LOCK: Final = "John Doe"  # the name of neo4j-migrations' lock, so that the tools exclude each other
_LOCK_SECONDS: Final = 3600
_INDEX_SECONDS: Final = 600


@dataclass(frozen=True, slots=True)
class MigrationState:
    """A file and its state in the database.

    Args:
        version: for example ``0001``.
        state: whether it was applied.
        at: when, or ``None``.
    """

    version: str
    description: str
    source: str
    state: Literal["applied", "pending"]
    at: datetime | None = None


def migrate(settings: Neo4jSettings, *, folder: Path | None = None, target: str = "") -> list[MigrationState]:
    """Apply the pending migrations, each file in one transaction, or two where it changes the schema, and wait for the indexes; return those that were applied.

    Safe when several processes start at once: the second waits for the first, then has nothing to do.

    Args:
        settings: the database.
        folder: where the files are; Interlace's own by default.
        target: uses a separate chain, for the tests of this module.

    Raises:
        ConflictError: chain and files contradict each other, or another tool holds the lock.
        UnavailableError: the server cannot be reached.
        QueryRefusedError: a statement fails; its transaction is rolled back.
    """
    with _opened(settings, folder, target) as chain:
        if not chain.pending():
            return []
        chain.prepare()
        with chain.locked():
            pending = chain.pending()
            for migration in pending:
                chain.apply(migration)
        chain.await_indexes()
        return [state for state in chain.states() if state.version in {migration.version for migration in pending}]


def info(settings: Neo4jSettings, *, folder: Path | None = None, target: str = "") -> list[MigrationState]:
    """Return every migration with its state, in order; changes nothing.

    Raises:
        ConflictError: chain and files contradict each other.
        UnavailableError: the server cannot be reached.
    """
    with _opened(settings, folder, target) as chain:
        return chain.states()


@contextmanager
def _opened(settings: Neo4jSettings, folder: Path | None, target: str) -> Iterator["_Chain"]:
    place = folder or cypher_root() / "migrations"
    migrations = read_migrations(place)
    with open_driver(settings) as driver, errors_as_ours(settings, "the migrations"):
        yield _Chain(driver, settings, place, migrations, target)


class _Chain:
    """The chain in one database, together with the files of one folder."""

    def __init__(
        self, driver: neo4j.Driver, settings: Neo4jSettings, folder: Path, migrations: list[Migration], target: str
    ) -> None:
        self._driver, self._settings, self._folder = driver, settings, folder
        self._migrations, self._target = migrations, target

    def states(self) -> list[MigrationState]:
        applied = self._applied()
        return [
            MigrationState(
                migration.version,
                migration.description,
                migration.source,
                "applied" if migration.version in applied else "pending",
                applied.get(migration.version),
            )
            for migration in self._migrations
        ]

    def pending(self) -> list[Migration]:
        applied = self._applied()
        return [migration for migration in self._migrations if migration.version not in applied]

    def prepare(self) -> None:
        """Run the callback's statements, which the lock depends on; all of them may be repeated."""
        callback = self._folder / CALLBACK
        if callback.exists():
            with self._session() as session:
                session.execute_write(_run_all, split_statements(callback.read_text(encoding="utf-8")))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock: a node with a unique name in a transaction that is never committed.

        A second process waits in the server until the first one's transaction ends, which happens even if that process is killed.
        """
        with self._session() as session, session.begin_transaction(timeout=_LOCK_SECONDS) as lock:
            name = self._target or _NAME_OF_DEFAULT_LOCK
            try:
                lock.run(_LOCK.text, id=str(uuid.uuid4()), name=name).consume()
            except ConstraintError as error:
                raise ConflictError(
                    f"The database holds a lock (:__Neo4jMigrationsLock {{name: '{name}'}}) of another migration tool; "
                    "if none is running, delete that node and try again."
                ) from error
            yield
            lock.rollback()

    def apply(self, migration: Migration) -> None:
        """Run a file and append it to the chain: in one transaction, or two when it changes the schema."""
        with errors_as_ours(self._settings, migration.source), self._session() as session:
            started = time.monotonic()
            if migration.changes_schema:
                session.execute_write(_run_all, migration.statements)
                session.execute_write(self._append, migration, started)
            else:
                session.execute_write(self._run_and_append, migration, started)

    def await_indexes(self) -> None:
        with self._session() as session:
            session.run(_AWAIT_INDEXES.text, seconds=_INDEX_SECONDS).consume()

    def _run_and_append(self, transaction: neo4j.ManagedTransaction, migration: Migration, started: float) -> None:
        _run_all(transaction, migration.statements)
        self._append(transaction, migration, started)

    def _append(self, transaction: neo4j.ManagedTransaction, migration: Migration, started: float) -> None:
        if not list(transaction.run(_READ_CHAIN.text, target=self._target)):
            transaction.run(_START_CHAIN.text, target=self._target).consume()
        transaction.run(
            _APPEND.text,
            target=self._target,
            version=migration.version,
            description=migration.description,
            source=migration.source,
            checksum=migration.checksum,
            seconds=time.monotonic() - started,
        ).consume()

    def _applied(self) -> dict[str, datetime | None]:
        """Return version → time of the applied migrations, after comparing the chain with the files."""
        with self._session() as session:
            rows = session.execute_read(
                lambda transaction: transaction.run(_READ_CHAIN.text, target=self._target).data()
            )
        chain = _in_order(rows)
        _compare(chain, self._migrations)
        return {row["version"]: plain(row["at"]) for row in chain}

    def _session(self) -> neo4j.Session:
        return self._driver.session(database=self._settings.database)


def _run_all(transaction: neo4j.ManagedTransaction, statements: tuple[str, ...]) -> None:
    for statement in statements:
        transaction.run(statement).consume()


def _in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the applied migrations in the order of the chain, without its baseline.

    Raises:
        ConflictError: the nodes are no single chain that begins with the baseline.
    """
    by_version = {row["version"]: row for row in rows}
    chain: list[dict[str, Any]] = []
    following = by_version[_BASELINE]["next"] if _BASELINE in by_version else None
    while following and len(chain) < len(rows):
        chain.append(by_version[following])
        following = by_version[following]["next"]
    if rows and len(chain) != len(rows) - 1:
        raise ConflictError(
            f"The history of the schema is broken: its {len(rows)} (:__Neo4jMigration) nodes are not a single chain of MIGRATED_TO "
            "from version BASELINE. Restore the database from a backup, or repair the chain manually."
        )
    return chain


def _compare(chain: list[dict[str, Any]], migrations: list[Migration]) -> None:
    """Check that the applied migrations are the first files, unchanged.

    Raises:
        ConflictError: a file is missing, was changed, or has a version below one that was applied.
    """
    files = {migration.version: migration for migration in migrations}
    for row in chain:
        file = files.get(row["version"])
        if file is None:
            raise ConflictError(
                f"Migration {row['source']} was applied to this database, but this release has no such file; "
                "install the release that the database belongs to, or a later one."
            )
        if file.checksum != row["checksum"]:
            raise ConflictError(
                f"Migration {file.source} was changed after it had been applied (checksum {row['checksum']} then, {file.checksum} now); "
                "put the file back as it was and write the change as a new migration."
            )
    for row, migration in zip(chain, migrations, strict=False):
        if row["version"] != migration.version:
            raise ConflictError(
                f"Migration {migration.source} has not been applied, but the later {row['source']} has; "
                "give the new migration a number after the last one."
            )
