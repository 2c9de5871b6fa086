"""Options that may be repeated and take one of a few words. Typer checks a ``Literal`` itself, but not a list of them."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from interlace.domain.errors import InvalidInputError

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
            raise InvalidInputError(f"{option} {word}: use one of {', '.join(among)}.")
        found.append(known[word])
    return tuple(found)
