"""The ledger's queries: what is claimed, fenced, given back and quarantined."""

from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.ingestion.ledger import Ledger, compress, decompress
from interlace.ingestion.versions import Claim

CLAIM = Claim("d", 3, 2, "owner", "job", "upsert", "a.md")
FENCE = {"id": "d", "generation": 3, "attempt": 2, "owner": "owner"}


def ledger(graph: CollectingGraph) -> Ledger:
    return Ledger(graph, lease_seconds=30, max_attempts=3)


def record(identity: str, attempt: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": identity,
        "generation": 1,
        "attempt": attempt,
        "stage": "parsed",
        "jobId": "job",
        "operation": "upsert",
        "sourceUri": f"{identity}.md",
        "mediaType": "text/markdown",
        "checksum": "sum",
        "content": compress(b"text"),
        "metadata": '{"year":1927}',
        **changes,
    }


def test_a_claim_asks_for_a_lease_in_a_fixed_order_and_reads_the_upload() -> None:
    graph = CollectingGraph({"ingestion_records/claim_records": [record("a", 1), record("b", 2, content=None)]})
    claims = ledger(graph).claim("t", ["b", "a"])
    ((name, params),) = graph.ran
    assert name == "ingestion_records/claim_records"
    assert params == {"tenant": "t", "ids": ["a", "b"], "owner": claims[0].owner, "leaseMs": 30_000}
    assert [(claim.id, claim.content, claim.metadata) for claim in claims] == [
        ("a", b"text", {"year": 1927}),
        ("b", b"", {"year": 1927}),
    ]


def test_a_record_whose_attempts_are_used_up_is_quarantined_and_not_claimed() -> None:
    graph = CollectingGraph({"ingestion_records/claim_records": [record("a", 4), record("b", 3)]})
    claims = ledger(graph).claim("t", ["a", "b"])
    assert [claim.id for claim in claims] == ["b"]
    (failed,) = graph.params_of("ingestion_records/fail_records")
    assert failed == {
        "tenant": "t",
        "claim": {"id": "a", "generation": 1, "attempt": 4, "owner": claims[0].owner},
        "stage": "quarantined",
        "reason": "crash",
        "message": "Its worker died 3 times while working on it, last after stage 'parsed'.",
        "retryMs": None,
    }


def test_every_transition_is_fenced_by_upload_attempt_and_owner() -> None:
    graph = CollectingGraph()
    book = ledger(graph)
    book.advance("t", [CLAIM], "parsed")
    book.renew("t", [CLAIM])
    book.release("t", [CLAIM], "Neo4j is away.")
    assert graph.ran == [
        ("ingestion_records/advance_records", {"tenant": "t", "claims": [FENCE], "stage": "parsed", "leaseMs": 30_000}),
        ("ingestion_records/renew_leases", {"tenant": "t", "claims": [FENCE], "leaseMs": 30_000}),
        (
            "ingestion_records/release_records",
            {"tenant": "t", "claims": [FENCE], "message": "Neo4j is away.", "retryMs": 5_000},
        ),
    ]


def test_a_passing_fault_is_retried_with_backoff_until_the_attempts_are_used_up() -> None:
    graph = CollectingGraph()
    for attempt in (1, 2, 3):
        ledger(graph).retry_later("t", Claim("d", 1, attempt, "o", "j", "upsert", "a.md"), "It broke.")
    failed = graph.params_of("ingestion_records/fail_records")
    assert [(each["stage"], each["reason"], each["retryMs"]) for each in failed] == [
        ("received", "retry", 2_000),
        ("received", "retry", 4_000),
        ("quarantined", "failed", None),
    ]


def test_records_tried_before_are_distinguished_from_new_ones() -> None:
    rows = [{"id": "a", "attempt": 0}, {"id": "b", "attempt": 2}, {"id": "c", "attempt": 0}]
    graph = CollectingGraph({"ingestion_records/attempted_records": rows})
    assert ledger(graph).split("t", ["a", "b", "c", "gone"]) == (["a", "c"], ["b"])


def test_an_upload_is_the_same_after_the_ledger() -> None:
    assert decompress(compress(b"bytes" * 100)) == b"bytes" * 100
    assert decompress(None) == b""


def test_the_delay_doubles_with_each_attempt() -> None:
    graph = CollectingGraph()
    patient = Ledger(graph, lease_seconds=30, max_attempts=6)
    for attempt in range(1, 6):
        patient.retry_later("t", Claim("d", 1, attempt, "o", "j", "upsert", "a.md"), "It broke.")
    delays = [each["retryMs"] for each in graph.params_of("ingestion_records/fail_records")]
    assert delays == [2_000, 4_000, 8_000, 16_000, 32_000]


@pytest.mark.parametrize("seconds", [30, 1.5, 0.25])
def test_a_lease_is_given_in_seconds_and_asked_for_in_milliseconds(seconds: float) -> None:
    graph = CollectingGraph({"ingestion_records/claim_records": [record("d", 1)]})
    made = Ledger(graph, lease_seconds=seconds, max_attempts=3)
    assert made.lease_seconds == seconds
    made.claim("t", ["d"])
    assert graph.params_of("ingestion_records/claim_records")[0]["leaseMs"] == 1000 * seconds
