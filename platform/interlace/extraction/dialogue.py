"""Dialogue: turns that begin with their speaker and a colon, and how people address each other in them."""

import re

from interlace.extraction.notation import is_exclamation

SPEAKER = re.compile(r"^([^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*)?): ", re.MULTILINE)
"""The beginning of a dialogue turn; its group is the speaker, in one or two words."""
_ADDRESSED = """
auntie boss brother buddy captain chief coach colonel commander dad daddy darling dear doc doctor dude father folks gentlemen general grandma grandpa
granny guys honey kid kiddo ladies lady lieutenant lord ma'am madam major master mate mister miss mom mommy mother mum mummy officer pal professor
sergeant sir sis sister sweetheart teacher uncle
"""
_ADDRESSES = frozenset(_ADDRESSED.split())


def is_dialogue(text: str) -> bool:
    """Return whether a text has several dialogue turns."""
    return sum(1 for _ in SPEAKER.finditer(text)) > 1


def is_address(words: str) -> bool:
    """Return whether words are only how somebody is addressed, thanked or greeted: ``Captain``, ``Thanks, Dad``."""
    parts = [word.strip(".,!?").lower() for word in words.split()]
    return bool(parts) and all(part in _ADDRESSES or is_exclamation(part) for part in parts)
