"""The only way to open a driver, and the only place where the driver's errors become ours."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

import neo4j
from neo4j.exceptions import AuthError, ConfigurationError, DriverError, Neo4jError, ResultFailedError

from interlace.domain.errors import (
    InterlaceError,
    NoSpaceError,
    QueryRefusedError,
    RefusedSettingsError,
    SettingsError,
    UnavailableError,
)
from interlace.settings import Neo4jSettings
from interlace.text.excerpts import shortened

LIVENESS_SECONDS: Final = 30
"""Idle seconds after which a pooled connection is probed before it is used: a restarted server leaves dead ones behind."""

# Its retries go to the logs if there are any, but not to a terminal, which gets our message in the end.
logging.getLogger("neo4j").addHandler(logging.NullHandler())
CONNECT_SECONDS = 5.0
"""Seconds to wait for a connection, from the pool or a new one."""

READ_SECONDS = 4.0
"""Seconds over which a read is retried, even if the server accepts connections and never answers."""

_POOL_SIZE: Final = (
    64  # connections per process: 40 threads answer requests, 16 run legs, 4 describe hits for the cross-encoder
)
_SCHEMES: Final = frozenset(
    f"{protocol}{security}" for protocol in ("bolt", "neo4j") for security in ("", "+s", "+ssc")
)
_TIMED_OUT: Final = "TransactionTimedOut"
_NOT_LET_IN: Final = frozenset(
    f"Neo.ClientError.Security.{word}" for word in ("AuthenticationRateLimit", "CredentialsExpired")
)  # besides the driver's AuthError: what the server says after some wrong passwords, and of a password to be changed first
_NO_DATABASE: Final = "Neo.ClientError.Database.DatabaseNotFound"
_STOPPED: Final = frozenset(
    f"Neo.DatabaseError.Transaction.Transaction{word}" for word in ("StartFailed", "CommitFailed", "LogError")
)  # on a full disk the database panics, and every later transaction fails until the server is restarted
# The database's error after it became read-only because there is no disk space for the next log.
_READ_ONLY: Final = "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase"
_FREE_SPACE: Final = "Free some disk space if its disk is full: the local stack then restarts it automatically, any other you must restart."
_MAX_REASON_CHARACTERS: Final = 600  # characters: the server repeats the whole query when it refuses one


def open_driver(settings: Neo4jSettings) -> neo4j.Driver:
    """Return a driver; it connects when it is first used.

    Raises:
        SettingsError: the address has no host, or a scheme other than Bolt's.
    """
    try:
        _check_address(settings.uri)
        return neo4j.GraphDatabase.driver(
            settings.uri,
            auth=(settings.user, settings.password.get_secret_value()),
            connection_timeout=CONNECT_SECONDS,
            # Not only for a slot in the pool: a server that accepts connections and is silent is given up after this, too.
            connection_acquisition_timeout=CONNECT_SECONDS,
            max_connection_pool_size=_POOL_SIZE,
            max_transaction_retry_time=settings.retry_seconds,
            liveness_check_timeout=LIVENESS_SECONDS,
            notifications_min_severity="OFF",
            user_agent="interlace",
        )
    except (ConfigurationError, ValueError) as error:
        raise SettingsError(
            f"INTERLACE_NEO4J__URI: {settings.uri!r} is not the address of a Neo4j server ({error}); write bolt://host:7687."
        ) from error


def _check_address(uri: str) -> None:
    """Refuse two things that the driver would accept: HTTP, as a protocol of its own, and a missing host, as localhost."""
    address = urlsplit(uri)
    if (
        address.scheme not in _SCHEMES or not address.hostname or address.port == 0
    ):  # reading a wrong port raises ValueError
        raise ValueError("scheme, host or port is missing or unknown")


@contextmanager
def errors_as_ours(settings: Neo4jSettings, name: str) -> Iterator[None]:
    """Turn the driver's errors inside the block into ours; ``name`` is the query's, for the message.

    Raises:
        UnavailableError: the server cannot be reached, has panicked, or a transient fault persisted.
        RefusedSettingsError: it refuses the credentials, or has no such database.
        NoSpaceError: it is read-only, which happens when its disk is full.
        QueryRefusedError: the server refuses the query, or a limit of time or memory was reached.
    """
    try:
        yield
    except (Neo4jError, DriverError) as error:
        raise translated(error, settings, name) from error


def translated(error: Neo4jError | DriverError, settings: Neo4jSettings, name: str) -> InterlaceError:
    """Return our error for one of the driver's."""
    error = behind(error)
    if _refuses_user(error):
        return RefusedSettingsError(
            f"Neo4j at {settings.uri} does not accept user {settings.user!r}: {_reason(error)} "
            "Set INTERLACE_NEO4J__USER and INTERLACE_NEO4J__PASSWORD; the local stack reads neo4j_password in its stack.json at `interlace up`."
        )
    if isinstance(error, DriverError) or not error.code:
        return UnavailableError(
            f"Neo4j at {settings.uri} did not answer ({_reason(error)}); is it running? `interlace doctor` checks."
        )
    if is_transient(error):
        return UnavailableError(
            f"Neo4j at {settings.uri} could not finish {name} in {settings.retry_seconds:g} s of retries: {_reason(error)}"
        )
    if error.code in _STOPPED or error.code == _READ_ONLY:
        kind = NoSpaceError if error.code == _READ_ONLY else UnavailableError
        return kind(f"Neo4j at {settings.uri} accepts no more work: {_reason(error)} {_FREE_SPACE}")
    if error.code == _NO_DATABASE:
        return RefusedSettingsError(
            f"Neo4j at {settings.uri} has no database {settings.database!r}; set INTERLACE_NEO4J__DATABASE."
        )
    return QueryRefusedError(f"Neo4j {_verdict(error)} {name}: {_reason(error)} ({error.code})")


def behind(error: Neo4jError | DriverError) -> Neo4jError | DriverError:
    """Return the error for which a transaction failed.

    The driver returns the connection of a failed transaction to its pool before it closes the transaction. If another thread has
    begun one there by then, closing raises ``ResultFailedError`` in place of the error that it is caused by.
    """
    cause = error.__cause__ if isinstance(error, ResultFailedError) else None
    return cause if isinstance(cause, (Neo4jError, DriverError)) else error


def _refuses_user(error: Neo4jError | DriverError) -> bool:
    return isinstance(error, AuthError) or (isinstance(error, Neo4jError) and error.code in _NOT_LET_IN)


def _verdict(error: Neo4jError) -> str:
    if out_of_memory(error):
        return "ran out of the memory a transaction may take in"
    if _TIMED_OUT in (error.code or ""):
        return "ran out of the time given to"
    return "refused"


def is_transient(error: Neo4jError | DriverError) -> bool:
    """Return whether the same transaction may succeed later."""
    return error.is_retryable() and not out_of_memory(error)


def out_of_memory(error: Neo4jError | DriverError) -> bool:
    """Return whether a memory limit stopped the query: Neo4j calls that transient, but the same query would hit it again."""
    return isinstance(error, Neo4jError) and "OutOfMemory" in (error.code or "")


def _reason(error: Neo4jError | DriverError) -> str:
    """Return the cause in a few words: the server's message, or the operating system's if the connection was lost."""
    bottom: BaseException = error
    while bottom.__cause__ is not None:
        bottom = bottom.__cause__
    reason = bottom.strerror if isinstance(bottom, OSError) else None
    text = (error.message if isinstance(error, Neo4jError) else reason) or str(error) or type(error).__name__
    return shortened(text, _MAX_REASON_CHARACTERS)
