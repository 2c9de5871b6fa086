"""The canonical dump of a small graph that is written in any order."""

import json
import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from interlace.adapters.neo4j.connection import open_driver
from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.export import canonical as dumping
from interlace.export import schema
from interlace.settings import Settings

pytestmark = pytest.mark.stack

NODES: list[tuple[str, dict[str, Any]]] = [
    (
        "Document:Atom",
        {"id": "d1", "title": "Notes", "version": 3, "indexedAt": "now", "metadata.modifiedAt": "2020-01-01"},
    ),
    ("Document", {"id": "d2", "title": "More notes"}),
    ("Section", {"id": "s1", "path": "Notes"}),
    ("Chunk", {"id": "c1", "text": "Ada met Charles.", "terms": "ada met charles", "capitals": "ada charles"}),
    ("Entity:Person", {"id": "e1", "name": "Ada", "key": "ada"}),
    ("Entity:Person", {"id": "e2", "name": "Charles", "key": "charles"}),
    ("Fact", {"id": "f1", "predicate": "MET", "sentence": "Ada met Charles.", "confidence": 0.5}),
    ("Tag", {"name": "howto"}),
    ("Reference", {"key": "more"}),
    ("Community", {"id": "k1", "level": 0, "title": "Friends", "size": 2}),
    ("Community", {"id": "k2", "level": 1, "title": "All", "size": 2}),
    (
        "IngestionRecord",
        {
            "id": "i1",
            "stage": "quarantined",
            "sourceUri": "file:broken",
            "reason": "encoding",
            "error": "no text",
            "attempt": 3,
        },
    ),
]
RELATIONSHIPS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("d1", "HAS_SECTION", "s1", {}),
    ("s1", "HAS_CHUNK", "c1", {}),
    ("d1", "LINKS_TO", "d2", {"kind": "wiki", "anchor": ""}),
    ("d1", "TAGGED", "howto", {}),
    ("d1", "REFERS_TO", "more", {"kind": "wiki"}),
    ("d2", "KNOWN_AS", "more", {}),
    ("c1", "MENTIONS", "e1", {"via": "ner", "offsets": [0]}),
    ("c1", "MENTIONS", "e2", {"via": "ner", "offsets": [8]}),
    ("c1", "ASSERTS", "f1", {}),
    ("f1", "SUBJECT", "e1", {}),
    ("f1", "OBJECT", "e2", {}),
    ("e1", "MET", "e2", {"weight": 1, "documents": 1, "fact": True, "updatedAt": "now"}),
    ("e1", "IN_COMMUNITY", "k1", {"level": 0}),
    ("e2", "IN_COMMUNITY", "k1", {"level": 0}),
    ("k1", "PARENT", "k2", {}),
]


class Sample:
    """The small graph for one tenant; ``name`` makes its ids unlike every other test's."""

    def __init__(self, driver: neo4j.Driver, settings: Settings) -> None:
        self.driver, self.settings = driver, settings
        self.tenant = f"sample-{uuid.uuid4().hex[:12]}"

    def write(self, seed: int = 0, *, communities: str = "") -> None:
        """Write the graph in an order of the seed's; ``communities`` goes into their ids."""
        shuffle = random.Random(seed).shuffle
        nodes, relationships = list(NODES), list(RELATIONSHIPS)
        shuffle(nodes)
        shuffle(relationships)
        for labels, properties in nodes:
            own = {**properties, "tenant": self.tenant, "updatedAt": str(seed)}
            if "id" in properties:
                own["id"] = self._name(properties["id"], communities)
            self.driver.execute_query("CREATE (n) SET n = $own, n:$($labels)", own=own, labels=labels.split(":"))
        for start, kind, end, properties in relationships:
            self.driver.execute_query(
                "MATCH (a {tenant: $tenant}) WHERE $start IN [a.id, a.name, a.key] "
                "MATCH (b {tenant: $tenant}) WHERE $end IN [b.id, b.name, b.key] "
                "CREATE (a)-[r:$($kind)]->(b) SET r = $properties",
                tenant=self.tenant,
                start=self._end(start, communities),
                end=self._end(end, communities),
                kind=kind,
                properties=properties,
            )

    def remove(self) -> None:
        self.driver.execute_query("MATCH (n {tenant: $tenant}) DETACH DELETE n", tenant=self.tenant)

    def dump(self, target: Path, *, communities: bool = False) -> list[dict[str, Any]]:
        database = Neo4jDatabase(self.settings.neo4j)
        try:
            count = dumping.dump(database, self.tenant, target, communities=communities)
        finally:
            database.close()
        lines = [json.loads(line) for line in target.read_bytes().splitlines()]
        assert len(lines) == count
        return lines

    def _name(self, name: str, communities: str) -> str:
        return f"{self.tenant}-{name}{communities if name.startswith('k') else ''}"

    def _end(self, name: str, communities: str) -> str:
        return name if name in {"howto", "more"} else self._name(name, communities)


@pytest.fixture
def sample(stack: Settings) -> Iterator[Sample]:
    with open_driver(stack.neo4j) as driver:
        made = Sample(driver, stack)
        yield made
        made.remove()


@pytest.mark.parametrize("communities", [False, True])
def test_the_dump_does_not_depend_on_the_order_of_writing(sample: Sample, tmp_path: Path, communities: bool) -> None:
    for seed in (1, 2):
        sample.write(seed, communities=str(seed))
        sample.dump(tmp_path / str(seed), communities=communities)
        sample.remove()
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_the_dump_leaves_out_history_and_keeps_metadata(sample: Sample, tmp_path: Path) -> None:
    sample.write()
    lines = sample.dump(tmp_path / "dump")
    (document,) = (line for line in lines if line.get("id") == f"{sample.tenant}-d1")
    assert document == {
        "kind": "node",
        "id": f"{sample.tenant}-d1",
        "labels": ["Atom", "Document"],
        "properties": {
            "id": f"{sample.tenant}-d1",
            "tenant": sample.tenant,
            "title": "Notes",
            "metadata.modifiedAt": "2020-01-01",
        },
    }
    (met,) = (line for line in lines if line.get("type") == "MET")
    assert met["properties"] == {"weight": 1, "documents": 1, "fact": True}


def test_the_dump_holds_everything_but_communities_and_the_ledger(sample: Sample, tmp_path: Path) -> None:
    sample.write()
    lines = sample.dump(tmp_path / "dump")
    assert sorted(line["id"].removeprefix(f"{sample.tenant}-") for line in lines if line["kind"] == "node") == [
        "c1", "d1", "d2", "e1", "e2", "f1", "howto", "more", "s1",
    ]  # fmt: skip
    wanted = sorted(
        (start, kind, end) for start, kind, end, _ in RELATIONSHIPS if kind not in {"IN_COMMUNITY", "PARENT"}
    )
    found = sorted(
        (line["start"].removeprefix(f"{sample.tenant}-"), line["type"], line["end"].removeprefix(f"{sample.tenant}-"))
        for line in lines
        if line["kind"] == "relationship"
    )
    assert found == wanted


def test_communities_are_named_by_level_and_members(sample: Sample, tmp_path: Path) -> None:
    sample.write()
    lines = sample.dump(tmp_path / "dump", communities=True)
    found = {line["properties"]["title"]: line for line in lines if line.get("labels") == ["Community"]}
    members = [f"{sample.tenant}-e1", f"{sample.tenant}-e2"]
    assert [line["properties"]["members"] for line in found.values()] == [members, members]
    assert found["Friends"]["id"] != found["All"]["id"]
    ends = {(line["type"], line["end"]) for line in lines if line.get("type") in {"IN_COMMUNITY", "PARENT"}}
    assert ends == {("IN_COMMUNITY", found["Friends"]["id"]), ("PARENT", found["All"]["id"])}


def test_the_dump_is_sorted_also_over_many_pages_and_runs(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample.write()
    sample.dump(tmp_path / "whole", communities=True)
    monkeypatch.setattr(dumping, "PAGE", 1)
    monkeypatch.setattr(schema, "PAGE", 1)
    monkeypatch.setattr(dumping, "RUN_BYTES", 200)
    sample.dump(tmp_path / "pieces", communities=True)
    lines = (tmp_path / "whole").read_bytes().splitlines()
    assert lines == sorted(lines)
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_dump_that_fails_leaves_the_old_file(sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "dump"
    target.write_text("the last one", encoding="utf-8")
    monkeypatch.setattr(schema, "PAGE", -1)
    sample.write()
    with pytest.raises(Exception, match="page_nodes"):
        sample.dump(target)
    assert target.read_text(encoding="utf-8") == "the last one"
    assert list(tmp_path.iterdir()) == [target]
