"""The task queue over Celery and Redis."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar
from urllib.parse import urlsplit

import redis
from celery import Celery
from kombu.exceptions import OperationalError

from interlace.adapters.redis.celery_app import INGEST, REBUILD, REFRESH, celery_app
from interlace.domain.errors import UnavailableError
from interlace.settings import RedisSettings, WorkerSettings

T = TypeVar("T")
_CONNECT_SECONDS = 3


class CeleryQueue:
    """Enqueues tasks; connects when first used."""

    def __init__(self, settings: RedisSettings, worker: WorkerSettings, app: Celery | None = None) -> None:
        self._url = settings.url.get_secret_value()
        self._app = app or celery_app(settings, worker)
        self._client: redis.Redis | None = None

    def ingest(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        """Ask workers to process these batches of document ids."""
        with self._answering(), self._app.producer_or_acquire() as producer:
            for batch in batches:
                self._app.send_task(INGEST, kwargs={"tenant": tenant, "ids": list(batch)}, producer=producer)

    def refresh_communities(self, tenant: str) -> None:
        """Ask a worker to refresh the tenant's communities."""
        with self._answering():
            self._app.send_task(REFRESH, kwargs={"tenant": tenant})

    def rebuild_vectors(self, tenant: str) -> None:
        """Ask a worker to make the vectors that chunks of the tenant lack."""
        with self._answering():
            self._app.send_task(REBUILD, kwargs={"tenant": tenant})

    def depth(self) -> int:
        """Return how many ingestion tasks wait for a worker."""
        return self._ask(lambda client: int(client.llen("ingest")))

    def ping(self) -> float:
        """Return the seconds one round trip takes."""
        started = time.perf_counter()
        self._ask(lambda client: int(bool(client.ping())))
        return time.perf_counter() - started

    def incarnation(self) -> str:
        """Return the server's own name for its present run; it changes when the server is started again."""
        return self._ask(lambda client: str(client.info("server")["run_id"]))

    def close(self) -> None:
        """Close all connections."""
        if self._client is not None:
            self._client.close()
        self._app.close()

    def _ask(self, question: Callable[["redis.Redis"], T]) -> T:
        if self._client is None:
            self._client = redis.Redis.from_url(
                self._url, socket_connect_timeout=_CONNECT_SECONDS, socket_timeout=_CONNECT_SECONDS
            )
        with self._answering():
            return question(self._client)

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except (OperationalError, redis.RedisError, OSError) as error:
            address = urlsplit(self._url)
            raise UnavailableError(
                f"Redis at {address.hostname}:{address.port or 6379} does not answer; is it running? `interlace doctor` checks. "
                "What was received is kept and will be processed when it is back."
            ) from error
