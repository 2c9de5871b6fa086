"""What becomes of claims when work on them fails: given back, retried or quarantined, and never kept."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from structlog.contextvars import bound_contextvars, get_contextvars
from tests.contract.fakes_vectors import FakeVectorIndex
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.documents import Chunk, ParsedDocument, Section, Source
from interlace.domain.errors import InterlaceError, ParseError, RefusedSettingsError, UnavailableError
from interlace.domain.extraction import Extraction
from interlace.entities.linker import EntityLinkers
from interlace.ingestion.failures import TimeLimit
from interlace.ingestion.ledger import Ledger, compress
from interlace.ingestion.older_chunks import OlderChunks
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.processor import BatchProcessor
from interlace.ingestion.reader import Models
from interlace.ingestion.writer import GraphWriter
from interlace.ports.graph import Row
from interlace.vectors.restoration import Restorer

TEXT = "Ada met Bob."
RECORD = {
    "id": "d1",
    "generation": 1,
    "attempt": 1,
    "stage": "received",
    "jobId": "job",
    "operation": "upsert",
    "sourceUri": "ada.md",
    "mediaType": "text/markdown",
    "checksum": "sum",
    "content": compress(TEXT.encode()),
    "metadata": "{}",
}


class OneParser:
    """Gives the same answer for every source."""

    def __init__(self, answer: ParsedDocument | ParseError) -> None:
        self._answer = answer

    def parse(self, sources: Sequence[Source]) -> list[ParsedDocument | ParseError]:
        return [self._answer for _ in sources]


class AwayVectors(FakeVectorIndex):
    """An index that does not answer."""

    def ping(self) -> float:
        raise UnavailableError("Qdrant does not answer.")


PARSED = ParsedDocument("Ada", TEXT, (Section("", (), 0, 0, 0, len(TEXT)),))


def models(answer: ParsedDocument | ParseError = PARSED) -> Models:
    return Models(
        parser=OneParser(answer),
        chunker=lambda document, _: (Chunk("c1", document, ("Ada",), 0, 0, TEXT, 0, len(TEXT), 4),),
        extract=lambda chunks: [Extraction() for _ in chunks],
        embedders=(),
        fingerprint="f",
    )


@pytest.fixture
def graph() -> CollectingGraph:
    return CollectingGraph(
        {
            "ingestion_records/attempted_records": lambda **params: [
                {"id": name, "attempt": 0} for name in params["ids"]
            ],
            "ingestion_records/claim_records": [RECORD],
            "ingestion_records/fence_records": [{"id": "d1"}],
            "ingestion_records/finish_records": [{"id": "d1"}],
            "tenants/lock_tenant": [{"version": 1}],
            "outbox/clear_pending_points": [{"id": "entry"}],
        }
    )


@pytest.fixture
def made() -> Iterator[list[BatchProcessor]]:
    processors: list[BatchProcessor] = []
    yield processors
    for processor in processors:
        processor.close()


def processor(
    made: list[BatchProcessor],
    graph: CollectingGraph,
    vectors: Any = None,
    answer: ParsedDocument | ParseError = PARSED,
    read_by: Models | None = None,
    limit: TimeLimit = (TimeoutError, 900),
) -> BatchProcessor:
    index, linkers = vectors or FakeVectorIndex(), EntityLinkers(graph)
    made.append(
        BatchProcessor(
            graph,
            index,
            Ledger(graph, lease_seconds=30, max_attempts=3),
            Outbox(graph, index, Restorer(graph, index, lambda: ())),
            GraphWriter(graph, linkers, []),
            OlderChunks(graph, linkers),
            read_by or models(answer),
            limit,
        )
    )
    return made[-1]


class OutOfTimeError(Exception):
    """What interrupts a task that runs too long."""


def stages(graph: CollectingGraph) -> list[str]:
    return [params["stage"] for params in graph.params_of("ingestion_records/advance_records")]


def test_points_are_entered_and_written_before_the_graph(made: list[BatchProcessor], graph: CollectingGraph) -> None:
    vectors = FakeVectorIndex()
    outcome = processor(made, graph, vectors).process("t", ["d1"])
    assert outcome.written == ("d1",)
    assert [point.id for point in vectors.scroll("t", "chunks")] == ["c1"]
    names = [name for name, _ in graph.ran]
    assert names.index("outbox/write_outbox") < names.index("tenants/lock_tenant") < names.index("outbox/due_outbox")
    assert stages(graph) == ["parsed", "extracted", "projected"]


def test_log_lines_of_both_threads_name_the_job(made: list[BatchProcessor], graph: CollectingGraph) -> None:
    seen: list[tuple[str, Any]] = []

    def saw(place: str) -> Callable[..., Sequence[Row]]:
        def answer(**_: Any) -> Sequence[Row]:
            seen.append((place, get_contextvars()))
            return []

        return answer

    graph.answers["versions/held_chunks"] = saw("read")
    graph.answers["versions/write_chunks"] = saw("write")
    with bound_contextvars(task_id="t1"):
        processor(made, graph).process("t", ["d1"])
        assert get_contextvars() == {"task_id": "t1"}
    expected = {"task_id": "t1", "tenant": "t", "job": "job"}
    assert seen == [("read", expected), ("write", expected)]


def test_a_document_that_cannot_be_read_is_quarantined_with_its_reason(
    made: list[BatchProcessor], graph: CollectingGraph
) -> None:
    error = ParseError("It is encrypted.", reason="encrypted")
    graph.answers["ingestion_records/fence_records"] = []
    assert processor(made, graph, answer=error).process("t", ["d1"]).written == ()
    (failed,) = graph.params_of("ingestion_records/fail_records")
    assert (failed["stage"], failed["reason"], failed["message"]) == ("quarantined", "encrypted", "It is encrypted.")


def test_an_outage_gives_claims_back_without_counting_the_attempt(
    made: list[BatchProcessor], graph: CollectingGraph
) -> None:
    with pytest.raises(UnavailableError):
        processor(made, graph, AwayVectors()).process("t", ["d1"])
    (released,) = graph.params_of("ingestion_records/release_records")
    assert released["message"] == "Qdrant does not answer."
    assert graph.params_of("ingestion_records/fail_records") == []


def test_refused_credentials_give_claims_back_even_if_all_servers_answer_again(
    made: list[BatchProcessor], graph: CollectingGraph
) -> None:
    """A password that was changed on one side first must not use up the attempts of documents."""

    class LockedVectors(FakeVectorIndex):
        def __init__(self) -> None:
            super().__init__()
            self.asked = 0

        def ping(self) -> float:
            self.asked += 1
            if self.asked == 1:
                raise RefusedSettingsError("Qdrant refuses the API key.")
            return super().ping()

    with pytest.raises(RefusedSettingsError):
        processor(made, graph, LockedVectors()).process("t", ["d1"])
    (released,) = graph.params_of("ingestion_records/release_records")
    assert released["message"] == "Qdrant refuses the API key."
    assert graph.params_of("ingestion_records/fail_records") == []


def test_what_could_not_be_given_back_is_given_back_before_the_next_batch(
    made: list[BatchProcessor], graph: CollectingGraph
) -> None:
    vectors = AwayVectors()
    busy = processor(made, graph, vectors)
    graph.answers["ingestion_records/release_records"] = UnavailableError("Neo4j does not answer.")
    with pytest.raises(UnavailableError):
        busy.process("t", ["d1"])
    graph.answers["ingestion_records/release_records"] = ()
    graph.answers["ingestion_records/claim_records"] = ()
    busy.process("t", ["d2"])
    assert [params["claims"][0]["id"] for params in graph.params_of("ingestion_records/release_records")] == ["d1"] * 2


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (UnavailableError("The transaction is too large."), "The transaction is too large."),
        (InterlaceError("It is odd."), "It is odd."),
        (ValueError("x"), "ValueError: x"),
    ],
)
def test_a_fault_of_the_documents_is_retried_later(
    made: list[BatchProcessor], graph: CollectingGraph, error: Exception, message: str
) -> None:
    def fail(**_: Any) -> list[Any]:
        raise error

    graph.answers["versions/write_documents"] = fail
    if isinstance(error, UnavailableError):
        # Both servers answer, so the document itself is what they do not digest.
        with pytest.raises(UnavailableError):
            processor(made, graph).process("t", ["d1"])
    else:
        processor(made, graph).process("t", ["d1"])
    (failed,) = graph.params_of("ingestion_records/fail_records")
    assert (failed["stage"], failed["reason"], failed["message"]) == ("received", "retry", message)


@pytest.mark.parametrize(
    ("seconds", "others", "outcome"),
    [
        (
            0.02,
            [],
            (
                "quarantined",
                "limit",
                "It takes longer than the 0.02 s that a task may. Split it into several documents.",
            ),
        ),
        (900, [], ("received", "retry", "OutOfTimeError: ")),  # another document of the task took the time
        (0.02, ["d2"], ("received", "retry", "OutOfTimeError: ")),
    ],
)
def test_a_document_that_takes_longer_than_a_task_is_quarantined_at_once(
    made: list[BatchProcessor], graph: CollectingGraph, seconds: float, others: list[str], outcome: tuple[str, str, str]
) -> None:
    def extract(_: object) -> list[Extraction]:
        time.sleep(0.05)
        raise OutOfTimeError

    graph.answers["ingestion_records/claim_records"] = [RECORD | {"id": name} for name in ["d1", *others]]
    slow, limit = replace(models(), extract=extract), (OutOfTimeError, seconds)
    processor(made, graph, read_by=slow, limit=limit).process("t", ["d1", *others])
    failed = graph.params_of("ingestion_records/fail_records")
    assert {(each["stage"], each["reason"], each["message"]) for each in failed} == {outcome}


def test_a_document_that_was_tried_before_is_claimed_alone(made: list[BatchProcessor], graph: CollectingGraph) -> None:
    graph.answers["ingestion_records/attempted_records"] = [
        {"id": "a", "attempt": 0},
        {"id": "b", "attempt": 1},
        {"id": "c", "attempt": 0},
    ]
    graph.answers["ingestion_records/claim_records"] = ()
    processor(made, graph).process("t", ["a", "b", "c"])
    assert [params["ids"] for params in graph.params_of("ingestion_records/claim_records")] == [["a", "c"], ["b"]]
