"""External servers: their addresses are set, so the local stack does not start its own."""

from urllib.parse import urlsplit

from interlace.settings import Settings

# Not ``::1``: the stack's servers listen on 127.0.0.1 only.
_LOCAL = frozenset({"127.0.0.1", "localhost"})
_BOLT, _REDIS = 7687, 6379


def external_servers(settings: Settings) -> frozenset[str]:
    """Return which of ``neo4j``, ``qdrant`` and ``redis`` have an address that points to a server outside the local stack."""
    neo4j, qdrant, redis, ports = settings.neo4j, settings.qdrant, settings.redis, settings.stack.ports
    # The address may be set to the stack's own server, for example to include its password.
    ours = {
        "neo4j": "uri" not in neo4j.model_fields_set or _is_local(neo4j.uri, ports.bolt, _BOLT),
        "qdrant": "url" not in qdrant.model_fields_set or _is_local(qdrant.url, ports.qdrant),
        "redis": not redis.master  # the stack has no sentinels
        and ("url" not in redis.model_fields_set or _is_local(redis.url.get_secret_value(), ports.redis, _REDIS)),
    }
    return frozenset(name for name, local in ours.items() if not local)


def _is_local(address: str, port: int, usual: int | None = None) -> bool:
    """Return whether an address leads to a port of this machine; ``usual`` is the port where it names none."""
    try:
        host, named = (parts := urlsplit(address)).hostname, parts.port
    except ValueError:  # not an address; whoever connects to it says so
        return False
    return host in _LOCAL and (named or usual) == port
