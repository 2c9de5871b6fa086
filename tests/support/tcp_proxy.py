"""A TCP proxy on loopback that disturbs what it passes on: cut, slow, hung in both directions, or deaf in one."""

import random
import socket
import struct
import threading
from contextlib import suppress
from enum import Enum
from typing import Self

_BLOCK = 65_536
_JOIN_SECONDS = 10.0
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends RST at once
_MAX_DELAY_SECONDS = 0.15


class Fault(Enum):
    """What happens to bytes on their way."""

    NONE = "none"
    CUT = "cut"  # every connection is reset, and so is every new one
    SLOW = "slow"  # each block waits a random while
    HUNG = "hung"  # connections are accepted, and nothing goes either way until the fault is lifted
    DEAF = "deaf"  # requests arrive; answers are lost, and their connections with them once the fault is lifted


class TcpProxy:
    """Listens on a free loopback port and passes connections on to a server.

    Args:
        server: host and port.
        chance: delays are drawn from it.
    """

    def __init__(self, server: tuple[str, int], chance: random.Random) -> None:
        self._server = server
        self._chance = chance
        self._changed = threading.Condition()
        self._fault = Fault.NONE
        self._closing = False
        self._ends: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(self._listener.getsockname()[1])
        self.held = 0

    def __enter__(self) -> Self:
        """Begin to accept."""
        self._spawn(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        """Reset all connections and end all threads."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._reset_all()
        for thread in list(self._threads):
            thread.join(_JOIN_SECONDS)
            assert not thread.is_alive(), f"{thread.name} did not end"

    def set(self, fault: Fault) -> None:
        """Disturb from now on, or no longer."""
        with self._changed:
            self._fault = fault
            self._changed.notify_all()
        if fault is Fault.CUT:
            self._reset_all()

    def _spawn(self, work: object, *arguments: object) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=work, args=arguments, name="tcp-proxy", daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed, or a client that gave up before it was accepted
                if self._closing:
                    return
                continue
            if self._fault is Fault.CUT:
                _reset(client)
                continue
            try:
                server = socket.create_connection(self._server, timeout=5)
            except OSError:
                _reset(client)
                continue
            server.settimeout(None)
            with self._changed:
                self._ends |= {client, server}
            self._spawn(self._pump, client, server, False)
            self._spawn(self._pump, server, client, True)

    def _pump(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        end_of = _reset
        with suppress(OSError):
            while data := source.recv(_BLOCK):
                if not self._let_pass(data, answers=answers):
                    break
                target.sendall(data)
            else:
                end_of = _close  # none of these protocols closes one direction alone; what was sent still arrives
        for end in (source, target):
            end_of(end)
            with self._changed:
                self._ends.discard(end)

    def _let_pass(self, _: bytes, *, answers: bool) -> bool:
        """Wait as long as the fault wants; return whether the block is passed on rather than lost, and its connection with it."""
        if self._fault is Fault.SLOW:
            with self._changed:
                self._changed.wait(self._chance.random() * _MAX_DELAY_SECONDS)
        lost = False
        with self._changed:
            while not self._closing and (self._fault is Fault.HUNG or (answers and self._fault is Fault.DEAF)):
                lost = lost or self._fault is Fault.DEAF
                self.held += 1
                self._changed.wait()
            return not (lost or self._closing or self._fault is Fault.CUT)

    def _reset_all(self) -> None:
        with self._changed:
            ends, self._ends = self._ends, set()
        for end in ends:
            _reset(end)


def _reset(end: socket.socket) -> None:
    """End a connection at once, also for threads that wait on it; what was sent may be lost."""
    with suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    _close(end)


def _close(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
