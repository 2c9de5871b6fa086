"""Ports for the servers of tests."""

import random
import socket

_BEGIN, _END = 15_000, 32_000
"""Below the ports that Linux gives to connections and to whoever asks for any: what a test is given is still free when its server starts."""
_CHANCE = random.SystemRandom()  # two runs side by side may have the same seed


def free_ports(count: int) -> list[int]:
    """Return so many loopback ports on which nothing listens."""
    found = list[int]()
    while len(found) < count:
        port = _CHANCE.randrange(_BEGIN, _END)
        if port not in found and _is_free(port):
            found.append(port)
    return found


def free_port() -> int:
    """Return a loopback port on which nothing listens."""
    return free_ports(1)[0]


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
