"""The writer's transaction: which queries it runs, in which order, with which parameters."""

from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.documents import Chunk, ParsedDocument, Section
from interlace.domain.errors import UnavailableError
from interlace.domain.extraction import Extraction, Mention
from interlace.domain.ids import entity_id
from interlace.entities.linker import EntityLinkers
from interlace.ingestion.gazetteer_version import KEPT_CHANGES
from interlace.ingestion.versions import Claim, NewVersion, Outcome
from interlace.ingestion.writer import GraphWriter

TEXT = "Ada met Bob."
ADA, BOB = entity_id("t", "ada"), entity_id("t", "bob")
PARSED = ParsedDocument("Ada", TEXT, (Section("", (), 0, 0, 0, len(TEXT)),), tags=("people",))
CHUNK = Chunk("c1", "d1", ("Ada",), 0, 0, TEXT, 0, len(TEXT), 4)
EXTRACTION = Extraction((Mention("Ada", "Person", 0, 3), Mention("Bob", "Person", 8, 11)), ())
DELETION = Claim("d1", 2, 1, "me", "job", "delete", "ada.md")
OLD = {
    "id": "d1",
    "version": 4,
    "patch": None,
    "chunks": ["c1"],
    "about": [{"entity": ADA, "origin": None, "evidence": ["title\t\tAda\t1"]}],
}


def version(extractions: dict[str, Extraction] | None = None) -> NewVersion:
    claim = Claim("d1", 1, 1, "me", "job", "upsert", "ada.md", "text/markdown", "sum")
    return NewVersion(claim, "f", PARSED, (CHUNK,), {"c1": EXTRACTION} if extractions is None else extractions)


def fenced(**params: Any) -> list[dict[str, str]]:
    return [{"id": claim["id"]} for claim in params["claims"]]


def answers(**changes: Any) -> dict[str, Any]:
    return {
        "tenants/lock_tenant": [{"version": 8}],
        "ingestion_records/fence_records": fenced,
        "ingestion_records/finish_records": fenced,
        "outbox/clear_pending_points": [{"id": "entry"}],
        **{name.replace("__", "/"): answer for name, answer in changes.items()},
    }


def write(graph: CollectingGraph, *, versions: Any = (), deletions: Any = (), entry: str | None = None) -> Outcome:
    return GraphWriter(graph, EntityLinkers(graph), ["model"]).write("t", versions, deletions, entry)


def entries(graph: CollectingGraph, kind: str) -> list[dict[str, Any]]:
    """Return the outbox entries of one kind of points."""
    return [entry for entry in graph.params_of("outbox/write_outbox") if entry["kind"] == kind]


def test_a_new_document_is_written_in_one_order() -> None:
    graph = CollectingGraph(answers())
    assert write(graph, versions=[version()], entry="entry") == Outcome(written=("d1",))
    assert [name for name, _ in graph.ran] == [
        "tenants/lock_tenant",
        "gazetteer/all_entity_keys",
        "decisions/read_decisions",
        "ingestion_records/fence_records",
        "versions/read_versions",
        "entities/read_entities",
        "chunks/find_chunks_by_alias",
        "entities/write_entities",
        "versions/write_documents",
        "versions/write_sections",
        "versions/write_chunks",
        "versions/write_about",
        "labels/write_tags",
        "references/write_references",
        "mentions/write_mentions",
        "facts/write_facts",
        "references/link_documents",
        "vectors/narrow_models",
        "gazetteer/log_gazetteer_change",
        "outbox/clear_pending_points",
        "outbox/write_outbox",
        "ingestion_records/finish_records",
        "jobs/count_job",
    ]


def test_the_log_says_which_entities_changed_their_names_and_by_how_many_the_chunks_grew() -> None:
    graph = CollectingGraph(answers())
    write(graph, versions=[version()])
    assert graph.params_of("gazetteer/log_gazetteer_change") == [
        {"tenant": "t", "version": 8, "entityIds": sorted([ADA, BOB]), "keep": KEPT_CHANGES, "chunks": 1}
    ]
    (search,) = graph.params_of("chunks/find_chunks_by_alias")
    assert search["search"] == '+tenant:"t" +(capitals:"ada" capitals:"bob")'


def test_jobs_count_what_was_written_and_removed() -> None:
    graph = CollectingGraph(answers(versions__read_versions=[OLD | {"id": "d2", "chunks": []}]))
    deletion = Claim("d2", 1, 1, "me", "other", "delete", "b.md")
    assert write(graph, versions=[version()], deletions=[deletion]) == Outcome(written=("d1",), deleted=("d2",))
    (counted,) = graph.params_of("jobs/count_job")
    zero = {"failed": 0, "facts": 0}
    assert counted["rows"] == [
        {"id": "job", "ready": 1, "deleted": 0, "chunks": 1, "extracted": 1, "mentions": 3, **zero},
        {"id": "other", "ready": 0, "deleted": 1, "chunks": 0, "extracted": 0, "mentions": 0, **zero},
    ]
    (finished,) = graph.params_of("ingestion_records/finish_records")
    assert [claim["id"] for claim in finished["claims"]] == ["d1", "d2"]


def test_a_claim_that_was_lost_is_left_alone_and_its_points_are_doubtful() -> None:
    graph = CollectingGraph(answers(ingestion_records__fence_records=[]))
    assert write(graph, versions=[version()]) == Outcome(lost=("d1",))
    names = {name for name, _ in graph.ran}
    assert not names & {"versions/write_documents", "versions/write_chunks", "versions/remove_structure"}
    (entered,) = entries(graph, "chunks")
    assert (entered["ids"], entered["dueMs"]) == (["c1"], 0)


def test_a_claim_that_is_lost_before_the_commit_has_the_rest_written_again() -> None:
    """Twice the ledger says that the claim is held, then that it is not."""
    held = [{"id": "d1"}]
    fences, finishes = iter([held, held, []]), iter([held[:0]] * 3)
    graph = CollectingGraph(
        answers(
            ingestion_records__fence_records=lambda **_: next(fences),
            ingestion_records__finish_records=lambda **_: next(finishes),
        )
    )
    assert write(graph, versions=[version()]) == Outcome(lost=("d1",))


def test_points_whose_entry_fell_due_are_entered_again() -> None:
    graph = CollectingGraph(answers(outbox__clear_pending_points=[]))
    write(graph, versions=[version()], entry="entry")
    (entered,) = entries(graph, "chunks")
    assert entered["ids"] == ["c1"]


def test_a_deletion_removes_what_only_the_document_supported() -> None:
    support = {
        "id": "c1",
        "mentions": [{"entity": BOB, "origin": None, "evidence": ["ner\tPerson\tBob\t1"]}],
        "relations": [],
    }
    stored = [
        {"id": ADA, "evidence": ["title\t\tAda\t1"], "keys": ["ada"], "type": "Other"},
        {"id": BOB, "evidence": ["ner\tPerson\tBob\t3"], "keys": ["bob"], "type": "Person"},
    ]
    references = [{"id": "d1", "tags": ["people"], "references": ["uri:ada.md"]}]
    graph = CollectingGraph(
        answers(
            versions__read_versions=[OLD],
            versions__read_support=[support],
            references__read_references=references,
            entities__read_entities=stored,
        )
    )
    assert write(graph, deletions=[DELETION]) == Outcome(deleted=("d1",))
    assert graph.params_of("versions/remove_chunks") == [{"tenant": "t", "chunks": ["c1"]}]
    assert graph.params_of("entities/remove_entities") == [{"tenant": "t", "ids": [ADA]}]
    (rows,) = graph.params_of("entities/write_entities")
    assert [(row["id"], row["properties"]["evidence"]) for row in rows["rows"]] == [(BOB, ["ner\tPerson\tBob\t2"])]
    assert graph.params_of("references/remove_unused_references") == [
        {"tenant": "t", "tags": ["people"], "references": ["uri:ada.md"]}
    ]
    (entered,) = entries(graph, "chunks")
    assert entered["ids"] == ["c1"]


def test_entities_are_entered_although_their_evidence_stays_the_same() -> None:
    support = {
        "id": "c1",
        "mentions": [{"entity": BOB, "origin": None, "evidence": ["ner\tPerson\tBob\t1"]}],
        "relations": [],
    }
    graph = CollectingGraph(answers(versions__read_versions=[OLD], versions__read_support=[support]))
    write(graph, versions=[version()])
    (entered,) = entries(graph, "entities")
    assert set(entered["ids"]) >= {ADA, BOB}
    assert entered["dueMs"] == 0


def test_kept_chunks_are_neither_removed_nor_extracted_but_get_their_new_payload() -> None:
    graph = CollectingGraph(answers(versions__read_versions=[OLD]))
    write(graph, versions=[version({})])
    assert graph.params_of("versions/remove_chunks") == []
    assert graph.params_of("mentions/write_mentions") == [{"rows": []}]
    (row,) = graph.params_of("versions/write_documents")[0]["rows"]
    assert row["properties"]["version"] == 5
    (entered,) = entries(graph, "chunks")
    assert entered["ids"] == ["c1"]


def test_a_new_tenant_is_created_before_its_lock_is_taken_again() -> None:
    locks = iter([[], [{"version": 1}]])
    graph = CollectingGraph(answers(tenants__lock_tenant=lambda **_: next(locks)))
    write(graph, versions=[version()])
    assert [name for name, _ in graph.ran][:4] == [
        "tenants/lock_tenant",
        "ingestion_records/fence_records",
        "tenants/begin_tenant",
        "tenants/lock_tenant",
    ]


def test_a_tenant_that_was_removed_does_not_begin_again_and_points_written_ahead_go() -> None:
    graph = CollectingGraph(answers(tenants__lock_tenant=[], ingestion_records__fence_records=[]))
    assert write(graph, versions=[version()], entry="entry") == Outcome(lost=("d1",))
    (entered,) = entries(graph, "chunks")
    assert (entered["id"], entered["ids"], entered["dueMs"]) == ("entry", ["c1"], 0)
    assert "tenants/begin_tenant" not in [name for name, _ in graph.ran]


def test_a_transaction_that_fails_leaves_no_names_behind() -> None:
    graph = CollectingGraph(answers(jobs__count_job=UnavailableError("Neo4j does not answer.")))
    linkers = EntityLinkers(graph)
    with pytest.raises(UnavailableError):
        GraphWriter(graph, linkers, ["model"]).write("t", [version()], [], None)
    assert (linkers.of("t").version, len(linkers.of("t"))) == (-1, 0)


def test_older_chunks_beyond_the_first_are_deferred_and_entities_that_go_are_retired() -> None:
    stored = [{"id": ADA, "evidence": ["title\t\tAda\t1"], "keys": ["ada"], "type": "Other"}]
    older = [{"document": "d9", "id": f"o{number}"} for number in range(5)] + [{"document": "d1", "id": "c1"}]
    graph = CollectingGraph(
        answers(
            versions__read_versions=[OLD],
            versions__read_support=[{"id": "c1", "mentions": [], "relations": []}],
            entities__read_entities=stored,
            chunks__find_chunks_by_alias=older,
        )
    )
    outcome = GraphWriter(graph, EntityLinkers(graph), ["model"], batch_size=3).write("t", [], [DELETION], None)
    assert outcome == Outcome(deleted=("d1",), deferred=True)
    assert graph.params_of("mentions/read_linking") == [{"tenant": "t", "chunks": ["o0", "o1", "o2"]}]
    assert graph.params_of("entities/retire_entities") == [{"tenant": "t", "ids": [ADA]}]
    assert graph.params_of("entities/remove_entities") == []
    (deferred,) = graph.params_of("relinks/defer_relink")
    assert (deferred["version"], deferred["keys"], deferred["after"], deferred["jobs"]) == (
        8,
        ["ada"],
        ["d9", "o2"],
        ["job"],
    )
