"""Stand-ins for the services that the API and the command line call: they remember what they were asked and answer alike.

What the services promise is tested elsewhere, against real servers.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interlace.domain.documents import Source
from interlace.domain.errors import NotFoundError, ParseError
from interlace.domain.hits import QueryRequest, QueryResponse
from interlace.ingestion.preview import ChunkCounts, DocumentPreview, IngestPreview, UnreadableDocument
from interlace.ingestion.receiver import Receipt
from interlace.jobs.service import JobStatus

RUNNING = JobStatus(
    id="j1",
    kind="ingest",
    state="running",
    total=2,
    ready=1,
    deleted=0,
    failed=0,
    unchanged=0,
    chunks=3,
    extracted=3,
    mentions=5,
    facts=1,
    stages={"received": 1},
    seconds=1.0,
    rate=1.0,
    eta_seconds=1.0,
    failures=(),
    unreadable=(),
)


@dataclass
class MemoryReceiver:
    """Remembers what came in.

    Args:
        known: beginning of source URIs, or file, to the documents found by it: id to source URI.
    """

    known: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    calls: list[tuple[str, list[Any], str | None]] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    searches: list[dict[str, Any]] = field(default_factory=list)
    deletions: list[tuple[str, list[str]]] = field(default_factory=list)

    @property
    def received(self) -> list[Any]:
        """What came in last."""
        return self.calls[-1][1] if self.calls else []

    def receive(
        self, tenant: str, sources: Iterable[Source | ParseError], job_id: str | None = None, owner: str = ""
    ) -> Receipt:
        found = list(sources)
        self.calls.append((tenant, found, job_id))
        self.owners.append(owner)
        good = [source for source in found if isinstance(source, Source)]
        return Receipt(job_id or "j1", len(good), 0, [error for error in found if not isinstance(error, Source)])

    def find(self, _: str, *, source_prefix: str | None = None, file: str | None = None) -> dict[str, str]:
        which = {"source_prefix": source_prefix, "file": file}
        self.searches.append({name: value for name, value in which.items() if value is not None})
        return dict(self.known.get(source_prefix or file or "", {}))

    def delete(self, tenant: str, *, ids: Sequence[str] = (), everything: bool = False, owner: str = "") -> Receipt:
        self.owners.append(owner)
        self.deletions.append((tenant, ["everything"] if everything else list(ids)))
        return Receipt("j2", len(ids))


@dataclass
class MemoryPreviewer:
    """Takes every document that can be read for one of the same change.

    Args:
        change: what happens to each.
        counts: the chunks of each.
    """

    change: Any = "added"
    counts: ChunkCounts = field(default_factory=lambda: ChunkCounts(added=1))

    def preview(
        self, _: str, sources: Iterable[Source | ParseError], vanished: Callable[[], Sequence[str]] = tuple
    ) -> IngestPreview:
        found = list(sources)
        good = [source.uri for source in found if isinstance(source, Source)]
        bad = [error for error in found if not isinstance(error, Source)]
        changes = {"added": 0, "changed": 0, "unchanged": 0} | {self.change: len(good)}
        return IngestPreview(
            **changes,
            removed=len(vanished()),
            chunks=self.counts,
            words=1234,
            llm_tokens=0,
            llm_price=0.0,
            documents=tuple(DocumentPreview(uri, self.change, self.counts) for uri in good),
            failures=tuple(UnreadableDocument(error.uri, error.reason, error.message) for error in bad),
        )


@dataclass
class MemoryJobs:
    """Gives prepared states one after the other, the last one for ever.

    Args:
        states: the states.
        listed: all jobs.
    """

    states: Iterator[JobStatus] = field(default_factory=lambda: itertools.repeat(RUNNING))
    listed: Sequence[JobStatus] = (RUNNING,)
    owners: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, *states: JobStatus) -> "MemoryJobs":
        """Return jobs that give these states."""
        return cls(itertools.chain(states, itertools.repeat(states[-1])))

    def status(self, _: str, job_id: str) -> JobStatus:
        if job_id == "none":
            raise NotFoundError("There is no job none.")
        return replace(next(self.states), id=job_id)

    def owned(self, _: str, job_id: str, owner: str) -> bool:
        return self.owners.get(job_id) == owner

    def list(self, _: str, limit: int) -> Sequence[JobStatus]:
        return self.listed[:limit]

    def cancel(self, _: str, job_id: str) -> JobStatus:
        return replace(RUNNING, id=job_id, state="cancelled")


@dataclass
class MemoryQuestions:
    """Answers every question alike, or fails.

    Args:
        response: the answer.
    """

    response: QueryResponse
    asked: list[tuple[str, QueryRequest]] = field(default_factory=list)
    failure: Exception | None = None

    def search(self, tenant: str, request: QueryRequest) -> QueryResponse:
        self.asked.append((tenant, request))
        if self.failure:
            raise self.failure
        return self.response
