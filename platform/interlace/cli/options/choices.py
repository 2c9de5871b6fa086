"""Options that take one of a few words. Typer checks a ``Literal`` itself, but not a list of them."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import typer
from typer.core import TyperGroup

from interlace.cli.terminal import READER_LEFT, forget_output
from interlace.domain.errors import InvalidInputError
from interlace.domain.validation import explained, hint

Word = TypeVar("Word", bound=str)


def choices(option: str, words: Iterable[str] | None, among: Sequence[Word]) -> tuple[Word, ...]:
    """Return the words of an option; none if it was not given.

    Raises:
        InvalidInputError: a word is none of those allowed; the message names the option, the word and what is allowed.
    """
    known = {str(word): word for word in among}
    found = []
    for word in words or ():
        if word not in known:
            raise InvalidInputError(f"{option} {word}: use one of {', '.join(among)}{hint(word, among)}")
        found.append(known[word])
    return tuple(found)


class CommandGroup(TyperGroup):
    """Commands whose refused options are explained in Interlace's words, and whose reader may leave, for which Typer would exit with 1."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            cause: Any = error.__cause__
            if hasattr(cause, "errors"):
                error.message = _refusal(error, cause.errors()[0])
            raise
        except BrokenPipeError:
            forget_output()
            raise typer.Exit(READER_LEFT) from None


def _refusal(error: typer.BadParameter, problem: dict[str, Any]) -> str:
    message = explained(problem)
    descriptor = getattr(error.param, "type_descriptor", None)
    if descriptor is None or descriptor.choices is None:
        return message
    return message.removesuffix(".") + hint(str(problem["input"]), map(str, descriptor.choices))
