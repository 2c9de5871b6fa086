"""Which servers the user runs elsewhere: their addresses are set, so the local stack leaves them alone."""

from pydantic import SecretStr

from interlace.settings import Settings


def external_servers(settings: Settings) -> frozenset[str]:
    """Return those of ``neo4j``, ``qdrant`` and ``redis`` whose address was set to anything but the local stack's own."""
    stack = settings.stack
    addresses = {
        "neo4j": (settings.neo4j, "uri", f"127.0.0.1:{stack.bolt_port}"),
        "qdrant": (settings.qdrant, "url", f"127.0.0.1:{stack.qdrant_port}"),
        "redis": (settings.redis, "url", f"127.0.0.1:{stack.redis_port}"),
    }
    return frozenset(
        name
        for name, (group, field, local) in addresses.items()
        if field in group.model_fields_set
        and local not in _text(getattr(group, field)).replace("localhost", "127.0.0.1")
    )


def _text(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)
