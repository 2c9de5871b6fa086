"""Two Redis servers and a sentinel of the tests: child processes on free ports."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis
from tests.support.ports import free_ports
from tests.support.redis_process import PATIENCE_SECONDS, running
from tests.support.waiting import until

MASTER = "queue"
PASSWORD = "of:the/servers"  # with characters that an address must quote


@dataclass(frozen=True)
class Sentinel:
    """A sentinel and the servers that it watches.

    Args:
        port: its own.
        password: its own; empty if it has none.
        servers: the servers by their ports, of which the first is the master at first.
    """

    port: int
    password: str
    servers: dict[int, subprocess.Popen[bytes]]

    def master(self) -> int:
        """Return the port of the master, as the sentinel tells clients of redis-py."""
        with self._client() as sentinel:  # `GET-MASTER-ADDR-BY-NAME`, which they do not use, names a new one earlier
            return int(sentinel.sentinel_master(MASTER)["port"])

    def replace_master(self) -> None:
        """Make the other server the master, with all that the old one holds, and end that one."""
        old = self.master()
        with redis.Redis(port=old, password=PASSWORD) as server:
            until(lambda: server.wait(1, 1000) == 1, PATIENCE_SECONDS)
        until(self._failover_begins, PATIENCE_SECONDS)
        until(lambda: self.master() != old, PATIENCE_SECONDS)
        self.servers[old].terminate()
        self.servers[old].wait(timeout=PATIENCE_SECONDS)

    def _failover_begins(self) -> bool:
        with self._client() as sentinel:
            try:
                sentinel.execute_command("SENTINEL", "FAILOVER", MASTER)
            except redis.ResponseError:  # it does not know the other server yet
                return False
        return True

    def _client(self) -> redis.Redis:
        return redis.Redis(port=self.port, password=self.password or None)


@contextmanager
def sentinel_processes(folder: Path, password: str = "") -> Iterator[Sentinel]:
    """Run the three in a folder, the sentinel with a password if one is given."""
    first, second, port = free_ports(3)
    folders = {each: folder / str(each) for each in (first, second, port)}
    for each in folders.values():
        each.mkdir()
    lines = [f"sentinel monitor {MASTER} 127.0.0.1 {first} 1", f"sentinel auth-pass {MASTER} {PASSWORD}"]
    conf = folders[port] / "sentinel.conf"
    conf.write_text("\n".join([*lines, f"requirepass {password}"] if password else lines), encoding="utf-8")
    secrets = ("--requirepass", PASSWORD, "--masterauth", PASSWORD)
    follow = ("--replicaof", f"127.0.0.1 {first}")
    with (
        running(folders[first], first, *secrets, "--repl-diskless-sync-delay", "0") as master,
        running(folders[second], second, *secrets, *follow) as replica,
        running(folders[port], port, str(conf), "--sentinel") as _,
    ):
        yield Sentinel(port, password, {first: master, second: replica})
