"""External servers: their addresses are set, so the local stack does not start its own."""

from pydantic import SecretStr

from interlace.settings import Settings


def external_servers(settings: Settings) -> frozenset[str]:
    """Return which of ``neo4j``, ``qdrant`` and ``redis`` have an address that points to a server outside the local stack."""
    # The address may be set to the stack's own server, for example to include its password.
    ports = settings.stack.ports
    addresses = {
        "neo4j": (settings.neo4j, "uri", f"127.0.0.1:{ports.bolt}"),
        "qdrant": (settings.qdrant, "url", f"127.0.0.1:{ports.qdrant}"),
        "redis": (settings.redis, "url", f"127.0.0.1:{ports.redis}"),
    }
    external = frozenset(
        name
        for name, (group, field, local) in addresses.items()
        if field in group.model_fields_set
        and local not in _text(getattr(group, field)).replace("localhost", "127.0.0.1")
    )
    return external | {"redis"} if settings.redis.master else external  # the stack has no sentinels


def _text(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)
