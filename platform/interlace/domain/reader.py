"""The reader on whose behalf something is read, and the groups that limit what it may see.

It is passed in the context (``contextvars``) and not as an argument, so that no call in between can forget it. The graph adapter and the
vector index look it up at each read. Where no reader is bound, the platform itself or an operator is reading and sees everything: workers,
commands on the machine, the schedule. The API binds every request before it does anything else.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from interlace.domain.errors import ForbiddenError, InvalidInputError
from interlace.domain.validation import GROUP

Groups = Sequence[str]
EVERY_GROUP: Final = "*"
"""Stands in a key's groups for all of them: its holder sees every document."""
MAX_GROUPS: Final = 1000
_VIEW: Final[ContextVar[Callable[[], Groups | None]]] = ContextVar("reader", default=lambda: None)


def group_names(given: Iterable[str]) -> tuple[str, ...]:
    """Return names of groups sorted, each once.

    Raises:
        InvalidInputError: one of them cannot be a name of a group, or there are more than ``MAX_GROUPS``.
    """
    names = tuple(sorted(set(given)))
    if wrong := [name for name in names if not GROUP.matches(name)]:
        raise InvalidInputError(f"access: {wrong[0]!r} is not a valid name of a group; it must be {GROUP.description}.")
    if len(names) > MAX_GROUPS:
        raise InvalidInputError(f"access: a document may have at most {MAX_GROUPS} groups, not {len(names)}.")
    return names


def reader_groups() -> Groups | None:
    """Return the groups of the current reader; None for one who sees all. A reader without groups sees what is open to everybody."""
    return _VIEW.get()()


def bind_reader(view: Callable[[], Groups | None]) -> None:
    """Bind a reader for the rest of this context, and for what it starts.

    Each read asks for the groups again, because whether a tenant restricts documents may change during a request.
    """
    _VIEW.set(view)


@contextmanager
def reading(view: Callable[[], Groups | None]) -> Iterator[None]:
    """Bind a reader inside a ``with`` block; ``lambda: None`` sees all."""
    token = _VIEW.set(view)
    try:
        yield
    finally:
        _VIEW.reset(token)


def check_unrestricted(what: str) -> None:
    """Refuse a reader restricted to groups; ``what`` is the subject of the error's sentence.

    Raises:
        ForbiddenError: the reader does not see all.
    """
    if reader_groups() is not None:
        raise ForbiddenError(
            f"{what} is not available to a key that is restricted to groups of readers: it is made from documents of "
            "all groups. Use a key of the group '*', or one with the scope 'admin'."
        )
