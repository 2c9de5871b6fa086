"""Failures between here and Redis, as errors of ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import redis
from kombu.exceptions import OperationalError
from limits.errors import StorageError

from interlace.domain.errors import RefusedSettingsError, UnavailableError

_SETTING = "INTERLACE_REDIS__URL"
_NO_DATABASE = "DB index is out of range"


@contextmanager
def failures(url: str, consequence: str = "") -> Iterator[None]:
    """Turn the exceptions of the client, of Celery's transport and of the rate limiter into ours.

    Args:
        url: the server's address, which may hold a password.
        consequence: a sentence for the end of the message.

    Raises:
        RefusedSettingsError: the server refuses the credentials, or has no such database.
        UnavailableError: no answer, no memory left, or another refusal.
    """
    try:
        yield
    except (OperationalError, StorageError, redis.RedisError, OSError) as error:
        address = urlsplit(url)
        server = f"Redis at {address.hostname}:{address.port or 6379}"
        failure = _translated(server, _refusal(error))
        raise type(failure)(f"{failure.message} {consequence}".rstrip()) from error


def _translated(server: str, refusal: redis.RedisError | None) -> UnavailableError:
    if isinstance(refusal, redis.AuthenticationError | redis.exceptions.NoPermissionError):
        return RefusedSettingsError(
            f"{server} does not accept the user or the password ({refusal}); set {_SETTING}, as in redis://USER:PASSWORD@HOST:6379/0."
        )
    if isinstance(refusal, redis.OutOfMemoryError):
        return UnavailableError(f"{server} has no memory left for tasks: raise its `maxmemory`, or free some.")
    if refusal is None:
        return UnavailableError(f"{server} does not answer; is it running? `interlace doctor` checks.")
    if _NO_DATABASE in str(refusal):
        return RefusedSettingsError(
            f"{server} has no database of this number; set {_SETTING}, as in redis://HOST:6379/0."
        )
    return UnavailableError(f"{server} refuses a command: {refusal}.")


def _refusal(error: BaseException | None) -> redis.RedisError | None:
    """Return the server's answer behind an exception; none where it did not answer."""
    while error is not None:
        if isinstance(error, redis.ResponseError | redis.AuthenticationError):
            return error
        error = error.__cause__ or error.__context__
    return None
