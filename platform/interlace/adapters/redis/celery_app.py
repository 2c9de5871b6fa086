"""The Celery application: names, queues and delivery rules, the same for producers and workers."""

from typing import Any

from celery import Celery
from celery.exceptions import SoftTimeLimitExceeded
from kombu.utils.url import as_url

from interlace.adapters.redis.client import sentinel_options
from interlace.settings import RedisSettings, WorkerSettings

INGEST = "ingest.batch.v1"
ENRICH = "enrich.tenant.v1"
SWEEP = "maintain.sweep.v1"
RECONCILE = "maintain.reconcile.v1"
REFRESH = "communities.refresh.v1"
REFRESH_ALL = "communities.refresh-all.v1"
REBUILD = "vectors.rebuild.v1"
REMOVE = "maintain.remove-tenant.v1"
EMBED = "vectors.embed-entities.v1"
TENANT_TASKS = {
    "refresh_communities": REFRESH,
    "enrich": ENRICH,
    "rebuild_vectors": REBUILD,
    "embed_entities": EMBED,
    "remove_tenant": REMOVE,
}
INGEST_QUEUE = "ingest"
RETRY_QUEUE = "retry"
"""Holds ingestion tasks of documents that were taken before. Workers alternate between their queues, so these wait behind no import."""

# Seconds after which Redis redelivers an unacknowledged task: above the hard limit, so that no task runs twice at once, and
# a constant, because the shortest value among all users of the broker wins.
_TRANSPORT = {"visibility_timeout": 3600, "socket_timeout": 10, "socket_connect_timeout": 3}
_SWEEP_SECONDS = 10.0  # at most, between sweeps for what is due or abandoned
# At least, until a task that no worker takes expires: its sender's clock says when, and that of the worker says what time it is.
_EXPIRY_SECONDS = 300.0
_RECONCILE_SECONDS = 3600.0  # between checks that graph and vector index agree
_COMMUNITIES_SECONDS = 900.0  # between checks for tenants whose communities are out of date
SOFT_LIMIT: tuple[type[Exception], float] = (SoftTimeLimitExceeded, 900)
"""The error that interrupts a task, and after how many seconds."""
_HARD_LIMIT = 960


def celery_app(redis: RedisSettings, worker: WorkerSettings) -> Celery:
    """Return the configured application. Tasks carry only ids, results are ignored: state is in the graph."""
    app = Celery("interlace")
    app.conf.update(
        **_servers(redis),
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        task_soft_time_limit=SOFT_LIMIT[1],
        task_time_limit=_HARD_LIMIT,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        task_default_queue=INGEST_QUEUE,
        task_routes={
            "ingest.*": {"queue": INGEST_QUEUE},
            "enrich.*": {"queue": "enrich"},
            "communities.*": {"queue": "communities"},
            "vectors.*": {"queue": "communities"},
            "maintain.*": {"queue": "maintain"},
        },
        task_publish_retry=True,
        task_publish_retry_policy={"max_retries": 2, "interval_start": 0.2, "interval_step": 0.3},
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        worker_concurrency=worker.processes,
    )
    return app


def _servers(redis: RedisSettings) -> dict[str, Any]:
    """Return where the queue and the schedule are, each in the words of its library."""
    address = redis.sentinels
    if address is None:
        url = redis.url.get_secret_value()
        return {"broker_url": url, "broker_transport_options": dict(_TRANSPORT), "redbeat_redis_url": url}
    asking = sentinel_options(address, _TRANSPORT["socket_connect_timeout"])
    # Kombu goes from one address to the next, and takes user, password and database from that one.
    urls = [
        as_url("sentinel", host, port, address.user, address.password, str(address.database))
        for host, port in address.sentinels
    ]
    return {
        "broker_url": ";".join(urls),
        "broker_transport_options": {**_TRANSPORT, "master_name": redis.master, "sentinel_kwargs": asking},
        "redbeat_redis_url": "redis-sentinel://",
        "redbeat_redis_options": {
            "sentinels": address.sentinels,
            "service_name": redis.master,
            "username": address.user or None,
            "password": address.password or None,
            "db": address.database,
            "socket_timeout": _TRANSPORT["socket_timeout"],
            "sentinel_kwargs": asking,
        },
    }


def schedule(lease_seconds: float) -> dict[str, Any]:
    """Return the scheduler's entries; a task that no worker took before the next one is due expires, but not within minutes."""
    sweep = min(_SWEEP_SECONDS, lease_seconds / 3)
    every = {SWEEP: sweep, RECONCILE: _RECONCILE_SECONDS, REFRESH_ALL: _COMMUNITIES_SECONDS}
    return {
        name: {"task": name, "schedule": pause, "options": {"expires": max(pause, _EXPIRY_SECONDS)}}
        for name, pause in every.items()
    }
