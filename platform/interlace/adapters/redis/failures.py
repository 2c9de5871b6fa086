"""Failures between here and Redis, as errors of ours."""

from collections.abc import Iterator
from contextlib import contextmanager

import redis
from kombu.exceptions import OperationalError
from limits.errors import StorageError
from redis.sentinel import MasterNotFoundError

from interlace.domain.errors import RefusedSettingsError, UnavailableError
from interlace.settings import RedisSettings

_SETTING = "INTERLACE_REDIS__URL"
_NO_DATABASE = "DB index is out of range"


@contextmanager
def failures(settings: RedisSettings, consequence: str = "") -> Iterator[None]:
    """Turn the exceptions of the client, of Celery's transport and of the rate limiter into ours; ``consequence`` is the message's last sentence.

    Raises:
        RefusedSettingsError: the server refuses the credentials, or has no such database.
        UnavailableError: no answer, no memory left, or another refusal.
    """
    try:
        yield
    except (OperationalError, StorageError, redis.RedisError, OSError) as error:
        failure = _translated(settings, _refusal(error))
        raise type(failure)(f"{failure.message} {consequence}".rstrip()) from error


def _translated(settings: RedisSettings, refusal: redis.RedisError | None) -> UnavailableError:
    if isinstance(refusal, MasterNotFoundError):
        return UnavailableError(
            f"The sentinels at {settings.place} name no running master {settings.master}; are they running, do they accept "
            "the password, and is it called that (INTERLACE_REDIS__MASTER)?"
        )
    kind, port = ("sentinel", 26379) if settings.master else ("redis", 6379)
    server = f"Redis {'behind the sentinels ' if settings.master else ''}at {settings.place}"
    if isinstance(refusal, redis.AuthenticationError | redis.exceptions.NoPermissionError):
        return RefusedSettingsError(
            f"{server} does not accept the user or the password ({refusal}); set {_SETTING}, as in {kind}://USER:PASSWORD@HOST:{port}/0."
        )
    if isinstance(refusal, redis.OutOfMemoryError):
        return UnavailableError(f"{server} has no memory left for tasks: raise its `maxmemory`, or free some.")
    if refusal is None:
        return UnavailableError(f"{server} does not answer; is it running? `interlace doctor` checks.")
    if _NO_DATABASE in str(refusal):
        return RefusedSettingsError(
            f"{server} has no database of this number; set {_SETTING}, as in {kind}://HOST:{port}/0."
        )
    return UnavailableError(f"{server} refuses a command: {refusal}.")


def _refusal(error: BaseException | None) -> redis.RedisError | None:
    """Return the server's or the sentinels' answer behind an exception; none where there was none."""
    while error is not None:
        if isinstance(error, redis.ResponseError | redis.AuthenticationError | MasterNotFoundError):
            return error
        error = error.__cause__ or error.__context__
    return None
