"""Every error a user can meet: a sentence with a remedy, a stable code and an exit code.

The API renders these as ``application/problem+json``, with the HTTP status of their code, and the CLI as one line on standard error.
"""

from collections.abc import Iterable
from typing import ClassVar

from interlace.domain.usage import NO_USAGE, CallUsage


class InterlaceError(Exception):
    """Base of every expected failure.

    Args:
        message: a full sentence that names the thing, the value and the remedy.
    """

    code: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidInputError(InterlaceError):
    """The caller sent something that can never work as it is."""

    code = "invalid-input"
    exit_code = 2


def several_entities(name: str, entities: Iterable[tuple[str, str, str]]) -> InvalidInputError:
    """Return the error that a name stands for several entities, of which each is given by id, name and type."""
    listed = ", ".join(f"{entity_id} ({called}, {kind})" for entity_id, called, kind in entities)
    return InvalidInputError(f"{name} may be several entities; give an id: {listed}.")


class SettingsError(InterlaceError):
    """A setting is unknown, malformed or makes no sense."""

    code = "invalid-settings"
    exit_code = 78


class ForbiddenError(InterlaceError):
    """The caller's key gives no access to this: another tenant, or something beyond its scopes."""

    code = "forbidden"
    exit_code = 77


class NotFoundError(InterlaceError):
    """The named document, job, entity or community does not exist for this tenant."""

    code = "not-found"
    exit_code = 4


def no_entity(entity_id: str) -> NotFoundError:
    """Return the error that no entity has an id."""
    return NotFoundError(f"There is no entity {entity_id}; `interlace entities search NAME` finds entities by name.")


class ConflictError(InterlaceError):
    """The request contradicts the current state, for example a compare-and-set that lost."""

    code = "conflict"
    exit_code = 5


class UnavailableError(InterlaceError):
    """A server that is needed does not answer; trying again later may work.

    ``usage`` is what a language model took before it failed, as when it does not answer a request to repair its output.
    """

    code = "unavailable"
    exit_code = 69
    usage: CallUsage = NO_USAGE


class RefusedSettingsError(SettingsError, UnavailableError):
    """A server does not accept what the settings say of it: the credentials, or the name of a database.

    A person has to change a setting or the server, and then everything works: whoever copes with a server that does not answer copes with
    this, and to callers of the API it is the same.
    """

    code = UnavailableError.code


class NoSpaceError(UnavailableError):
    """A server answers but has no disk space to write; the fault is not in what was sent to it."""


class RateLimitedError(UnavailableError):
    """A service refuses more requests for now; it is not asked again before the wait is over.

    Args:
        message: what refused, and what to do.
        retry_after: seconds that the service asked to wait; none where it said nothing.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NoProviderError(UnavailableError):
    """The setting of a model names no provider, so that nothing can be asked; the message says how to name one, and holds no secret."""


class InvalidOutputError(InterlaceError):
    """A language model returned something other than what was asked for, even when asked to repair it.

    Args:
        message: which model, and what is wrong with its output.
        usage: what it took: that is paid for.
    """

    code = "invalid-output"
    exit_code = 76

    def __init__(self, message: str, *, usage: CallUsage = NO_USAGE) -> None:
        super().__init__(message)
        self.usage = usage


class QueryRefusedError(InterlaceError):
    """The database refused a query: a bug in Interlace, or a limit that was reached; never retried."""

    code = "query-refused"


class ParseError(InterlaceError):
    """One document cannot be read; the rest of its batch goes on.

    Args:
        message: what is wrong with this document, and what to do.
        reason: a stable code for the kind of failure (``empty``, ``encoding``, ``too-large``, ``broken``, ``unknown-type``, ``limit``,
            ``unreadable``, ``changed``, ``duplicate``, ``link``, ``access``; for a document that is named by its address, ``not-allowed``, ``unreachable``).
        uri: the source URI of the document, where it is known.
        file: the URI of the file that the document is a record of; empty for a file.
    """

    code = "unreadable-document"
    exit_code = 1

    def __init__(self, message: str, *, reason: str = "broken", uri: str = "", file: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.uri = uri
        self.file = file


class StackError(InterlaceError):
    """The local stack cannot start, stop or be found."""

    code = "stack"
    exit_code = 70
