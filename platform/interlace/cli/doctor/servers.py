"""The part of ``interlace doctor`` that calls the servers as services do, with the credentials of the settings."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from interlace.domain.errors import InterlaceError
from interlace.settings import Settings
from interlace_stack.connect import connect
from interlace_stack.doctor import Finding
from interlace_stack.external import external_servers

if TYPE_CHECKING:
    from interlace.ports.queue import TaskQueue

_EVICTS_NOTHING = "noeviction"
_SWEEPS_EXPECTED_SECONDS = 60.0
_PATIENCE_SECONDS = 25.0
"""For how long a sweep is waited for: the scheduler may just have started."""
_POLL_SECONDS = 0.5


def examine_servers(settings: Settings, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield what the servers say to the credentials of the settings, and whether Redis may drop tasks.

    ``findings`` are those of the local stack. A server of its own that does not answer there is not asked again, and one that answers
    is named only if it refuses what the settings say of it.
    """
    if any(each.check == "stack.json" for each in findings):
        return
    external, running = external_servers(settings), {each.check for each in findings if each.level == "ok"}
    settings = connect(settings)
    for name in sorted({"neo4j", "qdrant", "redis"} & (external | running)):
        what = f"{_address(settings, name)}{' (external)' if name in external else ''}"
        try:
            found = _ask(settings, name)
        except InterlaceError as error:
            yield Finding(name, "error", what, error.message)
            continue
        if name in external:
            yield Finding(name, "ok", f"{what} accepts the credentials and answers")
        yield from found


def _ask(settings: Settings, name: str) -> list[Finding]:
    """Call a server, and return what else is to be said of it."""
    from interlace.adapters.redis.queue import CeleryQueue
    from interlace.composition.connections import Connections

    if name == "redis":
        with closing(CeleryQueue(settings.redis, settings.worker)) as queue:
            queue.ping()
            return [*_eviction(queue.eviction_policy()), *_sweeps(queue)]
    connections = Connections(settings)
    with closing(connections.graph if name == "neo4j" else connections.vectors) as server:
        server.ping()
    return []


def _eviction(policy: str) -> Iterator[Finding]:
    if policy not in {"", _EVICTS_NOTHING}:  # some services keep theirs secret
        yield Finding(
            "redis maxmemory-policy",
            "warn",
            f"{policy}: where its memory is full, Redis drops tasks that wait",
            f"Set `maxmemory-policy {_EVICTS_NOTHING}` in its configuration.",
        )


def _sweeps(queue: "TaskQueue") -> Iterator[Finding]:
    """Say where workers run and no sweep does: what dead workers and outages left behind is then never taken up."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while queue.workers():
        since = queue.since_sweep()
        if since is not None and since < _SWEEPS_EXPECTED_SECONDS:
            return
        if time.monotonic() > until:
            last = "for an hour or more" if since is None else f"for {since:.0f} s"
            remedy = (
                "Start the scheduler (`interlace beat`), and have its clock and the workers' agree; workers may also be busy with long tasks. "
                "logs/worker.log of the stack says which tasks were discarded."
            )
            yield Finding("sweeps", "warn", f"none has succeeded {last}, though workers run", remedy)
            return
        time.sleep(_POLL_SECONDS)


def _address(settings: Settings, name: str) -> str:
    """Return host and port, without a password that the address may hold."""
    if name == "redis":
        return settings.redis.place
    return urlsplit(settings.neo4j.uri if name == "neo4j" else settings.qdrant.url).netloc.rpartition("@")[2]
