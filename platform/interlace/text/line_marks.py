"""Line marks: what stands before a sentence and is no part of it: the time and the speaker of a turn, the number of an item or a clause."""

import re

from interlace.text.chats import TURN_START

# ``1. Back up``, ``(a) had no licence``, ``4.2 We pay``, ``§ 3 The hall``, but neither ``2.5 g`` nor ``19.30 Uhr``.
_NUMBER = r"(?:\(?(?:\d{1,2}|[a-z])(?:\.\d{1,2})*[.)]|\d{1,2}(?:\.\d{1,2})+(?= +(?!Uhr\b|[a-z])[^\W\d_])|§ ?\d+[a-z]?) +(?=\S)"
_MARK = re.compile(rf"^[ \t]*(?:{TURN_START}|{_NUMBER})", re.MULTILINE)


def without_marks(text: str) -> str:
    """Return a text without the marks at the beginnings of its lines."""
    return _MARK.sub("", text)
