"""Dialogue: turns that begin with their speaker and a colon, and how people address each other in them."""

import re
from collections.abc import Iterator

from interlace.extraction.notation import is_exclamation
from interlace.text.chats import LONG_NAME, NAME
from interlace.text.fields import is_field_label

_START = "^(?P<behind> {5,})?"  # of a line, or behind the blanks for a time
_SPEAKER = re.compile(rf"{_START}(?P<speaker>(?(behind){LONG_NAME}|{NAME})): ", re.MULTILINE)
"""The beginning of a line that may be a dialogue turn; its group ``speaker`` is what stands before the colon, behind a time up to five words, else one or two."""
_ADDRESSED = """
auntie boss brother buddy captain chief coach colonel commander dad daddy darling dear doc doctor dude father folks gentlemen general grandma grandpa
granny guys honey kid kiddo ladies lady lieutenant lord ma'am madam major master mate mister miss mom mommy mother mum mummy officer pal professor
sergeant sir sis sister sweetheart teacher uncle
"""
_ADDRESSES = frozenset(_ADDRESSED.split())


def turns(text: str, start: int = 0) -> Iterator[re.Match[str]]:
    """Yield the beginnings of a text's dialogue turns from an offset on: ``Ada: ``, but not the label of a field, ``Date: ``."""
    return (each for each in _SPEAKER.finditer(text, start) if not is_field_label(each["speaker"]))


def turn_of(text: str, start: int) -> re.Match[str] | None:
    """Return the beginning of what may be a dialogue turn if its speaker's name begins at an offset."""
    found = _SPEAKER.match(text, text.rfind("\n", 0, start) + 1)
    return found if found and found.start("speaker") == start else None


def speaks(text: str, word: str) -> bool:
    """Return whether a line begins with a word and a colon, as dialogue turns do."""
    return not is_field_label(word) and re.search(rf"{_START}{re.escape(word)}:", text, re.MULTILINE) is not None


def is_dialogue(text: str) -> bool:
    """Return whether a text has several dialogue turns or fields, as mails and tickets have, whose writers address each other too."""
    return sum(1 for _ in _SPEAKER.finditer(text)) > 1


def is_address(words: str) -> bool:
    """Return whether words are only how somebody is addressed, thanked or greeted: ``Captain``, ``Thanks, Dad``."""
    parts = [word.strip(".,!?").lower() for word in words.split()]
    return bool(parts) and all(part in _ADDRESSES or is_exclamation(part) for part in parts)
