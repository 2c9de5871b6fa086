"""Documents in, over the HTTP API: the same files and the same source URIs as by ``interlace ingest``."""

import base64
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from more_itertools import constrained_batches

from interlace.client.arguments import path_part, several
from interlace.client.http import Http
from interlace.domain.documents import LOCAL_FILE, TAGS, Source
from interlace.domain.errors import ParseError, UnavailableError

_MAX_DOCUMENTS = 500
_MAX_BYTES = 16_000_000
_ASK_SECONDS = 0.5
_FINISHED = frozenset({"done", "cancelled"})


@dataclass(frozen=True, slots=True)
class IngestionClient:
    """Ingests: ``interlace.ingestion.files("notes")``."""

    http: Http

    def files(self, *paths: str | Path, tags: Sequence[str] = (), timeout: float = 600) -> dict[str, Any]:
        """Ingest files and folders and wait until they are ready.

        Args:
            paths: files and folders.
            tags: tags of every document.
            timeout: seconds to wait; 0 to return at once.

        Returns:
            ``jobs``, the ids of the jobs that do it; ``received`` and ``unchanged``, numbers of documents; ``failed``, those that cannot be
            read, each with its ``source_uri`` and ``message``.

        Raises:
            UnavailableError: they were not ready in time; the jobs go on.
        """
        from interlace.parsing.sandbox.limits import ParseLimits
        from interlace.parsing.sources import find_sources

        labels = several("tags", tags)
        found = list(find_sources([Path(path) for path in paths], limits=ParseLimits()))
        failed = [{"source_uri": each.uri, "message": each.message} for each in found if isinstance(each, ParseError)]
        return self._send((_body(each, labels) for each in found if isinstance(each, Source)), failed, timeout)

    def text(self, source_uri: str, text: str, *, tags: Sequence[str] = (), timeout: float = 600) -> dict[str, Any]:
        """Ingest a text under a source URI and wait until it is ready; as ``files``."""
        labels = several("tags", tags)
        body = {"source_uri": source_uri, "text": text, "metadata": {TAGS: labels} if labels else {}}
        return self._send([body], [], timeout)

    def job(self, job_id: str) -> dict[str, Any]:
        """Return the state of a job."""
        found: dict[str, Any] = self.http.get(f"/v1/jobs/{path_part('job', job_id)}")
        return found

    def _send(
        self, documents: Iterable[dict[str, Any]], failed: list[dict[str, str]], timeout: float
    ) -> dict[str, Any]:
        jobs: list[str] = []
        received = unchanged = 0
        for batch in constrained_batches(documents, _MAX_BYTES, max_count=_MAX_DOCUMENTS, get_len=_size, strict=False):
            accepted = self.http.post("/v1/documents", {"documents": batch})
            jobs.append(accepted["job_id"])
            received, unchanged = received + accepted["received"], unchanged + accepted["unchanged"]
            failed += [{"source_uri": each["source_uri"], "message": each["message"]} for each in accepted["errors"]]
        if timeout:
            deadline = time.monotonic() + timeout
            for job in jobs:
                state = self._wait(job, deadline)
                failed += [{"source_uri": each["source_uri"], "message": each["message"]} for each in state["failures"]]
        return {"jobs": jobs, "received": received, "unchanged": unchanged, "failed": failed}

    def _wait(self, job_id: str, deadline: float) -> dict[str, Any]:
        while (state := self.job(job_id))["state"] not in _FINISHED:
            if time.monotonic() > deadline:
                raise UnavailableError(f"Job {job_id} is not done yet; `ingestion.job({job_id!r})` shows its progress.")
            time.sleep(_ASK_SECONDS)
        return state


def _body(source: Source, tags: Sequence[str]) -> dict[str, Any]:
    # The path of a file on this machine is nothing to a server, which refuses it.
    metadata = {key: value for key, value in source.metadata.items() if key != LOCAL_FILE}
    if tags:
        metadata[TAGS] = [*metadata.get(TAGS, ()), *tags]
    return {
        "source_uri": source.uri,
        "media_type": source.media_type,
        "content_base64": base64.b64encode(source.content).decode(),
        "metadata": metadata,
    }


def _size(document: dict[str, Any]) -> int:
    return len(document.get("content_base64") or document.get("text", ""))
