"""Clients of Redis: of the server that the settings name, or of the one that their sentinels call the master."""

from collections.abc import Sequence
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel

from interlace.settings import RedisSettings, SentinelAddress


def redis_client(settings: RedisSettings, timeout: float) -> redis.Redis:
    """Return a client that connects on first use, and with sentinels again to whichever server is the master by then.

    Each connection and each answer may take ``timeout`` seconds.
    """
    timeouts = {"socket_connect_timeout": timeout, "socket_timeout": timeout}
    address = settings.sentinels
    if address is None:
        return redis.Redis.from_url(settings.url.get_secret_value(), decode_responses=True, **timeouts)
    sentinel = Sentinel(  # type: ignore[no-untyped-call]
        address.sentinels,
        sentinel_kwargs=sentinel_options(address, timeout),
        username=address.user or None,
        password=address.password or None,
        db=address.database,
        decode_responses=True,
        **timeouts,
    )
    client: _MasterClient = sentinel.master_for(settings.master, redis_class=_MasterClient)  # type: ignore[no-untyped-call]
    client.sentinels = sentinel.sentinels
    return client


class _MasterClient(redis.Redis):
    """A client of the master that closes its connections to sentinels too."""

    sentinels: Sequence[redis.Redis] = ()

    def close(self) -> None:
        super().close()
        for sentinel in self.sentinels:
            sentinel.close()


def sentinel_options(address: SentinelAddress, timeout: float) -> dict[str, Any]:
    """Return the options of connections to sentinels, of which a silent one gives way to the next at once.

    Each connection and each answer may take ``timeout`` seconds.
    """
    options = {"socket_connect_timeout": timeout, "socket_timeout": timeout, "retry": Retry(NoBackoff(), 0)}
    # A sentinel without a password accepts any one, if it comes with the name of the default user.
    return {**options, "username": "default", "password": address.password} if address.password else options
