"""A backup restores the graph to the letter and the answers to the score; a damaged one touches nothing, a broken one leaves nothing."""

import gzip
import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.command_line import command_line
from tests.integration.ingestion_world import Documents, World, source

from interlace.domain.errors import ConflictError, InvalidInputError, NotFoundError, UnavailableError
from interlace.domain.hits import QueryRequest
from interlace.export import backup as saving
from interlace.export.backup import save
from interlace.export.backup_format import writing
from interlace.export.canonical import dump
from interlace.export.restore import restore
from interlace.ingestion.gazetteer_version import begin_version
from interlace.links.repository import LinkRepository
from interlace.ports.graph import Query, Row, Transaction

SECONDS = 240
QUESTIONS = ("Whom did the director of The Grey Ferry marry?", "What does Knud Strand's wife direct?", "rye bread")
DOCUMENTS: Documents = {
    "ferry.md": "---\ntags: [boats]\nyear: 1911\n---\n# The Grey Ferry\n\nThe Grey Ferry is a silent film. It was directed by Orla Venning.\n",
    "venning.md": "# Orla Venning\n\nOrla Venning was a director. She married [[strand|Knud Strand]] in Aalborg. See [bread](bread.md).\n",
    "strand.md": "# Knud Strand\n\nKnud Strand was a painter in Aalborg. Knud Strand painted The Grey Ferry.\n",
    "bread.md": "# Rye bread\n\nMix flour, water and salt. #food Wait a night.\n",
}


def saved(world: World, tenant: str, file: Path) -> Path:
    save(world.platform.graph, [tenant], file, {}, pause=world.platform.communities.paused)
    return file


def whole(world: World, tenant: str, folder: Path) -> str:
    target = folder / "dump.jsonl"
    dump(world.platform.graph, tenant, target, communities=True)
    return target.read_text(encoding="utf-8")


def answers(world: World, tenant: str) -> list[Any]:
    asked = [world.platform.questions.search(tenant, QueryRequest(text)) for text in QUESTIONS]
    assert not any(answer.degraded for answer in asked)
    return [(hit.chunk_id, hit.score, hit.text, hit.metadata) for answer in asked for hit in answer.hits]


def bring_back(world: World, file: Path, *, replace: bool = False) -> None:
    contents = restore(world.platform.graph, world.platform.vectors, file, replace=replace)
    for tenant in contents.tenants:
        assert world.platform.vector_rebuild.rebuild(tenant).complete


def empty(world: World, tenant: str) -> None:
    world.run("MATCH (n) WHERE n.tenant = $tenant DETACH DELETE n", tenant)
    for kind in ("chunks", "communities"):
        world.platform.vectors.drop(tenant, kind)


@pytest.mark.parametrize("replace", [False, True])
def test_what_is_restored_is_what_was_saved(world: World, tenant: str, tmp_path: Path, replace: bool) -> None:
    world.ingest(tenant, DOCUMENTS)
    world.platform.communities.refresh(tenant)
    before, points, found = whole(world, tenant, tmp_path), world.points(tenant), answers(world, tenant)
    file = saved(world, tenant, tmp_path / "b.gz")
    if replace:
        world.ingest(tenant, {"other.md": "# Other\n\nThis was not there. Orla Venning was.\n"})
        world.delete(tenant, "strand.md")
        with pytest.raises(ConflictError, match=r"not empty.*--replace"):
            restore(world.platform.graph, world.platform.vectors, file)
        assert len(world.rows("MATCH (d:Document {tenant: $tenant}) RETURN d.id", tenant)) == 4
    else:
        empty(world, tenant)
    bring_back(world, file, replace=replace)
    assert whole(world, tenant, tmp_path) == before
    assert world.points(tenant) == points
    assert answers(world, tenant) == found
    assert saved(world, tenant, tmp_path / "again.gz").stat().st_size
    assert lines(tmp_path / "again.gz")[2:-1] == lines(file)[2:-1]


def lines(file: Path) -> list[str]:
    with gzip.open(file, "rt", encoding="utf-8") as text:
        return text.read().splitlines()


def test_a_restored_tenant_goes_on_as_if_nothing_had_been(world: World, tenant: str, tmp_path: Path) -> None:
    world.ingest(tenant, DOCUMENTS)
    file = saved(world, tenant, tmp_path / "b.gz")
    links = LinkRepository(world.platform.graph, timeout=30)
    before = links.revision(tenant)
    bring_back(world, file, replace=True)
    # Whatever was copied of the links before is void: versions may come again, epochs do not.
    after = links.revision(tenant)
    assert before
    assert after
    assert before.partition(":")[0] != after.partition(":")[0]
    assert world.receive(tenant, [source(uri, text) for uri, text in DOCUMENTS.items()]).unchanged == 4
    world.ingest(tenant, {"late.md": "# Late\n\nKnud Strand met Orla Venning.\n"})
    world.delete(tenant, "bread.md")
    changed = world.dump(tenant)
    world.delete(tenant)
    world.ingest(tenant, {**{k: v for k, v in DOCUMENTS.items() if k != "bread.md"}})
    world.ingest(tenant, {"late.md": "# Late\n\nKnud Strand met Orla Venning.\n"})
    assert world.dump(tenant) == changed


@pytest.mark.parametrize(("oldest", "here", "why"), [(99, 98, "version 99 changed what is stored"), (1, 1, "has 1;")])
def test_a_backup_of_another_schema_is_refused_before_anything_changes(
    world: World,
    tenant: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    oldest: int,
    here: int,
    why: str,
) -> None:
    world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
    file = saved(world, tenant, tmp_path / "b.gz")
    before = world.state(tenant)
    monkeypatch.setattr("interlace.export.restore.OLDEST_SCHEMA", oldest)
    monkeypatch.setattr("interlace.export.restore.schema_version", lambda _: here)
    with pytest.raises(InvalidInputError, match=rf"was saved with version \d+ .*{why}"):
        restore(world.platform.graph, world.platform.vectors, file, replace=True)
    assert world.state(tenant) == before


def test_a_backup_that_names_no_schema_is_restored_only_if_someone_says_so(
    world: World, tenant: str, tmp_path: Path
) -> None:
    world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
    old = tmp_path / "old.gz"
    with writing(old) as out:
        for line in map(json.loads, lines(saved(world, tenant, tmp_path / "b.gz"))[:-1]):
            line.pop("schema", None)
            (out.node if "relationships" in line else out.line)(line)
    world.ingest(tenant, {"strand.md": DOCUMENTS["strand.md"]})
    before = world.state(tenant)
    run = command_line(world.platform.settings, tenant)
    refused = run("restore", old, "--replace", code=2, errors=True)
    assert re.search(r"does not say which version of the database's schema .*add --yes", refused)
    assert world.state(tenant) == before
    said = run("restore", old, "--replace", "--yes", errors=True)
    assert re.search(r"does not say which version .*it is restored now.*\n[^\n]* nodes and .* restored", said)
    assert len(world.rows("MATCH (d:Document {tenant: $tenant}) RETURN d.id", tenant)) == 1


def test_uploads_that_wait_are_saved_and_leases_are_not(world: World, tenant: str, tmp_path: Path) -> None:
    world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
    world.receive(tenant, [source("strand.md", DOCUMENTS["strand.md"])])
    ids = world.tasks.batches.pop()[1]
    held = "MATCH (i:IngestionRecord {tenant: $tenant}) SET i.leaseOwner = 'w', i.leaseUntil = timestamp() + 600000"
    world.run(held, tenant)
    file = saved(world, tenant, tmp_path / "b.gz")
    empty(world, tenant)
    bring_back(world, file)
    assert world.swept(tenant) == [ids]
    world.work()
    assert {
        row["uri"] for row in world.rows("MATCH (d:Document {tenant: $tenant}) RETURN d.sourceUri AS uri", tenant)
    } == {
        "ferry.md",
        "strand.md",
    }


class Killed:
    """The graph for a process that is killed just after a query: nothing that it does later reaches the database."""

    def __init__(self, graph: Any, after: str) -> None:
        self._graph, self._after, self._dead = graph, after, False

    def run(self, query: Query, /, **params: Any) -> list[Row]:
        if self._dead:
            raise UnavailableError("This process was killed.")
        rows: list[Row] = self._graph.run(query, **params)
        if query.name == self._after:
            self._dead = True
            raise KeyboardInterrupt
        return rows


@pytest.mark.parametrize("step", ["begin_restore", "write_nodes", "write_relationships", "finish_restore"])
def test_a_restore_that_was_killed_is_run_again_with_the_same_command(
    world: World, tenant: str, tmp_path: Path, step: str
) -> None:
    world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
    world.receive(tenant, [source("strand.md", DOCUMENTS["strand.md"])])
    ids = world.tasks.batches.pop()[1]
    before = world.state(tenant)
    file = saved(world, tenant, tmp_path / "b.gz")
    empty(world, tenant)
    killed: Any = Killed(world.platform.graph, f"export/{step}")
    with pytest.raises(KeyboardInterrupt):
        restore(killed, world.platform.vectors, file)
    complete = step == "finish_restore"
    world.tasks.batches.append((tenant, ids))  # as one that was queued before the restore
    if not complete:
        world.work()
        assert world.swept(tenant) == [], "workers wait"
    said = command_line(world.platform.settings, tenant)("restore", file, errors=True)
    assert ("its data stays as it is" in said) == complete
    assert world.state(tenant) == before
    world.tasks.batches.clear()
    assert world.swept(tenant) == [ids]
    assert "not empty" in command_line(world.platform.settings, tenant)("restore", file, code=5, errors=True)


@pytest.mark.parametrize("harm", ["cut", "flipped", "edited", "other", "newer", "plain"])
def test_a_damaged_file_touches_nothing(world: World, tenant: str, tmp_path: Path, harm: str) -> None:
    world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
    file = saved(world, tenant, tmp_path / "b.gz")
    data, text = file.read_bytes(), lines(file)
    match harm:
        case "cut":
            file.write_bytes(data[: len(data) // 2])
        case "flipped":
            at = len(data) // 2
            file.write_bytes(data[:at] + bytes([data[at] ^ 16]) + data[at + 1 :])
        case "edited":
            file.write_bytes(gzip.compress("\n".join(text).replace("silent", "violet").encode() + b"\n"))
        case "other":
            file.write_bytes(gzip.compress(b'{"format": "else"}\n{}\n'))
        case "newer":
            head = json.dumps({**json.loads(text[0]), "version": 2})
            file.write_bytes(gzip.compress("\n".join([head, *text[1:]]).encode() + b"\n"))
        case _:
            file.write_bytes(b"no gzip at all")
    before = world.state(tenant)
    with pytest.raises(InvalidInputError, match=r"damaged|no backup|version 2"):
        restore(world.platform.graph, world.platform.vectors, file, replace=True)
    assert world.state(tenant) == before


class Meanwhile:
    """The graph, and something that happens while it is read."""

    def __init__(self, world: World, deed: Callable[[], None], at: str) -> None:
        self._graph, self._deed, self._at = world.platform.graph, deed, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)

    def run(self, query: Query, /, **params: Any) -> list[Row]:
        if query.name == self._at and params.get("label", "Fact") == "Fact":
            self._deed()
        return self._graph.run(query, **params)


def test_a_backup_is_of_one_moment_while_documents_come_in(world: World, tenant: str, tmp_path: Path) -> None:
    world.ingest(tenant, DOCUMENTS)
    numbers = iter(range(100))

    def write() -> None:
        world.ingest(tenant, {f"late-{next(numbers)}.md": "# Late\n\nOrla Venning came late.\n"})

    graph: Any = Meanwhile(world, write, "export/page_nodes")
    file = tmp_path / "b.gz"
    save(graph, [tenant], file, {}, pause=world.platform.communities.paused)
    assert next(numbers) >= saving._TRIES - 1
    before = world.dump(tenant)
    bring_back(world, file, replace=True)
    assert world.dump(tenant) == before


@pytest.mark.parametrize(("at", "saved_too"), [("export/page_nodes", True), ("export/count_all", False)])
def test_uploads_that_arrive_during_a_backup_do_not_disturb_it(
    world: World, tenant: str, tmp_path: Path, at: str, saved_too: bool
) -> None:
    world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
    uploads = list[str]()

    def upload() -> None:
        uploads.append(f"{len(uploads)}.md")
        world.receive(tenant, [source(uploads[-1], "# Late\n\nOrla Venning came late.\n")])

    graph: Any = Meanwhile(world, upload, at)
    save(graph, [tenant], file := tmp_path / "b.gz", {}, pause=world.platform.communities.paused)
    labels = [json.loads(line).get("label") for line in lines(file)]
    assert labels.count("Job") == 1 + labels.count("IngestionRecord")
    assert labels.count("IngestionRecord") == len(uploads) * saved_too
    assert len(uploads) == 1 + saved_too, "pages of facts, and the last one that is empty: it was read once"


def test_a_node_more_and_one_less_is_a_change(world: World, tenant: str, tmp_path: Path) -> None:
    world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
    world.run("CREATE (:TokenUsage {id: 'less-' + $tenant, tenant: $tenant})", tenant)

    def change() -> None:
        world.run("MATCH (n:TokenUsage {id: 'less-' + $tenant}) REMOVE n:TokenUsage SET n:GeneratedText", tenant)

    graph: Any = Meanwhile(world, change, "export/count_all")
    save(graph, [tenant], file := tmp_path / "b.gz", {}, pause=world.platform.communities.paused)
    found = [node["label"] for node in map(json.loads, lines(file)) if node.get("key") == f"less-{tenant}"]
    assert found == ["GeneratedText"]


def test_a_backup_waits_for_a_writer_whose_commit_it_may_have_seen_half_of(
    world: World, tenant: str, tmp_path: Path
) -> None:
    """The writer is stopped before its commit: what is shown of one, and when, is up to Neo4j, but it keeps its locks until the end."""
    world.ingest(tenant, DOCUMENTS)
    begun, awaited, counted = threading.Event(), threading.Event(), list[bool]()
    database = world.platform.graph
    real = database.transact

    def write(transaction: Transaction) -> None:
        begin_version(transaction, tenant)
        begun.set()
        assert awaited.wait(SECONDS)

    writer = threading.Thread(target=real, args=(write,))

    def overtaken() -> None:
        counted.append(begun.is_set())
        if len(counted) == 1:
            writer.start()
            assert begun.wait(SECONDS)

    def transact(work: Callable[[Transaction], Any]) -> Any:
        if begun.is_set():
            awaited.set()
        return real(work)

    graph: Any = Meanwhile(world, overtaken, "export/count_all")
    graph.transact = transact
    try:
        save(graph, [tenant], tmp_path / "b.gz", {}, pause=world.platform.communities.paused)
    finally:
        awaited.set()
        writer.join()
    assert counted == [False, True], "it was read again"


def test_a_restore_that_breaks_leaves_nothing_and_is_run_again(world: World, tenant: str, tmp_path: Path) -> None:
    world.ingest(tenant, DOCUMENTS)
    before = world.dump(tenant)
    file = saved(world, tenant, tmp_path / "b.gz")
    empty(world, tenant)

    def fail() -> None:
        raise KeyboardInterrupt

    graph: Any = Meanwhile(world, fail, "export/write_relationships")
    with pytest.raises(KeyboardInterrupt):
        restore(graph, world.platform.vectors, file)
    assert world.left(tenant) == []
    with pytest.raises(ConflictError, match="is being restored"):
        saved(world, tenant, tmp_path / "half.gz")
    assert not (tmp_path / "half.gz").exists()
    # As a killed run leaves it: marked, and half of it there.
    world.run("CREATE (:Chunk {id: 'half-' + $tenant, tenant: $tenant, text: 'half'})", tenant)
    bring_back(world, file)
    assert world.dump(tenant) == before


def test_a_decision_that_is_being_applied_refuses_a_backup_and_is_named_with_its_tenant(
    world: World, tenant: str, tmp_path: Path
) -> None:
    world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
    world.run("CREATE (:PendingDecision {tenant: $tenant, decision: 'x', place: '', updatedAt: 0})", tenant)
    with pytest.raises(ConflictError, match=f"`interlace entities history --tenant {tenant}`"):
        saved(world, tenant, tmp_path / "b.gz")


def test_nodes_that_a_backup_does_not_know_are_named(world: World, tenant: str, tmp_path: Path) -> None:
    world.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"]})
    world.run("CREATE (:Novelty {id: 'novelty-' + $tenant, tenant: $tenant})", tenant)
    with pytest.raises(ConflictError, match="Novelty"):
        saved(world, tenant, tmp_path / "b.gz")
    assert list(tmp_path.iterdir()) == []


def test_a_tenant_without_anything_has_no_backup(world: World, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nothing to back up"):
        saved(world, "never-was", tmp_path / "b.gz")
