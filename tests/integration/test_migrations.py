"""Migrations against a real server, in a chain of their own beside the stack's."""

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import neo4j
import pytest

from interlace.adapters.neo4j.connection import open_driver
from interlace.adapters.neo4j.migrations import info, migrate
from interlace.cypher_files import cypher_root
from interlace.domain.errors import ConflictError, QueryRefusedError
from interlace.settings import Neo4jSettings, Settings

pytestmark = pytest.mark.stack


class Sandbox:
    """A folder of migrations, a label and a chain that no other test has."""

    def __init__(self, settings: Neo4jSettings, driver: neo4j.Driver, folder: Path) -> None:
        self.settings, self.driver, self.folder = settings, driver, folder
        self.label = f"Test{uuid.uuid4().hex}"
        self.target = self.label.lower()
        callback = cypher_root() / "migrations" / "beforeMigrate.cypher"
        (folder / callback.name).write_bytes(callback.read_bytes())

    def file(self, name: str, text: str) -> Path:
        path = self.folder / f"{name}.cypher"
        path.write_text(text.replace("LABEL", self.label), encoding="utf-8")
        return path

    def run(self, cypher: str, **params: Any) -> list[dict[str, Any]]:
        return [
            record.data() for record in self.driver.execute_query(cypher.replace("LABEL", self.label), params).records
        ]

    def migrate(self) -> list[str]:
        return [state.version for state in migrate(self.settings, folder=self.folder, target=self.target)]

    def states(self) -> list[tuple[str, str]]:
        return [(state.version, state.state) for state in info(self.settings, folder=self.folder, target=self.target)]

    def count(self) -> int:
        return int(self.run("MATCH (n:LABEL) RETURN count(n) AS n")[0]["n"])

    def clean(self) -> None:
        self.run("MATCH (m:__Neo4jMigration {migrationTarget: $target}) DETACH DELETE m", target=self.target)
        self.run("MATCH (l:__Neo4jMigrationsLock {name: $name}) DELETE l", name=self.target)
        self.run("MATCH (n:LABEL) DETACH DELETE n")
        constraints = self.run(
            "SHOW CONSTRAINTS YIELD name, labelsOrTypes WHERE $label IN labelsOrTypes RETURN name", label=self.label
        )
        for row in constraints:
            self.run(f"DROP CONSTRAINT {row['name']}")


@pytest.fixture
def sandbox(stack: Settings, tmp_path: Path) -> Iterator[Sandbox]:
    with open_driver(stack.neo4j) as driver:
        made = Sandbox(stack.neo4j, driver, tmp_path)
        yield made
        made.clean()


def test_the_stack_is_migrated_and_a_second_run_does_nothing(stack: Settings) -> None:
    assert {state.state for state in info(stack.neo4j)} == {"applied"}
    assert migrate(stack.neo4j) == []


def test_pending_files_are_applied_in_order_and_once(sandbox: Sandbox) -> None:
    sandbox.file("V0001__Schema", "CREATE CONSTRAINT LABEL_id IF NOT EXISTS FOR (n:LABEL) REQUIRE n.id IS UNIQUE;\n")
    sandbox.file("V0002__Data", "CREATE (:LABEL {id: 1});\nMATCH (n:LABEL {id: 1}) CREATE (:LABEL {id: n.id + 1});\n")
    assert sandbox.states() == [("0001", "pending"), ("0002", "pending")]
    assert sandbox.migrate() == ["0001", "0002"]
    sandbox.file("V0003__More", "CREATE (:LABEL {id: 3});")
    assert sandbox.states() == [("0001", "applied"), ("0002", "applied"), ("0003", "pending")]
    assert sandbox.migrate() == ["0003"]
    assert sandbox.migrate() == []
    assert sandbox.count() == 3


def test_the_chain_has_the_form_of_neo4j_migrations(sandbox: Sandbox) -> None:
    sandbox.file("V0001__Create_one_thing", "CREATE (:LABEL);\n")
    sandbox.migrate()
    (row,) = sandbox.run(
        "MATCH (b:__Neo4jMigration {version: 'BASELINE', migrationTarget: $target})-[step:MIGRATED_TO]->(m) "
        "RETURN m {.*} AS m, keys(step) AS keys, step.in IS :: DURATION AS timed",
        target=sandbox.target,
    )
    assert row["m"] == {
        "version": "0001",
        "description": "Create one thing",
        "type": "CYPHER",
        "source": "V0001__Create_one_thing.cypher",
        "checksum": row["m"]["checksum"],
        "migrationTarget": sandbox.target,
    }
    assert row["m"]["checksum"].isdecimal()
    assert set(row["keys"]) == {"at", "in", "by"}
    assert row["timed"]


def test_a_failing_file_leaves_nothing_behind(sandbox: Sandbox) -> None:
    broken = sandbox.file("V0001__Broken", "CREATE (:LABEL);\nMATCH (n:LABEL) SET n.id = 1 / 0;\n")
    with pytest.raises(QueryRefusedError, match=r"V0001__Broken\.cypher"):
        sandbox.migrate()
    assert (sandbox.count(), sandbox.states()) == (0, [("0001", "pending")])
    broken.write_text(f"CREATE (:{sandbox.label});", encoding="utf-8")
    assert sandbox.migrate() == ["0001"]


def test_four_starters_at_once_apply_each_file_once(sandbox: Sandbox) -> None:
    for number in range(1, 4):
        sandbox.file(f"V000{number}__Add", "CREATE (:LABEL);")
    with ThreadPoolExecutor(4) as pool:
        applied = [version for versions in pool.map(lambda _: sandbox.migrate(), range(4)) for version in versions]
    assert sorted(applied) == ["0001", "0002", "0003"]
    assert sandbox.count() == 3


def test_a_changed_file_is_refused(sandbox: Sandbox) -> None:
    sandbox.file("V0001__Add", "CREATE (:LABEL);")
    sandbox.migrate()
    sandbox.file("V0001__Add", "CREATE (:LABEL {more: true});")
    sandbox.file("V0002__Add", "CREATE (:LABEL);")
    with pytest.raises(ConflictError, match=r"V0001__Add\.cypher was changed after it had been applied"):
        sandbox.migrate()
    assert sandbox.count() == 1


def test_a_missing_file_is_refused(sandbox: Sandbox) -> None:
    sandbox.file("V0001__Add", "CREATE (:LABEL);")
    sandbox.file("V0002__Add", "CREATE (:LABEL);").rename(sandbox.folder / "later")
    sandbox.migrate()
    (sandbox.folder / "later").rename(sandbox.folder / "V0002__Add.cypher")
    sandbox.migrate()
    (sandbox.folder / "V0001__Add.cypher").unlink()
    with pytest.raises(
        ConflictError, match=r"V0001__Add\.cypher was applied to this database, but this release has no such file"
    ):
        sandbox.states()


def test_a_file_numbered_below_an_applied_one_is_refused(sandbox: Sandbox) -> None:
    sandbox.file("V0002__Second", "CREATE (:LABEL);")
    sandbox.migrate()
    sandbox.file("V0001__First", "CREATE (:LABEL);")
    with pytest.raises(
        ConflictError, match=r"V0001__First\.cypher has not been applied, but the later V0002__Second\.cypher has"
    ):
        sandbox.migrate()
    assert sandbox.count() == 1


def test_a_broken_chain_is_refused(sandbox: Sandbox) -> None:
    sandbox.file("V0001__Add", "CREATE (:LABEL);")
    sandbox.migrate()
    sandbox.run(
        "MATCH ({version: 'BASELINE', migrationTarget: $target})-[step:MIGRATED_TO]->() DELETE step",
        target=sandbox.target,
    )
    with pytest.raises(ConflictError, match="not a single chain"):
        sandbox.migrate()


def test_a_lock_of_another_tool_is_respected(sandbox: Sandbox) -> None:
    sandbox.file("V0001__Add", "CREATE (:LABEL);")
    sandbox.run("CREATE (:__Neo4jMigrationsLock {id: 'another tool', name: $name})", name=sandbox.target)
    with pytest.raises(ConflictError, match="lock"):
        sandbox.migrate()
    assert sandbox.count() == 0


def test_the_lock_leaves_no_node(sandbox: Sandbox) -> None:
    sandbox.file("V0001__Add", "CREATE (:LABEL);")
    sandbox.migrate()
    assert sandbox.run("MATCH (l:__Neo4jMigrationsLock {name: $name}) RETURN l", name=sandbox.target) == []


EXPECTED_KEYS = {
    ("Chunk", "id"),
    ("Community", "id"),
    ("Document", "id"),
    ("Entity", "id"),
    ("Fact", "id"),
    ("IngestionRecord", "id"),
    ("Job", "id"),
    ("Outbox", "id"),
    ("Lease", "tenant", "name"),
    ("Reference", "tenant", "key"),
    ("Tenant", "tenant"),
    ("GazetteerChange", "tenant", "version"),
    ("Section", "id"),
    ("Tag", "tenant", "name"),
}


def test_every_label_has_its_key(sandbox: Sandbox) -> None:
    rows = sandbox.run(
        "SHOW CONSTRAINTS YIELD labelsOrTypes AS labels, properties WHERE NOT labels[0] STARTS WITH '_' RETURN labels, properties"
    )
    found = {(row["labels"][0], *row["properties"]) for row in rows}
    assert found >= EXPECTED_KEYS


def test_full_text_indexes_use_the_analyzers_that_the_writers_expect(sandbox: Sandbox) -> None:
    rows = sandbox.run("SHOW FULLTEXT INDEXES YIELD name, state, options RETURN name, state, options")
    found = {row["name"]: (row["state"], row["options"]["indexConfig"]["fulltext.analyzer"]) for row in rows}
    assert found == {
        "chunk_terms": ("ONLINE", "whitespace"),
        "entity_names": ("ONLINE", "standard-folding"),
        "document_names": ("ONLINE", "whitespace"),
        "section_names": ("ONLINE", "whitespace"),
        "atom_fields": ("ONLINE", "whitespace"),
    }
    assert not any(row["options"]["indexConfig"]["fulltext.eventually_consistent"] for row in rows)
