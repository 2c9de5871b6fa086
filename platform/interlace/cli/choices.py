"""Words of the command line that must be one of a few."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from interlace.domain.errors import InvalidInputError

Word = TypeVar("Word", bound=str)


def choice(option: str, word: str, among: Sequence[Word]) -> Word:
    """Return the word as one of those allowed.

    Raises:
        InvalidInputError: it is none of them; the message names the option, the word and what is allowed.
    """
    found = next((each for each in among if each == word), None)
    if found is None:
        raise InvalidInputError(f"{option} {word}: use one of {', '.join(among)}.")
    return found


def choices(option: str, words: Iterable[str] | None, among: Sequence[Word]) -> tuple[Word, ...]:
    """Return the words of an option that may be given again; none if it was not given.

    Raises:
        InvalidInputError: a word is none of those allowed.
    """
    return tuple(choice(option, word, among) for word in words or ())
