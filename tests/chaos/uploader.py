"""A client of the HTTP API that does not give up: it sends each batch under a key of its own until it is accepted."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

import httpx

_PAUSE_SECONDS = 0.2
_ANSWER_SECONDS = 30.0


class Uploader:
    """Uploads batches in a thread, one after another, each when it is wanted.

    Args:
        url: address of the API.
        tenant: whose documents.
        batches: the documents of each request.
        wanted: tells, given the documents sent so far, whether the next batch is to follow.
        key: names this run; a batch's idempotency key is made of it and the batch's number.
    """

    def __init__(
        self,
        url: str,
        tenant: str,
        batches: Sequence[Sequence[dict[str, str]]],
        *,
        wanted: Callable[[int], bool],
        key: str,
    ) -> None:
        self._url, self._tenant, self._batches, self._wanted, self._key = url, tenant, batches, wanted, key
        self.jobs: list[str] = []
        self.received: list[int] = []
        self.repeated = 0
        self.error: BaseException | None = None
        self.posting = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="uploader", daemon=True)

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, whatever is left."""
        self._stop.set()
        self._thread.join(2 * _ANSWER_SECONDS)
        assert not self._thread.is_alive()

    @property
    def done(self) -> bool:
        """Whether every batch was accepted."""
        if self.error is not None:
            raise self.error
        return len(self.jobs) == len(self._batches)

    def _run(self) -> None:
        try:
            with httpx.Client(base_url=self._url, timeout=_ANSWER_SECONDS) as client:
                for number, batch in enumerate(self._batches):
                    while not self._stop.is_set() and not self._wanted(sum(map(len, self._batches[:number]))):
                        time.sleep(_PAUSE_SECONDS)
                    accepted = self._send(client, number, batch)
                    if accepted is None:
                        return
                    self.jobs.append(accepted["job_id"])
                    self.received.append(accepted["received"])
        except BaseException as error:  # noqa: BLE001 - passed on to the test, which waits in another thread
            self.error = error

    def _send(self, client: httpx.Client, number: int, batch: Sequence[dict[str, str]]) -> dict[str, Any] | None:
        headers = {"X-Interlace-Tenant": self._tenant, "Idempotency-Key": f"{self._key}-{number}"}
        while not self._stop.is_set():
            self.posting.set()
            try:
                answer = client.post("/v1/documents", json={"documents": batch}, headers=headers)
            except httpx.TransportError:
                answer = None
            finally:
                self.posting.clear()
            if answer is not None and answer.status_code == httpx.codes.ACCEPTED:
                accepted: dict[str, Any] = answer.json()
                return accepted
            assert answer is None or answer.status_code == httpx.codes.SERVICE_UNAVAILABLE, answer.text
            self.repeated += 1
            time.sleep(_PAUSE_SECONDS)
        return None
